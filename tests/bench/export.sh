# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#
# How fast, and in how much memory, a large capture (made by make_capture, and in the page cache when
# it is read) becomes a Perfetto trace. Nothing is written to a disk, whose speed is none of ours.

bench_export() {
	local records bytes run elapsed_ns max_rss_kib
	local capture=$WORK/large.fsc

	progress "export: making a capture of $GIB GiB"
	read -r records _ < <("$TOOLS/make_capture" "$capture" "$GIB")
	bytes=$("$FRAMESCOPE" export -f perfetto -o - "$capture" | wc -c)
	: >"$WORK/export.rate"
	: >"$WORK/export.records"
	: >"$WORK/export.rss"
	for ((run = 1; run <= 3; run++)); do
		progress "export: run $run of 3"
		"$TOOLS/rusage" "$WORK/export.usage" "$FRAMESCOPE" export -f perfetto -o - \
			"$capture" >/dev/null
		# shellcheck disable=SC1091 # elapsed_ns and max_rss_kib
		. "$WORK/export.usage"
		calc "$bytes / $elapsed_ns * 1e3" >>"$WORK/export.rate"
		calc "$records / $elapsed_ns * 1e3" >>"$WORK/export.records"
		calc "$max_rss_kib / 1024" >>"$WORK/export.rss"
	done
	rm -f "$capture"
	result export "Perfetto trace of $records records, $(calc "$bytes / 1000000") MB" \
		"$(median <"$WORK/export.rate")" MB/s ">=" 200
	result export "the same in records" "$(median <"$WORK/export.records")" "M rec/s"
	result export "its peak memory" "$(median <"$WORK/export.rss")" MiB "<=" 256
}
