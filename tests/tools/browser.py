# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Chromium without a screen, driven through the DevTools protocol over a pipe.

    with Browser() as browser:
        page = browser.open(path)
        page.evaluate('document.title')

What the page's console says, its exceptions and its requests are kept in page.problems and
page.requests.
"""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def find():
    """The browser's path, or None."""
    return next((path for path in map(shutil.which, PROGRAMS) if path), None)


class BrowserError(Exception):
    pass


class Browser:
    def __init__(self, width=1280, height=900):
        self.profile = tempfile.mkdtemp(prefix="framescope-browser")
        to_child, self.write_fd = os.pipe()
        self.read_fd, from_child = os.pipe()
        args = [
            find(), "--headless=new", "--remote-debugging-pipe", f"--user-data-dir={self.profile}",
            f"--window-size={width},{height}", "--no-first-run", "--disable-gpu", "--no-sandbox",
            "--disable-extensions", "--disable-dev-shm-usage", "--disable-background-networking",
            "--disable-component-update", "--disable-sync", "--no-default-browser-check",
            "--force-color-profile=srgb", "about:blank",
        ]
        # The browser reads commands from descriptor 3 and writes to 4.
        high_in, high_out = os.dup2(to_child, 103, False), os.dup2(from_child, 104, False)

        def move():
            os.dup2(high_in, 3)
            os.dup2(high_out, 4)

        self.process = subprocess.Popen(args, close_fds=False, preexec_fn=move,
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL, start_new_session=True)
        for fd in (to_child, from_child, high_in, high_out):
            os.close(fd)
        self.buffer = b""
        self.next_id = 0
        self.answers = {}
        self.pages = {}

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.close()

    def close(self):
        try:
            self.call("Browser.close")
            self.process.wait(5)
        except (BrowserError, OSError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        os.close(self.read_fd)
        os.close(self.write_fd)
        shutil.rmtree(self.profile, ignore_errors=True)

    def call(self, method, params=None, session=None, seconds=30):
        """Send a command and wait for its result."""
        self.next_id += 1
        message = {"id": self.next_id, "method": method, "params": params or {}}
        if session:
            message["sessionId"] = session
        self.send(json.dumps(message).encode() + b"\0")
        wanted, until = self.next_id, time.monotonic() + seconds
        while wanted not in self.answers:
            self.read(until, method)
        answer = self.answers.pop(wanted)
        if "error" in answer:
            raise BrowserError(f"{method}: {answer['error'].get('message')}")
        return answer["result"]

    def send(self, data):
        while data:
            data = data[os.write(self.write_fd, data):]

    def read(self, until, what):
        left = until - time.monotonic()
        if left <= 0 or not select.select([self.read_fd], [], [], left)[0]:
            raise BrowserError(f"{what}: no answer in time")
        data = os.read(self.read_fd, 1 << 20)
        if not data:
            raise BrowserError(f"{what}: the browser has ended")
        *messages, self.buffer = (self.buffer + data).split(b"\0")
        for text in messages:
            message = json.loads(text)
            if "id" in message:
                self.answers[message["id"]] = message
            elif message.get("sessionId") in self.pages:
                self.pages[message["sessionId"]].notice(message["method"], message["params"])

    def open(self, path, dark=False):
        """A page with the file, when it has been loaded."""
        target = self.call("Target.createTarget", {"url": "about:blank"})["targetId"]
        session = self.call("Target.attachToTarget",
                            {"targetId": target, "flatten": True})["sessionId"]
        page = self.pages[session] = Page(self, session)
        for domain in ("Page", "Runtime", "Network", "Log"):
            page.call(f"{domain}.enable")
        page.dark(dark)
        page.call("Page.navigate", {"url": "file://" + os.path.abspath(path)})
        return page


class Page:
    def __init__(self, browser, session):
        self.browser = browser
        self.session = session
        self.problems = []
        self.requests = []

    def call(self, method, params=None, seconds=30):
        return self.browser.call(method, params, self.session, seconds)

    def notice(self, method, params):
        if method == "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            self.problems.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning"):
            self.problems.append(str(params["args"]))
        elif method == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning"):
            self.problems.append(params["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])

    def evaluate(self, expression, seconds=30):
        """The value of an expression of the page's; of a promise what it becomes."""
        result = self.call("Runtime.evaluate", {
            "expression": expression, "returnByValue": True, "awaitPromise": True}, seconds)
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            raise BrowserError(f"{expression[:80]}: " + details.get("exception", {}).get(
                "description", details["text"]))
        return result["result"].get("value")

    def wait(self, expression, seconds=20):
        """Until the expression is true."""
        until = time.monotonic() + seconds
        while not self.evaluate(expression):
            if time.monotonic() > until:
                raise BrowserError(f"never true: {expression}")
            time.sleep(0.02)

    def drawn(self):
        """Until the browser has drawn what there is to draw."""
        self.evaluate("new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)))")

    def dark(self, on):
        self.call("Emulation.setEmulatedMedia", {"features": [
            {"name": "prefers-color-scheme", "value": "dark" if on else "light"}]})

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", {"type": kind, "x": x, "y": y, **more})

    def click(self, x, y):
        self.mouse("mouseMoved", x, y)
        self.mouse("mousePressed", x, y, button="left", clickCount=1)
        self.mouse("mouseReleased", x, y, button="left", clickCount=1)
        self.drawn()

    def key(self, key, text=None):
        named = {"key": key}
        if text or len(key) == 1:
            named["text"] = text or key
        if key == "Enter":
            named.update(text="\r", windowsVirtualKeyCode=13, code="Enter")
        elif key == "Tab":
            named.update(windowsVirtualKeyCode=9, code="Tab")
        elif key == "Escape":
            named.update(windowsVirtualKeyCode=27, code="Escape")
        self.call("Input.dispatchKeyEvent", {"type": "keyDown", **named})
        named.pop("text", None)
        self.call("Input.dispatchKeyEvent", {"type": "keyUp", **named})
        self.drawn()

    def screenshot(self, path, whole=False):
        params = {"format": "png", "captureBeyondViewport": whole}
        if whole:
            size = self.call("Page.getLayoutMetrics")["cssContentSize"]
            params["clip"] = {"x": 0, "y": 0, "width": size["width"], "height": size["height"],
                              "scale": 1}
        data = self.call("Page.captureScreenshot", params)["data"]
        with open(path, "wb") as out:
            out.write(base64.b64decode(data))
