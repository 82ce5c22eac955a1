"""The command `compile`."""

from argparse import ArgumentParser, Namespace

from abnf2lark.commands.shared import add_input, add_out, add_rules, output, read_grammar_of
from abnf2lark.config import roots, settled
from abnf2lark.problems import AbnfError, find_rules
from abnf2lark.process import flag, say


def add_arguments(parser: ArgumentParser) -> None:
    add_input(parser)
    add_rules(parser, "--start", "a rule to start with (default: rules that none refers to)")
    text = "take nodes and leaves from this grammars.toml beside FILE.abnf, as build does"
    parser.add_argument("--settings", metavar="TOML", help=text)
    add_rules(parser, "--node", "a rule that is to be a node of trees, though it is a character")
    add_rules(parser, "--leaf", "a rule that is to be a node holding nothing but text")
    add_rules(parser, "--inline", "a rule that is not to be a node")
    flag(parser, "--blanks", help="keep white space in trees, which is dropped otherwise")
    flag(parser, "--portable", help="write what Python 3.8 and JavaScript read as well")
    flag(parser, "--strict", help="refuse a grammar that is known to be ambiguous")
    add_out(parser, "OUT.lark")


def run(options: Namespace) -> int:
    """Write the Lark grammar."""
    from abnf2lark.lark_grammars import compiling  # noqa: PLC0415 - loads lark

    with output(options) as write:
        named = {name: getattr(options, name) for name in ("start", "node", "leaf", "inline")}
        take = [rule for rules in named.values() for rule in rules]
        bundle = settled(options.file, options.settings)
        if bundle and not options.settings and not all(map(bundle.grammar.find, take)):
            bundle = None  # the whole grammar of the document may have them
        grammar = bundle.grammar if bundle else read_grammar_of(options, take)
        starts, nodes, leaves, inlined = (
            find_rules(grammar, rules, f"--{option}") for option, rules in named.items()
        )
        form = compiling.Form(options.portable, drops_blanks=not options.blanks)
        if bundle:
            made = compiling.compile_settled(bundle, starts, nodes, leaves, inlined, form)
        else:
            starts = starts or roots(grammar)
            made = compiling.compile_grammar(
                grammar, starts, nodes=nodes, leaves=leaves, inlined=inlined, advise=True, form=form
            )
        if options.strict and made.ambiguity:
            raise AbnfError(f"{grammar.name} is ambiguous: {made.ambiguity}")
        write(made.text)
    if made.parser == "lalr":
        say(f"LALR: proved for {', '.join(starts) or 'all its rules'}")
        if made.flattened:
            say(f"It is LALR without nodes of {', '.join(made.flattened)}")
    else:
        say(f"Earley: {made.reason}")
        if made.advice:
            advice = " ".join(f"--leaf {rule}" for rule in made.advice)
            say(f"It would be LALR with {advice}")
    if made.ambiguity and "ambiguous: " not in made.reason:
        say(f"Ambiguous: {made.ambiguity}")
    return 0
