# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#
# What one call of a probed function costs: a program that does nothing but call its own function,
# unprobed and probed.

# Each variant prints the ns that a call took, or nothing if it can't probe.

uprobe_alone() {
	"$hit" cost 100000000
}

uprobe_framescope() {
	"$FRAMESCOPE" record -o "$WORK/bench.fsc" --uprobe "$hit:hit" -- "$hit" cost 500000 \
		2>"$WORK/uprobe_framescope.log" | awk 'NF == 1 && $1 > 0'
}

# bpftrace_hit LOG PROGRAM
bpftrace_hit() {
	bpftrace -e "$2" -c "$hit cost 500000" 2>"$WORK/$1.log" | awk 'NF == 1 && $1 > 0'
}

uprobe_entry() {
	bpftrace_hit uprobe_entry "uprobe:$hit:hit { @ = count(); }"
}

uprobe_both() {
	bpftrace_hit uprobe_both \
		"uprobe:$hit:hit { @in = count(); } uretprobe:$hit:hit { @out = count(); }"
}

bench_uprobe() {
	local round variant note value hit
	local variants=(alone framescope entry both)
	declare -A what=(
		[alone]="a call of a function, not probed"
		[framescope]="a call probed by framescope (entry + return, recorded)"
		[entry]="a call probed by bpftrace (entry, counted)"
		[both]="a call probed by bpftrace (entry + return, counted)"
	)

	hit=$(realpath "$TOOLS/uprobe_hit")
	for variant in "${variants[@]}"; do
		: >"$WORK/uprobe_$variant.ns"
	done
	for ((round = 1; round <= ROUNDS; round++)); do
		progress "uprobe: round $round of $ROUNDS"
		for variant in "${variants[@]}"; do
			"uprobe_$variant" >>"$WORK/uprobe_$variant.ns" || true
		done
	done
	for variant in "${variants[@]}"; do
		value=$(median <"$WORK/uprobe_$variant.ns")
		note=
		[ "$value" != - ] || note=$(last_line "$WORK/uprobe_$variant.log")
		result uprobe "${what[$variant]}" "$value" ns "" "" "$note"
	done
}
