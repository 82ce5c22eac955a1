"""Django needs settings before it is imported."""

from importlib.util import find_spec

if find_spec("django"):
    import django
    from django.conf import settings

    settings.configure(
        DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
        INSTALLED_APPS=[],
        USE_TZ=True,
    )
    django.setup()
