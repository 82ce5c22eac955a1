"""Sub-commands of ``abnf2lark``, a module each: ``register`` adds its arguments and its work."""
