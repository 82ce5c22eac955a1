"""pandas: a column of texts, judged by way of Arrow."""

import pandas as pd
import pyarrow as pa

from uriparse import arrow


def valid(texts: pd.Series) -> pd.Series:
    verdicts = pa.chunked_array(arrow.is_valid(texts))
    return pd.Series(verdicts, index=texts.index, dtype=pd.ArrowDtype(pa.bool_()))
