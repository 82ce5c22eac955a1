"""Directives for what the programs say of themselves, as they say it now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from .api import entries
from .catalogues import (
    cause_entries,
    client_entries,
    code_entries,
    column_entries,
    fault_entries,
    field_entries,
    help_of,
    message_entries,
    permanent_entries,
    requirement_entries,
    scheme_requirement_entries,
    wwwoffle_entries,
)

if TYPE_CHECKING:
    from sphinx.application import Sphinx


class CommandHelp(SphinxDirective):
    """A block with the help of a command, which is the argument: `uriparse parse`."""

    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        """Make the block."""
        text = help_of(*self.arguments[0].split())
        return [nodes.literal_block(text, text, language="text", classes=["command-help"])]


class Codes(SphinxDirective):
    """A list of the codes of a layer, which is the argument."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Make the list."""
        return list(self.parse_text_to_nodes("\n".join(code_entries(self.arguments[0]))))


class ColumnFunctions(SphinxDirective):
    """A table of the functions of columns: their arguments, results and forms in SQL."""

    def run(self) -> list[nodes.Node]:
        """Make the table."""
        return list(self.parse_text_to_nodes("\n".join(column_entries())))


class Clients(SphinxDirective):
    """A list of the clients that were measured on the wire, with their versions."""

    def run(self) -> list[nodes.Node]:
        """Make the list."""
        return list(self.parse_text_to_nodes("\n".join(client_entries())))


class Causes(SphinxDirective):
    """A list of the causes for which a text is refused."""

    def run(self) -> list[nodes.Node]:
        """Make the list."""
        return list(self.parse_text_to_nodes("\n".join(cause_entries())))


class Messages(SphinxDirective):
    """A table of messages; the argument is "causes", "findings" or "usage"."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Make the table."""
        return list(self.parse_text_to_nodes("\n".join(message_entries(self.arguments[0]))))


class Requirements(SphinxDirective):
    """A table of the requirements of one source; the argument is their letter, or "schemes"."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Make the table."""
        kind = self.arguments[0]
        rows = scheme_requirement_entries() if kind == "schemes" else requirement_entries(kind)
        return list(self.parse_text_to_nodes("\n".join(rows)))


class PermanentSchemes(SphinxDirective):
    """A table of the permanent schemes of IANA's registry."""

    def run(self) -> list[nodes.Node]:
        """Make the table."""
        return list(self.parse_text_to_nodes("\n".join(permanent_entries())))


class ReportedFaults(SphinxDirective):
    """A table of the faults that uri-test-suite has cases for, and where they were reported."""

    def run(self) -> list[nodes.Node]:
        """Make the table."""
        return list(self.parse_text_to_nodes("\n".join(fault_entries())))


class WwwoffleVersions(SphinxDirective):
    """A table of what each version of WWWOFFLE makes of a text."""

    def run(self) -> list[nodes.Node]:
        """Make the table."""
        return list(self.parse_text_to_nodes("\n".join(wwwoffle_entries())))


class PublicNames(SphinxDirective):
    """A list of the public names, by module, with their arguments and errors."""

    def run(self) -> list[nodes.Node]:
        """Make the list."""
        return list(self.parse_text_to_nodes("\n".join(entries()), allow_section_headings=True))


class UrlFields(SphinxDirective):
    """A table of the fields of a registry's records; the argument is "current" or "rfc1738"."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Make the table."""
        return list(self.parse_text_to_nodes("\n".join(field_entries(self.arguments[0]))))


def setup(app: Sphinx) -> dict[str, bool]:
    """Join the build."""
    app.add_directive("command-help", CommandHelp)
    app.add_directive("codes", Codes)
    app.add_directive("causes", Causes)
    app.add_directive("clients", Clients)
    app.add_directive("column-functions", ColumnFunctions)
    app.add_directive("messages", Messages)
    app.add_directive("requirements", Requirements)
    app.add_directive("wwwoffle-versions", WwwoffleVersions)
    app.add_directive("permanent-schemes", PermanentSchemes)
    app.add_directive("public-names", PublicNames)
    app.add_directive("reported-faults", ReportedFaults)
    app.add_directive("url-fields", UrlFields)
    return {"parallel_read_safe": True}
