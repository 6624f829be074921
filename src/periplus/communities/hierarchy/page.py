"""The whole tree as one self-contained page: an outline that opens and closes, without JavaScript."""

from __future__ import annotations

from html import escape

from periplus.communities.hierarchy.tree import Tree

_STYLE = """
:root{color-scheme:light dark;--ink:#1d2a35;--paper:#f7f3ea;--quiet:#5d6a72;--rule:#d8d0bf;--accent:#9a3b26}
@media(prefers-color-scheme:dark){:root{--ink:#dfe6ea;--paper:#0e1620;--quiet:#93a1ab;--rule:#263442;--accent:#e59a7f}}
body{background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,sans-serif;margin:0 auto;max-width:72ch;
padding:24px 16px}
h1{font-family:Georgia,serif;font-weight:400}
ul{list-style:none;margin:0;padding-left:16px;border-left:1px solid var(--rule)}
main>ul{padding-left:0;border-left:0}
summary{cursor:pointer;padding:4px 0}
summary:focus-visible{outline:2px solid var(--accent)}
li.leaf{padding:4px 0 4px 16px}
.n{color:var(--quiet);font-variant-numeric:tabular-nums}
.pages{color:var(--quiet);font-size:.875em;overflow-wrap:anywhere}
"""


def html_page(tree: Tree, *, name: str) -> str:
    """The page: every node with its name, its size and its best pages."""
    title = f"{escape(name)}: {len(tree):,} pages in {len(tree.parents):,} nodes"
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title}</title><style>{_STYLE}</style></head>\n"
        f"<body><main><h1>{title}</h1>\n{_list(tree, 0)}</main></body></html>\n"
    )


def _list(tree: Tree, node: int) -> str:
    return "<ul>" + "".join(_item(tree, child) for child in tree.children[node]) + "</ul>\n"


def _item(tree: Tree, node: int) -> str:
    told = tree.node(node)
    best = ", ".join(escape(tree.url(page) or str(page)) for page in told["authorities"])
    line = f'{escape(told["label"])} <span class="n">{told["size"]:,}</span>'
    pages = f'<div class="pages">{best}</div>' if best else ""
    if not tree.children[node]:
        return f'<li class="leaf">{line}{pages}</li>'
    return f"<li><details><summary>{line}</summary>{pages}{_list(tree, node)}</details></li>"
