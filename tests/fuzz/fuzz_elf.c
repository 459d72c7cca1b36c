/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Damaged ELF files against user/probe/elf.c: small libraries (64-bit, 32-bit, with an intact or a
 * damaged .gnu_debugdata) are mutated again and again, opened and searched. Meant to run under ASan
 * and UBSan. Input number N is always the same bytes:
 *
 *     fuzz_elf [SECONDS [FIRST-INPUT]]
 */
#include <errno.h>
#include <lzma.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "elf_image.h"
#include "fuzz/fuzz_file.h"
#include "fuzz/random.h"
#include "probe/elf.h"

/* A number that arithmetic on it is likely to trip over. */
static uint64_t edge(void)
{
	static const uint64_t values[] = {
		0,
		1,
		0x17,
		0x18,
		ELF_IMAGE_SIZE - 1,
		0x900,
		0x7fffffff,
		0x80000000,
		0xffffffff,
		ELF_IMAGE_SIZE,
		0xfffffff0,
		INT64_MAX,
		UINT64_MAX,
		UINT64_MAX - 0xf,
		ELF_IMAGE_SIZE + 1,
	};

	return values[below(sizeof(values) / sizeof(*values))];
}

/* Where a change is most likely to matter: the headers, then the tables, then anywhere. */
static size_t place(size_t len)
{
	static const struct {
		size_t start;
		size_t size;
	} areas[] = {
		{ 0, ELF_IMAGE_DYNSYM },
		{ ELF_IMAGE_SECTIONS, 7 * sizeof(Elf64_Shdr) },
		{ ELF_IMAGE_DYNSYM, ELF_IMAGE_TEXT - ELF_IMAGE_DYNSYM },
		{ 0, ELF_IMAGE_SIZE },
	};
	size_t area = below(sizeof(areas) / sizeof(*areas));
	size_t at = areas[area].start + below(areas[area].size);

	at -= at % len;
	return at + len <= ELF_IMAGE_SIZE ? at : ELF_IMAGE_SIZE - len;
}

static void mutate(unsigned char *image)
{
	size_t len = (size_t)1 << below(4);
	size_t at = place(len);
	uint64_t value;

	switch (below(4)) {
	case 0:
		image[at] ^= (unsigned char)(1u << below(8));
		break;
	case 1:
		value = edge();
		memcpy(image + at, &value, len);
		break;
	case 2:
		value = next();
		memcpy(image + at, &value, len);
		break;
	default:
		memmove(image + at, image + place(len), len);
	}
}

#define PACKED_MAX 0x1000

/*
 * Append a .gnu_debugdata that holds another such library, changed before it is packed or after, or
 * not. Returns its length.
 */
static size_t add_debugdata(unsigned char *image, const unsigned char *whole)
{
	unsigned char inner[ELF_IMAGE_SIZE];
	lzma_options_lzma options;
	size_t len = 0;

	memcpy(inner, whole, sizeof(inner));
	memcpy(inner + ELF_IMAGE_STRTAB + 1, "inner", 5); /* in place of "frame", of frame_swap */
	for (size_t n = below(4); n; n--)
		mutate(inner);
	/* a small dictionary, or most of the time goes into clearing it */
	if (lzma_lzma_preset(&options, 0))
		return 0;
	options.dict_size = LZMA_DICT_SIZE_MIN;
	options.mf = LZMA_MF_HC3;
	lzma_filter filters[] = { { LZMA_FILTER_LZMA2, &options }, { LZMA_VLI_UNKNOWN, NULL } };
	if (lzma_stream_buffer_encode(filters, LZMA_CHECK_CRC32, NULL, inner, sizeof(inner),
				      image + ELF_IMAGE_DEBUGDATA, &len, PACKED_MAX) != LZMA_OK)
		return 0;
	elf_image_add_debugdata(image, len);
	if (below(4) == 0)
		image[ELF_IMAGE_DEBUGDATA + below(len)] ^= (unsigned char)(1u << below(8));
	return len;
}

/* The input of that number. Returns its size. */
static size_t make(unsigned char *image, uint64_t input)
{
	static unsigned char whole[ELF_IMAGE_SIZE], narrow[ELF_IMAGE_SIZE];
	size_t size = ELF_IMAGE_SIZE;

	if (!whole[0]) {
		elf_image_build(whole);
		elf_image_build32(narrow);
	}
	state = input * 0x9e3779b97f4a7c15ull;
	size_t form = below(4);
	memcpy(image, form == 0 ? narrow : whole, ELF_IMAGE_SIZE);
	if (form == 1)
		size += add_debugdata(image, whole);
	for (size_t n = form == 1 ? below(3) : 1 + below(8); n; n--)
		mutate(image);
	return below(8) == 0 ? below(size) : size;
}

/* Everything that elf.h offers. Returns what is wrong with the answers, or NULL. */
static const char *use(const char *path, size_t size)
{
	static const char *const wanted[] = { "frame_swap",    "moved",      "outside", "past_end",
					      "eglSwapBufers", "inner_swap", "_ZN*" };
	const char *wrong = NULL;
	struct err e = { 0 };
	struct elf_file *f;

	int ret = elf_file_open(path, &f, &e);
	if (ret)
		return ret == e.code && e.what[0] ? NULL : "an error without its text";
	for (size_t i = 0; i < sizeof(wanted) / sizeof(*wanted); i++) {
		char *names[3];
		struct elf_place at;

		ret = elf_file_function(f, wanted[i], &at);
		if (!ret && (at.offset >= size || !elf_file_executable(f, at.offset)))
			wrong = "a function outside the file's code";
		else if (ret && ret != -ENOENT)
			wrong = "an error that is none of this function's";
		for (int n = elf_file_near(f, wanted[i], names, 3); n > 0; n--)
			free(names[n - 1]);
	}
	elf_file_close(f);
	return wrong;
}

int main(int argc, char **argv)
{
	static unsigned char image[ELF_IMAGE_SIZE + PACKED_MAX];
	const struct fuzz_file f = { .name = "elf", .image = image, .make = make, .use = use };

	return fuzz_file(&f, argc, argv);
}
