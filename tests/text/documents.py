"""Documents to find URIs in: any text, text in HTML and in mail, and what is hostile."""

from cases import tables
from hypothesis import strategies as st

TABLES = tables(__file__)


TEXTS = st.lists(st.sampled_from(TABLES["atoms"]), max_size=40).map("".join) | st.text()
OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "grammar": st.sampled_from(["rfc3986", "rfc3987"]),
        "schemes": st.sampled_from(["plausible", "known", "any", ("note", "HTTP")]),
        "suffixes": st.booleans(),
        "absolute": st.booleans(),
        "limit": st.integers(0, 40),
    },
)

HOSTILE = TABLES["hostile"]

PIECES = (
    "http://h.d/ &amp; &lt; &gt; &quot; &#38; &#x2F; &bogus; & ; =3D =\n = =C3=A9 =20 a?b=1 #c <"
    ' > " . , ( ) \n \r\n URL: www.a.b é Content-Transfer-Encoding:quoted-printable --x boundary=x'
    r" \/ \ \\ \u002 \u0026 \u003 \x2 \? \n u002f"
)
LAYERED = st.lists(st.sampled_from([*PIECES.split(" "), " ", "\n\n"]), max_size=30).map("".join)
LAYERS = [
    *({"html": True}, {"mail": True}, {"html": True, "mail": True}),
    *({"escapes": True}, {"html": True, "escapes": True}),
]
