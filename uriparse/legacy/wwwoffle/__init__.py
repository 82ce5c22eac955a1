"""The URL forms of the WWWOFFLE proxy: canonical URLs, form arguments, their encodings.

`canonical` holds that form and its record, `by_document` has the steps towards it by the document
of version 2.6, `program` those of the later versions; `encodings` has the three percent-encodings,
with the character sets of the real program.

The program goes by RFC 1738 and RFC 1808 for URLs, RFC 1866 for forms, RFC 1945 and RFC 2616 for
HTTP; of RFC 2396 and RFC 3986 it knows nothing.

The program writes and reads pairs of form data in many places, each by itself; here that is
`write_form_args` and `parse_form_args`.
"""

from uriparse.legacy.wwwoffle.canonical import (
    LOCALHOST,
    WwwoffleURL,
    build_url,
    canonicalize,
    split_url,
)
from uriparse.legacy.wwwoffle.encodings import (
    VERSIONS,
    Version,
    decode,
    decode_form,
    encode_form,
    encode_password,
    encode_path,
    parse_form_args,
    recode_form_args,
    split_form_args,
    write_form_args,
)

__all__ = [
    "LOCALHOST", "VERSIONS", "Version", "WwwoffleURL", "build_url", "canonicalize", "decode",
    "decode_form", "encode_form", "encode_password", "encode_path", "parse_form_args",
    "recode_form_args", "split_form_args", "split_url", "write_form_args",
]  # fmt: skip
