# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Perfetto's messages by the numbers of google/perfetto, and a decoder for them: nothing in here is
from framescope. A field or a wire type that is not in the tables is an error."""
from collections import defaultdict

# Messages by field number: name and kind. Kinds: u (varint), i (signed varint), s (string), f
# (fixed64), p... (packed), and a dict (a message). Numbers are those of google/perfetto.
CLOCK = {1: ("id", "u"), 2: ("ts", "u")}
SNAPSHOT = {1: ("clocks", CLOCK), 2: ("primary", "u")}
PROCESS = {1: ("pid", "i"), 2: ("ppid", "i"), 3: ("cmdline", "s")}
THREAD = {1: ("tid", "i"), 2: ("name", "s"), 3: ("tgid", "i")}
TREE = {1: ("processes", PROCESS), 2: ("threads", THREAD)}
COMPACT = {
    1: ("switch_ts", "pu"), 2: ("prev_state", "pi"), 3: ("next_pid", "pi"), 4: ("next_prio", "pi"),
    5: ("table", "s"), 6: ("next_comm", "pu"), 7: ("waking_ts", "pu"), 8: ("waking_pid", "pi"),
}
WAKE = {1: ("comm", "s"), 2: ("pid", "i"), 3: ("prio", "i"), 5: ("target_cpu", "i")}
FTRACE = {1: ("ts", "u"), 2: ("pid", "u"), 5: ("flags", "u"), 20: ("waking", WAKE)}
BUNDLE = {1: ("cpu", "u"), 2: ("events", FTRACE), 3: ("lost", "u"), 4: ("compact", COMPACT)}
NOTE = {
    1: ("name", "u"), 2: ("bool", "u"), 3: ("uint", "u"), 4: ("int", "i"), 6: ("string", "s"),
    7: ("pointer", "u"), 17: ("string_iid", "u"),
}
EVENT = {
    3: ("categories", "u"), 4: ("notes", NOTE), 9: ("type", "u"), 10: ("name_iid", "u"),
    11: ("track", "u"), 23: ("name", "s"), 30: ("counter", "i"), 47: ("flows", "f"),
    48: ("last_flows", "f"),
}
INTERNED = {1: ("iid", "u"), 2: ("text", "s")}
STRINGS = {1: ("category", INTERNED), 2: ("event", INTERNED), 3: ("note", INTERNED),
           29: ("string", INTERNED)}
BUFFER = {1: ("frame_number", "u"), 2: ("type", "u"), 3: ("layer", "s"), 4: ("duration_ns", "u"),
          5: ("buffer_id", "u")}
GRAPHICS = {1: ("buffer", BUFFER)}
DISPLAY = {1: ("cookie", "i"), 2: ("token", "i"), 3: ("pid", "i"), 4: ("present", "u"),
           5: ("on_time", "u"), 6: ("gpu", "u"), 7: ("jank", "u"), 8: ("prediction", "u"),
           9: ("severity", "u")}
SURFACE = {1: ("cookie", "i"), 2: ("token", "i"), 3: ("display_token", "i"), 4: ("pid", "i"),
           5: ("layer", "s"), 6: ("present", "u"), 7: ("on_time", "u"), 8: ("gpu", "u"),
           9: ("jank", "u"), 10: ("prediction", "u"), 11: ("is_buffer", "u"), 12: ("severity", "u")}
TIMELINE = {1: ("expected_display", DISPLAY), 2: ("actual_display", DISPLAY),
            3: ("expected_surface", SURFACE), 4: ("actual_surface", SURFACE),
            5: ("end", {1: ("cookie", "i")})}
TRACK = {
    1: ("uuid", "u"), 2: ("name", "s"), 3: ("process", {1: ("pid", "i"), 6: ("name", "s")}),
    4: ("thread", {1: ("pid", "i"), 2: ("tid", "i"), 5: ("name", "s")}), 5: ("parent", "u"),
    8: ("counter", {3: ("unit", "u")}), 11: ("ordering", "u"), 12: ("rank", "i"),
}
UTSNAME = {1: ("sysname", "s"), 3: ("release", "s"), 4: ("machine", "s")}
PACKET = {
    1: ("ftrace", BUNDLE), 2: ("tree", TREE), 6: ("clocks", SNAPSHOT), 8: ("ts", "u"),
    10: ("sequence", "u"), 11: ("event", EVENT), 12: ("strings", STRINGS), 13: ("flags", "u"),
    45: ("system", {1: ("utsname", UTSNAME)}), 57: ("graphics", GRAPHICS), 58: ("clock", "u"),
    59: ("defaults", {58: ("clock", "u")}), 60: ("track", TRACK), 76: ("timeline", TIMELINE),
    87: ("first", "u"),
}

MONOTONIC, BOOTTIME = 3, 6
BEGIN, END, INSTANT, COUNTER = 1, 2, 3, 4

class Malformed(Exception):
    pass


def varint(data, at):
    value = shift = 0
    while True:
        if at >= len(data) or shift > 63:
            raise Malformed("a varint is cut or too long")
        value |= (data[at] & 0x7F) << shift
        shift += 7
        at += 1
        if not data[at - 1] & 0x80:
            return value & (1 << 64) - 1, at


def signed(value):
    return value - (1 << 64) if value >> 63 else value


def decode(data, table, what):
    """The fields, as lists: name -> [value]."""
    out = defaultdict(list)
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        number, wire = key >> 3, key & 7
        if number not in table:
            raise Malformed(f"{what}: unknown field {number}")
        name, kind = table[number]
        if wire == 0:
            value, at = varint(data, at)
        elif wire == 1:
            value, at = int.from_bytes(data[at:at + 8], "little"), at + 8
        elif wire == 2:
            size, at = varint(data, at)
            value, at = data[at:at + size], at + size
        else:
            raise Malformed(f"{what}.{name}: wire type {wire}")
        if at > len(data):
            raise Malformed(f"{what}.{name} is cut")
        wanted = 2 if isinstance(kind, dict) or kind[0] in "sp" else 1 if kind == "f" else 0
        if wire != wanted:
            raise Malformed(f"{what}.{name}: wire type {wire}")
        if isinstance(kind, dict):
            value = decode(value, kind, f"{what}.{name}")
        elif kind == "s":
            value = value.decode("latin-1")  # any bytes, one to one
        elif kind == "i":
            value = signed(value)
        elif kind[0] == "p":
            items, pos = [], 0
            while pos < len(value):
                item, pos = varint(value, pos)
                items.append(signed(item) if kind == "pi" else item)
            out[name] += items
            continue
        out[name].append(value)
    return out


def one(message, name, default=None):
    return message[name][-1] if name in message else default


def packets(data):
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        if key != 0x0A:
            raise Malformed(f"byte {at}: no packet")
        size, at = varint(data, at)
        if at + size > len(data):
            raise Malformed("the last packet is cut")
        yield decode(data[at:at + size], PACKET, "packet")
        at += size
