# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#
# What the parts of tests/bench/run share: results, medians, and recorders in the background.
# Variables in capitals come from there.

# What framescope's output has when everything is attached.
export RECORDING="recording to"

recorder=

bench_cleanup() {
	stop_recorder
	rm -rf "$WORK"
}

progress() {
	echo "bench: $*" >&2
}

# result PART WHAT VALUE UNIT [CMP TARGET [NOTE [MARGIN]]]: one row. VALUE is - if it could not be
# measured (NOTE says why); CMP is <= or >=; within MARGIN of the target the verdict stays open.
result() {
	printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' \
		"$1" "$2" "$3" "$4" "${5:-}" "${6:-}" "${7:-}" "${8:-}" >>"$RESULTS"
}

# The median of the numbers on standard input, or - if there are none.
median() {
	sort -g | awk '
		{ v[NR] = $1 }
		END {
			if (!NR) print "-"
			else if (NR % 2) print v[(NR + 1) / 2]
			else print (v[NR / 2] + v[NR / 2 + 1]) / 2
		}'
}

# How far the median of the numbers on standard input may be off, 95 times of 100: twice its standard
# error, which is about 0.93 interquartile ranges by the square root of their count.
margin() {
	sort -g | awk '
		function quartile(n) {
			return v[int((NR - 1) * n / 4) + 1]
		}
		{ v[NR] = $1 }
		END { if (NR) printf "%.3g\n", 2 * 0.93 * (quartile(3) - quartile(1)) / sqrt(NR) }'
}

# calc EXPRESSION: arithmetic on decimal numbers.
calc() {
	awk "BEGIN { printf \"%.6g\n\", $1 }"
}

# The highest CPU that this process may use.
last_cpu() {
	awk '/^Cpus_allowed_list/ { n = split($2, cpu, /[-,]/); print cpu[n] }' /proc/self/status
}

# program_rows PART LOG: what a run of each BPF program that ran often cost, from the end of framescope's own
# output.
program_rows() {
	local name runs ns
	while read -r name runs ns; do
		result "$1" "  BPF program $name, per run ($runs runs/s)" "$ns" ns
	done < <(awk '/ns\/run/ { on = 1; next }
		on && NF == 4 && $2 >= 1000 && $2 $3 ~ /^[0-9]+$/ { print $1, $2, $3 }' "$2")
}

# share_row PART LOG WHAT: the share of one CPU that a line of that output gives.
share_row() {
	result "$1" "  $3, of one CPU" "$(sed -n "s/^ *$3.* \([0-9.]*\) % of one CPU.*/\1/p" "$2")" %
}

# The last line of a log, to say why a tool failed.
last_line() {
	awk 'NF { line = $0 } END { gsub(/[\t"\\]/, " ", line); print line }' "$1"
}

# start_recorder LOG PATTERN COMMAND...: starts it in the background and waits until its output has
# the pattern, that is until it records. 1 if it ended before, or said nothing for 20 s.
start_recorder() {
	local log=$1 pattern=$2 i
	shift 2
	"$@" >"$log" 2>&1 &
	recorder=$!
	for ((i = 0; i < 400; i++)); do
		grep -q "$pattern" "$log" && return 0
		kill -0 "$recorder" 2>/dev/null || break
		sleep 0.05
	done
	stop_recorder
	return 1
}

stop_recorder() {
	if [ -n "$recorder" ]; then
		kill -TERM "$recorder" 2>/dev/null || true
		wait "$recorder" 2>/dev/null || true
		recorder=
	fi
}

print_table() {
	awk -F '\t' '
		function verdict(value, cmp, target, margin,   room) {
			if (cmp == "" || value == "-" || target == "-")
				return ""
			room = cmp == "<=" ? target - value : value - target
			if (room * room < margin * margin)
				return "open"
			return room >= 0 ? "ok" : "MISS"
		}
		function short(v) {
			if (v + 0 != v)
				return v
			return v >= 1000 ? sprintf("%.0f", v) : sprintf("%.3g", v)
		}
		NR == 1 { printf "\n%-7s %-52s %12s %-10s %s\n", "part", "what", "value", "unit", "target" }
		{
			printf "%-7s %-52s %12s %-10s %-11s %s\n", $1, $2,
				short($3), $4, $5 == "" ? "" : $5 " " short($6), verdict($3, $5, $6, $8)
			note = $8 == "" ? $7 : $7 ($7 == "" ? "" : "; ") "give or take " $8 " " $4
			if (note != "")
				printf "%-7s   %s\n", "", note
		}' "$RESULTS"
}

print_json() {
	awk -F '\t' -v kernel="$(uname -r)" -v machine="$(uname -m)" -v cpus="$(nproc)" '
		function number(v) {
			return v == "-" ? "null" : v
		}
		BEGIN {
			printf "{\n  \"kernel\": \"%s\",\n  \"machine\": \"%s\",\n  \"cpus\": %d,\n  \"results\": [",
				kernel, machine, cpus
		}
		{
			gsub(/["\\]/, "\\\\&")
			printf "%s\n    {\"part\": \"%s\", \"what\": \"%s\", \"value\": %s, \"unit\": \"%s\"",
				NR == 1 ? "" : ",", $1, $2, number($3), $4
			if ($5 != "")
				printf ", \"compare\": \"%s\", \"target\": %s", $5, number($6)
			if ($8 != "")
				printf ", \"margin\": %s", $8
			if ($7 != "")
				printf ", \"note\": \"%s\"", $7
			printf "}"
		}
		END { print "\n  ]\n}" }' "$RESULTS"
}
