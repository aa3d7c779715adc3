"""Translation engines, what they have answered, and what that cost.

`runner` keeps every reply that was paid for, and sends what is missing; each engine is a class with
what `engine.Service` says, found by `services.service_for`.
"""
