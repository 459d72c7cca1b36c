/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* For tests of user/stream/gfxinfo.c: texts made of pieces, and all that reading one gives. */
#ifndef TESTS_GFXINFO_TEXT_H
#define TESTS_GFXINFO_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "stream/gfxinfo.h"

struct gfxinfo_text {
	size_t len;
	char s[1 << 19];
};

static inline void text_bytes(struct gfxinfo_text *t, const void *bytes, size_t len)
{
	if (len > sizeof(t->s) - t->len) {
		printf("# a text is too long for this test\n");
		exit(1);
	}
	memcpy(t->s + t->len, bytes, len);
	t->len += len;
}

static inline void text_add(struct gfxinfo_text *t, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static inline void text_add(struct gfxinfo_text *t, const char *fmt, ...)
{
	char piece[16384];
	va_list ap;

	va_start(ap, fmt);
	int len = vsnprintf(piece, sizeof(piece), fmt, ap);
	va_end(ap);
	text_bytes(t, piece, (size_t)len < sizeof(piece) ? (size_t)len : sizeof(piece) - 1);
}

#define READING_ITEMS 512

struct gfxinfo_read_item {
	struct gfxinfo_item i;
	char process[GFXINFO_NAME];
	char window[GFXINFO_NAME];
	struct gfxinfo_stats stats;
};

struct gfxinfo_reading {
	int ret; /* of gfxinfo_open() or the last gfxinfo_next() */
	struct err err;
	struct gfxinfo_input input;
	unsigned n; /* items; those past READING_ITEMS are counted only */
	struct gfxinfo_read_item items[READING_ITEMS];
};

static inline void read_gfxinfo(const char *path, struct gfxinfo_reading *r)
{
	const struct gfxinfo_item *item;
	struct gfxinfo *g;

	r->n = 0;
	memset(&r->err, 0, sizeof(r->err));
	memset(&r->input, 0, sizeof(r->input));
	r->ret = gfxinfo_open(path, &g, &r->err);
	if (r->ret)
		return;
	while ((r->ret = gfxinfo_next(g, &item, &r->err)) == 1) {
		if (r->n < READING_ITEMS) {
			struct gfxinfo_read_item *to = &r->items[r->n];

			memset(to, 0, sizeof(*to));
			to->i = *item;
			strcpy(to->process, item->process);
			strcpy(to->window, item->window);
			if (item->stats)
				to->stats = *item->stats;
		}
		r->n++;
	}
	r->input = *gfxinfo_input(g);
	gfxinfo_close(g);
}

/* The same of bytes. */
static inline void read_gfxinfo_bytes(const void *bytes, size_t len, struct gfxinfo_reading *r)
{
	char path[64];
	int fd = memfd_create("gfxinfo", MFD_CLOEXEC);

	if (fd < 0 || write(fd, bytes, len) != (ssize_t)len) {
		perror("# memfd");
		exit(1);
	}
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	read_gfxinfo(path, r);
	close(fd);
}

static inline void read_gfxinfo_text(const struct gfxinfo_text *t, struct gfxinfo_reading *r)
{
	read_gfxinfo_bytes(t->s, t->len, r);
}

/* Are these the same but for their lines? */
static inline bool same_item(const struct gfxinfo_read_item *a, const struct gfxinfo_read_item *b)
{
	struct gfxinfo_read_item x = *a, y = *b;

	x.i.line = y.i.line = x.stats.line = y.stats.line = 0;
	x.i.stats = y.i.stats = NULL;
	x.i.process = y.i.process = x.i.window = y.i.window = NULL;
	return !memcmp(&x, &y, sizeof(x));
}

/* The n-th item of a kind, from 0, or one of zeros with that fault that no item has. */
static inline const struct gfxinfo_read_item *nth_item(const struct gfxinfo_reading *r,
						       enum gfxinfo_kind kind, unsigned n)
{
	static const struct gfxinfo_read_item none = { .i.fault = FAULT_NR };

	for (unsigned i = 0; i < r->n && i < READING_ITEMS; i++) {
		if (r->items[i].i.kind == kind && n-- == 0)
			return &r->items[i];
	}
	return &none;
}

static inline unsigned count_items(const struct gfxinfo_reading *r, enum gfxinfo_kind kind)
{
	unsigned n = 0;

	for (unsigned i = 0; i < r->n && i < READING_ITEMS; i++)
		n += r->items[i].i.kind == kind;
	return n;
}

#endif
