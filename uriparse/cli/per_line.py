"""What commands do for each text: answer it, or report why it is invalid, and continue."""

import argparse
import json
import os
import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, cast

from uriparse import errors
from uriparse.cli import console as streams
from uriparse.cli.console import Chunk, Console, RefusedOptionError, quoted, without_line_ends
from uriparse.errors import URIError, URISyntaxError, URLError, excerpt
from uriparse.grammar import charset
from uriparse.parsing import Record, parse, try_parse
from uriparse.percent import quote
from uriparse.records.authority import mask
from uriparse.records.references import REFERENCE_RULES, URI_RULES, reader

if TYPE_CHECKING:
    from uriparse.whatwg import BrowserURL

# Report why a text is invalid: to people on standard error, to programs as JSON.

_NOT_UTF8 = re.compile("[\udc80-\udcff]")


def report(error: URIError, text: str, console: Console, *, is_cut: bool = False) -> None:
    """Report an invalid text, with `--json` as JSON.

    For a line of a file or a pipe the report is one line, which ends with the text unchanged.
    """
    if console.options.get("json") and console.options.get("invalid") != "drop":
        console.json_members(_members(described(error, text, console)))
        return
    about = ""
    if console.is_row and not is_cut:
        about = f"; invalid: {without_line_ends(console.shown(text))}"
    console.error("\n".join(_lines(error, text, console)), about)


def members(text: str, facts: Mapping[str, object]) -> str:
    """Return what an object of JSON says of a valid text, as it may be shown."""
    return _members({"text": text, "valid": True, **facts})


def _members(facts: Mapping[str, object]) -> str:
    return ", ".join([f"{quoted(name)}: {json_value(value)}" for name, value in facts.items()])


def json_value(value: object) -> str:
    """Write a value of JSON; `json.dumps` takes three times as long for a text."""
    if type(value) is str:
        return quoted(value)
    if value is None or value is True or value is False or type(value) is int:
        return "null" if value is None else str(value).lower()
    if isinstance(value, dict):
        return f"{{{_members(value)}}}"
    return json_words(value) if type(value) is tuple else json.dumps(value)


@lru_cache(maxsize=1 << 10)
def json_words(words: tuple[str, ...]) -> str:
    """Write a list of words, of which there are few."""
    return json.dumps(words)


def report_too_long(text: str, console: Console) -> None:
    """Report a line that is too long by its beginning."""
    kept = text if console.secrets else masked_beginning(text)
    report(URIError(streams.TOO_LONG), kept, console, is_cut=True)


def report_option(error: URIError, name: str, text: str, console: Console) -> RefusedOptionError:
    """Report what is wrong with the value of an option."""
    console.locate(f"{name}: ", within={"option": name})
    report(error, text, console)
    return RefusedOptionError(name)


def described(
    error: URIError, text: str, console: Console, cause: str | None = None
) -> dict[str, object]:
    """Return the facts for JSON; `valid` is null where the text is not at fault.

    message: what is wrong, the cause first.
    cause: as given, or its name in `uriparse.diagnosis.CAUSES`; null if there is none.
    offset: in characters from 0, as for a caret; null where no character is at fault.
    found: the character there; "***" if it may be of a password, null at the end of the text.
    help: what to do about it, in the words of the command line.
    """
    facts: dict[str, object] = dict.fromkeys(
        ("message", "cause", "offset", "component", "rule", "expected", "found", "help")
    )
    facts["message"] = reason(error, console)
    if isinstance(error, URISyntaxError):
        own = ("cause", "offset", "component", "rule", "expected", "found")
        facts |= {name: getattr(error, name) for name in own} | {"help": remedy(error, console)}
        if not console.secrets and excerpt.is_masked(error.text, error.offset):
            facts["found"] = excerpt.MASK
    elif isinstance(error, URLError):
        facts |= {"cause": error.failure, "offset": error.offset, "component": error.component}
    facts["cause"] = cause or facts["cause"]
    valid = False if isinstance(error, URISyntaxError | URLError) else None
    return {"text": console.shown(text), "valid": valid, "error": facts}


_IN_A_SHELL = {
    "iri_to_uri(text, idna=True)": "`uriparse normalize --to uri --grammar rfc3987`",
    "find_uris": "`uriparse find`",
    "no retrieval URI, no default": "and no --retrieval URI that says where it is from",
    "write it as triplets": "write it as triplets, or add --encode",
}
"""By words of messages of the library, those of the command."""


def _in_a_shell(message: str, console: Console) -> str:
    for words, ours in _IN_A_SHELL.items():
        if "--encode" not in ours or "encode" in console.options:
            message = message.replace(words, ours)
    return message


def reason(error: URIError, console: Console) -> str:
    """Return what is wrong in one line."""
    if not isinstance(error, URISyntaxError):
        return _in_a_shell(console.shown(str(error)), console)
    if error.found is not None and _NOT_UTF8.fullmatch(error.found):
        return f"byte 0x{ord(error.found) - 0xDC00:02X} at offset {error.offset} is not UTF-8"
    return error.reason


def remedy(error: URISyntaxError, console: Console) -> str | None:
    """Return what to do about it, in options of the command if there are any."""
    if error.found is not None and _NOT_UTF8.fullmatch(error.found):
        return "give the text in UTF-8"
    offers = [_in_a_shell(error.remedy or "", console)]
    if error.argument is not None and error.argument.name in console.options:
        effect, name, value = error.argument
        option = f"--{name} {value}" if value is not True else console.options[name]
        offers.append(f"{effect}: {option}")
    if error.cause == "no-scheme":
        if "suffix" in console.options:
            if with_suffix_scheme(error.text, "https") != error.text:
                offers.append("read it as a host with a path: --suffix https")
        elif console.options.get("base", "given") is None:
            offers.append("say what it is relative to: --base URI")
    return ", or ".join(filter(None, offers)) or None


def _lines(error: URIError, text: str, console: Console) -> list[str]:
    """Return the lines of a message: cause, excerpt with caret, what was expected, what to do.

    For a line of a pipe or a file it is one line: cause, offset, what to do.
    """
    lines = [f"error: {reason(error, console)}"]
    if console.is_row:
        if isinstance(error, URISyntaxError):
            at = "" if " at offset " in lines[0] else f" at offset {error.offset}"
            help_ = remedy(error, console)
            return [f"{lines[0]}{at}{f'; help: {help_}' if help_ else ''}"]
        return lines
    if isinstance(error, URISyntaxError | URLError):
        place = error.span[0] if isinstance(error, URISyntaxError) else error.offset
        pointer = excerpt.pointer(error.text, place, secrets=console.secrets)
        lines += [f"  {line}" for line in pointer.split("\n")]
    if not isinstance(error, URISyntaxError):
        return lines
    from uriparse.diagnosis import join_words

    if error.expected and place == error.offset:
        lines.append(f"expected: {join_words(error.expected)}")
    helps = [remedy(error, console)]
    if not console.secrets and excerpt.is_masked(text, place):
        helps.append("--show-passwords shows what is masked")
    if any(helps):
        lines.append(f"help: {'; '.join(filter(None, helps))}")
    return lines


def with_suffix_scheme(text: str, scheme: str | None) -> str:
    """Return a text with a scheme before it if it begins like a suffix reference.

    That is every text but the empty one, and those that begin with a delimiter or a scheme and "/".

    >>> with_suffix_scheme("h:80?u=a://b", "http"), with_suffix_scheme("ftp://h", "http")
    ('http://h:80?u=a://b', 'ftp://h')
    """
    if scheme is None or text[:1] in {"", "/", "?", "#"}:
        return text
    head, slash, _ = text.partition("#")[0].partition("?")[0].partition("/")
    return text if slash and head.endswith(":") else f"{scheme}://{text}"


def text_reader(args: argparse.Namespace, rule: str) -> Callable[[str], Record]:
    """Return what parses a text by a rule, or as `--whatwg` and `--suffix` say."""
    read = _plain_reader(args, rule)
    scheme = getattr(args, "suffix", None)  # most commands do not have it
    if scheme is None:
        return read
    return lambda text: read(with_suffix_scheme(text, scheme))


def _plain_reader(args: argparse.Namespace, rule: str) -> Callable[[str], Record]:
    grammar: str = args.grammar
    if getattr(args, "whatwg", False):
        from uriparse import whatwg

        return lambda text: _as_uri(whatwg.parse(text))
    if (rule, grammar) == ("URI-reference", "rfc3986"):
        return parse
    read = reader(rule, grammar)

    def one(text: str) -> Record:
        found = read(text)
        return parse(text, rule, grammar=grammar) if found is None else found

    return one


def _as_uri(url: "BrowserURL") -> Record:
    """Return a browser's URL, whose query has triplets for what no query of a URI has."""
    try:
        return url.to_uri()
    except errors.URISyntaxError as error:
        if error.component != "query":
            raise
    first, *others = (url.query or "").split("%")
    fit, hexadecimal = quote(first, "query"), charset("HEXDIG")
    for one in others:
        is_triplet = len(one) > 1 and hexadecimal.issuperset(one[:2])
        fit += f"%{one[:2]}{quote(one[2:], 'query')}" if is_triplet else f"%25{quote(one, 'query')}"
    before, _, after = str(url).partition("?")
    return parse(f"{before}?{fit}{after.removeprefix(url.query or '')}", "URI")


def for_each(
    sources: Sequence[str],
    console: Console,
    answer: Callable[[str], str | bool | None],
    chunk: Chunk | None = None,
) -> int:
    """Answer each text, and report invalid ones; return the exit code, 1 if some were invalid.

    This is the one place that obeys `--invalid`: an invalid text is reported, and then left out,
    written unchanged, or ends the run.

    answer: writes the answer, or returns it: a line or, with `--json`, members. False makes the
        exit code 1, a URIError says that it is invalid.
    chunk: returns what `answer` returns for each of many texts, None for one that is invalid.

    UnknownRuleError and MissingExtraError are not about the text, and end the run.
    """
    jobs = console.options.get("jobs", 1)
    if jobs != 1 and console.given is None:
        return _side_by_side(sources, console, cast("int", jobs))
    code = 0

    def refuse(text: str, error: URIError | None = None) -> None:
        nonlocal code
        code = 1
        if error is None:
            report_too_long(text, console)
        elif console.is_heard or is_json:
            report(error, text, console)
        if how == "keep" and not is_json:
            kept = console.made(text) if error else ""  # a part of a line would be another line
            console.out(without_line_ends(kept) if console.is_argument else kept)
        if how == "fail":
            raise _LastError

    def unheard(texts: Sequence[str]) -> list[str | None]:
        """Answer many texts; those that are refused need nothing more."""
        nonlocal code
        rows = chunk(texts) if chunk else []
        found = [row for row in rows if row is not None]
        code = 1 if len(found) < len(rows) else code
        return cast("list[str | None]", found)

    how, is_json = console.options.get("invalid"), bool(console.options.get("json"))
    put = console.json_members if is_json else console.out
    is_silent = not (is_json or console.is_heard) and how in {None, "drop"}
    try:
        for text in console.lines(sources, refuse, unheard if chunk and is_silent else chunk):
            try:
                made = answer(text)
                if isinstance(made, str):
                    put(made)
                elif made is False:
                    code = 1
            except (errors.UnknownRuleError, errors.MissingExtraError):
                raise
            except URIError as error:
                refuse(text, error)
            if console.is_argument:
                report_file(text, console)
    except _LastError:
        pass
    finally:
        console.release()
    return code


class _LastError(Exception):
    """Ends the run at an invalid text, with `--invalid fail`."""


def _side_by_side(sources: Sequence[str], console: Console, jobs: int) -> int:
    """Answer texts in several processes, each of which runs the command for a part of them."""
    from uriparse.cli.processes import in_order

    code = 0
    parts = in_order(
        *(partial(answer_part, dict(console.options)), console.batches(sources), jobs),
        is_last=lambda batch: len(batch.texts) < streams.FEW,
    )
    for own, taken in parts:
        code = max(code, own)
        console.tell_again(taken)
        if code and console.options.get("invalid") == "fail":
            break
    console.locate()
    return code


def answer_part(options: dict[str, Any], given: streams.Batch) -> tuple[int, streams.Taken]:
    """Run the command for the texts of another process."""
    args = argparse.Namespace(**options)
    own = Console(secrets=options.get("show_passwords"), options=options, given=given)
    code: int = args.run(args, own)
    own.release()
    return code, own.taken


def report_file(text: str, console: Console) -> None:
    """Say that an argument, which is read as a text, is also the name of a file."""
    if console.options.get("json") or "files" not in console.options:
        return
    if os.path.isfile(text):  # noqa: PTH113 - a text that may not be a path at all
        command = f"uriparse {console.options['command']} --file FILE"
        console.error(f"help: this is also the name of a file; to read its lines: {command}")


def read_option(
    name: str, text: str, args: argparse.Namespace, console: Console, *, absolute: bool = True
) -> Record:
    """Parse the value of an option, such as a base; absolute: it must have a scheme.

    RefusedOptionError, after the report, if it cannot be used.
    """
    rule = (URI_RULES if absolute else REFERENCE_RULES)[args.grammar]
    try:
        return parse(text, rule, grammar=args.grammar)
    except URISyntaxError as error:
        raise report_option(error, name, text, console) from None


def shown(reference: Record, console: Console) -> Record:
    """Return an input reference for output: with *** for its password."""
    return reference if reference.userinfo is None or console.secrets else masked(reference)


def made(reference: Record, console: Console) -> Record:
    """Return a result: with *** for its password by `--no-show-passwords`."""
    return masked(reference) if console.hides else reference


def made_text(text: str, console: Console) -> str:
    """Return the text of a result, as `made` does; possible passwords in other texts are masked."""
    if not console.hides:
        return text
    reference = try_parse(text)
    return console.made(text) if reference is None else str(masked(reference))


def masked(reference: Record) -> Record:
    """Return a reference with *** for its password."""
    if reference.userinfo is None:
        return reference
    return reference.replace(userinfo=mask(reference.userinfo))


def masked_beginning(text: str) -> str:
    """Return the beginning of a text; a possible password that was cut off is masked."""
    return excerpt.masked(f"{text}@").removesuffix("@")


def each(answer: Callable[[str], str]) -> Chunk:
    """Return what answers many texts, each by itself, and leaves those that are refused."""

    def row(text: str) -> str | None:
        try:
            return answer(text)
        except (errors.UnknownRuleError, errors.MissingExtraError):
            raise
        except URIError:  # which is reported in its turn
            return None

    return lambda texts: list(map(row, texts))


def make_each(
    sources: Sequence[str],
    args: argparse.Namespace,
    console: Console,
    make: Callable[[Record], Record],
    fact: str,
    chunk: Callable[[Sequence[str]], list[str | None] | None] = lambda _: None,
    *,
    changes: bool = False,
    absolute: bool = False,
) -> int:
    """Answer each text with the reference that is made of it; 1 if some were invalid.

    fact: its name with `--json`, which with `changes` also says whether it is `changed`.
    chunk: makes the texts of many, None for one that is refused; or nothing without the kernel.
    """

    def answer(reference: Record) -> tuple[str, dict[str, object]]:
        target = make(reference)
        written = str(made(target, console))
        return written, {fact: written, **({"changed": target != reference} if changes else {})}

    if args.json or console.hides or args.grammar != "rfc3986" or getattr(args, "suffix", None):
        return answer_each(sources, args, console, answer, absolute=absolute)
    return answer_each(sources, args, console, answer, chunk, absolute=absolute)


def answer_each(
    sources: Sequence[str],
    args: argparse.Namespace,
    console: Console,
    answer: Callable[[Record], tuple[str, dict[str, object]]],
    chunk: Callable[[Sequence[str]], list[str | None] | None] = lambda _: None,
    *,
    absolute: bool = False,
) -> int:
    """Answer each text with a line or, with `--json`, with facts; 1 if some were invalid.

    answer: returns both for a reference.
    chunk: as for `for_each`; or it returns nothing, and each is answered by itself.
    absolute: whether a text must have a scheme.
    """
    read = text_reader(args, (URI_RULES if absolute else REFERENCE_RULES)[args.grammar])

    def tell(text: str) -> str:
        reference = read(text)
        line, facts = answer(reference)
        return members(str(shown(reference, console)), facts) if args.json else line

    single = each(tell)
    return for_each(sources, console, tell, lambda texts: chunk(texts) or single(texts))
