# shellcheck shell=dash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# framescope finds that a recording can work here.
# shellcheck disable=SC2154 # from the lib

framescope_run doctor
if [ "$status" = 0 ]; then
	pass "$(grep -c '^ok ' "$work/out") ok, $(grep -c '^degraded ' "$work/out") degraded"
else
	fail "exit status $status" "$work/out" "$work/log"
fi
