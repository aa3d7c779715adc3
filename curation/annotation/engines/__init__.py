"""Translation engines, what they have answered, and what that cost.

`engine` says what an engine is, keeps every reply that was paid for, and sends what is missing.
Each engine is a class with what `engine.Service` says, found by `services.service_for`.
"""
