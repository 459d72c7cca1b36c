# shellcheck shell=dash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Real fences: the stand-in pipeline plays every scenario within one recording, and what framescope
# says of each wait and frame is judged by what the pipeline knows.
# shellcheck disable=SC2154 # shared with guest-lib.sh

export first="-a $probing"

cat >"$work/play" <<'END'
play() { # name, options
	part=$1
	shift
	# shellcheck disable=SC2086
	timeout -s KILL 40 pipeline $first "$@" "$work/$part.truth" 2>"$work/$part.log"
	echo $? >"$work/$part.status"
	first="-k -a 50"
}
for scenario in $(pipeline -l); do
	case $scenario in
	gpu-hangs) ;; # see unsignaled.sh
	never) play "$scenario" "$scenario" ;;
	# Each of its frames takes ten times as long: the guest's GPU answers only when QEMU gets to it.
	same-context) play "$scenario" -n 60 "$scenario" ;;
	*) play "$scenario" -n 40 "$scenario" ;;
	esac
done
for call in Fence::wait Fence::waitForever poll ppoll select epoll; do
	play "by-${call#Fence::}" -n 20 -w "$call" consumer-late
done
play dma-buf -n 20 -f dma-buf consumer-late
END

judge() { # part of the test
	local status

	status=$(cat "$work/$1.status" 2>/dev/null)
	case $status in
	0)
		fence_compare "vm/$VM/$name/$1" "$work/$1.truth" "$work/waits" "$work/frames" \
			>"$work/result"
		cat "$work/result"
		cat "$work/result" >>"$work/results"
		reported=$((reported + 1))
		[ "$1" != smooth ] || cancel_compare "vm/$VM/$name/cancels" "$work/$1.truth" \
			"$work/refs"
		;;
	77) skip "$1: $(cut -d: -f3- "$work/$1.log")" ;;
	*) fail "$1: the pipeline ended with status ${status:-none}" "$work/$1.log" ;;
	esac
}

# A part has too few waits to tell 99 percent from one less: that is judged of all of them together.
judge_all() {
	if sed -n 's/.*, \([0-9]*\) waits: exact \([0-9]*\),.*/\1 \2/p' "$work/results" | awk '
		{ waits += $1; exact += $2 }
		END { print exact + 0, waits + 0; exit !waits || exact * 100 < waits * 99 }' \
		>"$work/sum"; then
		pass "$(sed 's/ / of /' "$work/sum") waits are tied to their fence exactly"
	else
		fail "only $(sed 's/ / of /' "$work/sum") waits are tied to their fence exactly"
	fi
}

export work
if ! timeout -s KILL 100 framescope record -q -o "$work/x.fsc" -- /bin/sh "$work/play" \
	>"$work/out" 2>"$work/log" </dev/null; then
	fail "the recording failed" "$work/log"
elif ! framescope fences "$work/x.fsc" --waits --format csv >"$work/waits" 2>"$work/log" ||
	! framescope frames "$work/x.fsc" --format csv >"$work/frames" 2>"$work/log" ||
	! framescope dump "$work/x.fsc" >"$work/dump" 2>"$work/log"; then
	fail "the capture can't be read" "$work/log"
else
	grep -e ' fence_ref role=cancel ' -e ' fence .* op=init ' "$work/dump" >"$work/refs"
	for part in "$work"/*.status; do
		part=${part##*/}
		judge "${part%.status}"
	done
	judge_all
fi
