# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#
# Scripted programs: what framescope says of every frame against what the player knows of it.
# shellcheck disable=SC2034,SC2154 # shared with tests/live/run

# Compare, and print the result. A figure that depends on timing may be off once.
judge() { # 1 for the first try
	local status

	if ! "$framescope" frames "$work/x.fsc" --format csv >"$work/csv" 2>"$work/frames.log"; then
		fail "the capture can't be read" "$work/frames.log" "$work/log"
		return 0
	fi
	"$compare" "live/$name" "$work/truth" "$work/csv" >"$work/result"
	status=$?
	if [ "$status" -ge 3 ] && [ "$1" = 1 ]; then
		sed -E 's/^(FAIL|SKIP)/# tried once more:/' "$work/result"
		return 1
	fi
	cat "$work/result"
	[ "$status" = 0 ] || [ "$status" = 4 ] || failed=1
	return 0
}

# Record a script that framescope itself starts: options of the player.
scripted() {
	local try disk=.

	case " $* " in
	*" read "* | *" fsync "*)
		if ! disk=$(disk_dir); then
			skip "no folder on a real disk here"
			return
		fi
		;;
	*" fault "*)
		if [ ! -e /proc/sys/vm/unprivileged_userfaultfd ]; then
			skip "this kernel has no userfaultfd"
			return
		fi
		;;
	esac
	for try in 1 2; do
		rm -f "$work"/*
		if ! limited 40 "$framescope" record -o "$work/x.fsc" -- "$player" -D "$disk" "$@" \
			"$work/truth" >"$work/out" 2>"$work/log"; then
			fail "record failed" "$work/log"
			return
		fi
		judge "$try" && return
	done
}

# Record a script that runs already: "pid" or "comm", then options of the player.
attached() {
	local how=$1 try
	shift

	for try in 1 2; do
		rm -f "$work"/*
		# Under a name that no other program has.
		cp "$player" "$work/player-$$"
		cp "${player%/*}"/lib*.so "$work"
		start "$work/player-$$" -a 2000 "$@" "$work/truth"
		if [ "$how" = pid ]; then
			start_record -p "$pid" || return
		else
			start_record --comm "player-$$" || return
		fi
		if ! wait_end 20 "$recorder" || [ "$status" != 0 ]; then
			fail "record ended with status $status" "$work/log"
			return
		fi
		judge "$try" && return
	done
}

# The same on a kernel without these features, as far as the kernel side can tell.
without() { # features, player's options
	export FRAMESCOPE_WITHOUT=$1
	shift
	scripted "$@"
	unset FRAMESCOPE_WITHOUT
}

script() { # name, player's options
	local test=$1
	shift
	add_test scenarios "$test" scripted "$*"
}

script spin -c spin -n 120 -p 6000
# Shorter than the second after which the kernel takes CPUs back from real-time threads.
script hog -c hog -n 100 -p 8000 -r
script lock -c lock -n 120 -p 6000
script cond -c cond -n 120 -p 6000
script poll -c poll -n 120 -p 6000
script socket -c socket -n 120 -p 6000
script sleep -c sleep -n 120 -p 6000
script read -c read -n 120 -p 8000 -r
script fsync -c fsync -n 120 -p 8000 -r
script fault -c fault -n 120 -p 6000
script slot -c slot -n 120 -p 6000
script two-surfaces -c cond -s two-surfaces -n 160 -p 5000
script two-threads -c lock -s two-threads -n 100 -p 8000
script two-processes -c poll -s two-processes -n 100 -p 8000
script exit-mid-frame -c sleep -s exit-mid-frame -n 60 -p 6000
script exit-in-swap -c sleep -s exit-in-swap -n 60 -p 6000
script exec -c sleep -s exec -n 200 -p 6000
script late-library -c poll -b 1200 -a 0 -n 200 -p 6000
script renamed -c sleep -s rename -n 100 -p 6000
script tagged-surface -c lock -s tagged -n 100 -p 6000
script swap-with-damage -c sleep -s damage -n 100 -p 6000
script vulkan -c cond -s vulkan -n 100 -p 6000
script 500-fps -c sleep -n 1000 -p 2000
script 1-fps -c lock -n 4 -p 1000000
add_test scenarios without-tp-btf without tp_btf -c poll -n 100 -p 6000
add_test scenarios without-helpers without prev_state,task_pt_regs -c socket -n 100 -p 6000
add_test scenarios like-5.10 without tp_btf,prev_state,task_pt_regs -c cond -n 100 -p 6000
add_test scenarios by-pid attached pid -c socket -n 100 -p 6000
add_test scenarios by-name attached comm -c lock -n 100 -p 6000
