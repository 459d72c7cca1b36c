# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#
# How fast, by the CPU time of the one thread there is, and in how much memory a large capture (made
# by make_capture, and in the page cache when it is read) becomes each of the formats of export.
# Nothing is written to a disk, whose speed is none of ours.

# export_once FORMAT: what a run gives, behind what those before gave.
export_once() {
	local user_ns sys_ns max_rss_kib cpu_ns
	"$TOOLS/rusage" "$WORK/export.usage" "$FRAMESCOPE" export -f "$1" -o - "$capture" >/dev/null
	# shellcheck disable=SC1091 # user_ns, sys_ns and max_rss_kib
	. "$WORK/export.usage"
	cpu_ns=$((user_ns + sys_ns))
	calc "${bytes[$1]} / $cpu_ns * 1e3" >>"$WORK/export.$1.rate"
	calc "$records / $cpu_ns * 1e3" >>"$WORK/export.$1.records"
	calc "$max_rss_kib / 1024" >>"$WORK/export.$1.rss"
}

# export_rows FORMAT NAME: 200 MB/s or 2 M records/s are wanted. CSV has the frames only, which are
# few beside the records that are read for them.
export_rows() {
	local rate=(">=" 200) records_rate=()
	if [ "$1" = csv ]; then
		rate=() records_rate=(">=" 2)
	fi
	result export "$2 of $records records, $(calc "${bytes[$1]} / 1000000") MB" \
		"$(median <"$WORK/export.$1.rate")" MB/s "${rate[@]}"
	result export "  the same in records" \
		"$(median <"$WORK/export.$1.records")" "M rec/s" "${records_rate[@]}"
	result export "  its peak memory" "$(median <"$WORK/export.$1.rss")" MiB "<=" 256
}

bench_export() {
	local records run format
	local capture=$WORK/large.fsc
	local -A bytes

	progress "export: making a capture of $GIB GiB"
	read -r records _ < <("$TOOLS/make_capture" "$capture" "$GIB")
	for format in perfetto chrome ndjson csv; do
		bytes[$format]=$("$FRAMESCOPE" export -f "$format" -o - "$capture" | wc -c)
	done
	for ((run = 1; run <= 3; run++)); do
		progress "export: run $run of 3"
		for format in perfetto chrome ndjson csv; do
			export_once "$format"
		done
	done
	rm -f "$capture"
	export_rows perfetto "Perfetto trace"
	export_rows chrome "Chrome JSON"
	export_rows ndjson "NDJSON, all rows,"
	export_rows csv "CSV of the frames"
}
