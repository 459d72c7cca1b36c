/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A small zip file, laid out byte by byte, whose entries lie where the caller says. */
#ifndef TESTS_ZIP_IMAGE_H
#define TESTS_ZIP_IMAGE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define ZIP_LOCAL_SIZE 30
#define ZIP_ENTRY_SIZE 46
#define ZIP_END_SIZE 22

struct zip_entry {
	const char *name;
	const void *data;
	uint32_t size;
	uint16_t method; /* 0: stored, 8: deflated (which this does not do) */
	uint16_t align; /* of the contents, as zipalign does with bytes behind the name; 0: none */
	uint32_t header; /* filled in: where the local header is, */
	uint32_t offset; /* and the contents */
};

static inline void zip_put(unsigned char *at, uint32_t value, size_t len)
{
	for (size_t i = 0; i < len; i++)
		at[i] = (unsigned char)(value >> 8 * i);
}

static inline size_t zip_contents(unsigned char *image, size_t at, struct zip_entry *e)
{
	size_t name_len = strlen(e->name), extra = 0;
	unsigned char *p = image + at;

	e->header = (uint32_t)at;
	if (e->align)
		extra = (e->align - (at + ZIP_LOCAL_SIZE + name_len) % e->align) % e->align;
	zip_put(p, 0x04034b50, 4);
	zip_put(p + 8, e->method, 2);
	zip_put(p + 18, e->size, 4);
	zip_put(p + 22, e->size, 4);
	zip_put(p + 26, (uint32_t)name_len, 2);
	zip_put(p + 28, (uint32_t)extra, 2);
	memcpy(p + ZIP_LOCAL_SIZE, e->name, name_len);
	e->offset = (uint32_t)(at + ZIP_LOCAL_SIZE + name_len + extra);
	memcpy(image + e->offset, e->data, e->size);
	return e->offset + e->size;
}

static inline size_t zip_listing(unsigned char *image, size_t at, const struct zip_entry *e)
{
	size_t name_len = strlen(e->name);
	unsigned char *p = image + at;

	zip_put(p, 0x02014b50, 4);
	zip_put(p + 10, e->method, 2);
	zip_put(p + 20, e->size, 4);
	zip_put(p + 24, e->size, 4);
	zip_put(p + 28, (uint32_t)name_len, 2);
	zip_put(p + 42, e->header, 4);
	memcpy(p + ZIP_ENTRY_SIZE, e->name, name_len);
	return at + ZIP_ENTRY_SIZE + name_len;
}

/* Fill `image`, which is zero and large enough, with `nr` entries. Returns its size. */
static inline size_t zip_image_build(unsigned char *image, struct zip_entry *entries, size_t nr)
{
	size_t at = 0, directory;

	for (size_t i = 0; i < nr; i++)
		at = zip_contents(image, at, &entries[i]);
	directory = at;
	for (size_t i = 0; i < nr; i++)
		at = zip_listing(image, at, &entries[i]);
	zip_put(image + at, 0x06054b50, 4);
	zip_put(image + at + 8, (uint32_t)nr, 2);
	zip_put(image + at + 10, (uint32_t)nr, 2);
	zip_put(image + at + 12, (uint32_t)(at - directory), 4);
	zip_put(image + at + 16, (uint32_t)directory, 4);
	return at + ZIP_END_SIZE;
}

#endif
