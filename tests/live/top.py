# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""
framescope top on a terminal: what a user sees and does, and how the terminal is left.

usage: top.py CASE WORK FRAMESCOPE PLAYER

Prints what is wrong, nothing if all is well. A terminal of our own making interprets what is
written, and takes no sequence that it does not know.
"""
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time

CSI = re.compile(rb"\x1b\[(\??)([0-9;]*)([A-Za-z])")
SHORT = 0.2
PLAY = "-c lock -p 8000 -a 100".split()


class Wrong(Exception):
    pass


class Terminal:
    """The master side, with a screen as the slave's programs have left it."""

    def __init__(self, columns, rows):
        self.master, self.slave = pty.openpty()
        self.columns = self.rows = 0
        self.bytes = b""
        self.modes = {1049: False, 25: True, 7: True}
        self.unread = b""
        self.resize(columns, rows)

    def resize(self, columns, rows):
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.columns, self.rows = columns or 80, rows or 24
        self.lines = [""] * self.rows
        self.row = self.column = 0

    def write(self, text):
        os.write(self.master, text)

    def read(self, seconds):
        end = time.monotonic() + seconds
        while True:
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.master], [], [], left)[0]:
                return
            try:
                data = os.read(self.master, 65536)
            except OSError:
                return
            if not data:
                return
            self.bytes += data
            self.unread += data
            self.interpret()

    def interpret(self):
        data = self.unread
        at = 0
        while at < len(data):
            byte = data[at : at + 1]
            if byte == b"\x1b":
                match = CSI.match(data, at)
                if not match:
                    if len(data) - at < 16:
                        break
                    raise Wrong("a sequence that is none: %r" % data[at : at + 16])
                self.obey(*match.groups())
                at = match.end()
            elif byte == b"\r":
                self.column = 0
                at += 1
            elif byte == b"\n":
                if self.row == self.rows - 1:
                    self.lines = self.lines[1:] + [""]
                else:
                    self.row += 1
                at += 1
            elif byte < b" " or byte == b"\x7f":
                raise Wrong("a control character: %r" % data[at : at + 16])
            else:
                end = at + 1
                while end < len(data) and data[end] >= 0x20 and data[end] != 0x7F:
                    end += 1
                self.put(data[at:end].decode("utf-8", "replace"))
                at = end
        self.unread = data[at:]

    def obey(self, private, numbers, what):
        if private:
            self.modes[int(numbers)] = what == b"h"
            if int(numbers) == 1049:
                self.other_screen(what == b"h")
        elif what == b"H":
            self.row = self.column = 0
        elif what == b"K":
            self.lines[self.row] = self.lines[self.row][: self.column]
        elif what == b"J":
            self.lines[self.row] = self.lines[self.row][: self.column]
            self.lines[self.row + 1 :] = [""] * (self.rows - self.row - 1)
        elif what != b"m":
            raise Wrong("a sequence that is not known: %s%s" % (numbers, what))

    def other_screen(self, second):
        if second:
            self.first = self.lines, self.row, self.column
            self.lines = [""] * self.rows
        else:
            self.lines, self.row, self.column = self.first
            self.lines = (self.lines + [""] * self.rows)[: self.rows]
            self.row = min(self.row, self.rows - 1)

    def put(self, text):
        if self.modes[1049] and self.column + len(text) > self.columns:
            raise Wrong("a line of more than %d columns: %r" % (self.columns, text))
        line = self.lines[self.row].ljust(self.column)
        self.lines[self.row] = line[: self.column] + text + line[self.column + len(text) :]
        self.column += len(text)

    def text(self):
        return "\n".join(line.rstrip() for line in self.lines)

    def modes_now(self):
        return termios.tcgetattr(self.slave)


class Top:
    """framescope top on such a terminal, in a session of its own as a shell would have it."""

    def __init__(self, *args, columns=100, rows=30, env=None, command=None):
        self.terminal = Terminal(columns, rows)
        self.before = self.terminal.modes_now()
        environment = dict(os.environ, TERM="xterm")
        environment.pop("NO_COLOR", None)
        environment.update(env or {})

        def begin():
            os.setsid()
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)

        self.process = subprocess.Popen(
            command or [framescope, "top", *args],
            stdin=self.terminal.slave,
            stdout=self.terminal.slave,
            stderr=self.terminal.slave,
            preexec_fn=begin,
            env=environment,
        )

    def wait_for(self, pattern, seconds=15):
        end = time.monotonic() + seconds
        while not re.search(pattern, self.terminal.text(), re.M):
            if time.monotonic() > end or self.process.poll() is not None:
                self.terminal.read(SHORT)
                raise Wrong("no %r on the screen:\n%s" % (pattern, self.terminal.text()))
            self.terminal.read(0.05)
        return self.terminal.text()

    def started(self):
        return self.wait_for(r"^. player +\d+\.\d ")

    def key(self, text):
        self.terminal.write(text)
        self.terminal.read(SHORT)

    def ended(self, seconds=10):
        end = time.monotonic() + seconds
        while self.process.poll() is None and time.monotonic() < end:
            self.terminal.read(0.05)
        self.terminal.read(SHORT)
        if self.process.poll() is None:
            self.process.kill()
            raise Wrong("it does not end")
        self.restored()
        return self.process.returncode

    def restored(self):
        if self.terminal.modes_now() != self.before:
            raise Wrong("the terminal's modes are others than before")
        left = {1049: False, 25: True, 7: True}
        if {m: self.terminal.modes[m] for m in left} != left:
            raise Wrong("the screen is not as before: %s" % self.terminal.modes)


def watch(*args, frames=2000, **kwargs):
    """Top with the player: 8 ms a frame, most of it for a lock."""
    return Top("--interval", "0.3", *args, "--", player, *PLAY, "-n", str(frames), **kwargs)


def expect(status, want):
    if status != want:
        raise Wrong("exit status %s, not %s" % (status, want))


def quit_by_key():
    top = watch()
    top.started()
    top.key(b"q")
    expect(top.ended(), 0)


def quit_by_signal(number):
    top = watch()
    top.started()
    top.process.send_signal(number)
    expect(top.ended(), 0)


def quit_by_ctrl_c():
    top = watch()
    top.started()
    top.key(b"\x03")
    expect(top.ended(), 0)


def quit_by_ctrl_backslash():
    top = watch()
    top.started()
    top.key(b"\x1c")
    expect(top.ended(), -signal.SIGQUIT)


def command_ends():
    top = watch(frames=200)
    top.started()
    expect(top.ended(), 0)
    if "all that was watched has ended" not in top.terminal.text():
        raise Wrong("it does not say why it ended:\n" + top.terminal.text())


def command_crashes():
    top = watch()
    top.started()
    children = open("/proc/%d/task/%d/children" % (top.process.pid, top.process.pid)).read().split()
    os.kill(int(children[0]), signal.SIGKILL)
    expect(top.ended(), 0)


def times_up():
    top = watch("-d", "2")
    top.started()
    expect(top.ended(), 0)


def in_shell():
    """Top as the job of a shell, which has the terminal before and after."""
    top = Top(command=["sh", "-i"], env={"PS1": "ready> ", "ENV": ""})
    top.wait_for("ready>")
    top.before = top.terminal.modes_now()
    top.key(("%s top --interval 0.3 -- %s %s -n 3000\n" % (framescope, player, " ".join(PLAY))).encode())
    top.started()
    return top


def stop(top):
    """Ctrl-Z: the terminal is given back."""
    top.key(b"\x1a")
    top.wait_for("ready>$")
    top.restored()


def leave_shell(top):
    top.wait_for("ready>$")
    top.restored()
    top.key(b"exit\n")
    top.ended()


def stop_and_go():
    top = in_shell()
    for _ in range(2):
        stop(top)
        top.key(b"fg\n")
        top.started()
        if not top.terminal.modes[1049] or top.terminal.modes_now() == top.before:
            raise Wrong("it does not take the terminal again")
    top.key(b"q")
    leave_shell(top)


def background():
    """In the background of its shell it leaves the terminal alone, also when it is ended there."""
    top = in_shell()
    stop(top)
    top.key(b"bg\n")
    top.terminal.bytes = b""
    top.terminal.read(2.5)
    if b"\x1b" in top.terminal.bytes:
        raise Wrong("it draws in the background: %r" % top.terminal.bytes)
    top.restored()
    top.key(b"kill %1\n")
    top.terminal.read(2.0)
    top.key(b"\n")
    leave_shell(top)


def stopped_by_force():
    """SIGSTOP can't be caught: when it goes on, it takes the terminal anew."""
    top = watch()
    top.started()
    os.kill(top.process.pid, signal.SIGSTOP)
    os.kill(top.process.pid, signal.SIGCONT)
    top.terminal.read(1.0)
    top.started()
    top.key(b"q")
    expect(top.ended(), 0)


def keys():
    top = watch(columns=120)
    screen = top.started()
    if "by fps:" not in screen:
        raise Wrong("no line of keys:\n" + screen)
    top.key(b"s")
    top.wait_for("by p95:")
    top.key(b"r")
    top.wait_for("by p95, reversed:")
    top.key(b"h")
    top.wait_for("pick a producer")
    top.key(b"x")
    top.started()
    top.key(b"\x1b[B")
    top.wait_for(r"^> player ")
    top.key(b"\r")
    screen = top.wait_for(r"^Its last slow frames")
    for part in ("fps,", "blocked on a lock", "running"):
        if part not in screen:
            raise Wrong("no %r where the frames are:\n%s" % (part, screen))
    top.key(b"\x1b")
    top.wait_for(r"^> player ")
    # Keys that mean nothing, and half a sequence.
    top.key(b"\x01\x02\x1b[5~\xff\x1bOP")
    top.started()
    top.key(b"q")
    expect(top.ended(), 0)


def pause():
    top = watch()
    top.started()
    top.key(b"p")
    top.wait_for(r"\(paused\)")
    top.terminal.read(0.5)
    screen = top.terminal.text()
    top.terminal.read(1.2)
    if top.terminal.text() != screen:
        raise Wrong("a paused screen changes:\n%s\n%s" % (screen, top.terminal.text()))
    top.key(b" ")
    for _ in range(20):
        top.terminal.read(0.5)
        if "(paused)" not in top.terminal.text() and top.terminal.text() != screen:
            break
    else:
        raise Wrong("it does not go on:\n" + top.terminal.text())
    top.key(b"q")
    expect(top.ended(), 0)


def resize():
    top = watch(columns=80, rows=24)
    top.started()
    for columns, rows in ((120, 40), (40, 10), (20, 5), (200, 60), (3, 2), (80, 24)):
        top.terminal.resize(columns, rows)
        top.process.send_signal(signal.SIGWINCH)
        top.terminal.read(0.4)
        if columns >= 20:
            top.wait_for("play")
    top.key(b"q")
    expect(top.ended(), 0)


def no_size():
    """A terminal that does not know its size has 80 columns and 24 rows."""
    top = watch(columns=0, rows=0)
    top.started()
    top.key(b"q")
    expect(top.ended(), 0)


def no_colour():
    top = watch(env={"NO_COLOR": "1"})
    screen = top.started()
    if b"m" in re.sub(rb"[^\x1b]*\x1b\[[?0-9;]*([A-Za-z])", rb"\1", top.terminal.bytes).split(b"\n")[0]:
        raise Wrong("there are colours")
    if not re.search(r"R+.*L+", screen):
        raise Wrong("no letters in the bar:\n" + screen)
    top.key(b"q")
    expect(top.ended(), 0)


def nobody_draws():
    top = Top("--", "sleep", "100")
    screen = top.wait_for("No frame has ended")
    if "No function that ends frames" not in screen and "none has returned" not in screen:
        raise Wrong("it does not say why:\n" + screen)
    top.key(b"q")
    expect(top.ended(), 0)


def output_of_command():
    """What the command prints is not on the screen, and it takes no keys."""
    top = Top("--", "sh", "-c", "echo spoiled; echo spoiled >&2; cat; exec %s %s -n 2000" % (player, " ".join(PLAY)))
    top.started()
    if b"spoiled" in top.terminal.bytes:
        raise Wrong("the command's output is on the screen")
    top.key(b"q")
    expect(top.ended(), 0)


cases = {
    "quit": quit_by_key,
    "sigterm": lambda: quit_by_signal(signal.SIGTERM),
    "sighup": lambda: quit_by_signal(signal.SIGHUP),
    "ctrl-c": quit_by_ctrl_c,
    "ctrl-backslash": quit_by_ctrl_backslash,
    "command-ends": command_ends,
    "command-crashes": command_crashes,
    "times-up": times_up,
    "stop-and-go": stop_and_go,
    "keys": keys,
    "pause": pause,
    "resize": resize,
    "no-size": no_size,
    "no-colour": no_colour,
    "nobody-draws": nobody_draws,
    "background": background,
    "sigstop": stopped_by_force,
    "output-of-command": output_of_command,
}

case, work, framescope, player = sys.argv[1:5]
os.chdir(work)
try:
    cases[case]()
except Wrong as wrong:
    print(wrong)
    sys.exit(1)
