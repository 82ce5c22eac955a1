"""Settings that hold for every test."""

from hypothesis import settings

# No test is timed: the machines that run them are busy with other things.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")
