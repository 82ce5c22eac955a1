"""Keys for deduplication, caches and archives: what means the same has the same key."""

from uriparse.keys.file_names import file_name, key_of
from uriparse.keys.profiles import (
    PROFILES,
    RFC3986,
    SCHEME,
    STEPS,
    WWWOFFLE,
    key,
    named_profile,
    wwwoffle_profile,
)
from uriparse.keys.steps import (
    Profile,
    Shown,
    Step,
    drop_default_index,
    drop_fragment,
    drop_query,
    drop_tracking,
    sort_query,
    tracking_names,
)
from uriparse.keys.surt import SURT

__all__ = [
    "PROFILES", "RFC3986", "SCHEME", "STEPS", "SURT", "WWWOFFLE", "Profile", "Shown", "Step",
    "drop_default_index", "drop_fragment", "drop_query", "drop_tracking", "file_name", "key",
    "key_of", "named_profile", "sort_query", "tracking_names", "wwwoffle_profile",
]  # fmt: skip
