"""Operations on the text of components, which methods of records and functions of texts share.

A module is loaded when it is first asked for (PEP 562): parsing needs few of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from uriparse._base.migration_hints import answers

if TYPE_CHECKING:
    from uriparse.components import normal_form as normal_form
    from uriparse.components import path_edits as path_edits
    from uriparse.components import query_edits as query_edits
    from uriparse.components import redaction as redaction
    from uriparse.components import servers as servers
    from uriparse.components import target as target
else:
    __getattr__ = answers(__name__, dict)
