# SPDX-License-Identifier: MIT
"""Fetches programs that only npm's registry has: the published package, unpacked, without npm.

    folder = npm.package("speedscope")

It needs a network. Without one, Unavailable gives the reason, and the test is skipped.
"""
import base64
import hashlib
import io
import os
import tarfile
import tempfile
import urllib.error
import urllib.request

REGISTRY = "https://registry.npmjs.org"
LIMIT_S = 15

# Their versions, and the digests that the registry publishes with them (SHA-512, base64).
PACKAGES = {
    "speedscope": (
        "1.25.0",
        "cpf9HWTZf1ijLXBJrk87Ve/54tnYx6rlf0gUThvn3ook6h63hLXVOQiMf44PT+XoV503cPfvfiT5gP5vojp6Ag=="),
    "@firefox-devtools/profiler-cli": (
        "0.10.0",
        "f9fqdHh7B6ddQIYrwrEs4FE5D8BMOsXSorYF4NRFfwPaGikVBlhorBxHT7zrb6WMgJgKQYHC9kazkRjbItLx8Q=="),
    "@xterm/headless": (
        "6.0.0",
        "5Yj1QINYCyzrZtf8OFIHi47iQtI+0qYFPHmouEfG8dHNxbZ9Tb9YGSuLcsEwj9Z+OL75GJqPyJbyoFer80a2Hw=="),
    "axe-core": (
        "4.14.0",
        "9WTZxEjsZ7b13TH8JPmbV2z8CHbl80/2hm3XPEG4JgNdQLK81IBRXmSxHfMAOkSqQeRxT/0dwNDz2GOm3zzpcQ=="),
    # The library from which chrome://tracing was made.
    "traceviewer": (
        "1.0.11",
        "eVRsYb8qKQBtey3ZI0/Jos5k73h4JYZGGEv62q7XwUMnpOsSXRFgj+GAyjAhqpK/L81LunuEYDBHPYgYLNQjkw=="),
}


class Unavailable(Exception):
    """The registry cannot be reached."""


def package(name, parent=None):
    """Returns the folder of a package, below @parent: a temporary folder that the caller
    removes."""
    version, digest = PACKAGES[name]
    url = f"{REGISTRY}/{name}/-/{name.rpartition('/')[2]}-{version}.tgz"
    try:
        with urllib.request.urlopen(url, timeout=LIMIT_S) as answer:
            data = answer.read()
    except (urllib.error.URLError, OSError) as e:
        raise Unavailable(f"{name} cannot be fetched from {REGISTRY}: {e}") from None
    if base64.b64encode(hashlib.sha512(data).digest()).decode() != digest:
        raise Unavailable(f"{url} is not what was published")
    folder = tempfile.mkdtemp(dir=parent)
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        archive.extractall(folder)
    return os.path.join(folder, "package")
