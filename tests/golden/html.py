#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""The HTML report in Chromium: what it shows, and how it answers to pointer and keys.

Figures are read from the page's elements, and held against what other commands print.

usage: html.py FRAMESCOPE MAKE_CAPTURE DIR     in tests/golden; DIR is for files
"""
import glob
import json
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools"))
from browser import Browser, BrowserError  # noqa: E402

FRAMESCOPE, MAKE_CAPTURE, DIR = sys.argv[1:4]
SHOWN = "globalThis.framescopePage !== undefined"
failed = False


def verdict(name, complaints):
    global failed
    complaints = [str(c) for c in complaints if c]
    if complaints:
        failed = True
        print(f"FAIL golden/html/{name}: {'; '.join(complaints[:3])}"[:400])
    else:
        print(f"PASS golden/html/{name}")


def differ(what, got, expected):
    return None if got == expected else f"{what}: {got!r}, not {expected!r}"


def run(*args):
    return subprocess.run([FRAMESCOPE, *args], check=True, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL).stdout


def rows(*args):
    """Lines of NDJSON, without their schema and with numbers as they are written."""
    lines = run(*args).decode().splitlines()
    return [{k: v for k, v in json.loads(line, parse_int=str, parse_float=str).items()
             if k != "schema"} for line in lines]


def same(text, value):
    """Is the page's text the value of NDJSON? 1.500 is 1.5."""
    if text == value:
        return True
    try:
        return "." in value and float(text) == float(value)
    except ValueError:
        return False


def compare_rows(name, got, expected):
    if len(got) != len(expected):
        return [f"{name}: {len(got)} rows, not {len(expected)}"]
    for i, (a, b) in enumerate(zip(got, expected)):
        for key in a.keys() | b.keys():
            if not same(a.get(key), b.get(key)):
                return [f"{name}, row {i}, {key}: {a.get(key)}, not {b.get(key)}"]
    return []


def make_page(name, *inputs):
    path = os.path.join(DIR, name + ".html")
    run("report", "--html", path, *inputs)
    return path


def load(browser, path, dark=False):
    page = browser.open(path, dark)
    page.wait(SHOWN)
    page.drawn()
    return page


def text(page, selector):
    return page.evaluate(f"document.querySelector({json.dumps(selector)}).textContent")


def sound(page, path):
    """No complaint of the browser's, and no request but for the file."""
    page.drawn()
    return [*page.problems,
            differ("requests", page.requests, ["file://" + os.path.abspath(path)])]


# Every frame of a file, opened; what the list of its figures says.
FIGURES = """(f => {
  const p = framescopePage, all = [];
  for (let i = 0; i < p.frames.nr; i++) {
    if (p.frames.file[i] !== f) continue;
    p.open(i);
    all.push([p.frames.row[i], Object.fromEntries(
      [...document.querySelectorAll('#frame-figures dd')].map(
        dd => [dd.dataset.name, dd.textContent]))]);
  }
  return all.sort((a, b) => a[0] - b[0]).map(a => a[1]);
})"""
TABLE = """((f, name) => {
  const table = framescopePage.files[f][name];
  return Array.from({length: table.rows}, (_, row) =>
    Object.fromEntries(table.row(row).map(([k, v]) => [k, String(v)])));
})"""
PRODUCERS = """[...document.querySelectorAll('#producer-table tbody tr')].map(
  tr => [...tr.cells].map(td => td.textContent))"""


def late_clock():
    """The app of HWUI where time has come to what no double has exactly."""
    name = os.path.join(DIR, "late_clock.txt")
    with open("hwui.txt", encoding="utf-8") as text, open(name, "w", encoding="utf-8") as out:
        out.write(re.sub(r"\b10[0-9]{8}\b", lambda m: str(int(m[0]) + 2**60 + 1), text.read()))
    return name


def check_figures(browser):
    """All inputs at once, in one page; those that can be read twice."""
    inputs = sorted(glob.glob("*.txt") + glob.glob("*.ftrace") + glob.glob("*.dumpsys"))
    inputs.append(late_clock())
    path = make_page("figures", *inputs)
    page = load(browser, path)
    for f, name in enumerate(inputs):
        base = os.path.basename(name)
        complaints = compare_rows("frames", page.evaluate(f"{FIGURES}({f})"),
                                  rows("frames", name, "--format", "ndjson"))
        if not name.endswith(".dumpsys"):
            complaints += compare_rows(
                "blocks", page.evaluate(f"{TABLE}({f}, 'blocks')"),
                rows("export", name, "-f", "ndjson", "--rows", "blocks"))
            fences = [r for r in rows("export", name, "-f", "ndjson", "--rows", "fences")
                      if "submitted_ns" in r]
            got = page.evaluate(f"{TABLE}({f}, 'fences')")
            complaints += [] if all(g in fences for g in got) else ["fences differ"]
        verdict(f"figures/{base}", complaints)
    verdict("figures/sound", sound(page, path))
    check_summaries(page, inputs)


def ms(ns):
    us = (ns + 500) // 1000
    return f"{us // 1000}.{us % 1000:03}"


def check_summaries(page, inputs):
    """Each producer's row, against the report."""
    shown = {(row[0], row[1]): row[2:] for row in page.evaluate(PRODUCERS)}
    complaints = []
    for name in inputs:
        report = json.loads(run("report", name, "--json"))
        for producer in report["producers"] if not name.endswith(".dumpsys") else []:
            row = shown.get((producer.get("name", "a process without a name"), name))
            frames, wall = producer["frames"], producer.get("wall_ns")
            expected = [str(frames[s]) for s in ("complete", "lossy", "truncated")]
            expected.append(f"{producer['fps']:.1f}" if "fps" in producer else "–")
            expected += [ms(wall[p]) for p in ("p50", "p95", "p99", "max")] if wall else ["–"] * 4
            complaints.append(differ(f"{name}: {producer.get('name')}", row and row[1:9], expected))
    verdict("summaries", complaints)


def place(page, selector):
    box = page.evaluate(f"""(() => {{ const r = document.querySelector({json.dumps(selector)})
        .getBoundingClientRect(); return [r.x, r.y, r.width, r.height]; }})()""")
    return box


def bar(page, n):
    """Where the n-th bar that is seen is on the screen."""
    page.evaluate("document.querySelector('#bars').scrollIntoView({block: 'center', "
                  "behavior: 'instant'})")
    x, y, _, height = place(page, "#bars")
    at = page.evaluate(f"BARS_LEFT + ({n} + 0.5 - framescopePage.bars.from) * "
                       "framescopePage.bars.step")
    return x + at, y + height - 40


def check_pointer(browser):
    path = make_page("pointer", "hwui.txt")
    page = load(browser, path)
    expected = rows("frames", "hwui.txt", "--format", "ndjson")
    page.mouse("mouseMoved", *bar(page, 1))
    page.drawn()
    tip = text(page, "#tip")
    complaints = [None if not page.evaluate("document.querySelector('#tip').hidden") else "no tip",
                  *(f"no {word} in the tip: {tip}" for word in (
                      "frame 2 of example.app", f"wall{ms(int(expected[1]['wall_ns']))} ms",
                      "layout_measure0.500 ms", "slot7.000 ms")
                    if word not in tip)]
    verdict("hover", complaints)
    page.click(*bar(page, 1))
    verdict("click", [differ("title", text(page, "#frame-title"), "Frame 2 of example.app"),
                      differ("hidden", page.evaluate("document.querySelector('#frame').hidden"),
                             False),
                      differ("jank", expected[1]["hwui_jank_types"] in text(page, "#frame-facts"),
                             True)])
    lanes = page.evaluate("framescopePage.timeline.lanes.map(l => [l.label, l.items.map("
                          "i => i.text)])")
    wanted = {"UI example.app/100", "render RenderThread/101", "stages: UI"}
    verdict("timeline", [
        None if wanted <= {label for label, _ in lanes} else f"lanes: {lanes}",
        differ("slot", "slot" in dict(map(tuple_of, lanes)).get("render RenderThread/101", []),
               True)])
    before = page.evaluate("framescopePage.bars.seen")
    page.mouse("mouseWheel", *bar(page, 1), deltaX=0, deltaY=-300)
    page.drawn()
    after = page.evaluate("framescopePage.bars.seen")
    page.evaluate("document.querySelector('#zoom-fit').click()")
    verdict("wheel", [None if after <= before else f"{before} frames, then {after}"])
    verdict("pointer/sound", sound(page, path))


def tuple_of(lane):
    return lane[0], lane[1]


def choose(page, selector, value):
    page.evaluate(f"""(() => {{ const e = document.querySelector({json.dumps(selector)});
        e.value = {json.dumps(value)}; e.dispatchEvent(new Event('change')); }})()""")
    page.drawn()


def check_filters(browser):
    path = make_page("filters", "two_surfaces.txt", "fence_blame.txt")
    page = load(browser, path)
    all_rows = [rows("frames", name, "--format", "ndjson")
                for name in ("two_surfaces.txt", "fence_blame.txt")]
    both = all_rows[0] + all_rows[1]
    complaints = []
    choose(page, "#filter-status", "truncated")
    nr = sum(r["status"] == "truncated" for r in both)
    complaints.append(differ("truncated", text(page, "#shown").split(",")[0],
                             f"{nr} of {len(both)} frames"))
    choose(page, "#filter-status", "")
    causes = sorted({r["top_cause"] for r in both if "top_cause" in r})
    for cause in causes:
        index = page.evaluate(f"CAUSE_BY_KEY.get({json.dumps(cause)})")
        choose(page, "#filter-cause", str(index))
        nr = sum(r.get("top_cause") == cause for r in both)
        complaints.append(differ(cause, page.evaluate("framescopePage.view.length"), nr))
    choose(page, "#filter-cause", "")
    page.evaluate("document.querySelector('#producer-table tbody tr').click()")
    first = all_rows[0][0]["producer"]
    nr = sum(r["producer"] == first for r in all_rows[0])
    complaints.append(differ(first, page.evaluate("framescopePage.view.length"), nr))
    page.evaluate("document.querySelector('#producer-table tbody tr').click()")
    choose(page, "#search", "4")
    complaints.append(differ("search", text(page, "#frame-title")[:12], "Frame 4 of g"))
    choose(page, "#search", "777")
    complaints.append(differ("no such frame", text(page, "#live"),
                             "There is no frame 777 among those shown."))
    verdict("filters", complaints)
    verdict("filters/sound", sound(page, path))


def check_keys(browser):
    path = make_page("keys", "hwui.txt")
    page = load(browser, path)
    selected = "framescopePage.bars.selected"
    opened = "!document.querySelector('#frame').hidden"
    complaints = []
    page.evaluate("document.querySelector('#bars').focus()")
    for key, expression, expected in (
            ("Home", selected, 0), ("ArrowRight", selected, 1), ("ArrowLeft", selected, 0),
            ("End", selected, 4), ("Enter", opened, True), ("Escape", opened, False),
            ("c", "framescopePage.bars.byStage", False),
            ("s", "framescopePage.bars.byStage", True),
            ("d", "document.documentElement.dataset.theme", "dark"),
            ("d", "document.documentElement.dataset.theme", "light"),
            ("/", "document.activeElement.id", "search"),
            ("Escape", "document.activeElement.id", "search")):
        page.key(key)
        complaints.append(differ(key, page.evaluate(expression), expected))
    page.evaluate("document.querySelector('#bars').focus()")
    page.key("?")
    complaints.append(differ("?", page.evaluate("document.querySelector('#help').open"), True))
    page.evaluate("document.querySelector('#help').close()")
    said = page.evaluate("document.querySelector('#live').textContent")
    complaints.append(differ("said", said[:25], "frame 5 of example.app, 3"))
    verdict("keys", complaints)
    for key in ("/", "4", "Enter"):
        page.key(key)
    complaints = [differ("opened", page.evaluate(opened), True),
                  differ("frame", text(page, "#frame-title")[:7], "Frame 4")]
    # Leaving the field must not search again.
    page.key("Escape")
    complaints.append(differ("closed", page.evaluate(opened), False))
    verdict("typed_search", complaints)
    order = []
    page.key("Escape")
    # It begins behind what had the focus, and goes round.
    for _ in range(40):
        page.key("Tab")
        order.append(page.evaluate("document.activeElement.id"))
    order = order[order.index("keys"):] if "keys" in order else []
    wanted = ["keys", "theme", "zoom-out", "zoom-in", "zoom-fit", "filter-producer",
              "filter-cause", "filter-status", "by-stage", "search", "bars"]
    met = [name for name in order if name in wanted][:len(wanted)]
    tree = page.call("Accessibility.getFullAXTree")["nodes"]
    nameless = [node["role"]["value"] for node in tree if not node.get("ignored")
                and any(p["name"] == "focusable" and p["value"].get("value")
                        for p in node.get("properties", []))
                and not node.get("name", {}).get("value")
                and node["role"]["value"] not in ("RootWebArea",)]
    verdict("tab_order", [differ("order", met, wanted), differ("nameless", nameless, [])])
    verdict("keys/sound", sound(page, path))


def luminance(rgb):
    parts = [c / 255 for c in rgb]
    parts = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(a, b):
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def rgb_of(colour):
    return [int(colour[i:i + 2], 16) for i in (1, 3, 5)]


def lab(rgb):
    """CIE L*a*b* of linear RGB."""
    x, y, z = (sum(m * c for m, c in zip(row, rgb)) / white for row, white in (
        ((0.4124, 0.3576, 0.1805), 0.9505), ((0.2126, 0.7152, 0.0722), 1.0),
        ((0.0193, 0.1192, 0.9505), 1.089)))
    x, y, z = (max(c, 0) ** (1 / 3) if c > 0.008856 else 7.787 * c + 16 / 116 for c in (x, y, z))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


# How eyes without one kind of cones see, in linear RGB (Viénot, Brettel and Mollon 1999).
EYES = {
    "usual": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": ((0.11238, 0.88762, 0), (0.11238, 0.88762, 0), (0.00401, -0.00401, 1)),
    "deutan": ((0.29275, 0.70725, 0), (0.29275, 0.70725, 0), (-0.02234, 0.02234, 1)),
}


def apart(one, other, eye):
    seen = []
    for colour in (one, other):
        linear = [c / 255 / 12.92 if c / 255 <= 0.04045 else ((c / 255 + 0.055) / 1.055) ** 2.4
                  for c in rgb_of(colour)]
        seen.append(lab([sum(m * c for m, c in zip(row, linear)) for row in EYES[eye]]))
    return sum((a - b) ** 2 for a, b in zip(*seen)) ** 0.5


def check_colours(browser):
    path = make_page("colours", "hwui.txt")
    for dark in (False, True):
        page = load(browser, path, dark)
        name = "dark" if dark else "light"
        colours = page.evaluate("({ink: theme.ink, faint: theme.faint, card: theme.card, "
                                "accent: theme.accent, warn: theme.warn, "
                                "stages: theme.stages, causes: theme.causes})")
        back = page.evaluate("getComputedStyle(document.querySelector('.card')).backgroundColor")
        complaints = [differ("card", back, "rgb({}, {}, {})".format(*rgb_of(colours["card"]))),
                      differ("is dark", luminance(rgb_of(colours["card"])) < 0.2, dark)]
        for key in ("ink", "faint", "accent", "warn"):
            ratio = contrast(rgb_of(colours[key]), rgb_of(colours["card"]))
            complaints.append(f"{key}: contrast {ratio:.1f}" if ratio < 4.5 else None)
        for eye in EYES:
            for list_name in ("stages", "causes"):
                # Those that may touch: neighbours in the order that bars are stacked in.
                for one, other in zip(colours[list_name], colours[list_name][1:]):
                    far = apart(one, other, eye)
                    complaints.append(f"{list_name}: {one} and {other} are {far:.0f} apart for "
                                      f"{eye} eyes" if far < 15 else None)
        pixels = page.evaluate("""(() => { const c = document.querySelector('#bars');
            const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;
            const s = new Set(); for (let i = 0; i < d.length; i += 4) if (d[i + 3] === 255)
            s.add('#' + [d[i], d[i+1], d[i+2]].map(v => v.toString(16).padStart(2, '0')).join(''));
            return [...s]; })()""")
        drawn = [c for c in colours["stages"] if c in pixels]
        complaints.append(differ("stages drawn", len(drawn), 11))
        verdict(f"colours/{name}", complaints + sound(page, path))


HOSTILE = """# framescope dump 1
1000000000 cpu=- 0/0 clock boottime_ns=1000000000 realtime_ns=1700000001000000000 mark=start
1000000000 cpu=- 0/0 meta text="{\\"kernel\\":\\"</script><script>pwned=1</script>\\",\\"machine\\":\\"<!--<script>\\"}"
1000000000 cpu=- 0/0 point id=1 role=swap offset=0x1000 lib="/</script><img src=x onerror=pwned=2>" symbol="<b>"
1000000000 cpu=- 800/800 task op=seen parent=1 comm="</script><b>x"
1010000000 cpu=0 800/800 span entry_ns=1009000000 point=1 seq=1 arg0=0x1 arg1=0x8800 ret=0x1
1018000000 cpu=0 800/800 offcpu out_ns=1011000000 waking_ns=1018000000 seq=1 state=0x1 syscall=202 call=futex context=task peer_tid=801 peer_tgid=801 peer_comm="<img src=x>\u2028"
1020000000 cpu=0 800/800 span entry_ns=1019000000 point=1 seq=2 off_seq=1 arg0=0x1 arg1=0x8800 ret=0x1
1025000000 cpu=- 0/0 clock boottime_ns=1025000000 realtime_ns=1700000001025000000 mark=stop
end
"""


def check_hostile(browser):
    name = os.path.join(DIR, "<img src=x onerror=pwned=3>'\"&.txt")
    with open(name, "w", encoding="utf-8") as out:
        out.write(HOSTILE)
    path = make_page("hostile", name)
    with open(path, "rb") as page_file:
        content = page_file.read()
    page = load(browser, path)
    page.evaluate("framescopePage.jump(1); 0")
    page.mouse("mouseMoved", *bar(page, 1))
    page.drawn()
    verdict("hostile", [
        differ("in the file", b"onerror" in content or b"pwned" in content, False),
        differ("ran", page.evaluate("typeof pwned"), "undefined"),
        differ("elements", page.evaluate("document.querySelectorAll('img, td b, option b, h2 b, h3 b, "
                                       "#tip b').length"),
               0),
        differ("name", page.evaluate("document.querySelector('#producer-table button')"
                                     ".textContent"), "</script><b>x"),
        differ("title", "onerror=pwned=3" in page.evaluate("document.title"), True),
        differ("tip", "<img src=x>" in text(page, "#tip"), True),
        *sound(page, path)])
    blocked = page.evaluate("""new Promise(done => {
        document.addEventListener('securitypolicyviolation', e => done(e.effectiveDirective));
        fetch('http://127.0.0.1:9/').catch(() => 0); setTimeout(() => done('none'), 2000); })""")
    verdict("policy", [differ("fetch", blocked, "connect-src")])


def check_baseline(browser):
    path = os.path.join(DIR, "baseline.html")
    run("report", "--html", path, "swap_loop.txt", "--baseline", "fence_blame.txt")
    page = load(browser, path)
    wall = json.loads(run("report", "fence_blame.txt", "--json"))["producers"][0]["wall_ns"]
    table = page.evaluate("[...document.querySelectorAll('#quantiles tbody tr')].map("
                          "tr => [...tr.cells].map(td => td.textContent))")
    expected = ["baseline", str(wall["count"]),
                *(ms(wall[p]) for p in ("p50", "p90", "p95", "p99", "max"))]
    verdict("baseline", [differ("row", table[1], expected), *sound(page, path),
                         differ("frames", page.evaluate("framescopePage.frames.nr"),
                                len(rows("frames", "swap_loop.txt", "--format", "ndjson")))])


def check_large(browser):
    """Some 11 000 frames; what was left out is said, and the longest frames have all."""
    capture = os.path.join(DIR, "large.fsc")
    nr = int(subprocess.run([MAKE_CAPTURE, capture, "0.05"], check=True,
                            stdout=subprocess.PIPE).stdout.split()[1])
    path = make_page("large", capture)
    size = os.path.getsize(path)
    page = load(browser, path)
    took = page.evaluate("performance.getEntriesByName('shown')[0].startTime")
    draw = page.evaluate("""(() => { const b = framescopePage.bars, t = performance.now();
        for (let i = 0; i < 10; i++) b.draw(); return (performance.now() - t) / 10; })()""")
    frames = page.evaluate("framescopePage.frames.nr")
    kept = page.evaluate("framescopePage.files[0].blocks.rows + "
                         "framescopePage.files[0].fences.rows")
    said = text(page, "#trust")
    full = page.evaluate("""(() => { const p = framescopePage, f = p.frames;
        const i = f.full.indexOf(1); return f.files[0].isFull(f, i) && f.row[i]; })()""")
    blocks = page.evaluate("""(() => { const p = framescopePage;
        p.open(p.frames.full.indexOf(1));
        return document.querySelectorAll('#frame-blocks tbody tr').length; })()""")
    verdict("large", [
        None if frames >= nr else f"{frames} frames of {nr}",
        f"{size} bytes" if size > 200000 + 120 * frames + 25 * kept else None,
        None if "not in this page" in said else f"nothing said of what was left out: {said}",
        "the longest frames have no blocks" if not blocks or full is False else None,
        f"shown after {took:.0f} ms" if took > 15000 else None,
        f"drawn in {draw:.0f} ms" if draw > 250 else None, *sound(page, path)])
    print(f"# {frames} frames: {size / 1e6:.2f} MB, shown after {took:.0f} ms, "
          f"all bars drawn in {draw:.1f} ms")


def main():
    checks = (check_figures, check_pointer, check_filters, check_keys, check_colours,
              check_hostile, check_baseline, check_large)
    with Browser() as browser:
        for check in checks:
            try:
                check(browser)
            except (BrowserError, subprocess.CalledProcessError, OSError) as error:
                verdict(check.__name__.removeprefix("check_"), [error])
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
