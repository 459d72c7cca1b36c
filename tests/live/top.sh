# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#
# The live view: its figures by the player's own clocks, its lines where there is no terminal, its
# screen and keys and how the terminal is left where there is one (top.py).
# shellcheck disable=SC2034,SC2154 # shared with tests/live/run

TOP_SECONDS=3

# Frames per second, median and 95th percentile of the time between two ends, ms, of the frames that
# the player wrote down.
player_figures() {
	awk -F, '$14 == 1 { if (last) t[++n] = $9 ? ($7 - last) / 1e6 : 0; last = $7 }
		END {
			for (i = 1; i <= n; i++) { sum += t[i]; rank[i] = t[i] }
			for (i = 2; i <= n; i++) {
				for (j = i; j > 1 && rank[j - 1] > rank[j]; j--) {
					x = rank[j]; rank[j] = rank[j - 1]; rank[j - 1] = x
				}
			}
			p50 = int((n * 500 + 999) / 1000); p95 = int((n * 950 + 999) / 1000)
			printf "%.2f %.2f %.2f\n", n * 1000 / sum, rank[p50], rank[p95]
		}' "$work/truth"
}

# name, figure, the player's, how much they may differ in percent
differs() {
	awk -v a="$2" -v b="$3" -v limit="$4" 'BEGIN {
		d = a > b ? a - b : b - a
		exit !(a !~ /^[0-9.]+$/ || d * 100 > limit * b)
	}' && echo "$1 $2, by the player's clocks $3;"
}

# The interval lies somewhere within the player's life, which is the same from begin to end: what is
# off may be because the machine was busy in one part of it.
top_figures() {
	local try fps p50 p95 true_fps true_p50 true_p95 wrong

	for try in 1 2 3; do
		rm -f "$work"/*
		run_framescope top --once --interval "$TOP_SECONDS" -- "$player" -r -c lock \
			-n $((TOP_SECONDS * 100)) -p 10000 -a 700 "$work/truth"
		if [ "$status" != 0 ] || ! wait_for 5 test -s "$work/truth"; then
			fail "exit status $status, or no truth" "$work/log" "$work/out"
			return
		fi
		read -r fps p50 p95 <<<"$(awk '$1 == "player" { print $2, $3, $4 }' "$work/out")"
		read -r true_fps true_p50 true_p95 <<<"$(player_figures)"
		wrong=$(
			differs fps "$fps" "$true_fps" 3
			differs p50 "$p50" "$true_p50" 3
			differs p95 "$p95" "$true_p95" 10
		)
		[ -z "$wrong" ] && break
		[ "$try" -lt 3 ] && echo "# tried once more: $wrong"
	done
	if [ -n "$wrong" ]; then
		fail "$wrong" "$work/out" "$work/log"
	elif ! grep -q 'blocked on a lock (futex), woken by helper/' "$work/out"; then
		fail "it does not say what the frames waited for" "$work/out"
	elif ! grep -q ' 0 lost$' "$work/out"; then
		fail "records were lost" "$work/out"
	else
		pass "$fps fps, $p50 ms; by the player's clocks $true_fps and $true_p50"
	fi
}

# One interval and no more, as plain lines.
top_once() {
	run_framescope top --once --interval 0.5 -- "$player" -c sleep -n 100000 -p 10000 -a 0
	if [ "$status" != 0 ]; then
		fail "exit status $status" "$work/log"
	elif grep -q "$(printf '\033')" "$work/out" "$work/log"; then
		fail "there are escape sequences where no terminal is" "$work/out"
	elif [ "$(grep -c '^framescope top: 0\.000 to [0-9]' "$work/out")" != 1 ] ||
		[ "$(grep -c '^framescope top' "$work/out")" != 1 ]; then
		fail "not one interval" "$work/out"
	elif ! grep -qE '^  player +[0-9]+\.[0-9] ' "$work/out"; then
		fail "no figures of the player" "$work/out"
	elif [ "$(wc -L <"$work/out")" -gt 100 ]; then
		fail "a line has more than 100 columns" "$work/out"
	else
		pass
	fi
}

# One interval after the other until the time is over, then what is left; a reader may go away.
top_lines() {
	local heads

	run_framescope top --interval 0.4 -d 1.5 -- "$player" -c sleep -n 100000 -p 10000 -a 0
	heads=$(sed -nE 's/^framescope top: ([0-9.]+) to ([0-9.]+) s.*/\1 \2/p' "$work/out")
	if [ "$status" != 0 ]; then
		fail "exit status $status" "$work/log"
		return
	elif ! awk '$1 != last + 0 || $2 <= $1 { bad = 1 } { last = $2 }
		END { exit bad || NR < 2 || last > 1.5 }' <<<"$heads"; then
		fail "the intervals do not follow one another up to 1.5 s" "$work/out"
		return
	fi
	# shellcheck disable=SC2016 # expanded by the inner shell
	limited 20 bash -c '"$1" top --interval 0.2 -- "$2" -c sleep -n 100000 -p 10000 -a 0 | head -n 1
		exit "${PIPESTATUS[0]}"' sh "$framescope" "$player" >"$work/out" 2>"$work/log"
	status=$?
	if [ "$status" != 0 ] || [ "$(wc -l <"$work/out")" != 1 ]; then
		fail "its reader went away: status $status" "$work/log" "$work/out"
	else
		pass
	fi
}

top_nobody() {
	run_framescope top --once --interval 0.3 -- sleep 20
	if [ "$status" != 0 ]; then
		fail "exit status $status" "$work/log"
	elif ! grep -q ' 0 producers, ' "$work/out" || ! grep -q '^No frame has ended' "$work/out" ||
		! grep -q 'no frame was seen' "$work/log"; then
		fail "it does not say that and why there are none" "$work/out" "$work/log"
	else
		pass
	fi
}

# The same messages as those of record.
top_refused() {
	local caps=-bpf,-perfmon,-sys_admin

	for command in 'record -o x.fsc' top; do
		# shellcheck disable=SC2086 # a list of words
		(cd "$work" && setpriv --bounding-set=$caps --inh-caps=-all "$framescope" $command -p $$) \
			>"$work/out" 2>"$work/log.${command%% *}"
		status=$?
		[ "$status" = 1 ] || break
	done
	sed -i 's/^framescope [a-z]*:/framescope:/' "$work"/log.*
	if [ "$status" != 1 ]; then
		fail "exit status $status" "$work/log.$command"
	elif ! cmp -s "$work/log.record" "$work/log.top" || ! grep -q CAP_ "$work/log.top"; then
		fail "not what record says" "$work/log.record" "$work/log.top"
	else
		pass
	fi
}

# On a terminal: two cases at a time.
top_terminal() { # cases...
	local case job running=() wrong=

	if ! command -v python3 >/dev/null; then
		skip "python3 is not installed"
		return
	fi
	for case; do
		mkdir "$work/$case"
		limited 60 python3 "$here/top.py" "$case" "$work/$case" "$framescope" "$player" \
			>"$work/$case/log" 2>&1 &
		running+=("$! $case")
		[ "${#running[@]}" -lt 2 ] && [ "$case" != "${*: -1}" ] && continue
		for job in "${running[@]}"; do
			wait "${job%% *}" || wrong+=" ${job#* }"
		done
		running=()
	done
	if [ -z "$wrong" ]; then
		pass
	else
		# shellcheck disable=SC2046,SC2086 # names without blanks
		fail "on a terminal:$wrong" $(printf "$work/%s/log " $wrong)
	fi
}

add_test scenarios top-figures top_figures
add_test faults top-once top_once
add_test faults top-lines top_lines
add_test faults top-nobody top_nobody
add_test faults top-refused top_refused
add_test faults top-ends top_terminal quit sigterm sighup ctrl-c ctrl-backslash command-ends \
	command-crashes times-up
add_test faults top-jobs top_terminal stop-and-go background sigstop
add_test faults top-keys top_terminal keys pause
add_test faults top-screen top_terminal resize no-size no-colour nobody-draws output-of-command
