/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A buffer that grows, and its way into a page. */
#include "html/bytes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <zlib.h>

#define PIECE 12288 /* bytes of the stream that are written at once; a multiple of 3 */

static bool make_room(struct bytes *b, size_t len)
{
	size_t room = b->room ? b->room : 4096;
	unsigned char *at;

	if (b->failed)
		return false;
	if (b->room - b->len >= len)
		return true;
	while (room - b->len < len)
		room *= 2;
	at = realloc(b->at, room);
	if (!at) {
		b->failed = true;
		return false;
	}
	b->at = at;
	b->room = room;
	return true;
}

void bytes_put(struct bytes *b, const void *data, size_t len)
{
	if (!len || !make_room(b, len))
		return;
	memcpy(b->at + b->len, data, len);
	b->len += len;
}

void bytes_varint(struct bytes *b, uint64_t n)
{
	unsigned char text[10];
	size_t len = 0;

	for (; n > 0x7f; n >>= 7)
		text[len++] = (unsigned char)(n | 0x80);
	text[len++] = (unsigned char)n;
	bytes_put(b, text, len);
}

void bytes_signed(struct bytes *b, bool negative, uint64_t magnitude)
{
	unsigned char first = (unsigned char)(negative | (magnitude & 0x3f) << 1);

	if (magnitude > 0x3f)
		first |= 0x80;
	bytes_put(b, &first, 1);
	if (magnitude > 0x3f)
		bytes_varint(b, magnitude >> 6);
}

void bytes_text(struct bytes *b, const char *text, size_t len)
{
	bytes_varint(b, len);
	bytes_put(b, text, len);
}

void bytes_free(struct bytes *b)
{
	free(b->at);
	*b = (struct bytes){ 0 };
}

static void put_base64(FILE *out, const unsigned char *data, size_t len)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	char text[PIECE / 3 * 4] = "", *at = text;

	for (size_t i = 0; i < len; i += 3) {
		size_t left = len - i;
		uint32_t bits = (uint32_t)data[i] << 16;

		bits |= left > 1 ? (uint32_t)data[i + 1] << 8 : 0;
		bits |= left > 2 ? data[i + 2] : 0;
		*at++ = digits[bits >> 18];
		*at++ = digits[bits >> 12 & 0x3f];
		*at++ = left > 1 ? digits[bits >> 6 & 0x3f] : '=';
		*at++ = left > 2 ? digits[bits & 0x3f] : '=';
	}
	fwrite(text, 1, (size_t)(at - text), out);
}

int bytes_send(const struct bytes *b, FILE *out)
{
	unsigned char piece[PIECE];
	z_stream z = { 0 };
	int rc;

	if (b->failed || deflateInit(&z, 6) != Z_OK)
		return -ENOMEM;
	fputs("<script type=\"text/plain\" class=\"chunk\">", out);
	z.next_in = b->at;
	z.avail_in = (uInt)b->len;
	do {
		z.next_out = piece;
		z.avail_out = sizeof(piece);
		rc = deflate(&z, Z_FINISH);
		put_base64(out, piece, sizeof(piece) - z.avail_out);
	} while (rc == Z_OK || rc == Z_BUF_ERROR);
	deflateEnd(&z);
	fputs("</script>\n", out);
	return rc == Z_STREAM_END ? 0 : -ENOMEM;
}
