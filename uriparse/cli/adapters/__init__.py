"""Parsers that can be put on trial, each in a process of its own, and how they are asked.

An adapter gets texts and answers each: whether it accepts it, and its components if it tells them.
Whatever it does, crash, hang or babble, costs it that text alone.
"""

from uriparse.cli.adapters.asking import ABSENT, Answers, ask
from uriparse.cli.adapters.catalogue import ADAPTERS, Adapter, UnknownAdapterError, adapter

__all__ = ["ABSENT", "ADAPTERS", "Adapter", "Answers", "UnknownAdapterError", "adapter", "ask"]
