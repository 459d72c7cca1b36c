# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#
# What recording adds to a context switch: two processes that wake each other over pipes on one CPU
# (perf bench sched pipe), so that nearly all they do is switch. The recorders run where the scheduler
# puts them.

# The ping-pong with so many round trips, three times, into the array pingpong.
set_pingpong() {
	loops=$1
	# shellcheck disable=SC2016 # its own "$@"
	pingpong=(sh -c '"$@" && "$@" && "$@"' - taskset -c "$cpu" perf bench -f simple
		sched pipe -l "$loops")
}

# From the seconds that perf bench prints to ns per switch; a round trip is two switches. Of the
# three runs the one that was disturbed least counts.
ns_per_switch() {
	awk -v loops="$loops" '
		NF == 1 && $1 > 0 && (!best || $1 < best) { best = $1 }
		END { if (best) printf "%.2f\n", best * 1e9 / loops / 2 }'
}

# Each variant prints the ns per switch, or nothing if it can't record.

sched_alone() {
	"${pingpong[@]}" | ns_per_switch
}

sched_unwatched() {
	start_recorder "$WORK/unwatched.log" "$RECORDING" \
		"$FRAMESCOPE" record -o "$WORK/bench.fsc" -p "$sleeper" || return 0
	sched_alone
	stop_recorder
}

sched_watched() {
	"$FRAMESCOPE" record -o "$WORK/bench.fsc" -- "${pingpong[@]}" 2>"$WORK/watched.log" |
		ns_per_switch
}

sched_perf_samples() {
	perf record -q -a -o "$WORK/perf.data" -- "${pingpong[@]}" 2>"$WORK/perf_samples.log" |
		ns_per_switch
}

sched_perf_events() {
	perf record -q -a -e sched:sched_switch -e sched:sched_waking -o "$WORK/perf.data" -- \
		"${pingpong[@]}" 2>"$WORK/perf_events.log" | ns_per_switch
}

sched_bpftrace() {
	start_recorder "$WORK/bpftrace.log" "^ready" bpftrace -e '
		BEGIN { printf("ready\n"); }
		tracepoint:sched:sched_switch, tracepoint:sched:sched_waking { @ = count(); }' ||
		return 0
	sched_alone
	stop_recorder
}

# sched_row VARIANT WHAT [CMP TARGET NOTE]: the median of what the variant added, in percent.
sched_row() {
	local variant=$1 what=$2 added note=${5:-}
	added=$(median <"$WORK/$variant.added")
	if [ "$added" = - ]; then
		note=$(last_line "$WORK/$variant.log")
	fi
	result sched "$what" "$added" % "${3:-}" "${4:-}" "$note" "$(margin <"$WORK/$variant.added")"
}

# The most that framescope may add, from what another recorder added and the share allowed.
sched_target() {
	local added
	added=$(median <"$WORK/$1.added")
	if [ "$added" = - ]; then
		echo -
	else
		calc "$added / $2"
	fi
}

bench_sched() {
	local cpu loops round variant before after ns
	local variants=(unwatched watched perf_samples perf_events bpftrace)
	local pingpong

	cpu=$(last_cpu)
	set_pingpong 20000
	ns=$(sched_alone 2>"$WORK/alone.log") || true
	if [ -z "$ns" ]; then
		result sched "a context switch" - ns "" "" "$(last_line "$WORK/alone.log")"
		return 0
	fi
	set_pingpong "$(calc "int(4e8 / $ns / 2)")"
	for variant in "${variants[@]}"; do
		: >"$WORK/$variant.added"
	done

	sleep infinity &
	local sleeper=$!
	for ((round = 1; round <= ROUNDS; round++)); do
		progress "sched: round $round of $ROUNDS"
		before=$(sched_alone)
		for variant in "${variants[@]}"; do
			ns=$("sched_$variant" || true)
			after=$(sched_alone)
			echo "$after" >>"$WORK/alone.ns"
			if [ -n "$ns" ]; then
				calc "(2 * $ns / ($before + $after) - 1) * 100" >>"$WORK/$variant.added"
			fi
			before=$after
		done
	done
	kill "$sleeper"
	wait "$sleeper" 2>/dev/null || true

	result sched "a context switch on CPU $cpu, nothing records" "$(median <"$WORK/alone.ns")" ns
	sched_row perf_events "perf record -a -e sched:sched_switch,sched_waking adds"
	sched_row perf_samples "perf record -a (samples) adds"
	sched_row bpftrace "bpftrace count of sched_switch + sched_waking adds"
	sched_row unwatched "framescope adds, watching something else" \
		"<=" "$(sched_target perf_events 3)" "a third of perf record of the same events"
	sched_row unwatched "the same" "<=" "$(sched_target bpftrace 1)" "the bpftrace count"
	program_rows sched "$WORK/unwatched.log"
	sched_row watched "framescope adds, watching the two processes"
	program_rows sched "$WORK/watched.log"
}
