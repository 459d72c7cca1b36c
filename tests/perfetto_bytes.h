/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Makes Perfetto's packets byte by byte, by the numbers of their fields. */
#ifndef TESTS_PERFETTO_BYTES_H
#define TESTS_PERFETTO_BYTES_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A message being made; one inside another is made first. */
struct bytes {
	size_t len;
	unsigned char data[1u << 19];
};

static inline void put_raw(struct bytes *m, const void *data, size_t len)
{
	if (len > sizeof(m->data) - m->len)
		abort();
	memcpy(m->data + m->len, data, len);
	m->len += len;
}

static inline void put_varint(struct bytes *m, uint64_t value)
{
	unsigned char byte;

	for (; value >= 0x80; value >>= 7) {
		byte = (unsigned char)(value | 0x80);
		put_raw(m, &byte, 1);
	}
	byte = (unsigned char)value;
	put_raw(m, &byte, 1);
}

static inline void put_number(struct bytes *m, uint32_t field, uint64_t value)
{
	put_varint(m, (uint64_t)field << 3);
	put_varint(m, value);
}

static inline void put_bytes(struct bytes *m, uint32_t field, const void *data, size_t len)
{
	put_varint(m, (uint64_t)field << 3 | 2);
	put_varint(m, len);
	put_raw(m, data, len);
}

static inline void put_string(struct bytes *m, uint32_t field, const char *text)
{
	put_bytes(m, field, text, strlen(text));
}

static inline void put_message(struct bytes *m, uint32_t field, const struct bytes *inner)
{
	put_bytes(m, field, inner->data, inner->len);
}

/* A packed column of numbers. */
static inline void put_column(struct bytes *m, uint32_t field, const uint64_t *values, size_t nr)
{
	static struct bytes column;

	column.len = 0;
	for (size_t i = 0; i < nr; i++)
		put_varint(&column, values[i]);
	put_message(m, field, &column);
}

#endif
