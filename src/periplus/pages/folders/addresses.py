"""Where the files of a folder stood on the web: the URL of each, and other URLs by which links may reach it.

The first that applies:

1. `base` and the path of the file in the folder, where a person gave one;
2. the name of the file, where that is a URL (`http:^^host^path`, as in WebKB, or `http%3A%2F%2Fhost%2Fpath`);
3. the host that the first folder on its path is named after (wget, HTTrack; `http/` and `https/` before it count);
4. the base that the whole folder seems to have (`survey`), and the path.

As on web servers, `index.html` is the page of its folder. wget writes a query behind the name (`index.html?p=2`), and
with `-E` one more `.html` behind that; links that it rewrote have `%3F` for the question mark.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from urllib.parse import quote, unquote

from periplus.pages.folders.files import SUFFIXES
from periplus.web.url import canonical, is_public_host

_INDEX = {f"index{suffix}" for suffix in SUFFIXES}
_URL_NAME = re.compile(r"(https?|ftp|file):(\^\^|//)", re.IGNORECASE)
_SAFE = "/~!$&'()*+,;=:@"
_LOCAL = {"localhost", "test", "example", "local", "internal", "lan"}
_OURS = "web"  # collections are called my.web; nobody has a host there yet


@dataclass(frozen=True, slots=True)
class Address:
    """The URL of a file, and further ones that lead there."""

    url: str
    aliases: tuple[str, ...] = ()


@dataclass(slots=True)
class Addresses:
    """The addresses of the files in `folder`; `base` is None where it is only guessed, as `guess`.

    `schemes` are those by which pages name a host. `coded`: names of files keep the escapes (%20) of their URLs.
    """

    folder: Path
    base: str | None
    guess: str
    schemes: dict[str, str] = field(default_factory=dict)
    coded: bool = False

    def of(self, path: Path) -> Address | None:
        """The address of a file; None where its name makes no URL."""
        relative = path.relative_to(self.folder)
        if self.base is not None:
            return self._at(self.base, relative.parts)
        if (named := url_of_name(path.name)) is not None:
            return Address(named)
        host, inner = host_of_path(relative.parts)
        if host:
            scheme = self.schemes.get(host) or (relative.parts[0] if relative.parts[0] == "https" else "http")
            return self._at(f"{scheme}://{host}/", inner)
        return self._at(self.guess, relative.parts)

    def _at(self, base: str, parts: tuple[str, ...]) -> Address | None:
        *folders, name = parts
        head = base + "".join(f"{quote(part, safe=_SAFE)}/" for part in folders)
        urls = [canonical(head + text) for text in spellings(name, coded=self.coded)]
        found = list(dict.fromkeys(url for url in urls if url is not None))
        return Address(found[0], tuple(found[1:])) if found else None


def spellings(name: str, *, coded: bool = False) -> list[str]:
    """How links may call a file in its own folder, the way that its server called it first."""
    stem, mark, query = name.partition("?")
    plain = quote(name, safe=_SAFE)
    if not mark:
        kept = [quote(name, safe=_SAFE + "%")] if coded and "%" in name else []
        return ["", plain] if name.lower() in _INDEX else [*kept, plain]
    quoted, asked = quote(stem, safe=_SAFE), quote(query, safe=_SAFE + "/?%")
    bare = asked.removesuffix(".html")
    calls = ([""] if stem.lower() in _INDEX else []) + [quoted]
    return [f"{call}?{bare}" for call in calls] + [f"{quoted}?{asked}", plain]


def url_of_name(name: str) -> str | None:
    """The URL that the name of a file spells; a collection holds http(s) only, so ftp: and file: become http:."""
    text = name if _URL_NAME.match(name) else unquote(name)
    found = _URL_NAME.match(text)
    if found is None:
        return None
    scheme, mark = found[1].lower(), found[2]
    rest = text[found.end() :].replace("^", "/") if mark == "^^" else text[found.end() :]
    return canonical(f"{scheme if scheme.startswith('http') else 'http'}://{rest}")


def host_of_path(parts: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """The host that the first folder of a path is named after, "" if none is, and the path below it."""
    first = 1 if len(parts) > 2 and parts[0] in ("http", "https") else 0
    if len(parts) > first + 1 and is_host(parts[first]):
        return parts[first].lower(), parts[first + 1 :]
    return "", parts


def is_host(name: str) -> bool:
    """Whether a folder has the name of a host: of a known domain, an address, or anything with a port."""
    host, mark, port = name.lower().partition(":")
    if not re.fullmatch(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*", host):
        return False
    if mark:
        return port.isdecimal()
    last = host.rpartition(".")[2]
    if last.isdecimal():
        return re.fullmatch(r"(\d{1,3}\.){3}\d{1,3}", host) is not None
    return host == "localhost" or ("." in host and last != _OURS and (last in _LOCAL or is_public_host(host)))


def local_base(folder: Path) -> str:
    """The base URL of a folder without one: its name as a host in `.local`, which the public web does not use."""
    name = "".join(c if c.isascii() and c.isalnum() else "-" for c in folder.resolve().name.lower()).strip("-")
    return f"http://{name[:60].strip('-') or 'folder'}.local/"


def root_of(url: str, relative: PurePosixPath) -> str | None:
    """The base under which a file at this path has this URL; None if the URL does not end so."""
    for spelling in spellings(relative.name):
        parents = "" if str(relative.parent) == "." else quote(str(relative.parent), safe=_SAFE) + "/"
        ending = parents + spelling
        if url.endswith("/" + ending) and len(url) - len(ending) > url.index("://") + 3:
            return url[: len(url) - len(ending)]
    return None
