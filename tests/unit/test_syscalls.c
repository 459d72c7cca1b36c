/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The classes of system calls, checked by name against the kernel's own number headers, which are
 * read as text so that both architectures are checked on either.
 */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "check.h"
#include "probe/syscalls.h"

#define NR_MAX 512

#define X86_64_HEADER "/usr/include/x86_64-linux-gnu/asm/unistd_64.h"
#define ARM64_HEADER "/usr/include/asm-generic/unistd.h"

/* Names of the calls of each class; all that a header defines and is not here must be "other". */
static const char *const class_names[FS_CALL_NR] = {
	[FS_CALL_FUTEX] = " futex futex_waitv futex_wait futex_requeue ",
	[FS_CALL_IOCTL] = " ioctl ",
	[FS_CALL_READ] =
		" read write readv writev pread64 pwrite64 preadv pwritev preadv2 pwritev2 "
		"recvfrom recvmsg recvmmsg sendto sendmsg sendmmsg accept accept4 connect "
		"fsync fdatasync sync_file_range syncfs fallocate ftruncate sendfile splice "
		"tee vmsplice copy_file_range fadvise64 readahead getdents getdents64 ",
	[FS_CALL_POLL] = " poll ppoll ",
	[FS_CALL_SELECT] = " select pselect6 ",
	[FS_CALL_EPOLL] = " epoll_wait epoll_pwait epoll_pwait2 ",
	[FS_CALL_SLEEP] = " nanosleep clock_nanosleep ",
};

static enum fs_call class_of(const char *name)
{
	char word[80];

	snprintf(word, sizeof(word), " %s ", name);
	for (unsigned class = 0; class < FS_CALL_NR; class ++) {
		if (class_names[class] && strstr(class_names[class], word))
			return (enum fs_call) class;
	}
	return FS_CALL_OTHER;
}

/* Does the line define the number of a call? Both spellings of the generic header count. */
static bool parse_line(const char *line, char name[64], unsigned *nr)
{
	return sscanf(line, "#define __NR_%63[a-z0-9_] %u", name, nr) == 2 ||
	       sscanf(line, "#define __NR3264_%63[a-z0-9_] %u", name, nr) == 2;
}

static void check_header(const char *header, uint32_t arch, unsigned at_least)
{
	uint8_t classes[NR_MAX];
	bool named[NR_MAX] = { false };
	unsigned wrong = 0, classed = 0;
	char line[256], name[64];
	FILE *f = fopen(header, "re");

	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	syscall_classes(arch, classes, NR_MAX);
	while (fgets(line, sizeof(line), f)) {
		unsigned nr;

		if (!parse_line(line, name, &nr) || nr >= NR_MAX)
			continue;
		/* two markers, and another architecture's form of a call */
		if (!strcmp(name, "syscalls") || !strcmp(name, "arch_specific_syscall") ||
		    !strcmp(name, "sync_file_range2"))
			continue;
		enum fs_call want = class_of(name);
		named[nr] = true;
		classed += want != FS_CALL_OTHER;
		if (classes[nr] != want) {
			wrong++;
			printf("# %s %u: class %u, not %u\n", name, nr, (unsigned)classes[nr],
			       (unsigned)want);
		}
	}
	fclose(f);
	/* newer than this header may be: Linux 6.7 gave them these numbers on every architecture */
	CU_ASSERT_EQUAL(classes[455], FS_CALL_FUTEX);
	CU_ASSERT_EQUAL(classes[456], FS_CALL_FUTEX);
	for (unsigned nr = 0; nr < NR_MAX; nr++) {
		if (!named[nr] && nr != 455 && nr != 456)
			wrong += classes[nr] != FS_CALL_OTHER;
	}
	CU_ASSERT_EQUAL(wrong, 0);
	CU_ASSERT(classed >= at_least);
}

static void test_x86_64(void)
{
	check_header(X86_64_HEADER, FS_ARCH_X86_64, 44);
}

static void test_arm64(void)
{
	check_header(ARM64_HEADER, FS_ARCH_ARM64, 40);
}

static void test_short_table(void)
{
	uint8_t classes[9];

	memset(classes, 0xaa, sizeof(classes));
	syscall_classes(FS_ARCH_X86_64, classes, 8);
	CU_ASSERT_EQUAL(classes[0], FS_CALL_READ);
	CU_ASSERT_EQUAL(classes[2], FS_CALL_OTHER); /* open */
	CU_ASSERT_EQUAL(classes[7], FS_CALL_POLL);
	CU_ASSERT_EQUAL(classes[8], 0xaa); /* beyond n: not touched */
}

static void test_unknown_arch(void)
{
	uint8_t classes[NR_MAX];
	unsigned other = 0;

	syscall_classes(99, classes, NR_MAX);
	for (unsigned nr = 0; nr < NR_MAX; nr++)
		other += classes[nr] == FS_CALL_OTHER;
	CU_ASSERT_EQUAL(other, NR_MAX);
}

static bool readable(const char *path)
{
	FILE *f = fopen(path, "re");

	if (f)
		fclose(f);
	return f != NULL;
}

int main(void)
{
	struct check_case cases[5];
	unsigned n = 0;

	if (readable(X86_64_HEADER))
		cases[n++] = (struct check_case){ "x86_64", test_x86_64 };
	else
		printf("SKIP syscalls/x86_64: no %s\n", X86_64_HEADER);
	if (readable(ARM64_HEADER))
		cases[n++] = (struct check_case){ "arm64", test_arm64 };
	else
		printf("SKIP syscalls/arm64: no %s\n", ARM64_HEADER);
	cases[n++] = (struct check_case){ "short_table", test_short_table };
	cases[n++] = (struct check_case){ "unknown_arch", test_unknown_arch };
	cases[n] = (struct check_case){ NULL, NULL };
	return check_main("syscalls", cases);
}
