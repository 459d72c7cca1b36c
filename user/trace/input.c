/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Reads a file, plain or compressed with gzip (also several members one behind the other). */
#include "trace/input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#define GZIP_WINDOW (15 + 16) /* the largest window; a header of gzip */
#define PACKED_BYTES (256u << 10)

struct input {
	struct source *s;
	bool compressed;
	bool ended; /* the last member of a compressed file has ended */
	bool cut;
	bool damaged;
	bool middle; /* a member has begun and not ended */
	uint64_t read; /* bytes of the file, since the beginning or the last seek */
	z_stream z;
	unsigned char packed[]; /* PACKED_BYTES, of a compressed file */
};

static bool is_gzip(const unsigned char *head, size_t len)
{
	return len >= 3 && head[0] == 0x1f && head[1] == 0x8b && head[2] == Z_DEFLATED;
}

const unsigned char *input_head(const unsigned char *head, size_t *len,
				unsigned char room[SOURCE_HEAD_LEN])
{
	if (!is_gzip(head, *len))
		return head;

	z_stream z = { .next_in = (unsigned char *)head, .avail_in = (unsigned)*len };

	z.next_out = room;
	z.avail_out = SOURCE_HEAD_LEN;
	if (inflateInit2(&z, GZIP_WINDOW) != Z_OK)
		return NULL;
	int ret = inflate(&z, Z_SYNC_FLUSH);
	inflateEnd(&z);
	*len = SOURCE_HEAD_LEN - z.avail_out;
	return ret == Z_OK || ret == Z_STREAM_END || ret == Z_BUF_ERROR ? room : NULL;
}

int input_open(struct source *s, struct input **out, struct err *e)
{
	unsigned char head[3];
	ssize_t n = pread(s->fd, head, sizeof(head), 0);

	if (n < 0)
		return err_errno(e, -errno, "cannot read '%s'", s->path);

	bool compressed = is_gzip(head, (size_t)n);
	struct input *in = calloc(1, sizeof(*in) + (compressed ? PACKED_BYTES : 0));

	if (!in)
		return source_no_memory(s, e);
	in->s = s;
	in->compressed = compressed;
	if (compressed && inflateInit2(&in->z, GZIP_WINDOW) != Z_OK) {
		free(in);
		return source_no_memory(s, e);
	}
	(void)posix_fadvise(s->fd, 0, 0, POSIX_FADV_SEQUENTIAL);
	*out = in;
	return 0;
}

void input_free(struct input *in)
{
	if (in && in->compressed)
		inflateEnd(&in->z);
	free(in);
}

static ssize_t read_file(struct input *in, void *buf, size_t len, struct err *e)
{
	ssize_t n;

	do
		n = read(in->s->fd, buf, len);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return err_errno(e, -errno, "cannot read '%s'", in->s->path);
	in->read += (uint64_t)n;
	if (in->s->stats.bytes < in->read)
		in->s->stats.bytes = in->read;
	return n;
}

/* A member has ended: is there another one behind it? Anything else there is padding. */
static int next_member(struct input *in, struct err *e)
{
	z_stream *z = &in->z;

	in->middle = false;
	memmove(in->packed, z->next_in, z->avail_in);
	z->next_in = in->packed;
	while (z->avail_in < 3) {
		ssize_t n = read_file(in, in->packed + z->avail_in, PACKED_BYTES - z->avail_in, e);

		if (n < 0)
			return (int)n;
		if (n == 0)
			break;
		z->avail_in += (unsigned)n;
	}
	in->ended = !is_gzip(in->packed, z->avail_in);
	return in->ended || inflateReset(z) == Z_OK ? 0 : source_no_memory(in->s, e);
}

/* Inflate something: 0, or a negative errno. */
static int inflate_some(struct input *in, struct err *e)
{
	z_stream *z = &in->z;

	if (z->avail_in == 0) {
		ssize_t n = read_file(in, in->packed, PACKED_BYTES, e);

		if (n < 0)
			return (int)n;
		in->ended = n == 0;
		in->cut = in->ended && in->middle;
		z->next_in = in->packed;
		z->avail_in = (unsigned)n;
		if (in->ended)
			return 0;
	}
	in->middle = true;
	switch (inflate(z, Z_NO_FLUSH)) {
	case Z_OK:
	case Z_BUF_ERROR:
		return 0;
	case Z_STREAM_END:
		return next_member(in, e);
	case Z_MEM_ERROR:
		return source_no_memory(in->s, e);
	default:
		in->ended = in->damaged = true;
		return 0;
	}
}

ssize_t input_read(struct input *in, void *buf, size_t len, struct err *e)
{
	if (!in->compressed)
		return read_file(in, buf, len, e);

	if (len > UINT32_MAX)
		len = UINT32_MAX;
	in->z.next_out = buf;
	in->z.avail_out = (unsigned)len;
	while (in->z.avail_out == len && !in->ended) {
		int ret = inflate_some(in, e);

		if (ret)
			return ret;
	}
	return (ssize_t)(len - in->z.avail_out);
}

bool input_compressed(const struct input *in)
{
	return in->compressed;
}

bool input_cut(const struct input *in)
{
	return in->cut;
}

bool input_damaged(const struct input *in)
{
	return in->damaged;
}

int input_seek(struct input *in, uint64_t pos, struct err *e)
{
	if (in->compressed) {
		pos = 0;
		in->z.avail_in = 0;
		in->ended = in->cut = in->damaged = in->middle = false;
		if (inflateReset(&in->z) != Z_OK)
			return source_no_memory(in->s, e);
	}
	if (lseek(in->s->fd, (off_t)pos, SEEK_SET) < 0)
		return err_errno(e, -errno, "cannot read '%s'", in->s->path);
	in->read = pos;
	return 0;
}
