/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The bytes of a trace's file. One that was compressed with gzip gives what is inside it, in
 * constant memory, and looks like a plain one to its reader.
 */
#ifndef TRACE_INPUT_H
#define TRACE_INPUT_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"
#include "stream/source.h"

struct input;

/*
 * The head of a file as it is without compression, for source_ops.detect: a plain one's own, or as
 * much of a compressed one's as fits into `room` (SOURCE_HEAD_LEN bytes). *len is its length; NULL
 * if it can't be inflated.
 */
const unsigned char *input_head(const unsigned char *head, size_t *len,
				unsigned char room[SOURCE_HEAD_LEN]);

/* Reads s->fd from its beginning on. *out ends with input_free(), which takes NULL. */
int input_open(struct source *s, struct input **out, struct err *e);
void input_free(struct input *in);

/*
 * Up to `len` bytes: how many, 0 at the end, or a negative errno. Adds what it takes from the file
 * to s->stats.bytes. Damage in a compressed file is an end: see input_damaged().
 */
ssize_t input_read(struct input *in, void *buf, size_t len, struct err *e);

/* It is compressed: there is no way to a place in it but from its beginning. */
bool input_compressed(const struct input *in);

/* The compressed data ends in its middle. */
bool input_cut(const struct input *in);

/* The compressed data is not sound behind what was read. */
bool input_damaged(const struct input *in);

/*
 * Go on at `pos`, which must be 0 in a compressed file. What is read again is not counted again in
 * s->stats.bytes. 0 or a negative errno.
 */
int input_seek(struct input *in, uint64_t pos, struct err *e);

#endif
