/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A wait in the kernel's 32-bit entry, from a 64-bit program: only x86-64 allows that. It needs no
 * 32-bit compiler and libraries, which few machines have.
 */
#ifndef TESTS_COMPAT_H
#define TESTS_COMPAT_H

#ifdef __x86_64__

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define COMPAT_NANOSLEEP 162L

static sigjmp_buf compat_refused;

static inline void on_compat_refused(int sig)
{
	siglongjmp(compat_refused, sig);
}

/* `request` lies where 32 bits reach it. 0 or -errno. */
static inline int compat_sleep(int32_t *request, uint64_t ns)
{
	long ret;

	request[0] = (int32_t)(ns / 1000000000u);
	request[1] = (int32_t)(ns % 1000000000u);
	__asm__ volatile("int $0x80"
			 : "=a"(ret)
			 : "a"(COMPAT_NANOSLEEP), "b"(request), "c"(0L)
			 : "memory", "r8", "r9", "r10", "r11");
	return (int)ret;
}

/* The request for compat_sleep(). -ENOSYS if this kernel runs no 32-bit programs: it then answers
 * with a signal. */
static inline int compat_open(void **request)
{
	struct sigaction refused = { .sa_handler = on_compat_refused }, old;
	int err;

	*request = mmap(NULL, (size_t)sysconf(_SC_PAGESIZE), PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
	if (*request == MAP_FAILED)
		return -errno;
	sigaction(SIGSEGV, &refused, &old);
	err = sigsetjmp(compat_refused, 1) ? -ENOSYS : compat_sleep(*request, 1);
	sigaction(SIGSEGV, &old, NULL);
	return err;
}

#endif

#endif
