"""The URL forms of the WWWOFFLE proxy: canonical URLs, form arguments, their encodings.

`canonical` holds that form and its record, `split` and `part_rules` are the steps towards it,
`encoding` its three percent-encodings, with the character sets of the real program.
"""

from uriparse.legacy.wwwoffle.canonical import (
    LOCALHOST,
    ParamsMode,
    WwwoffleURL,
    build_url,
    canonicalize,
    split_url,
)
from uriparse.legacy.wwwoffle.encoding import (
    decode,
    decode_form,
    encode_form,
    encode_password,
    encode_path,
    parse_form_args,
    recode_form_args,
    split_form_args,
)

__all__ = [
    "LOCALHOST",
    "ParamsMode",
    "WwwoffleURL",
    "build_url",
    "canonicalize",
    "decode",
    "decode_form",
    "encode_form",
    "encode_password",
    "encode_path",
    "parse_form_args",
    "recode_form_args",
    "split_form_args",
    "split_url",
]
