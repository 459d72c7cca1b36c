# shellcheck shell=dash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The GPU scheduler's event is found under the name that this kernel has for it, and attached to. No
# driver here has jobs for it, so it does not fire.
# shellcheck disable=SC2154 # from the lib

event=$(find /sys/kernel/tracing/events/gpu_scheduler -name drm_run_job -o -name drm_sched_job_run)
event=${event##*/}
case $event in
"") fail "no event of the GPU scheduler, though its module is loaded" /proc/modules ;;
*)
	framescope_run doctor
	cp "$work/out" "$work/doctor"
	framescope_run record -v -o "$work/x.fsc" -d 5 -- /bin/sleep 0.1
	if ! grep -q "GPU scheduler .*$event" "$work/doctor"; then
		fail "doctor does not know $event" "$work/doctor"
	elif [ "$status" != 0 ] || grep -q 'GPU scheduler' "$work/log"; then
		fail "not attached to $event" "$work/log"
	else
		pass "$event"
	fi
	;;
esac
