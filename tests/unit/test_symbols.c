/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The index of function names, and what a look-up costs in a library of the size of Android's
 * largest: 10 MiB, most of it names.
 */
#include <elf.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "probe/elf.h"
#include "probe/symbols.h"

static void test_order(void)
{
	static const char *const names[] = { "a", "b", "a", "a.llvm.1", "ab", "a.cfi", "b", "" };
	struct symbols s = { 0 };
	const struct symbol *at;

	CU_ASSERT_PTR_NULL(symbols_find(&s, "a", NULL));
	for (unsigned i = 0; i < 8; i++)
		CU_ASSERT_EQUAL(symbols_add(&s, names[i], 16, i, false), 0);
	CU_ASSERT_EQUAL(s.count, 7); /* none for the empty name */

	at = symbols_find(&s, "a", NULL);
	CU_ASSERT_PTR_NOT_NULL_FATAL(at);
	CU_ASSERT_EQUAL(at->addr, 0);
	at = symbols_find(&s, "a", at);
	CU_ASSERT_PTR_NOT_NULL_FATAL(at);
	CU_ASSERT_EQUAL(at->addr, 2);
	CU_ASSERT_PTR_NULL(symbols_find(&s, "a", at));

	at = symbols_find_variant(&s, "a", NULL);
	CU_ASSERT_PTR_NOT_NULL_FATAL(at);
	CU_ASSERT_EQUAL(at->addr, 3);
	at = symbols_find_variant(&s, "a", at);
	CU_ASSERT_PTR_NOT_NULL_FATAL(at);
	CU_ASSERT_EQUAL(at->addr, 5);
	CU_ASSERT_PTR_NULL(symbols_find_variant(&s, "a", at));
	CU_ASSERT_PTR_NULL(symbols_find_variant(&s, "b", NULL));

	unsigned n = 0;
	for (at = NULL; (at = symbols_find_prefix(&s, "a", at));)
		n++;
	CU_ASSERT_EQUAL(n, 5);
	CU_ASSERT_PTR_NULL(symbols_find_prefix(&s, "abc", NULL));
	CU_ASSERT_PTR_NULL(symbols_find(&s, "", NULL));
	symbols_free(&s);
	symbols_free(&s);
}

/* Names that do not end in their table, or not soon. */
static void test_long_names(void)
{
	static char name[SYMBOL_NAME_MAX + 1];
	struct symbols s = { 0 };

	memset(name, 'x', SYMBOL_NAME_MAX);
	CU_ASSERT_EQUAL(symbols_add(&s, name, sizeof(name), 1, false), 0);
	CU_ASSERT_EQUAL(symbols_add(&s, name, 3, 1, false), 0);
	CU_ASSERT_EQUAL(s.count, 0);
	CU_ASSERT_EQUAL(symbols_add(&s, name + 1, sizeof(name), 1, false), 0);
	CU_ASSERT_EQUAL(s.count, 1);
	symbols_free(&s);
}

#define BIG (10u << 20)
#define NAME_LEN 80 /* with its NUL; about the mean of libhwui */
#define FUNCTIONS ((BIG - 4096) / (NAME_LEN + sizeof(Elf64_Sym)))

static void name_of(unsigned i, char name[NAME_LEN])
{
	snprintf(name, NAME_LEN,
		 "_ZN7android10uirenderer12renderthread13CanvasContext%06u3drawERNS0_%04uE",
		 i * 7919 % 1000003, i % 10000);
}

static unsigned char *make_big(void)
{
	const size_t names_at = 4096 + FUNCTIONS * sizeof(Elf64_Sym);
	unsigned char *image = calloc(1, BIG);
	const Elf64_Phdr code = { .p_type = PT_LOAD,
				  .p_flags = PF_R | PF_X,
				  .p_vaddr = 0x1000,
				  .p_filesz = BIG,
				  .p_memsz = BIG };
	const Elf64_Shdr sections[] = {
		{ .sh_type = SHT_NULL },
		{ .sh_type = SHT_DYNSYM,
		  .sh_offset = 4096,
		  .sh_size = FUNCTIONS * sizeof(Elf64_Sym),
		  .sh_link = 2,
		  .sh_entsize = sizeof(Elf64_Sym) },
		{ .sh_type = SHT_STRTAB, .sh_offset = names_at, .sh_size = FUNCTIONS * NAME_LEN },
	};
	const Elf64_Ehdr header = {
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
			     EV_CURRENT },
		.e_type = ET_DYN,
#if defined(__x86_64__)
		.e_machine = EM_X86_64,
#else
		.e_machine = EM_AARCH64,
#endif
		.e_version = EV_CURRENT,
		.e_phoff = sizeof(header),
		.e_shoff = 1024,
		.e_ehsize = sizeof(header),
		.e_phentsize = sizeof(Elf64_Phdr),
		.e_phnum = 1,
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = 3,
	};

	CU_ASSERT_PTR_NOT_NULL_FATAL(image);
	memcpy(image, &header, sizeof(header));
	memcpy(image + sizeof(header), &code, sizeof(code));
	memcpy(image + 1024, sections, sizeof(sections));
	for (unsigned i = 1; i < FUNCTIONS; i++) {
		const Elf64_Sym sym = { .st_name = i * NAME_LEN,
					.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
					.st_shndx = 1,
					.st_value = 0x1000 + i };

		memcpy(image + 4096 + i * sizeof(sym), &sym, sizeof(sym));
		name_of(i, (char *)image + names_at + i * NAME_LEN);
	}
	return image;
}

/* Open the library, find 20 names, miss 5, look for 5 by their start. Returns milliseconds. */
static double look_up(const char *path)
{
	struct timespec start, end;
	struct elf_file *f = NULL;
	struct elf_place place;
	struct err e = { 0 };
	char name[NAME_LEN];

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
	CU_ASSERT_EQUAL_FATAL(elf_file_open(path, &f, &e), 0);
	for (unsigned i = 0; i < 30; i++) {
		const unsigned at = 1 + i * (unsigned)(FUNCTIONS / 31);

		name_of(at, name);
		if (i >= 25)
			name[0] = 'x';
		else if (i >= 20)
			memcpy(name + strlen(name) - 4, "*", 2);
		CU_ASSERT_EQUAL(elf_file_function(f, name, &place), i >= 25 ? -ENOENT : 0);
		if (i < 25)
			CU_ASSERT_EQUAL(place.offset, at);
	}
	elf_file_close(f);
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
	return (double)(end.tv_sec - start.tv_sec) * 1e3 +
	       (double)(end.tv_nsec - start.tv_nsec) / 1e6;
}

static void test_cost(void)
{
	const char *sanitize = getenv("SANITIZE");
	int fd = memfd_create("big", MFD_CLOEXEC);
	unsigned char *image = make_big();
	double best = 1e9;
	char path[64];

	CU_ASSERT_FATAL(fd >= 0);
	CU_ASSERT_EQUAL_FATAL(write(fd, image, BIG), BIG);
	free(image);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	/* Several times, for caches are shared with others; each opens the file anew. */
	for (int i = 0; i < 5; i++) {
		double ms = look_up(path);

		if (ms < best)
			best = ms;
	}
	close(fd);
	printf("# 30 names in 10 MiB, %u functions: %.1f ms\n", (unsigned)FUNCTIONS, best);
	if (!sanitize || strcmp(sanitize, "1") != 0)
		CU_ASSERT(best < 50);
}

int main(void)
{
	static const struct check_case cases[] = {
		{ "order", test_order },
		{ "long_names", test_long_names },
		{ "cost", test_cost },
		{ NULL, NULL },
	};

	return check_main("symbols", cases);
}
