/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Libraries in APKs: in an image whose offsets are known by construction, in one that zip(1) made,
 * and in files that are not what they should be.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "probe/apk.h"
#include "zip_image.h"

#define IMAGE_SIZE 0x8000

static unsigned char image[IMAGE_SIZE];
static size_t image_len;

static const char contents[] = "\177ELF and the rest of it";

static struct zip_entry entries[] = {
	{ "AndroidManifest.xml", "packed", 6, 8, 0, 0, 0 },
	{ "lib/arm64-v8a/libgame.so", contents, sizeof(contents), 0, 0x1000, 0, 0 },
	{ "lib/arm64-v8a/libempty.so", "", 0, 0, 0, 0, 0 },
	{ "lib/arm64-v8a/libpacked.so", "packed too", 10, 8, 0, 0, 0 },
	{ "res/other", "other", 5, 0, 4, 0, 0 },
};

#define ENTRIES (sizeof(entries) / sizeof(*entries))

static void build(void)
{
	memset(image, 0, sizeof(image));
	image_len = zip_image_build(image, entries, ENTRIES);
}

/* Open the first `size` bytes of `image` as a file in memory. */
static int open_image(size_t size, struct apk **a, struct err *e)
{
	char path[64];
	int fd = memfd_create("image", MFD_CLOEXEC);

	*a = NULL;
	CU_ASSERT_FATAL(fd >= 0);
	CU_ASSERT_EQUAL_FATAL(write(fd, image, size), (ssize_t)size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	int ret = apk_open(path, a, e);
	close(fd);
	return ret;
}

static struct apk *open_whole(void)
{
	struct err e = { 0 };
	struct apk *a;

	CU_ASSERT_EQUAL_FATAL(open_image(image_len, &a, &e), 0);
	return a;
}

static void test_named(void)
{
	struct apk_entry entry;
	struct err e = { 0 };

	build();
	struct apk *a = open_whole();

	CU_ASSERT_EQUAL_FATAL(apk_entry_named(a, "lib/arm64-v8a/libgame.so", &entry, &e), 0);
	CU_ASSERT_EQUAL(entry.offset, 0x1000);
	CU_ASSERT_EQUAL(entry.size, sizeof(contents));
	CU_ASSERT_STRING_EQUAL(entry.name, "lib/arm64-v8a/libgame.so");

	CU_ASSERT_EQUAL(apk_entry_named(a, "lib/arm64-v8a/libpacked.so", &entry, &e), -ENOTSUP);
	CU_ASSERT_PTR_NOT_NULL(strstr(e.what, "compressed"));
	CU_ASSERT_PTR_NOT_NULL(strstr(e.hint, "extractNativeLibs"));
	CU_ASSERT_PTR_NOT_NULL(strstr(e.hint, "useLegacyPackaging"));

	CU_ASSERT_EQUAL(apk_entry_named(a, "lib/arm64-v8a/libgane.so", &entry, &e), -ENOENT);
	CU_ASSERT_PTR_NOT_NULL(strstr(e.hint, "!/lib/arm64-v8a/libgame.so"));
	CU_ASSERT_EQUAL(apk_entry_named(a, "", &entry, &e), -ENOENT);
	apk_close(a);
}

static void test_at(void)
{
	struct apk_entry entry;

	build();
	struct apk *a = open_whole();

	CU_ASSERT_EQUAL(apk_entry_at(a, 0, &entry), -ENOENT); /* a header */
	CU_ASSERT_EQUAL(apk_entry_at(a, entries[0].offset, &entry), -ENOENT); /* compressed */
	CU_ASSERT_EQUAL(apk_entry_at(a, 0xfff, &entry), -ENOENT);
	CU_ASSERT_EQUAL_FATAL(apk_entry_at(a, 0x1000, &entry), 0);
	CU_ASSERT_STRING_EQUAL(entry.name, "lib/arm64-v8a/libgame.so");
	CU_ASSERT_EQUAL_FATAL(apk_entry_at(a, 0x1000 + sizeof(contents) - 1, &entry), 0);
	CU_ASSERT_STRING_EQUAL(entry.name, "lib/arm64-v8a/libgame.so");
	CU_ASSERT_EQUAL(entry.offset, 0x1000);
	CU_ASSERT_EQUAL(apk_entry_at(a, 0x1000 + sizeof(contents), &entry), -ENOENT);
	CU_ASSERT_EQUAL_FATAL(apk_entry_at(a, entries[4].offset + 4, &entry), 0);
	CU_ASSERT_STRING_EQUAL(entry.name, "res/other");
	CU_ASSERT_EQUAL(apk_entry_at(a, image_len - 1, &entry), -ENOENT);
	CU_ASSERT_EQUAL(apk_entry_at(a, UINT64_MAX, &entry), -ENOENT);
	apk_close(a);
}

/* A comment at the end, which may look like the record before it. */
static void test_comment(void)
{
	struct apk_entry entry;
	struct err e = { 0 };

	build();
	zip_put(image + image_len - 2, ZIP_END_SIZE, 2);
	zip_put(image + image_len, 0x06054b50, 4);
	zip_put(image + image_len + 20, 7, 2);
	image_len += ZIP_END_SIZE;
	struct apk *a = open_whole();
	CU_ASSERT_EQUAL(apk_entry_named(a, "lib/arm64-v8a/libgame.so", &entry, &e), 0);
	apk_close(a);
}

static void expect_refused(size_t size)
{
	struct err e = { 0 };
	struct apk *a;

	CU_ASSERT_EQUAL(open_image(size, &a, &e), -EBADMSG);
	CU_ASSERT_PTR_NOT_NULL(strstr(e.what, "not a zip file"));
	apk_close(a);
}

static void test_refused(void)
{
	struct err e = { 0 };
	struct apk *a = NULL;

	build();
	for (size_t size = 0; size < image_len; size += 16)
		expect_refused(size);
	zip_put(image + image_len - 6, 0xffffffff, 4); /* the directory's place: zip64 */
	expect_refused(image_len);
	build();
	zip_put(image + image_len - 10, 0x7fffffff, 4);
	expect_refused(image_len);

	CU_ASSERT_EQUAL(apk_open("/no/such/base.apk", &a, &e), -ENOENT);
	CU_ASSERT_PTR_NOT_NULL(strstr(e.what, "/no/such/base.apk"));
	CU_ASSERT_EQUAL(apk_open("/dev/null", &a, &e), -EBADMSG);
	apk_close(NULL);
}

/* Entries that point elsewhere, or beyond the end. */
static void test_bad_entries(void)
{
	const size_t end = image_len - ZIP_END_SIZE;
	struct apk_entry entry;
	struct err e = { 0 };
	struct apk *a;
	size_t listed;

	build();
	for (listed = 0; memcmp(image + listed + ZIP_ENTRY_SIZE, "lib/arm64-v8a/libgame.so", 24) ||
			 memcmp(image + listed, "PK\1\2", 4);)
		CU_ASSERT_FATAL(++listed < end);

	zip_put(image + listed + 42, 0x7ffffff0, 4);
	a = open_whole();
	CU_ASSERT_EQUAL(apk_entry_named(a, entries[1].name, &entry, &e), -EBADMSG);
	CU_ASSERT_EQUAL(apk_entry_at(a, 0x1000, &entry), -ENOENT);
	apk_close(a);

	build();
	zip_put(image + listed + 20, 0x7fff, 4);
	zip_put(image + listed + 24, 0x7fff, 4);
	a = open_whole();
	CU_ASSERT_EQUAL(apk_entry_named(a, entries[1].name, &entry, &e), -EBADMSG);
	apk_close(a);

	build();
	zip_put(image + listed + 28, 0xffff, 2); /* a name longer than the directory */
	a = open_whole();
	CU_ASSERT_EQUAL(apk_entry_named(a, entries[1].name, &entry, &e), -ENOENT);
	apk_close(a);
}

static int run(const char *dir, const char *script)
{
	char command[2048];

	snprintf(command, sizeof(command), "cd %s && { %s; } >/dev/null 2>&1", dir, script);
	return system(command); /* NOLINT(cert-env33-c) */
}

/* Where the bytes are says a search for them. */
static void test_zip_tool(void)
{
	static unsigned char all[1 << 20];
	static const char marker[] = "a library in all but its contents, 9c41e07d";
	char dir[] = "/tmp/test_apk.XXXXXX", path[64];
	struct apk_entry entry;
	struct err e = { 0 };
	struct apk *a;

	CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(dir));
	CU_ASSERT_EQUAL_FATAL(
		run(dir,
		    "mkdir -p lib/x86_64 && "
		    "printf '%s' 'a library in all but its contents, 9c41e07d' >lib/x86_64/a.so && "
		    "head -c 100000 /dev/zero >lib/x86_64/b.so && "
		    "zip -0 base.apk lib/x86_64/a.so && zip -9 base.apk lib/x86_64/b.so"),
		0);
	snprintf(path, sizeof(path), "%s/base.apk", dir);
	FILE *f = fopen(path, "re");
	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	size_t len = fread(all, 1, sizeof(all), f);
	fclose(f);
	const unsigned char *at = memmem(all, len, marker, sizeof(marker) - 1);
	CU_ASSERT_PTR_NOT_NULL_FATAL(at);

	CU_ASSERT_EQUAL_FATAL(apk_open(path, &a, &e), 0);
	CU_ASSERT_EQUAL(apk_entry_named(a, "lib/x86_64/a.so", &entry, &e), 0);
	CU_ASSERT_EQUAL(entry.offset, (uint64_t)(at - all));
	CU_ASSERT_EQUAL(entry.size, sizeof(marker) - 1);
	CU_ASSERT_EQUAL(apk_entry_named(a, "lib/x86_64/b.so", &entry, &e), -ENOTSUP);
	CU_ASSERT_EQUAL(apk_entry_at(a, (uint64_t)(at - all) + 3, &entry), 0);
	CU_ASSERT_STRING_EQUAL(entry.name, "lib/x86_64/a.so");
	apk_close(a);
	run(dir, "rm -r lib base.apk && rmdir \"$PWD\"");
}

static void test_is_named(void)
{
	CU_ASSERT_TRUE(apk_is_named("/data/app/x/base.apk"));
	CU_ASSERT_FALSE(apk_is_named("/data/app/x/base.apk.so"));
	CU_ASSERT_FALSE(apk_is_named(".apk"));
	CU_ASSERT_FALSE(apk_is_named(""));
}

int main(void)
{
	static const struct check_case cases[] = {
		{ "is_named", test_is_named },
		{ "named", test_named },
		{ "at", test_at },
		{ "comment", test_comment },
		{ "refused", test_refused },
		{ "bad_entries", test_bad_entries },
		{ "zip_tool", test_zip_tool },
		{ NULL, NULL },
	};

	return check_main("apk", cases);
}
