// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Two stages: bytes of the file, inflated if it is a gzip file; and bytes of text, inflated from a
 * banner of atrace on. The second one's block is cut into lines.
 */
#include "trace/text_input.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include <zlib.h>

#define BLOCK (256u << 10)

/* Where a page's trace begins and ends, and how the pages of before 2013 had it. */
#define HTML_BLOCK "class=\"trace-data\""
#define HTML_OLD_BLOCK "linuxPerfData = \""
#define HTML_END "</script>"

/* Longer than either, so that one that two blocks share is not missed. */
#define HTML_KEEP 256

/* Something compressed and what of it was read. */
struct inflater {
	bool on;
	bool ended; /* what is left of the input lies behind the compressed part */
	bool whole; /* at least one part of it has ended as it should */
	z_stream z;
	unsigned char in[BLOCK];
};

struct text_input {
	int fd;
	bool gzip;
	bool html;
	bool in_block; /* of a page */
	bool block_began;
	bool banner;
	bool skipping; /* a line that is too long */
	bool file_ended;
	bool eof;
	bool broken; /* the compressed data are wrong, or end too early */
	bool cut;
	uint64_t bytes;
	uint64_t too_long;
	struct inflater *outer; /* of a gzip file */
	struct inflater *inner; /* behind a banner */
	size_t start; /* what of buf is not taken yet: [start, len) */
	size_t len;
	char buf[BLOCK];
};

static struct inflater *inflater_new(int window_bits)
{
	struct inflater *i = calloc(1, sizeof(*i));

	if (i && inflateInit2(&i->z, window_bits) != Z_OK) {
		free(i);
		return NULL;
	}
	if (i)
		i->on = true;
	return i;
}

static void inflater_free(struct inflater *i)
{
	if (!i)
		return;
	inflateEnd(&i->z);
	free(i);
}

#define WINDOW_EITHER (15 + 32) /* zlib's or gzip's header */

struct text_input *text_input_new(int fd, const unsigned char *head, size_t len)
{
	struct text_input *in = calloc(1, sizeof(*in));
	unsigned char plain[512];
	size_t plain_len;

	if (!in)
		return NULL;
	in->fd = fd;
	in->gzip = len >= 2 && head[0] == 0x1f && head[1] == 0x8b;
	in->html = text_html_head(head, len);
	if (!in->gzip)
		return in;
	plain_len = text_gunzip_head(head, len, plain, sizeof(plain));
	in->html = text_html_head(plain, plain_len);
	in->outer = inflater_new(WINDOW_EITHER);
	if (!in->outer) {
		free(in);
		return NULL;
	}
	return in;
}

void text_input_free(struct text_input *in)
{
	if (!in)
		return;
	inflater_free(in->outer);
	inflater_free(in->inner);
	free(in);
}

/* Bytes as they are in the file: how many, 0 at its end, or a negative errno. */
static ssize_t read_file(struct text_input *in, void *to, size_t room)
{
	while (!in->file_ended) {
		ssize_t n = read(in->fd, to, room);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		in->file_ended = n == 0;
		in->bytes += (uint64_t)n;
		return n;
	}
	return 0;
}

/*
 * Inflate some: how much, 0 if there is no more, or a negative errno. `more` gives it its input. A
 * gzip file may be several in a row.
 */
static ssize_t inflate_some(struct text_input *in, struct inflater *i, bool members, char *to,
			    size_t room,
			    ssize_t (*more)(struct text_input *in, void *to, size_t room))
{
	i->z.next_out = (unsigned char *)to;
	i->z.avail_out = (uInt)room;
	while (i->z.avail_out == room && !i->ended) {
		ssize_t n = 0;
		int ret;

		if (!i->z.avail_in) {
			n = more(in, i->in, sizeof(i->in));
			if (n < 0)
				return n;
			i->z.next_in = i->in;
			i->z.avail_in = (uInt)n;
		}
		if (!i->z.avail_in) {
			/* Between two of several, it may end. */
			in->broken |= i->z.total_in > 0 || !i->whole;
			i->ended = true;
			break;
		}
		ret = inflate(&i->z, Z_NO_FLUSH);
		if (ret == Z_STREAM_END) {
			i->whole = true;
			i->ended = !members;
			if (members)
				inflateReset(&i->z);
		} else if (ret != Z_OK && ret != Z_BUF_ERROR) {
			/* What pads a file behind its last part is of no interest. */
			in->broken |= !i->whole || i->z.total_out > 0;
			i->ended = true;
			i->z.avail_in = 0;
			in->file_ended = true;
		}
	}
	return (ssize_t)(room - i->z.avail_out);
}

/* Bytes of the file, as they were before gzip. */
static ssize_t read_plain(struct text_input *in, void *to, size_t room)
{
	if (!in->outer)
		return read_file(in, to, room);
	return inflate_some(in, in->outer, true, to, room, read_file);
}

/* Bytes of text. */
static ssize_t read_text(struct text_input *in, char *to, size_t room)
{
	struct inflater *i = in->inner;
	size_t left;

	if (i && i->on && !i->ended) {
		ssize_t n = inflate_some(in, i, false, to, room, read_plain);

		if (n)
			return n;
	}
	if (i && i->on && i->z.avail_in) {
		left = i->z.avail_in < room ? i->z.avail_in : room;
		memcpy(to, i->z.next_in, left);
		i->z.next_in += left;
		i->z.avail_in -= (uInt)left;
		return (ssize_t)left;
	}
	if (i)
		i->on = false;
	return read_plain(in, to, room);
}

/* What follows is compressed: take it back, to be read through the inner stage. */
static int begin_inner(struct text_input *in)
{
	struct inflater *i = in->inner;

	if (!i)
		i = in->inner = inflater_new(WINDOW_EITHER);
	if (!i)
		return -ENOMEM;
	inflateReset(&i->z);
	i->on = true;
	i->ended = i->whole = false;
	memcpy(i->in, in->buf + in->start, in->len - in->start);
	i->z.next_in = i->in;
	i->z.avail_in = (uInt)(in->len - in->start);
	in->start = in->len = 0;
	return 0;
}

/* Nothing is compressed behind a banner while the banner's own part is being inflated. */
static bool compressed(const struct text_input *in)
{
	const unsigned char *p = (const unsigned char *)in->buf + in->start;

	return in->len - in->start >= 2 && !(in->inner && in->inner->on) && (p[0] & 15) == 8 &&
	       (p[0] * 256 + p[1]) % 31 == 0;
}

int text_input_fill(struct text_input *in)
{
	ssize_t n;
	int err;

	if (in->banner && in->len - in->start >= 2) {
		in->banner = false;
		err = compressed(in) ? begin_inner(in) : 0;
		if (err)
			return err;
	}
	memmove(in->buf, in->buf + in->start, in->len - in->start);
	in->len -= in->start;
	in->start = 0;
	if (in->eof)
		return 0;
	n = read_text(in, in->buf + in->len, sizeof(in->buf) - in->len);
	if (n < 0)
		return (int)n;
	in->len += (size_t)n;
	if (n == 0) {
		in->eof = true;
		in->banner = false;
		in->cut = in->broken || (in->html ? in->in_block : in->len > in->start);
	}
	return n > 0;
}

struct text_line text_input_rest(const struct text_input *in)
{
	char *buf = (char *)in->buf;

	return (struct text_line){ buf + in->start, buf + in->len };
}

void text_input_banner(struct text_input *in)
{
	in->banner = true;
}

bool text_input_new_block(struct text_input *in)
{
	bool began = in->block_began;

	in->block_began = false;
	return began;
}

bool text_input_is_html(const struct text_input *in)
{
	return in->html;
}

uint64_t text_input_bytes(const struct text_input *in)
{
	return in->bytes;
}

uint64_t text_input_too_long(const struct text_input *in)
{
	return in->too_long;
}

bool text_input_cut(const struct text_input *in)
{
	return in->cut;
}

/* Behind the page's next tag that begins a trace. */
static bool find_block(struct text_input *in)
{
	char *s = in->buf + in->start, *end = in->buf + in->len;
	char *tag = memmem(s, (size_t)(end - s), HTML_BLOCK, strlen(HTML_BLOCK));
	char *close = tag ? memchr(tag, '>', (size_t)(end - tag)) : NULL;

	if (!tag) {
		tag = memmem(s, (size_t)(end - s), HTML_OLD_BLOCK, strlen(HTML_OLD_BLOCK));
		close = tag ? tag + strlen(HTML_OLD_BLOCK) - 1 : NULL;
	}
	if (close) {
		in->start = (size_t)(close + 1 - in->buf);
		in->in_block = in->block_began = true;
		return true;
	}
	/* A tag that is not closed within what is kept is none. */
	if (in->len - in->start > HTML_KEEP)
		in->start = in->len - HTML_KEEP;
	return false;
}

/* The line is the last one of the page's trace: cut off what ends it. */
static void end_block(struct text_input *in, struct text_line *line)
{
	size_t len = (size_t)(line->end - line->s);
	char *tag;

	/* The old form is a string in a program, with its line ends written out. */
	if (len >= 3 && !memcmp(line->end - 3, "\\n\\", 3)) {
		line->end -= 3;
		return;
	}
	if (len && line->end[-1] == ';' && memchr(line->s, '"', len) == line->s) {
		line->end = line->s;
		in->in_block = false;
		return;
	}
	tag = len && line->end[-1] == '>' ? memmem(line->s, len, HTML_END, strlen(HTML_END)) : NULL;
	if (!tag)
		return;
	/* What is behind it may begin the next one. */
	in->start = (size_t)(tag + strlen(HTML_END) - in->buf);
	line->end = tag;
	in->in_block = false;
}

static bool take_line(struct text_input *in, struct text_line *line)
{
	char *s = in->buf + in->start;
	char *newline = memchr(s, '\n', in->len - in->start);

	if (!newline) {
		if (in->len - in->start == sizeof(in->buf)) {
			in->too_long += !in->skipping;
			in->skipping = true;
			in->start = in->len;
		}
		return false;
	}
	in->start = (size_t)(newline - in->buf) + 1;
	line->s = s;
	line->end = newline > s && newline[-1] == '\r' ? newline - 1 : newline;
	return true;
}

bool text_input_next(struct text_input *in, struct text_line *line)
{
	if (in->banner && (compressed(in) || (in->len - in->start < 2 && !in->eof)))
		return false;
	in->banner = false;
	for (;;) {
		if (in->html && !in->in_block && !find_block(in))
			return false;
		if (!take_line(in, line))
			return false;
		if (in->html)
			end_block(in, line);
		if (!in->skipping)
			return true;
		in->skipping = false;
	}
}

size_t text_gunzip_head(const unsigned char *head, size_t len, unsigned char *out, size_t room)
{
	z_stream z = { 0 };

	if (len < 2 || head[0] != 0x1f || head[1] != 0x8b ||
	    inflateInit2(&z, WINDOW_EITHER) != Z_OK)
		return 0;
	z.next_in = (unsigned char *)head;
	z.avail_in = (uInt)len;
	z.next_out = out;
	z.avail_out = (uInt)room;
	inflate(&z, Z_SYNC_FLUSH);
	inflateEnd(&z);
	return room - z.avail_out;
}

bool text_html_head(const unsigned char *head, size_t len)
{
	static const char *const begins[] = { "<!doctype html", "<html", "<!--" };
	size_t at = len >= 3 && !memcmp(head, "\xef\xbb\xbf", 3) ? 3 : 0;

	while (at < len && (head[at] == ' ' || head[at] == '\n' || head[at] == '\r'))
		at++;
	for (size_t i = 0; i < sizeof(begins) / sizeof(*begins); i++) {
		if (len - at >= strlen(begins[i]) &&
		    !strncasecmp((const char *)head + at, begins[i], strlen(begins[i])))
			return true;
	}
	return false;
}
