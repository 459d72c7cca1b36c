# shellcheck shell=dash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The guest is what it should be: its modules are loaded.

missing=
for module in /modules/*.ko; do
	module=${module##*/[0-9][0-9]-}
	grep -q "^${module%.ko} " /proc/modules || missing="$missing ${module%.ko}"
done
if [ -n "$missing" ]; then
	fail "not loaded:$missing"
else
	pass "$(uname -r), $(nproc) CPUs, up after $(cut -d. -f1 /proc/uptime) s"
fi
