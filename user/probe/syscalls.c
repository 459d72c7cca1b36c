/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The classes of system calls. The numbers are written out, not taken from <sys/syscall.h>: a
 * capture may come from the other architecture, and older headers lack the newer calls.
 */
#include "probe/syscalls.h"

#include <string.h>

/*
 * FS_CALL_READ has the calls that wait for the file of their first argument. Not in it: flock and
 * fcntl, which wait for whoever holds a lock, and close, whose descriptor is gone before it waits.
 */
static const struct {
	int16_t x86_64; /* -1: not a call of that architecture */
	int16_t arm64;
	uint8_t call; /* enum fs_call */
} calls[] = {
	/* clang-format off */
	{202, 98, FS_CALL_FUTEX}, /* futex */
	{449, 449, FS_CALL_FUTEX}, /* futex_waitv */
	{455, 455, FS_CALL_FUTEX}, /* futex_wait */
	{456, 456, FS_CALL_FUTEX}, /* futex_requeue */
	{16, 29, FS_CALL_IOCTL}, /* ioctl */
	{0, 63, FS_CALL_READ}, /* read */
	{1, 64, FS_CALL_READ}, /* write */
	{19, 65, FS_CALL_READ}, /* readv */
	{20, 66, FS_CALL_READ}, /* writev */
	{17, 67, FS_CALL_READ}, /* pread64 */
	{18, 68, FS_CALL_READ}, /* pwrite64 */
	{295, 69, FS_CALL_READ}, /* preadv */
	{296, 70, FS_CALL_READ}, /* pwritev */
	{327, 286, FS_CALL_READ}, /* preadv2 */
	{328, 287, FS_CALL_READ}, /* pwritev2 */
	{45, 207, FS_CALL_READ}, /* recvfrom */
	{47, 212, FS_CALL_READ}, /* recvmsg */
	{299, 243, FS_CALL_READ}, /* recvmmsg */
	{44, 206, FS_CALL_READ}, /* sendto */
	{46, 211, FS_CALL_READ}, /* sendmsg */
	{307, 269, FS_CALL_READ}, /* sendmmsg */
	{43, 202, FS_CALL_READ}, /* accept */
	{288, 242, FS_CALL_READ}, /* accept4 */
	{42, 203, FS_CALL_READ}, /* connect */
	{74, 82, FS_CALL_READ}, /* fsync */
	{75, 83, FS_CALL_READ}, /* fdatasync */
	{277, 84, FS_CALL_READ}, /* sync_file_range */
	{306, 267, FS_CALL_READ}, /* syncfs */
	{285, 47, FS_CALL_READ}, /* fallocate */
	{77, 46, FS_CALL_READ}, /* ftruncate */
	{40, 71, FS_CALL_READ}, /* sendfile */
	{275, 76, FS_CALL_READ}, /* splice */
	{276, 77, FS_CALL_READ}, /* tee */
	{278, 75, FS_CALL_READ}, /* vmsplice */
	{326, 285, FS_CALL_READ}, /* copy_file_range */
	{221, 223, FS_CALL_READ}, /* fadvise64 */
	{187, 213, FS_CALL_READ}, /* readahead */
	{78, -1, FS_CALL_READ}, /* getdents */
	{217, 61, FS_CALL_READ}, /* getdents64 */
	{7, -1, FS_CALL_POLL}, /* poll */
	{271, 73, FS_CALL_POLL}, /* ppoll */
	{23, -1, FS_CALL_SELECT}, /* select */
	{270, 72, FS_CALL_SELECT}, /* pselect6 */
	{232, -1, FS_CALL_EPOLL}, /* epoll_wait */
	{281, 22, FS_CALL_EPOLL}, /* epoll_pwait */
	{441, 441, FS_CALL_EPOLL}, /* epoll_pwait2 */
	{35, 101, FS_CALL_SLEEP}, /* nanosleep */
	{230, 115, FS_CALL_SLEEP}, /* clock_nanosleep */
	/* clang-format on */
};

void syscall_classes(uint32_t arch, uint8_t *classes, size_t n)
{
	memset(classes, FS_CALL_OTHER, n);
	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
		int nr = -1;

		if (arch == FS_ARCH_X86_64)
			nr = calls[i].x86_64;
		else if (arch == FS_ARCH_ARM64)
			nr = calls[i].arm64;
		if (nr >= 0 && (size_t)nr < n)
			classes[nr] = calls[i].call;
	}
}
