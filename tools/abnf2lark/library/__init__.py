"""The compiler as a library: a grammar that has been read, and what can be asked of it.

`loading` reads ABNF, `loaded` answers, with `explanations`, `trees`, `parsers` and `records`. The
package's front, `abnf2lark`, has the names.
"""
