"""Write ABNF as RFCs do: "=" in one column, lines of 69, comments where they are."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from abnf2lark.problems import GrammarError, InputError, Source, has_errors
from abnf2lark.reading.reader import read_rules
from abnf2lark.reading.scan import TOKEN, chunks

WIDTH = 69  # columns of a line: those of an RFC, without the three that its text is indented by
MAX_NAME = 20  # characters of a name that others are aligned with
_BLANKS = re.compile(r"\n(?:[ \t]*\n)+")
_COMMENT = re.compile(r'(?:[^";<]|"[^"]*"|<[^>]*>)*?(?P<comment>;.*)?')


@dataclass(frozen=True, slots=True)
class _Layout:
    """The column of "=", and of the first element after it."""

    name: int
    sign: int

    @property
    def slash(self) -> str:
        return " " * (self.name + 1)

    @property
    def element(self) -> str:
        return " " * (self.name + self.sign + 2)

    def head(self, name: str, sign: str) -> str:
        return f"{name:<{self.name}} {sign:<{self.sign}} "


def formatted(source: Source) -> str:
    r"""Return a grammar in the RFCs' style; it means the same, and has the same comments.

    Raises :class:`GrammarError` for what cannot be read.

    >>> print(formatted(Source("t", "a=b / (c)\nlonger =   *DIGIT ; digits\n")), end="")
    a      = b / ( c )
    longer = *DIGIT  ; digits
    """
    rules, problems = read_rules(source, "")
    if has_errors(problems):
        raise GrammarError([problem for problem in problems if problem.severity == "error"])
    text = source.text.replace("\r\n", "\n").expandtabs()
    source = Source(source.name, text)
    found = [(chunk.offset, _tokens(chunk.text)) for chunk in chunks(source)]
    names = [len(tokens[0]) for _, tokens in found if len(tokens[0]) <= MAX_NAME]
    layout = _Layout(max(names, default=0), max(len(tokens[1]) for _, tokens in found))
    ends = [offset for offset, _ in found[1:]]
    made = [_between(text[: found[0][0]])]
    for (offset, tokens), end in zip(found, [*ends, len(text)], strict=True):
        raw = text[offset:end]
        last = offset + len(next(chunks(Source("", raw))).text)
        close = text.find("\n", last) + 1 or len(text)
        lines = text[offset:close].rstrip("\n").split("\n")
        made += [f"{line}\n" for line in _rule(lines, tokens, layout)]
        made.append(_between(text[close:end], layout.element))
    done = "".join(made).rstrip() + "\n"
    again, _ = read_rules(Source(source.name, done), "")
    same = [(one.name, one.body) for one in again] == [(one.name, one.body) for one in rules]
    kept, before = (filter(None, _comments(one.split("\n"))) for one in (done, text))
    if not same or [*kept] != [*before]:
        raise InputError(f"{source.name}: it cannot be written in this style without a change")
    return done


def _comments(lines: Sequence[str]) -> list[str]:
    parts = (_COMMENT.fullmatch(line.rstrip()) for line in lines)
    return [found["comment"] or "" if found else "" for found in parts]


def _between(text: str, indent: str = "") -> str:
    """Write what is between two rules: comments, and one blank line for many."""
    lines = _BLANKS.sub("\n\n", text).split("\n")
    return "\n".join(
        (indent if line[:1] == " " else "") + line.strip() if line.strip() else "" for line in lines
    )


def _tokens(text: str) -> list[str]:
    """Return the tokens of a rule without spaces; a repeat is one with its element."""
    found: list[str] = []
    repeat = ""
    for token in TOKEN.finditer(text):
        if token.lastgroup == "repeat":
            repeat = token[0]
        elif token.lastgroup != "space":
            found.append(repeat + token[0])
            repeat = ""
    return found


def _rule(lines: Sequence[str], tokens: Sequence[str], layout: _Layout) -> Iterator[str]:
    """Yield the lines of a rule; the author's lines stay where comments are between them."""
    comments = _comments(lines)
    head = layout.head(tokens[0], tokens[1])
    if any(comments[:-1]):
        yield from _as_written(lines, comments, head, layout)
        return
    made = [*_filled(head, tokens[2:], layout)]
    comment = comments[-1]
    if comment and len(made[-1]) + len(comment) + 2 <= WIDTH:
        made[-1] += f"  {comment}"
    elif comment:
        made.append(layout.element + comment)
    yield from made


def _filled(head: str, tokens: Sequence[str], layout: _Layout) -> Iterator[str]:
    """Yield a rule on one line, or else each alternative on its own; single words share lines."""
    if len(head) + len(" ".join(tokens)) <= WIDTH:
        yield head + " ".join(tokens)
        return
    alternatives = list(_alternatives(tokens))
    if all(len(one) == 1 for one in alternatives):
        words = [alternatives[0][0], *(f"/ {one[0]}" for one in alternatives[1:])]
        yield from _wrapped(head, words, layout.slash, layout.slash)
        return
    for number, one in enumerate(alternatives):
        first = f"{layout.slash}/{' ' * (len(layout.element) - len(layout.slash) - 1)}"
        yield from _wrapped(first if number else head, one, layout.element, layout.element + "  ")


def _wrapped(line: str, words: Sequence[str], first: str, later: str) -> Iterator[str]:
    """Yield lines that words fill; the later lines of an alternative are indented deeper."""
    begun = False
    for word in words:
        if begun and len(line) + len(word) + 1 > WIDTH:
            yield line
            line, begun = later if first != later else first, False
        line = f"{line} {word}" if begun else line + word
        begun = True
    yield line


def _alternatives(tokens: Sequence[str]) -> Iterator[list[str]]:
    """Yield the tokens of each alternative that is not inside a group."""
    depth, one = 0, list[str]()
    for token in tokens:
        depth += (token[-1] in "([") - (token in (")", "]"))
        if token == "/" and not depth:
            yield one
            one = []
        else:
            one.append(token)
    yield one


def _as_written(
    lines: Sequence[str], comments: Sequence[str], head: str, layout: _Layout
) -> Iterator[str]:
    """Yield the lines of a rule as they are divided, with their comments in one column."""
    made: list[str] = []
    for number, (line, comment) in enumerate(zip(lines, comments, strict=True)):
        tokens = _tokens(line.rstrip()[: len(line.rstrip()) - len(comment)])
        if not number:
            made.append((head + " ".join(tokens[2:])).rstrip())
        elif tokens[:1] == ["/"]:
            space = " " * (len(layout.element) - len(layout.slash) - 1)
            made.append(f"{layout.slash}/{space}{' '.join(tokens[1:])}".rstrip())
        else:
            made.append(layout.element + " ".join(tokens) if tokens else "")
    column = max(len(line) for line, comment in zip(made, comments, strict=True) if comment) + 2
    for line, comment in zip(made, comments, strict=True):
        if not comment:
            yield line
        elif not line:
            yield layout.element + comment
        else:
            yield f"{line:<{column}}{comment}"
