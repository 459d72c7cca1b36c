#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#
# A capture in text form of a program whose frames are alike where they follow one another: their
# lengths are log-normal, with an autocorrelation of 0.4. Each waits in the middle for a lock, for a
# third of its length and what is added to that.
#
# usage: baseline.py SEED FRAMES [key=value]...
#   scale=1.0    of all lengths      lock_ms=0   added to each wait
#   lossy=0      1: records were lost in every frame
#   comm=gears   the program         meta='{...}' what the capture says of its circumstances

import json
import math
import random
import sys

seed, frames = int(sys.argv[1]), int(sys.argv[2])
wanted = {"scale": "1", "lock_ms": "0", "comm": "gears", "lossy": "0", "meta": "{}"}
wanted.update(arg.split("=", 1) for arg in sys.argv[3:])
rng = random.Random(seed)
meta = {"framescope": "0.1.0", "kernel": "6.18.0", "machine": "x86_64", "model": "Pixel",
        "attached": [{"lib": "libEGL.so.1", "symbol": "eglSwapBuffers"}], "missing": []}
meta.update(json.loads(wanted["meta"]))
text = json.dumps(meta).replace("\\", "\\\\").replace('"', '\\"')

now = 1000000000
print("# framescope dump 1")
print(f"{now} cpu=- 0/0 clock boottime_ns={now} realtime_ns=1700000001000000000 mark=start")
print(f'{now} cpu=- 0/0 meta text="{text}"')
print(f'{now} cpu=- 0/0 point id=1 role=swap offset=0x1000 lib="libEGL.so.1" symbol="eglSwapBuffers"')
print(f'{now} cpu=- 100/100 task op=seen parent=1 comm="{wanted["comm"]}"')
x = rng.gauss(0, 1)
for n in range(1, frames + 3):
    x = 0.4 * x + math.sqrt(1 - 0.4 ** 2) * rng.gauss(0, 1)
    length = int(14e6 * float(wanted["scale"]) * math.exp(0.08 * x))
    wait = length // 3 + int(float(wanted["lock_ms"]) * 1e6)
    length += int(float(wanted["lock_ms"]) * 1e6)
    out = now + length // 4
    print(f"{out + wait} cpu=0 100/100 offcpu out_ns={out} waking_ns={out + wait} seq={n} state=0x1 "
          'syscall=202 call=futex context=task peer_tid=101 peer_tgid=100 peer_comm="worker"')
    if wanted["lossy"] != "0":
        print(f"{out} cpu=0 0/0 lost count=1 where=ring")
    now += length
    print(f"{now} cpu=0 100/100 span entry_ns={now - 100000} point=1 seq={n} off_seq={n} arg0=0x1 "
          "arg1=0x5500 ret=0x1")
print(f"{now} cpu=- 0/0 clock boottime_ns={now} realtime_ns={1700000000000000000 + now} mark=stop")
print("end")
