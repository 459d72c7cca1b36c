/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Damaged zip files against user/probe/apk.c: a small APK is mutated again and again, opened and
 * searched. Meant to run under ASan and UBSan. Input number N is always the same bytes:
 *
 *     fuzz_apk [SECONDS [FIRST-INPUT]]
 */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz_file.h"
#include "fuzz/random.h"
#include "probe/apk.h"
#include "zip_image.h"

#define IMAGE_SIZE 0x400

static struct zip_entry entries[] = {
	{ "AndroidManifest.xml", "packed", 6, 8, 0, 0, 0 },
	{ "lib/arm64-v8a/libone.so", "\177ELF one", 8, 0, 0x40, 0, 0 },
	{ "lib/arm64-v8a/libtwo.so", "\177ELF two", 8, 0, 0x40, 0, 0 },
};

#define ENTRIES (sizeof(entries) / sizeof(*entries))

static void mutate(unsigned char *image, size_t size)
{
	static const uint32_t edges[] = { 0,      1,          0x1d,       0x1e,       0x2e,
					  0x7fff, 0xffff,     0x7fffffff, 0x80000000, 0xffffffe0,
					  0x400,  0xffffffff, 0x06054b50, 0x02014b50, 0x04034b50 };
	size_t len = (size_t)1 << below(3), at = below(size - len);

	/* half of all at the end, where a change takes most with it */
	if (below(2))
		at = size - 1 - below(ZIP_END_SIZE + 3 * (ZIP_ENTRY_SIZE + 24) - len) - len;
	switch (below(3)) {
	case 0:
		image[at] ^= (unsigned char)(1u << below(8));
		break;
	case 1:
		zip_put(image + at, edges[below(sizeof(edges) / sizeof(*edges))], len);
		break;
	default:
		memmove(image + at, image + below(size - len), len);
	}
}

/* Everything that apk.h offers. Returns what is wrong with the answers, or NULL. */
static const char *use(const char *path, size_t size)
{
	struct apk_entry entry;
	struct err e = { 0 };
	struct apk *a;
	const char *wrong = NULL;
	int ret = apk_open(path, &a, &e);

	if (ret)
		return ret == e.code && e.what[0] ? NULL : "an error without its text";
	for (size_t i = 0; i < ENTRIES; i++) {
		ret = apk_entry_named(a, entries[i].name, &entry, &e);
		if (!ret && (entry.offset > size || entry.size > size - entry.offset ||
			     strcmp(entry.name, entries[i].name) != 0))
			wrong = "an entry outside the file, or another one";
		else if (ret && ret != -ENOENT && ret != -ENOTSUP && ret != -EBADMSG)
			wrong = "an error that is none of apk_entry_named()'s";
	}
	for (size_t at = 0; at < size + 8; at += 5) {
		ret = apk_entry_at(a, at, &entry);
		if (!ret && (at < entry.offset || at - entry.offset >= entry.size ||
			     entry.offset + entry.size > size))
			wrong = "an entry that is elsewhere";
		else if (ret && ret != -ENOENT)
			wrong = "an error that is none of apk_entry_at()'s";
	}
	apk_close(a);
	return wrong;
}

static unsigned char whole[IMAGE_SIZE];
static size_t whole_size;

static size_t make(unsigned char *image, uint64_t input)
{
	state = input * 0x9e3779b97f4a7c15ull;
	memcpy(image, whole, sizeof(whole));
	for (size_t n = 1 + below(6); n; n--)
		mutate(image, whole_size);
	return below(8) ? whole_size : below(whole_size);
}

int main(int argc, char **argv)
{
	static unsigned char image[IMAGE_SIZE];
	const struct fuzz_file f = { .name = "apk", .image = image, .make = make, .use = use };

	whole_size = zip_image_build(whole, entries, ENTRIES);
	return fuzz_file(&f, argc, argv);
}
