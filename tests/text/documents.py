"""Documents to find URIs in: any text, text in HTML and in mail, and what is hostile."""

from hypothesis import strategies as st

ATOMS = [
    *("http://h.d", "http:", "//", "h", "<", ">", '"', "URL:", "url: ", " ", "\n", "\r\n", "-\n",
      "-"),
    *("ftp://a@b/c", "www.x.y", "WWW.", ".", ",", "(", ")", "'", "[", "]", "[::1]", "%41", "%",
      "%zz"),
    *("#f", "?q", "@", ":", "80", "note:", "news:*", "mailto:a@b", "\u00e9", "\u3002", "\u65e5",
      "\u2019"),
    *("*", "_", "file:///a", "x://y", ";", ",http://z", "a", "/", "\\", "{", "\t", "urn:a:b",
      "tel:1"),
    *("C:/x", "see.http://q", "data:,x", "...", "'s", "  \n\n  ", "\ud800", "\0", "\U0001f600"),
]  # fmt: skip

TEXTS = st.lists(st.sampled_from(ATOMS), max_size=40).map("".join) | st.text()
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

HOSTILE = {
    "brackets": "<", "brackets with schemes": "<http://a ", "quotes": '"http://a', "colons": "a:",
    "schemes": "http://", "lists": "http://h,", "parentheses": "(http://h/(", "prefixes": "URL: ",
    "breaks": "<http://h-\n", "suffixes": "www.", "one word": "a", "spaces": " ",
    "percent signs": "http://h/%",
}  # fmt: skip

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
