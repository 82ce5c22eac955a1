"""The sub-commands of ``abnf2lark``, a module each: its help, its arguments and its work.

A module is loaded when its command runs. Its docstring is the help: a description, then examples.
"""

COMMANDS = {
    "build": "regenerate the compiled files of a project",
    "compile": "turn an ABNF file into a Lark grammar",
    "pattern": "print the regular expression of a rule",
    "lint": "find what is wrong or doubtful in ABNF files",
    "railroad": "draw the rules as railroad diagrams on one HTML page",
    "ebnf": "write the rules in the EBNF of the W3C",
    "extract": "find the ABNF in the plain text of an RFC",
    "diff": "compare two rules, or all rules of two grammars",
    "generate": "generate valid and invalid texts for a rule",
    "show": "print a packed file of tables as text",
    "match": "say whether texts match a rule",
    "explain": "say where a text stops matching a rule, and what could follow there",
    "tree": "print the parse tree of texts, with spans",
    "records": "parse texts into records, or write their classes",
    "check": "check the grammar of a draft, and the draft's own examples",
    "lsp": "serve an editor by the Language Server Protocol",
    "format": "write grammars in the style of RFCs",
}
"""What `--help` lists, in this order."""
