# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#
# How fast, and in how much memory, report reads a large capture (made by make_capture, and in the
# page cache when it is read).

bench_report() {
	local records bytes run elapsed_ns max_rss_kib
	local capture=$WORK/large.fsc

	progress "report: making a capture of $GIB GiB"
	read -r records _ bytes < <("$TOOLS/make_capture" "$capture" "$GIB")
	: >"$WORK/report.rate"
	: >"$WORK/report.rss"
	for ((run = 1; run <= 3; run++)); do
		progress "report: run $run of 3"
		"$TOOLS/rusage" "$WORK/report.usage" "$FRAMESCOPE" report --json "$capture" \
			>"$WORK/report.json"
		# shellcheck disable=SC1091 # elapsed_ns and max_rss_kib
		. "$WORK/report.usage"
		calc "$records / $elapsed_ns * 1e3" >>"$WORK/report.rate"
		calc "$max_rss_kib / 1024" >>"$WORK/report.rss"
	done
	rm -f "$capture"
	if ! grep -q "\"records\": *$records\b" "$WORK/report.json"; then
		echo "bench: report did not count the $records records of the capture" >&2
		return 1
	fi
	result report "report of $(calc "$bytes / 1073741824") GiB, $records records" \
		"$(median <"$WORK/report.rate")" "M rec/s" ">=" 3
	result report "its peak memory" "$(median <"$WORK/report.rss")" MiB "<=" 256
}
