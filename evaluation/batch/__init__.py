"""Batch files: requests that a provider answers within a day, at half the price.

OpenAI's format is also vLLM's (`vllm run-batch`); Anthropic has its own.
"""
