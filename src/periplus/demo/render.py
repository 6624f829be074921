"""Drafts to HTML bytes, with as many spellings of a link as real sites use, each with the one meaning that was drafted.

Every page also carries what a careless reader would take for links: a commented-out anchor, one inside a script, a mail
address, a JavaScript link and a fragment of the page itself. None of them counts.
"""

from __future__ import annotations

from html import escape

from periplus.demo.draft import Draft, Reference
from periplus.web.url import host_of

_LEADS = (
    "See also {}.",
    "{} is the page that we send people to first.",
    "Compare {}.",
    "More is said in {}.",
    "We owe much to {}.",
)
_STYLE = "body{max-width:42rem;margin:2rem auto;padding:0 1rem;font:1.05rem/1.6 Georgia,serif}nav{font-size:.9rem}"


def render(page: Draft) -> tuple[bytes, str]:
    """Write a page; returns its bytes and its Content-Type header."""
    return encode("".join(_html(page)), page.site.charset)


def encode(html: str, charset: str) -> tuple[bytes, str]:
    """Encode, and declare the charset where sites declare it: in the header, in a meta, by a byte-order mark."""
    if charset == "utf-16":
        return b"\xff\xfe" + html.encode("utf-16-le"), "text/html"
    if charset == "windows-1252":
        body = html.replace(
            "<head>", '<head><meta http-equiv="Content-Type" content="text/html; charset=windows-1252">', 1
        )
        return body.encode("windows-1252", "xmlcharrefreplace"), "text/html"
    return html.encode(charset, "xmlcharrefreplace"), f"text/html; charset={charset}"


def _html(page: Draft) -> list[str]:
    base = f'<base href="{page.site.url("/library/")}">' if page.site.style == "based" else ""
    robots = '<META NAME="Robots" CONTENT="NoIndex">' if page.noindex else ""
    parts = [
        f'<!DOCTYPE html>\n<html lang="en"><head><title>{escape(page.title)} · {escape(page.site.name)}</title>',
        f"{base}{robots}<style>{_STYLE}</style></head>\n<body id=top>",
    ]
    if page.bare:
        return [*parts, *_sections(page), "</body></html>\n"]
    return [*parts, _menu(page), *_sections(page), *_reading(page), _footer(page)]


def _menu(page: Draft) -> str:
    entries = " · ".join(_anchor(page, reference, number) for number, reference in enumerate(page.menu))
    return f"<nav>{escape(page.site.name)} — {entries}</nav>\n"


def _sections(page: Draft) -> list[str]:
    parts = [f"<h1>{escape(page.title)}</h1>\n"]
    for number, (heading, paragraphs) in enumerate(page.sections):
        if heading:
            parts.append(f"<h2 id=part-{number}>{escape(heading)}</h2>\n")
        parts += [f"<p>{escape(paragraph, quote=False)}</p>\n" for paragraph in paragraphs]
    return parts


def _reading(page: Draft) -> list[str]:
    if not page.reading:
        return []
    anchors = [_anchor(page, reference, number) for number, reference in enumerate(page.reading)]
    if page.kind != "article":
        return ["<ul>\n", *(f"<li>{anchor}\n" for anchor in anchors), "</ul>\n"]
    in_text = " ".join(_LEADS[number % len(_LEADS)].format(anchor) for number, anchor in enumerate(anchors[:3]))
    listed = "".join(f"<li>{anchor}</li>" for anchor in anchors[3:])
    return [f"<p>{in_text}</p>\n", f"<h2>Further reading</h2>\n<ul>{listed}</ul>\n" if listed else ""]


def _footer(page: Draft) -> str:
    # Under a <base> a fragment alone would lead to the base, not into this page.
    top = "" if page.site.style == "based" else '<a href="#top">Back to the top</a> '
    return (
        '<!-- <a href="/ghost.html">taken down</a> -->\n'
        "<script>document.title += '<a href=\"/ghost.html\">no link</a>'</script>\n"
        f'<footer>{top}<a href="mailto:letters@{page.site.host}">Write to us</a> '
        '<a href="javascript:print()">Print</a></footer>\n</body></html>\n'
    )


def _anchor(page: Draft, reference: Reference, number: int) -> str:
    href = write_href(page, reference.target, number)
    return f'<a href="{escape(href)}">{escape(reference.anchor)}</a>'


def write_href(page: Draft, target: str, number: int) -> str:
    """Spell a link to `target` the way this site does; `number` varies the spelling within a page."""
    style = page.site.style
    if target == page.url and style in ("relative", "query"):
        return ""
    path = target[len("http://") + len(host_of(target)) :]
    if host_of(target) != page.site.host:
        return _to_another_host(style, target, path, number)
    source = page.url[len("http://") + len(page.site.host) :]
    if style == "query" and path.startswith("/index.php?") and source.startswith("/index.php?"):
        return path.removeprefix("/index.php")
    if style == "based":
        return relative("/library/", path)
    if style in ("relative", "upward"):
        return relative(source, path) + ("#part-2" if number % 5 == 3 else "")
    if style == "absolute":
        return _odd_spelling(page.site.host, path) if number % 3 == 1 else target.replace("%20", " ")
    return path


def _to_another_host(style: str, target: str, path: str, number: int) -> str:
    host = host_of(target)
    if style == "upward":
        return f"//{host}{path}"
    if style == "absolute" and number % 4 == 2:
        return _odd_spelling(host, path)
    return f"{target}#part-1" if number % 6 == 5 else target


def _odd_spelling(host: str, path: str) -> str:
    """Spell a URL oddly, in a way that the standard reads without doubt."""
    return f"HTTP://{host.upper()}:80/.{path}"


def relative(source: str, target: str) -> str:
    """Write `target` relative to the folder of `source`; both are paths of one host."""
    here, there = source.partition("?")[0].split("/")[1:-1], target.partition("?")[0].split("/")[1:-1]
    shared = 0
    while shared < min(len(here), len(there)) and here[shared] == there[shared]:
        shared += 1
    last = target.split("/", len(there) + 1)[-1]
    steps = [".."] * (len(here) - shared) + there[shared:]
    return "/".join([*steps, last]) or "./"
