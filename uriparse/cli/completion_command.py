"""`uriparse completion`: scripts by which shells complete its command lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

    from uriparse.cli.console import Console

NAME = "completion"
HELP = "write the script by which a shell completes command lines"
GROUP = "the command"
EXAMPLES = (
    "uriparse completion bash > ~/.local/share/bash-completion/completions/uriparse",
    "uriparse completion fish > ~/.config/fish/completions/uriparse.fish",
)
EXITS = {0: "written"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("shell", choices=("bash", "zsh", "fish"), metavar="bash|zsh|fish")


def run(args: argparse.Namespace, console: Console) -> int:
    """Write the script."""
    from uriparse.cli.completion import SHELLS

    console.output.write(SHELLS[args.shell]())
    return 0
