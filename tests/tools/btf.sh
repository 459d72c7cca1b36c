#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#
# Tests tests/btf/run on BTF that was cut down to what one object needs: that object fits it, another
# one does not, and a file that is no BTF is no pass.
set -uo pipefail

here=$(cd "${BASH_SOURCE[0]%/*}" && pwd)
objects=${BUILD:-build}/bpf
running=/sys/kernel/btf/vmlinux
bpftool=$(PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin command -v bpftool)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0
export BTF_ARCH=x86_64 OBJECTS_x86_64=$dir/objects

expect() { # name, expected exit status, BTF, object, what it says
	local status

	rm -rf "$dir/objects"
	mkdir "$dir/objects"
	cp "$objects/$4.bpf.o" "$dir/objects/"
	"$here/../btf/run" "$3" >"$dir/out" 2>&1
	status=$?
	if [ "$status" = "$2" ] && grep -q -- "${5:-}" "$dir/out"; then
		echo "PASS btf-check/$1"
	else
		echo "FAIL btf-check/$1: exit status $status instead of $2${5:+, or no \"$5\"}"
		sed 's/^/# /' "$dir/out"
		failed=1
	fi
}

if [ -z "$bpftool" ] || [ ! -r "$running" ]; then
	echo "SKIP btf-check: needs bpftool and the running kernel's BTF"
	exit 0
fi
"$bpftool" gen min_core_btf "$running" "$dir/fence.btf" "$objects/fence.bpf.o"
expect fits 0 "$dir/fence.btf" fence
expect lacks 1 "$dir/fence.btf" sched
echo none >"$dir/none.btf"
expect none 1 "$dir/none.btf" fence
expect not-there 1 "$dir/nosuch.btf" fence
gzip -k "$dir/none.btf"
expect packed 1 "$dir/none.btf.gz" fence 'unpack it first'
# What a kernel lacks is named, not only counted.
"$bpftool" gen min_core_btf "$running" "$dir/sched.btf" "$objects/sched.bpf.o"
expect names 0 "$dir/sched.btf" sched 'asked for: [a-z_]*___before_[0-9_]*\.'
exit $failed
