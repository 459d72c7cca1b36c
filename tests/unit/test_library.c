/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Finding libraries: by name and path, in the usual places, and in the mappings that the test makes
 * of files and of an APK whose entries lie where it put them.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "elf_image.h"
#include "probe/library.h"
#include "zip_image.h"

#define APK_SIZE 0x8000

static char dir[] = "/tmp/test_library.XXXXXX";
static unsigned char elf[ELF_IMAGE_SIZE], apk[APK_SIZE];

static struct zip_entry entries[] = {
	{ "lib/x/libone.so", elf, sizeof(elf), 0, 0x1000, 0, 0 },
	{ "lib/x/libpacked.so", "packed", 6, 8, 0, 0, 0 },
	{ "lib/x/libtwo.so", elf, sizeof(elf), 0, 0x1000, 0, 0 },
};

static const char *in_dir(const char *name)
{
	static char path[256];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return path;
}

static void write_file(const char *name, const void *data, size_t len)
{
	FILE *f = fopen(in_dir(name), "we");

	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	CU_ASSERT_EQUAL_FATAL(fwrite(data, 1, len, f), len);
	fclose(f);
}

static struct stat make_apk(void)
{
	struct stat st;

	elf_image_build(elf);
	memset(apk, 0, sizeof(apk));
	write_file("base.apk", apk,
		   zip_image_build(apk, entries, sizeof(entries) / sizeof(*entries)));
	CU_ASSERT_EQUAL_FATAL(stat(in_dir("base.apk"), &st), 0);
	return st;
}

static bool name_matches(const char *wanted, const char *name)
{
	const struct library lib = { .path = "/no/matter", .name = name };

	return library_matches(wanted, &lib);
}

static void test_matches(void)
{
	CU_ASSERT_TRUE(name_matches("libEGL.so", "/usr/lib/libEGL.so"));
	CU_ASSERT_TRUE(name_matches("libEGL.so", "/usr/lib/libEGL.so.1"));
	CU_ASSERT_TRUE(name_matches("libEGL.so", "/usr/lib/libEGL.so.1.1.0"));
	CU_ASSERT_TRUE(name_matches("libEGL.so", "libEGL.so"));
	CU_ASSERT_TRUE(name_matches("libEGL.so", "/data/app/base.apk!/lib/arm64-v8a/libEGL.so"));
	CU_ASSERT_TRUE(name_matches("libEGL.so.1", "/usr/lib/libEGL.so.1.1.0"));
	CU_ASSERT_FALSE(name_matches("libEGL.so.1", "/usr/lib/libEGL.so"));
	CU_ASSERT_FALSE(name_matches("libEGL.so.1", "/usr/lib/libEGL.so.12"));
	CU_ASSERT_FALSE(name_matches("libEGL.so", "/usr/lib/libEGL.so.bak"));
	CU_ASSERT_FALSE(name_matches("libEGL.so", "/usr/lib/libEGL.so.1~"));
	CU_ASSERT_FALSE(name_matches("libEGL.so", "/usr/lib/libEGL.so."));
	CU_ASSERT_FALSE(name_matches("libEGL.so", "/usr/lib/libEGL_mesa.so.0"));
	CU_ASSERT_FALSE(name_matches("libEGL.so", "/usr/lib/mylibEGL.so"));
	CU_ASSERT_FALSE(name_matches("libEGL.so", "/usr/libEGL.so/other.so"));
	CU_ASSERT_FALSE(name_matches("libEGL.so", ""));
}

/* What a search finds, and whether it is what was wanted. */
struct found {
	const char *wanted; /* the end of its name */
	unsigned times, all;
	struct library_id id;
	uint64_t function; /* where in the file frame_swap() is */
	char name[4096];
	bool matches_path, matches_other;
};

static int on_library(void *ctx, const struct library *lib)
{
	struct found *found = ctx;
	size_t len = strlen(lib->name), tail = strlen(found->wanted);
	struct elf_place place;
	struct elf_file *f;
	struct err e = { 0 };

	found->all++;
	if (len < tail || strcmp(lib->name + len - tail, found->wanted) != 0)
		return 0;
	found->times++;
	found->id = lib->id;
	snprintf(found->name, sizeof(found->name), "%s", lib->name);
	found->matches_path = library_matches(in_dir(found->wanted), lib);
	found->matches_other = library_matches(in_dir("base.apk!/lib/x/libpacked.so"), lib) ||
			       library_matches(in_dir("base.apk"), lib);
	if (!library_open(lib, &f, &e)) {
		if (!elf_file_function(f, "frame_swap", &place))
			found->function = place.offset;
		elf_file_close(f);
	}
	return 0;
}

/* A path means a file, by whatever name it is reached; the file is named by its own. */
static void test_path(void)
{
	struct found found = { .wanted = "plain.so" };
	struct err e = { 0 };
	char link_path[256];
	struct stat st;

	elf_image_build(elf);
	write_file("plain.so", elf, sizeof(elf));
	snprintf(link_path, sizeof(link_path), "%s", in_dir("alias"));
	CU_ASSERT_EQUAL(symlink("plain.so", link_path), 0);
	CU_ASSERT_EQUAL(stat(link_path, &st), 0);

	CU_ASSERT_EQUAL(library_at(link_path, on_library, &found, &e), 0);
	CU_ASSERT_EQUAL(found.times, 1);
	CU_ASSERT_EQUAL(found.id.dev, st.st_dev);
	CU_ASSERT_EQUAL(found.id.ino, st.st_ino);
	CU_ASSERT_EQUAL(found.id.base, 0);
	CU_ASSERT_EQUAL(found.function, 0x910);
	CU_ASSERT_TRUE(found.matches_path);
	CU_ASSERT_FALSE(found.matches_other);
	const struct library lib = { .id = found.id, .path = link_path, .name = link_path };
	CU_ASSERT_TRUE(library_matches(link_path, &lib));
	unlink(link_path);
	unlink(in_dir("plain.so"));
	CU_ASSERT_FALSE(library_matches(link_path, &lib)); /* there is none any more */

	CU_ASSERT_EQUAL(library_at(link_path, on_library, &found, &e), -ENOENT);
	CU_ASSERT_PTR_NOT_NULL(strstr(e.what, "alias"));
	CU_ASSERT_EQUAL(library_at("/", on_library, &found, &e), -EISDIR);
}

static void test_in_apk(void)
{
	struct found found = { .wanted = "base.apk!/lib/x/libtwo.so" };
	struct err e = { 0 };
	struct stat st = make_apk();

	CU_ASSERT_EQUAL(library_at(in_dir(found.wanted), on_library, &found, &e), 0);
	CU_ASSERT_EQUAL(found.times, 1);
	CU_ASSERT_EQUAL(found.id.ino, st.st_ino);
	CU_ASSERT_EQUAL(found.id.base, entries[2].offset);
	CU_ASSERT_EQUAL(found.function, entries[2].offset + 0x910);
	CU_ASSERT_TRUE(found.matches_path);
	CU_ASSERT_FALSE(found.matches_other);

	CU_ASSERT_EQUAL(library_at(in_dir("base.apk!/lib/x/libpacked.so"), on_library, &found, &e),
			-ENOTSUP);
	CU_ASSERT_EQUAL(library_at(in_dir("base.apk!/lib/x/libtoo.so"), on_library, &found, &e),
			-ENOENT);
	CU_ASSERT_PTR_NOT_NULL(strstr(e.hint, "base.apk!/lib/x/libtwo.so"));
	CU_ASSERT_EQUAL(library_at(in_dir("b.apk!/lib/x/libtwo.so"), on_library, &found, &e),
			-ENOENT);
	CU_ASSERT_EQUAL(found.times, 1);
	unlink(in_dir("base.apk"));
}

/* As Android's linker does: the code of a library where it lies in the APK, that of another too. */
static void test_mapped_apk(void)
{
	struct found one = { .wanted = "base.apk!/lib/x/libone.so" };
	struct found two = { .wanted = "base.apk!/lib/x/libtwo.so" };
	struct stat st = make_apk();
	int fd = open(in_dir("base.apk"), O_RDONLY | O_CLOEXEC);
	void *maps[2];

	CU_ASSERT_FATAL(fd >= 0);
	for (int i = 0; i < 2; i++) {
		maps[i] = mmap(NULL, 0x1000, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd,
			       (off_t)entries[i * 2].offset);
		CU_ASSERT_FATAL(maps[i] != MAP_FAILED);
	}
	close(fd);
	CU_ASSERT_EQUAL(library_each_mapped(getpid(), on_library, &one), 0);
	CU_ASSERT_EQUAL(library_each_mapped(getpid(), on_library, &two), 0);
	CU_ASSERT_EQUAL(one.times, 1);
	CU_ASSERT_EQUAL(two.times, 1);
	CU_ASSERT_EQUAL(one.id.ino, st.st_ino);
	CU_ASSERT_EQUAL(two.id.ino, st.st_ino);
	CU_ASSERT_EQUAL(one.id.base, entries[0].offset);
	CU_ASSERT_EQUAL(two.id.base, entries[2].offset);
	CU_ASSERT_EQUAL(two.function, entries[2].offset + 0x910);
	CU_ASSERT_EQUAL(strncmp(two.name, dir, strlen(dir)), 0);
	munmap(maps[0], 0x1000);
	munmap(maps[1], 0x1000);

	/* one that is no zip file has no libraries, and is no obstacle */
	write_file("base.apk", elf, sizeof(elf));
	fd = open(in_dir("base.apk"), O_RDONLY | O_CLOEXEC);
	maps[0] = mmap(NULL, 0x1000, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
	CU_ASSERT_FATAL(maps[0] != MAP_FAILED);
	close(fd);
	one = (struct found){ .wanted = "base.apk" };
	CU_ASSERT_EQUAL(library_each_mapped(getpid(), on_library, &one), 0);
	CU_ASSERT_EQUAL(one.times, 0);
	CU_ASSERT_NOT_EQUAL(one.all, 0);
	munmap(maps[0], 0x1000);
	unlink(in_dir("base.apk"));
}

static int stop(void *ctx, const struct library *lib)
{
	(void)ctx;
	(void)lib;
	return 77;
}

/* This program is linked against libelf, so the distribution has it in a usual place. */
static void test_usual(void)
{
	struct found found = { .wanted = "" };

	CU_ASSERT_EQUAL(library_each_usual("libelf.so", on_library, &found), 0);
	CU_ASSERT_NOT_EQUAL(found.times, 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(found.name, "/libelf"));
	CU_ASSERT_EQUAL(library_each_usual("libelf.so", stop, NULL), 77);
	found = (struct found){ .wanted = "" };
	CU_ASSERT_EQUAL(library_each_usual("libno-such-library.so", on_library, &found), 0);
	CU_ASSERT_EQUAL(found.all, 0);
}

static void test_set(void)
{
	const struct library_id ids[] = { { 1, 2, 0 }, { 1, 2, 0x1000 }, { 1, 3, 0 }, { 2, 2, 0 } };
	struct library_set *set = NULL;

	for (int i = 0; i < 4; i++) {
		CU_ASSERT_EQUAL(library_set_add(&set, &ids[i]), 1);
		CU_ASSERT_EQUAL(library_set_add(&set, &ids[0]), 0);
	}
	library_set_free(&set);
	CU_ASSERT_PTR_NULL(set);
	library_set_free(&set);
}

int main(void)
{
	static const struct check_case cases[] = {
		{ "matches", test_matches },
		{ "path", test_path },
		{ "in_apk", test_in_apk },
		{ "mapped_apk", test_mapped_apk },
		{ "usual", test_usual },
		{ "set", test_set },
		{ NULL, NULL },
	};

	if (!mkdtemp(dir)) {
		printf("FAIL library: mkdtemp\n");
		return 1;
	}
	int failed = check_main("library", cases);
	rmdir(dir);
	return failed;
}
