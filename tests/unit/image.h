/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Builds capture files in memory, byte by byte after capture.h and not through the writer, and
 * reads inputs whole, for the tests of the sources.
 */
#ifndef TESTS_UNIT_IMAGE_H
#define TESTS_UNIT_IMAGE_H

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

#include <framescope/capture.h>

#include "stream/source.h"

#define IMAGE_MAX (1u << 20)

struct image {
	size_t len;
	_Alignas(8) char data[IMAGE_MAX];
};

static inline void image_bytes(struct image *im, const void *data, size_t len)
{
	if (len > IMAGE_MAX - im->len)
		abort();
	memcpy(im->data + im->len, data, len);
	im->len += len;
}

/* Begin anew with a file header; `size` beyond the struct's is filled with 0xee. */
static inline void image_begin(struct image *im, unsigned major, unsigned minor, unsigned size)
{
	struct fs_file_header h = { .major = (uint16_t)major,
				    .minor = (uint16_t)minor,
				    .size = size,
				    .arch = FS_ARCH_X86_64 };

	im->len = 0;
	memcpy(h.magic, FS_FILE_MAGIC, sizeof(h.magic));
	h.crc = (uint32_t)crc32(0, (const void *)&h, sizeof(h));
	image_bytes(im, &h, sizeof(h));
	while (im->len < size)
		image_bytes(im, "\xee", 1);
}

/* A chunk header and payload with right checksums; *h has the rest. */
static inline void image_chunk(struct image *im, struct fs_chunk h, const void *payload)
{
	h.magic = FS_CHUNK_MAGIC;
	h.payload_crc = (uint32_t)crc32(0, payload, h.size);
	h.crc = 0;
	h.crc = (uint32_t)crc32(0, (const void *)&h, sizeof(h));
	image_bytes(im, &h, sizeof(h));
	image_bytes(im, payload, h.size);
}

static inline void image_mark(struct image *im, unsigned type, uint64_t time_ns)
{
	struct fs_chunk h = { .type = type, .last_ns = time_ns, .cpu = FS_CPU_NONE };

	image_chunk(im, h, "");
}

/* An EVENTS chunk of `n` clock records: times[i], realtime_ns = first_id + i. */
static inline void image_clocks(struct image *im, uint32_t cpu, uint64_t first_id,
				const uint64_t *times, unsigned n)
{
	struct fs_clock recs[64] = { 0 };
	struct fs_chunk h = { .type = FS_CHUNK_EVENTS,
			      .size = n * (uint32_t)sizeof(recs[0]),
			      .records = n,
			      .first_ns = UINT64_MAX,
			      .cpu = cpu };

	if (n > 64)
		abort();
	for (unsigned i = 0; i < n; i++) {
		recs[i].h = (struct fs_header){ .time_ns = times[i],
						.tid = 7,
						.tgid = 7,
						.kind = FS_KIND_CLOCK,
						.size = sizeof(recs[0]),
						.cpu = cpu };
		recs[i].realtime_ns = first_id + i;
		recs[i].mark = FS_CLOCK_TICK;
		if (times[i] < h.first_ns)
			h.first_ns = times[i];
		if (times[i] > h.last_ns)
			h.last_ns = times[i];
	}
	image_chunk(im, h, recs);
}

/* A file without a name that holds `data`; its path is good until image_close(). */
struct image_file {
	int fd;
	char path[64];
};

static inline void image_open(struct image_file *f, const void *data, size_t len)
{
	f->fd = memfd_create("image", MFD_CLOEXEC);
	if (f->fd < 0 || write(f->fd, data, len) != (ssize_t)len)
		abort();
	snprintf(f->path, sizeof(f->path), "/proc/self/fd/%d", f->fd);
}

static inline void image_close(struct image_file *f)
{
	close(f->fd);
}

#define READING_MAX 256

/* What came out of an input. */
struct reading {
	int ret; /* of source_open() or the last source_next(): 0 = read to the end */
	struct err err;
	struct source_stats stats;
	unsigned n; /* records; those past READING_MAX are counted only */
	struct {
		_Alignas(8) char bytes[FS_RECORD_MAX + 8];
	} rec[READING_MAX];
};

static inline const struct fs_header *reading_at(const struct reading *r, unsigned i)
{
	return (const struct fs_header *)r->rec[i].bytes;
}

/* Read all of `path`. Looks at every byte that a record is promised to have. */
static inline void read_all(const char *path, struct reading *r)
{
	const struct fs_header *rec;
	struct source *s;

	r->n = 0;
	memset(&r->err, 0, sizeof(r->err));
	memset(&r->stats, 0, sizeof(r->stats));
	r->ret = source_open(path, &s, &r->err);
	if (r->ret)
		return;
	while ((r->ret = source_next(s, &rec, &r->err)) == 1) {
		if (r->n < READING_MAX) {
			memset(r->rec[r->n].bytes, 0, sizeof(r->rec[r->n].bytes));
			memcpy(r->rec[r->n].bytes, rec, rec->size);
		}
		r->n++;
	}
	r->stats = *source_stats(s);
	source_close(s);
}

/* Is there a clock record with this id among what was read? */
static inline int reading_has(const struct reading *r, uint64_t id)
{
	for (unsigned i = 0; i < r->n && i < READING_MAX; i++) {
		const struct fs_clock *c = (const struct fs_clock *)reading_at(r, i);

		if (c->h.kind == FS_KIND_CLOCK && c->realtime_ns == id)
			return 1;
	}
	return 0;
}

#endif
