/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A buffer that grows, and how one leaves: deflated, as base64 in a script element. */
#ifndef HTML_BYTES_H
#define HTML_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* All zero is empty. What did not fit is missing, and `failed` set. */
struct bytes {
	unsigned char *at;
	size_t len;
	size_t room;
	bool failed;
};

void bytes_put(struct bytes *b, const void *data, size_t len);
void bytes_varint(struct bytes *b, uint64_t n);
/* A number and its sign; see pack.h. */
void bytes_signed(struct bytes *b, bool negative, uint64_t magnitude);
/* Its length, and the text. */
void bytes_text(struct bytes *b, const char *text, size_t len);
void bytes_free(struct bytes *b);

/* 0 or -ENOMEM; a failed write shows in the stream. */
int bytes_send(const struct bytes *b, FILE *out);

#endif
