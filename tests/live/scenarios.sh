# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#
# Scripted programs: what framescope says of every frame against what the player knows of it.
# shellcheck disable=SC2034,SC2154 # shared with tests/live/run

# What record is told beyond the script's own name, by a test that sets it.
record_options=()
# How every block of the script must be described, by a test that sets it: "call=...", the rest.
blocks=

# The frames in $work/csv.
read_csv() {
	if ! "$framescope" frames "$work/x.fsc" --format csv >"$work/csv" 2>"$work/frames.log"; then
		fail "the capture can't be read" "$work/frames.log" "$work/log"
		return 1
	fi
}

# The blocks of the threads in the truth in that call, from their first frame on, are described
# like that, and there are about as many as frames.
check_blocks() { # "call=...", the rest of the description
	"$framescope" dump "$work/x.fsc" >"$work/dump" || return
	awk -v call="$1" -v rest="$2" 'NR == FNR {
			split($0, f, ",")
			id = f[1] "/" f[2]
			if (!(id in from)) from[id] = f[7]
			frames++
			next
		}
		$4 == "offcpu" && ($3 in from) && index($0, " " call " ") {
			out = $5
			sub(/.*=/, "", out)
			if (out + 0 < from[$3] + 0) next
			n++
			nr = split(rest, want, " ")
			for (i = 1; i <= nr; i++) {
				if (index($0 " ", " " want[i] " ")) continue
				if (!bad++) print "not " want[i] ": " $0
				break
			}
		}
		END {
			if (n < frames * 0.9) print n + 0 " blocks in " call " for " frames " frames"
			exit bad || n < frames * 0.9
		}' "$work/truth" "$work/dump" >"$work/blocks"
}

# Compare, and print the result. A figure that depends on timing may be off twice: a host that is
# busy for a while takes CPUs away from a guest without a word.
judge() { # which try, of three
	if [ -n "$blocks" ] && ! check_blocks "${blocks%% *}" "${blocks#* }"; then
		fail "the blocks are not described as they were" "$work/blocks" "$work/log"
		return 0
	fi
	"$compare" "live/$name" "$work/truth" "$work/csv" >"$work/result"
	judged $? "$1"
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
	for try in 1 2 3; do
		rm -f "$work"/*
		if ! limited 40 "$framescope" record -o "$work/x.fsc" "${record_options[@]}" -- \
			"$player" -D "$disk" "$@" "$work/truth" >"$work/out" 2>"$work/log"; then
			fail "record failed" "$work/log"
			return
		fi
		read_csv || return
		judge "$try" && return
	done
}

# The same, and every wait must be seen as what it was: the three words of its description.
described() { # call, file, descriptors waited for, player's options
	blocks="call=$1 file=$2 nfds=$3"
	shift 3
	scripted "$@"
	blocks=
}

# A wait through the 32-bit entry of the kernel: its number must not be taken for one of 64 bits.
compat() {
	if [ "$(uname -m)" != x86_64 ]; then
		skip "only x86-64 lets a 64-bit program make 32-bit system calls"
	elif ! "$player" -c compat -n 1 -p 1000 -a 0 2>"$work/player.log"; then
		skip "this kernel runs no 32-bit programs: $(tail -n 1 "$work/player.log")"
	else
		blocks="call=compat syscall=-1 fd=-1 nfds=0 file=none"
		scripted -c compat "$@"
		blocks=
	fi
}

# One more point on a function that the catalogue probes already.
probed_twice() { # role or nothing, player's options
	record_options=(--uprobe "${player%/*}/libEGL.so:eglSwapBuffers${1#-}")
	shift
	scripted "$@"
	record_options=()
}

# Everything, with two programs: one is there before, the other comes later.
everything() {
	local try first second

	for try in 1 2 3; do
		rm -f "$work"/*
		start "$player" -a 3000 -c lock -n 60 -p 6000 "$work/truth.first"
		first=$pid
		start_record -a || return
		start "$player" -a 700 -c socket -n 60 -p 6000 "$work/truth.second"
		second=$pid
		if ! wait_end 20 "$first" || ! wait_end 20 "$second"; then
			fail "a player did not end" "$work/background"
			return
		fi
		kill -INT "$recorder" 2>/dev/null
		if ! wait_end 10 "$recorder" || [ "$status" != 0 ]; then
			fail "record ended with status $status" "$work/log"
			return
		fi
		read_csv || return
		if "$framescope" dump "$work/x.fsc" |
			awk -v pid="$recorder" '{ split($3, id, "/") }
				id[1] == pid || id[2] == pid { print; n++ } END { exit !n }' >"$work/own"; then
			fail "the recorder recorded itself" "$work/own"
			return
		fi
		# Other programs of this machine may make frames, too.
		awk -F, -v first="$first" -v second="$second" 'NR == 1 || $3 == first || $3 == second' \
			"$work/csv" >"$work/csv.ours"
		mv "$work/csv.ours" "$work/csv"
		cat "$work/truth.first" "$work/truth.second" >"$work/truth"
		judge "$try" && return
	done
}

maps_all_libraries() { # process id
	grep -q '/libvulkan\.so' "/proc/$1/maps" 2>/dev/null
}

# Record a script that runs already: "pid" or "comm", or "replaced": on libraries that are not in
# their place any more, as after an update. Then options of the player.
attached() {
	local how=$1 try
	shift

	for try in 1 2 3; do
		rm -f "$work"/*
		# Under a name that no other program has.
		cp "$player" "$work/player-$$"
		cp "${player%/*}"/lib*.so "$work"
		start "$work/player-$$" -a 2000 "$@" "$work/truth"
		if [ "$how" = replaced ]; then
			if ! wait_for 5 maps_all_libraries "$pid"; then
				fail "the player loads no libraries" "$work/background"
				return
			fi
			cp "${player%/*}/libEGL.so" "$work/new"
			mv "$work/new" "$work/libEGL.so"
			rm "$work/libgui.so"
		fi
		if [ "$how" = comm ]; then
			start_record --comm "player-$$" || return
		else
			start_record -p "$pid" || return
		fi
		if ! wait_end 20 "$recorder" || [ "$status" != 0 ]; then
			fail "record ended with status $status" "$work/log"
			return
		fi
		read_csv || return
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
add_test scenarios poll described poll eventfd 1 -c poll -n 80 -p 6000
add_test scenarios ppoll described poll eventfd 1 -c ppoll -n 60 -p 6000
add_test scenarios disabled-slot described poll socket 1 -c disabled-slot -n 60 -p 6000
add_test scenarios select described select eventfd 1 -c select -n 60 -p 6000
add_test scenarios epoll described epoll epoll 1 -c epoll -n 60 -p 6000
add_test scenarios pipe described read pipe 1 -c pipe -n 60 -p 6000
add_test scenarios socket described read socket 1 -c socket -n 80 -p 6000
add_test scenarios timerfd described read timerfd 1 -c timerfd -n 60 -p 6000
add_test scenarios sleep described sleep none 0 -c sleep -n 80 -p 6000
add_test scenarios compat compat -n 60 -p 6000
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
add_test scenarios without-cookies without attach_cookie -c lock -n 100 -p 6000
add_test scenarios like-5.10 without tp_btf,prev_state,task_pt_regs,attach_cookie -c cond -n 100 -p 6000
add_test scenarios probed-twice probed_twice - -c sleep -n 60 -p 6000
add_test scenarios probed-twice-as-swap probed_twice =swap -c sleep -n 60 -p 6000
add_test scenarios everything everything
add_test scenarios by-pid attached pid -c socket -n 100 -p 6000
add_test scenarios by-name attached comm -c lock -n 100 -p 6000
add_test scenarios replaced-library attached replaced -c slot -n 60 -p 6000
