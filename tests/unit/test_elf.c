/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Symbol look-up in ELF files: against an image whose offsets are known by construction, against
 * the addresses that the dynamic linker gave this process, and on files that are not what they
 * should be.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "elf_image.h"
#include "probe/elf.h"

#define TEXT_ADDR_OF(offset) (ELF_IMAGE_ADDR + (offset))

static unsigned char image[ELF_IMAGE_SIZE];

/* Open the first `size` bytes of `image` as a file in memory. */
static int open_image(size_t size, struct elf_file **f, struct err *e)
{
	char path[64];
	int fd = memfd_create("image", MFD_CLOEXEC);

	*f = NULL;
	CU_ASSERT_FATAL(fd >= 0);
	CU_ASSERT_EQUAL_FATAL(write(fd, image, size), (ssize_t)size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	int ret = elf_file_open(path, f, e);
	close(fd);
	return ret;
}

static struct elf_file *open_whole(void)
{
	struct err e = { 0 };
	struct elf_file *f;

	CU_ASSERT_EQUAL_FATAL(open_image(sizeof(image), &f, &e), 0);
	return f;
}

static void expect_offset(struct elf_file *f, const char *symbol, uint64_t want)
{
	struct elf_place place = { .offset = 0 };

	CU_ASSERT_EQUAL(elf_file_function(f, symbol, &place), 0);
	CU_ASSERT_EQUAL(place.offset, want);
}

static void expect_none(struct elf_file *f, const char *symbol)
{
	struct elf_place place = { .offset = 4711 };

	CU_ASSERT_EQUAL(elf_file_function(f, symbol, &place), -ENOENT);
	CU_ASSERT_EQUAL(place.offset, 4711);
}

static void test_functions(void)
{
	elf_image_build(image);
	struct elf_file *f = open_whole();

	expect_offset(f, "frame_swap", 0x910); /* the dynamic one */
	expect_offset(f, "helper", 0x9b0); /* only in .symtab */
	expect_offset(f, "last_byte", 0xcff);
	expect_offset(f, "moved", 0x950); /* the default version */
	expect_offset(f, "kept", 0x960);
	expect_none(f, "undefined");
	expect_none(f, "object");
	expect_none(f, "chosen");
	expect_none(f, "outside");
	expect_none(f, "in_data");
	expect_none(f, "past_end");
	expect_none(f, "frame_swa");
	expect_none(f, "");
	elf_file_close(f);
}

static void test_executable(void)
{
	elf_image_build(image);
	struct elf_file *f = open_whole();

	CU_ASSERT_FALSE(elf_file_executable(f, 0));
	CU_ASSERT_FALSE(elf_file_executable(f, 0x8ff));
	CU_ASSERT_TRUE(elf_file_executable(f, 0x900));
	CU_ASSERT_TRUE(elf_file_executable(f, 0xcff));
	CU_ASSERT_FALSE(elf_file_executable(f, 0xd00));
	CU_ASSERT_FALSE(elf_file_executable(f, UINT64_MAX));
	elf_file_close(f);
}

static void set_segment(Elf64_Off offset, Elf64_Addr addr, Elf64_Xword size)
{
	Elf64_Phdr ph;
	unsigned char *at = image + sizeof(Elf64_Ehdr) + sizeof(ph);

	memcpy(&ph, at, sizeof(ph));
	ph.p_offset = offset;
	ph.p_vaddr = addr;
	ph.p_filesz = size;
	memcpy(at, &ph, sizeof(ph));
}

/* Segments that reach past the file or past the end of the number range. */
static void test_bad_segments(void)
{
	struct elf_file *f;

	elf_image_build(image);
	set_segment(0x900, TEXT_ADDR_OF(0x900), UINT64_MAX);
	f = open_whole();
	expect_offset(f, "past_end", 0xd00); /* still in the file */
	CU_ASSERT_TRUE(elf_file_executable(f, 0xfff));
	CU_ASSERT_FALSE(elf_file_executable(f, 0x1000));
	expect_none(f, "outside"); /* address beyond the file's bytes */
	elf_file_close(f);

	set_segment(UINT64_MAX - 8, TEXT_ADDR_OF(0x900), 0x400);
	f = open_whole();
	expect_none(f, "frame_swap");
	CU_ASSERT_FALSE(elf_file_executable(f, UINT64_MAX - 4));
	elf_file_close(f);

	set_segment(0x900, UINT64_MAX - 8, 0x400);
	f = open_whole();
	expect_none(f, "frame_swap");
	elf_file_close(f);
}

static void set_section(unsigned index, size_t field, uint64_t value, size_t len)
{
	memcpy(image + ELF_IMAGE_SECTIONS + index * sizeof(Elf64_Shdr) + field, &value, len);
}

/* Tables that reach past the file, are linked to the wrong section, or have unterminated names. */
static void test_bad_tables(void)
{
	struct elf_file *f;

	elf_image_build(image);
	set_section(2, offsetof(Elf64_Shdr, sh_size), UINT64_MAX, 8);
	f = open_whole();
	expect_offset(f, "frame_swap", 0x9a0); /* what .symtab says */
	elf_file_close(f);

	elf_image_build(image);
	set_section(2, offsetof(Elf64_Shdr, sh_link), 1, 4);
	f = open_whole();
	expect_offset(f, "frame_swap", 0x9a0);
	elf_file_close(f);

	elf_image_build(image);
	set_section(2, offsetof(Elf64_Shdr, sh_link), 0xffffffff, 4);
	f = open_whole();
	expect_offset(f, "frame_swap", 0x9a0);
	elf_file_close(f);

	/* .dynstr ends inside "frame_swap": without its NUL it is no name */
	elf_image_build(image);
	set_section(3, offsetof(Elf64_Shdr, sh_size), 6, 8);
	f = open_whole();
	expect_offset(f, "frame_swap", 0x9a0);
	expect_none(f, "frame");
	elf_file_close(f);

	/* without versions the first of two equal names counts */
	elf_image_build(image);
	set_section(4, offsetof(Elf64_Shdr, sh_type), SHT_PROGBITS, 4);
	f = open_whole();
	expect_offset(f, "moved", 0x940);
	elf_file_close(f);
}

/* A 32-bit file is read; the lowest bit of a Thumb function's address is none of its address. */
static void test_narrow(void)
{
	elf_image_build32(image);
	struct elf_file *f = open_whole();

	CU_ASSERT_EQUAL(elf_file_bits(f), 32);
	expect_offset(f, "frame_swap", 0x910);
	expect_offset(f, "wide", 0x920);
	expect_none(f, "helper");
	elf_file_close(f);

	elf_image_build(image);
	f = open_whole();
	CU_ASSERT_EQUAL(elf_file_bits(f), 64);
	elf_file_close(f);
}

/* An image in the middle of a file: offsets are from the start of the file. */
static void test_part(void)
{
	static unsigned char file[3 * ELF_IMAGE_SIZE];
	const uint64_t base = 0x1230;
	int fd = memfd_create("file", MFD_CLOEXEC);
	struct err e = { 0 };
	struct elf_file *f;
	char path[64];

	elf_image_build(image);
	memcpy(file + base, image, sizeof(image));
	CU_ASSERT_EQUAL_FATAL(write(fd, file, sizeof(file)), sizeof(file));
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	CU_ASSERT_EQUAL_FATAL(elf_file_open_part(path, base, sizeof(image), &f, &e), 0);
	expect_offset(f, "frame_swap", base + 0x910);
	CU_ASSERT_TRUE(elf_file_executable(f, base + 0x900));
	CU_ASSERT_FALSE(elf_file_executable(f, base + 0xd00));
	CU_ASSERT_FALSE(elf_file_executable(f, 0x900));
	CU_ASSERT_FALSE(elf_file_executable(f, 0));
	elf_file_close(f);

	CU_ASSERT_EQUAL(elf_file_open_part(path, 0, sizeof(image), &f, &e), -ENOEXEC);
	CU_ASSERT_EQUAL(elf_file_open_part(path, base, sizeof(file), &f, &e), -ENODATA);
	CU_ASSERT_EQUAL(elf_file_open_part(path, base, 1ull << 40, &f, &e), -EFBIG);
	close(fd);
}

static void expect_refused(size_t size, const char *text)
{
	struct err e = { 0 };
	struct elf_file *f;

	CU_ASSERT_EQUAL(open_image(size, &f, &e), -ENOEXEC);
	CU_ASSERT_EQUAL(e.code, -ENOEXEC);
	CU_ASSERT_PTR_NOT_NULL(strstr(e.what, text));
	elf_file_close(f);
}

static void test_refused(void)
{
	struct err e = { 0 };
	struct elf_file *f = NULL;

	elf_image_build(image);
	expect_refused(0, "not an ELF file");
	expect_refused(20, "not an ELF file");

	image[EI_CLASS] = ELFCLASS32;
	expect_refused(sizeof(image), "32-bit");

	elf_image_build(image);
	image[offsetof(Elf64_Ehdr, e_machine)] = EM_PPC64;
	expect_refused(sizeof(image), "another machine");

	elf_image_build(image);
	image[offsetof(Elf64_Ehdr, e_type)] = ET_REL;
	expect_refused(sizeof(image), "neither a library nor an executable");

	memcpy(image, "#!/bin/sh\n", 10);
	expect_refused(sizeof(image), "not an ELF file");

	CU_ASSERT_EQUAL(elf_file_open("/no/such/lib.so", &f, &e), -ENOENT);
	CU_ASSERT_PTR_NOT_NULL(strstr(e.what, "/no/such/lib.so"));
	CU_ASSERT_EQUAL(elf_file_open("/", &f, &e), -ENOEXEC);
	CU_ASSERT_EQUAL(elf_file_open("/dev/null", &f, &e), -ENOEXEC);
	CU_ASSERT_PTR_NULL(f);
	elf_file_close(NULL);
}

/* Every length of a cut file: never a crash, and never an answer that the whole file does not give.
 */
static void test_cut(void)
{
	unsigned opened = 0, wrong = 0;

	elf_image_build(image);
	for (size_t size = 0; size < sizeof(image); size += 8) {
		struct err e = { 0 };
		struct elf_file *f;
		struct elf_place at;

		if (open_image(size, &f, &e))
			continue;
		opened++;
		if (!elf_file_function(f, "frame_swap", &at))
			wrong += at.offset != 0x910 && at.offset != 0x9a0;
		elf_file_close(f);
	}
	CU_ASSERT(opened > 0);
	CU_ASSERT_EQUAL(wrong, 0);
}

static void expect_near(struct elf_file *f, const char *symbol, int max, const char *const *want)
{
	char *names[8] = { NULL };
	int n = elf_file_near(f, symbol, names, max);

	for (int i = 0; i < n; i++) {
		CU_ASSERT_PTR_NOT_NULL_FATAL(want[i]);
		CU_ASSERT_STRING_EQUAL(names[i], want[i]);
		free(names[i]);
	}
	CU_ASSERT_PTR_NULL(want[n]);
}

static void test_near(void)
{
#define SURFACE_DEQUEUE "_ZN7android7Surface13dequeueBuffer"
	static const char *const first[] = { "eglSwapBuffers", NULL };
	static const char *const part[] = { "eglSwapBuffers", "eglSwapBuffersWithDamageKHR", NULL };
	static const char *const bare[] = { SURFACE_DEQUEUE "EPNS_2spINS_13GraphicBufferEEEPi",
					    NULL };
	static const char *const once[] = { "frame_swap", NULL };
	static const char *const none[] = { NULL };

	elf_image_build(image);
	struct elf_file *f = open_whole();

	expect_near(f, "eglSwapBufers", 8, part);
	expect_near(f, "EGLSWAPBUFFER", 8, part);
	expect_near(f, "eglSwapBuffer", 1, first);
	expect_near(f, "dequeueBuffer", 8, bare);
	expect_near(f, SURFACE_DEQUEUE "EPP19ANativeWindowBufferPi", 8, bare);
	expect_near(f, "frame_swop", 8, once); /* in both tables, shown once */
	expect_near(f, "undefined", 8, none); /* not this file's */
	expect_near(f, "qqqqqqqqqq", 8, none);
	expect_near(f, "", 8, none);
	expect_near(f, "eglSwapBuffers", 0, none);
	elf_file_close(f);
}

/* The file offset behind an address of this process, by its own list of mappings. */
static bool own_mapping(uintptr_t addr, char path[4096], uint64_t *offset)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	bool found = false;
	char line[4300];

	CU_ASSERT_PTR_NOT_NULL_FATAL(maps);
	while (!found && fgets(line, sizeof(line), maps)) {
		uint64_t start, end, at;

		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " r-xp %" SCNx64 " %*s %*s %4095s", &start,
			   &end, &at, path) != 4)
			continue;
		found = addr >= start && addr < end;
		*offset = addr - start + at;
	}
	fclose(maps);
	return found;
}

static void test_own_library(void)
{
	static const char *const symbols[] = { "CU_add_suite", "CU_initialize_registry",
					       "CU_run_all_tests" };

	for (size_t i = 0; i < sizeof(symbols) / sizeof(*symbols); i++) {
		struct err e = { 0 };
		struct elf_file *f = NULL;
		char path[4096];
		uint64_t want = 0;
		void *addr = dlsym(RTLD_DEFAULT, symbols[i]);

		CU_ASSERT_PTR_NOT_NULL_FATAL(addr);
		CU_ASSERT_TRUE_FATAL(own_mapping((uintptr_t)addr, path, &want));
		CU_ASSERT_EQUAL_FATAL(elf_file_open(path, &f, &e), 0);
		expect_offset(f, symbols[i], want);
		CU_ASSERT_TRUE(elf_file_executable(f, want));
		elf_file_close(f);
	}
}

int main(void)
{
	static const struct check_case cases[] = {
		{ "functions", test_functions },
		{ "executable", test_executable },
		{ "bad_segments", test_bad_segments },
		{ "bad_tables", test_bad_tables },
		{ "narrow", test_narrow },
		{ "part", test_part },
		{ "refused", test_refused },
		{ "cut", test_cut },
		{ "near", test_near },
		{ "own_library", test_own_library },
		{ NULL, NULL },
	};

	return check_main("elf", cases);
}
