"""Compile ABNF grammars (RFC 5234, RFC 7405) to Lark grammars and regular expressions."""
