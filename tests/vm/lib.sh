# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#
# What tests/vm/boot and tests/vm/run share: what a guest needs on this machine, its initramfs, its
# virtual machine. Guests run under software emulation, so that every machine can run all of them.

vm_dir=$(cd "${BASH_SOURCE[0]%/*}" && pwd)
vm_build=${BUILD_ROOT:-$vm_dir/../../build}

vm_qemu() { # arch
	case $1 in
	x86_64) echo qemu-system-x86_64 ;;
	arm64) echo qemu-system-aarch64 ;;
	esac
}

# Say what keeps a guest from being started; nothing if all is there.
vm_missing() { # series, arch
	local why

	if ! command -v "$(vm_qemu "$2")" >/dev/null; then
		echo "no $(vm_qemu "$2") here; scripts/install-deps vm"
	elif ! command -v cpio >/dev/null; then
		echo "no cpio here; scripts/install-deps vm"
	elif [ ! -x "$vm_build/release/framescope-$2" ]; then
		echo "no static framescope for $2; make release"
	elif ! why=$("$vm_dir/../../scripts/kernels" path "$1" "$2" 2>&1); then
		echo "${why#kernels: }"
	fi
}

# Make the file system that a guest starts from: all that tests need is in it. A test is a file in
# guest/, a program for them one in build/ARCH/vm-standins.
vm_initramfs() { # series, arch, folder for it, command or nothing (the tests)
	local kernel tree=$3/tree program

	kernel=$("$vm_dir/../../scripts/kernels" path "$1" "$2") || return 1
	mkdir -p "$tree/bin" "$tree/modules" "$tree/tests" "$tree/lib"
	cp "$vm_dir/init" "$tree/init"
	cp "$kernel/busybox" "$tree/bin/busybox"
	cp "$vm_build/release/framescope-$2" "$tree/bin/framescope"
	for program in "$vm_build/$2/vm-standins"/*; do
		case $program in
		*.d | *'/*') ;;
		*) cp -r "$program" "$tree/bin/" ;;
		esac
	done
	find "$kernel/modules" -name '*.ko' -exec cp {} "$tree/modules/" \;
	cp "$vm_dir/guest-lib.sh" "$tree/lib/lib.sh"
	cp "$vm_dir"/guest/*.sh "$tree/tests/"
	[ -z "$4" ] || printf '%s\n' "$4" >"$tree/command"
	chmod 755 "$tree/init" "$tree"/bin/*
	(cd "$tree" && find . | cpio -o -H newc -R 0:0 --quiet) >"$3/initramfs"
	rm -rf "$tree"
}

# Replace this shell by a guest, its console on stdin and stdout. Its CPUs take turns in one thread:
# with a thread each, QEMU now and then runs kernel code that another CPU has just patched, and the
# guest dies of a stale breakpoint (about once in a thousand times that a tracepoint is switched). It is
# no slower, as guests run side by side.
vm_exec() { # series, arch, initramfs, kernel arguments...
	local series=$1 arch=$2 initramfs=$3 kernel args
	shift 3
	kernel=$("$vm_dir/../../scripts/kernels" path "$series" "$arch") || return 1
	args=(-nodefaults -no-user-config -no-reboot -display none -smp 2 -m 768
		-accel "tcg,thread=single" -kernel "$kernel/vmlinuz" -initrd "$initramfs"
		-device virtio-gpu-pci -serial mon:stdio)
	case $arch in
	x86_64) args+=(-M q35 -cpu max -append "console=ttyS0 ") ;;
	arm64) args+=(-M virt -cpu cortex-a57 -append "console=ttyAMA0 ") ;;
	esac
	# A panic ends the guest. What the kernel does to defend itself would only cost time.
	args[-1]+="panic=-1 mitigations=off audit=0 vm=$series-$arch $*"
	exec "$(vm_qemu "$arch")" "${args[@]}"
}
