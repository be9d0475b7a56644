# SPDX-License-Identifier: MIT
"""Chromium without a window, for tests: it opens pages, clicks, types and takes screenshots.

    with Chromium() as browser:
        page = browser.open(path, width=1280, height=800)
        page.click("#search")
        page.type("main")
        page.key("Enter")
        page.wait("document.querySelectorAll('.hit').length == 3")
        page.screenshot("/tmp/x.png")
        page.check()

It speaks the Chrome DevTools Protocol over a pipe and needs only the browser. No page gets to a network: names are not
resolved, and check() names pages that tried. If no browser starts, Chromium() raises Unavailable.
"""
import base64
import fcntl
import functools
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent))
import npm

PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "chrome")
LIMIT_S = 30  # time limit for one answer, on a machine that does other things, too
LOCAL = ("file:", "data:", "blob:", "about:", "devtools:")
SWITCHES = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--no-default-browser-check", "--disable-background-networking", "--disable-component-update",
    "--disable-sync", "--disable-default-apps", "--disable-extensions", "--disable-crash-reporter",
    "--disable-breakpad", "--disable-dev-shm-usage", "--hide-scrollbars", "--mute-audio",
    "--font-render-hinting=none", "--force-color-profile=srgb",
    "--host-resolver-rules=MAP * ~NOTFOUND", "--remote-debugging-pipe")

# The keys without a letter: name, code.
KEYS = {"Enter": 13, "Escape": 27, "Backspace": 8, "Tab": 9, "Home": 36, "End": 35, "PageUp": 33,
        "PageDown": 34, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40,
        "Delete": 46, " ": 32}
ALT, CTRL, META, SHIFT = 1, 2, 4, 8


class Unavailable(Exception):
    """There is no browser here, or it does not start."""


@functools.cache
def axe_script():
    with tempfile.TemporaryDirectory() as folder:
        try:
            return (Path(npm.package("axe-core", folder)) / "axe.min.js").read_text()
        except npm.Unavailable as e:
            raise Unavailable(e) from None


class Failure(Exception):
    """The browser refused a request, or a page did something forbidden."""


class Chromium:
    """A browser that runs until close()."""

    def __init__(self):
        program = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, PROGRAMS)), None)
        if not program:
            raise Unavailable("chromium is not installed")
        self.folder = tempfile.mkdtemp(prefix="browser-")
        self.number, self.buffer, self.listeners = 0, b"", {}
        try:
            self._start(program)
            self.call("Browser.getVersion")
        except (OSError, Failure) as e:
            self.close()
            raise Unavailable(f"{program} does not start: {e}") from None

    def _start(self, program):
        # The browser reads from descriptor 3 and writes to 4, which must be free for that in the child.
        held = []
        while not held or held[-1] <= 4:
            held.append(os.open("/dev/null", os.O_RDONLY | os.O_CLOEXEC))
        to_read, self.to = os.pipe()
        self.out, from_write = os.pipe()

        def give():
            for fd, number in ((to_read, 3), (from_write, 4)):
                os.dup2(fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, 10), number)

        self.process = subprocess.Popen(
            [program, *SWITCHES, f"--user-data-dir={self.folder}/profile", "about:blank"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            close_fds=False, preexec_fn=give, start_new_session=True,
            env={**os.environ, "HOME": self.folder})
        for fd in (to_read, from_write, *held):
            os.close(fd)

    def close(self):
        if hasattr(self, "process"):
            try:
                self.call("Browser.close")
                self.process.wait(10)
            except (Failure, OSError, subprocess.TimeoutExpired):
                pass
            try:
                os.killpg(self.process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            self.process.wait()
            os.close(self.to)
            os.close(self.out)
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def call(self, method, session=None, **params):
        """Returns the result of a method of the protocol."""
        self.number += 1
        number = self.number
        message = {"id": number, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + LIMIT_S
        while True:
            answer = self._next(deadline, method)
            if answer.get("id") == number:
                break
            self._tell(answer)
        if "error" in answer:
            raise Failure(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def _next(self, deadline, what):
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.out], [], [], max(0, deadline - time.monotonic()))
            piece = os.read(self.out, 1 << 20) if ready else None
            if not piece:
                raise Failure(f"{what}: " + ("no answer" if piece is None else "the browser has ended"))
            self.buffer += piece
        message, _, self.buffer = self.buffer.partition(b"\0")
        return json.loads(message)

    def _tell(self, event):
        listener = self.listeners.get(event.get("sessionId"))
        if listener and "method" in event:
            listener(event["method"], event["params"])

    def open(self, where, width=1280, height=800, dark=False):
        """Opens a new page for a file (a path) or an address."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        page = Page(self, target)
        page.look(width, height, dark)
        page.go(where)
        return page


class Page:
    """One page. Its errors and its requests are kept: see check()."""

    def __init__(self, browser, target):
        self.browser, self.target = browser, target
        self.session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.errors, self.requests, self.loaded = [], [], False
        browser.listeners[self.session] = self._listen
        for domain in ("Page", "Runtime", "Log", "Network", "Audits"):
            self.call(f"{domain}.enable")

    def call(self, method, **params):
        return self.browser.call(method, self.session, **params)

    def _listen(self, method, params):
        if method == "Page.loadEventFired":
            self.loaded = True
        elif method == "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning", "assert"):
            self.errors.append(" ".join(str(a.get("value", a.get("description"))) for a in params["args"]))
        elif method == "Log.entryAdded" and params["entry"]["level"] == "error":
            self.errors.append(params["entry"]["text"])
        elif method == "Audits.issueAdded" and params["issue"]["code"] == "ContentSecurityPolicyIssue":
            self.errors.append(json.dumps(params["issue"]["details"]))
        elif method == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])

    def check(self):
        """Fails if the page reported an error, or requested something from a network."""
        outside = [url for url in self.requests if not url.startswith(LOCAL)]
        if self.errors or outside:
            raise Failure("\n".join(self.errors + [f"asks for {url}" for url in outside]))

    def close(self):
        self.browser.call("Target.closeTarget", targetId=self.target)
        del self.browser.listeners[self.session]

    def look(self, width, height, dark=False, media=""):
        """Sets the size of the window, the reader's colour scheme, and "print" or "" for the screen."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", media=media, features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
            {"name": "prefers-reduced-motion", "value": "reduce"}])

    def go(self, where):
        url = where if ":" in str(where) else Path(where).resolve().as_uri()
        self.loaded = False
        result = self.call("Page.navigate", url=url)
        if result.get("errorText"):
            raise Failure(f"{url}: {result['errorText']}")
        # Another fragment of the same page loads nothing.
        self.wait_until(lambda: self.loaded or "loaderId" not in result, f"{url} to load")

    def wait_until(self, holds, what):
        deadline = time.monotonic() + LIMIT_S
        while not holds():
            if time.monotonic() > deadline:
                raise Failure(f"waited for {what} in vain")
            time.sleep(0.02)
            self.call("Runtime.getIsolateId")  # lets events come in

    def evaluate(self, expression):
        """Returns the value of a JavaScript expression; promises are awaited."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True,
                           awaitPromise=True)
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            raise Failure(details.get("exception", {}).get("description", details["text"]))
        return result["result"].get("value")

    def wait(self, expression):
        """Waits until a JavaScript expression is true."""
        self.wait_until(lambda: self.evaluate(f"Boolean({expression})"), expression)

    def settle(self):
        """Waits until the page is drawn."""
        self.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
                      ".then(() => true)")

    def place(self, what):
        """Returns the middle of an element: a CSS selector, or a JavaScript expression in parentheses."""
        element = what if what.startswith("(") else f"document.querySelector({json.dumps(what)})"
        box = self.evaluate(f"""(() => {{
            const e = {element};
            if (!e) return null;
            const r = e.getBoundingClientRect();
            return [r.x + r.width / 2, r.y + r.height / 2];
        }})()""")
        if not box:
            raise Failure(f"there is no {what}")
        return box

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def hover(self, what):
        x, y = what if isinstance(what, tuple) else self.place(what)
        self.mouse("mouseMoved", x, y)
        self.settle()

    def click(self, what, count=1, modifiers=0):
        """Clicks an element (as place() takes it), or a point: (x, y)."""
        x, y = what if isinstance(what, tuple) else self.place(what)
        self.mouse("mouseMoved", x, y)
        for kind in ("mousePressed", "mouseReleased"):
            self.mouse(kind, x, y, button="left", clickCount=count, modifiers=modifiers)
        self.settle()

    def drag(self, start, end, steps=8):
        """Presses at the point @start, moves, and lets go at @end."""
        self.mouse("mouseMoved", *start)
        self.mouse("mousePressed", *start, button="left", clickCount=1)
        for i in range(1, steps + 1):
            x, y = (a + (b - a) * i / steps for a, b in zip(start, end))
            self.mouse("mouseMoved", x, y, button="left", buttons=1)
        self.mouse("mouseReleased", *end, button="left", clickCount=1)
        self.settle()

    def wheel(self, x, y, dy, modifiers=0):
        self.mouse("mouseWheel", x, y, deltaX=0, deltaY=dy, modifiers=modifiers)
        self.settle()

    def key(self, key, modifiers=0):
        """Presses one key, as KeyboardEvent.key names it: "Enter", "ArrowUp", "/", "a"."""
        code = KEYS.get(key) or (ord(key.upper()) if key.isalnum() else 0)
        text = "\r" if key == "Enter" else key if len(key) == 1 and not modifiers & CTRL else ""
        params = {"key": key, "windowsVirtualKeyCode": code, "modifiers": modifiers,
                  "code": f"Key{key.upper()}" if key.isalpha() and len(key) == 1 else key}
        self.call("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", text=text, **params)
        self.call("Input.dispatchKeyEvent", type="keyUp", **params)
        self.settle()

    def type(self, text):
        """Types letters into the element that has the focus."""
        for letter in text:
            self.key(letter)

    def back(self):
        self.evaluate("void history.back()")
        self.settle()

    def forward(self):
        self.evaluate("void history.forward()")
        self.settle()

    def screenshot(self, path, whole=False):
        """Saves a PNG of the visible part of the page, or of the @whole page."""
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        Path(path).write_bytes(base64.b64decode(data["data"]))

    def pdf(self, path):
        data = self.call("Page.printToPDF", printBackground=True, preferCSSPageSize=True)
        Path(path).write_bytes(base64.b64decode(data["data"]))

    def axe(self, rules="{}"):
        """Returns the problems that axe-core calls serious, as lines of text. It comes only from npm: Unavailable
        without a network.
        """
        self.evaluate(axe_script() + "; true")
        found = self.evaluate(f"axe.run({rules}).then(r => r.violations)")
        return [f"{v['id']} ({v['impact']}): {v['help']}: {n['html'][:200]}"
                for v in found if v["impact"] in ("serious", "critical") for n in v["nodes"]]
