#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Leave of a Perfetto trace that framescope made what anybody's would have: no track, no event on one.

usage: perfetto_strip.py TRACE OUT
"""
import sys

TRACK_EVENT, TRACK_DESCRIPTOR, INTERNED = 11, 60, 12


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at


def encode(value):
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def fields(data):
    """(number, the whole field, where its content begins in that) of a message's fields."""
    at = 0
    while at < len(data):
        start = at
        key, at = varint(data, at)
        kind = key & 7
        if kind == 0:
            _, at = varint(data, at)
        elif kind == 1:
            at += 8
        elif kind == 5:
            at += 4
        else:
            length, at = varint(data, at)
            yield key >> 3, data[start : at + length], at - start
            at += length
            continue
        yield key >> 3, data[start:at], 0


def main():
    with open(sys.argv[1], "rb") as file:
        data = file.read()
    with open(sys.argv[2], "wb") as out:
        for number, field, begin in fields(data):
            packet = field[begin:]
            if number != 1 or any(n in (TRACK_EVENT, TRACK_DESCRIPTOR) for n, _, _ in fields(packet)):
                continue
            kept = b"".join(part for n, part, _ in fields(packet) if n != INTERNED)
            out.write(b"\x0a" + encode(len(kept)) + kept)


main()
