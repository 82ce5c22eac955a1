"""pandas: a column of texts judged, or split into columns of components."""

import pandas as pd

from uriparse import is_valid, try_parse

COMPONENTS = ("scheme", "userinfo", "host", "port", "path", "query", "fragment")


def valid(texts: pd.Series) -> pd.Series:
    return texts.map(is_valid, na_action="ignore").astype("boolean")


def components(texts: pd.Series) -> pd.DataFrame:
    """A row each; what is invalid or missing has no components."""
    rows = []
    for text in texts:
        record = try_parse(text) if isinstance(text, str) else None
        values = [getattr(record, name, None) for name in COMPONENTS]
        rows.append([None if value is None else str(value) for value in values])
    return pd.DataFrame(rows, index=texts.index, columns=COMPONENTS, dtype=object)
