# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#
# How fast, and in how much memory, a Perfetto trace is read that others recorded: BENCH_GIB of
# bundles with switches and wakings packed together, switches, marks, fences and other events, by
# the reader alone and by framescope report.

bench_perfetto_in() {
	local bytes ns run records events max_rss_kib user_ns sys_ns
	local trace=$WORK/trace.pftrace

	progress "perfetto_in: making the trace"
	read -r bytes events < <("$TOOLS/make_perfetto" "$trace" "$(calc "int($GIB * 1024)")")
	: >"$WORK/perfetto_in.rate"
	: >"$WORK/perfetto_in.cpu"
	: >"$WORK/perfetto_in.report"
	: >"$WORK/perfetto_in.rss"
	for ((run = 1; run <= ROUNDS; run++)); do
		progress "perfetto_in: run $run of $ROUNDS"
		"$TOOLS/rusage" "$WORK/perfetto_in.usage" "$TOOLS/read_source" "$trace" \
			>"$WORK/perfetto_in.read"
		read -r bytes ns records <"$WORK/perfetto_in.read"
		# shellcheck disable=SC1091 # max_rss_kib, user_ns, sys_ns
		. "$WORK/perfetto_in.usage"
		calc "$bytes / $ns * 1e3" >>"$WORK/perfetto_in.rate"
		calc "$bytes / ($user_ns + $sys_ns) * 1e3" >>"$WORK/perfetto_in.cpu"
		"$TOOLS/rusage" "$WORK/perfetto_in.usage" "$FRAMESCOPE" report --json "$trace" \
			>"$WORK/perfetto_in.json"
		# shellcheck disable=SC1091
		. "$WORK/perfetto_in.usage"
		calc "$bytes / ($user_ns + $sys_ns) * 1e3" >>"$WORK/perfetto_in.report"
		calc "$max_rss_kib / 1024" >>"$WORK/perfetto_in.rss"
	done
	rm -f "$trace"
	result perfetto_in "reading $(calc "$bytes / 1000000") MB of a trace, $events events to $records records" \
		"$(median <"$WORK/perfetto_in.rate")" MB/s ">=" 200
	result perfetto_in "the same by its own time on a CPU" \
		"$(median <"$WORK/perfetto_in.cpu")" MB/s ">=" 200
	result perfetto_in "report of the same, likewise" \
		"$(median <"$WORK/perfetto_in.report")" MB/s ">=" 200
	result perfetto_in "its peak memory" "$(median <"$WORK/perfetto_in.rss")" MiB "<=" 96
}
