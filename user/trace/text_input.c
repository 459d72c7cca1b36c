/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Two stages: the file's bytes, as input.h gives them; and bytes of text, inflated from a banner of
 * atrace on. The second one's block is cut into lines.
 */
#include "trace/text_input.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <zlib.h>

#include "trace/input.h"

#define BLOCK (256u << 10)

/* Where a page's trace begins and ends, and how the pages of before 2013 had it. */
#define HTML_BLOCK "class=\"trace-data\""
#define HTML_OLD_BLOCK "linuxPerfData = \""
#define HTML_END "</script>"

/* Longer than either, so that one that two blocks share is not missed. */
#define HTML_KEEP 256

/* What stands compressed behind a banner, and what of it was read. */
struct inflater {
	bool on;
	bool ended; /* what is left of the input lies behind the compressed part */
	z_stream z;
	unsigned char in[BLOCK];
};

struct text_input {
	const struct source *s;
	struct input *file;
	bool html;
	bool in_block; /* of a page */
	bool block_began;
	bool banner;
	bool skipping; /* a line that is too long */
	bool eof;
	bool broken; /* what is behind a banner is wrong, or ends too early */
	bool cut;
	uint64_t too_long;
	struct inflater *inner; /* NULL until a banner was met */
	size_t start; /* what of buf is not taken yet: [start, len) */
	size_t len;
	char buf[BLOCK];
};

int text_input_open(struct source *s, const unsigned char *head, size_t len,
		    struct text_input **out, struct err *e)
{
	struct text_input *in = calloc(1, sizeof(*in));
	unsigned char room[SOURCE_HEAD_LEN];
	const unsigned char *plain = input_head(head, &len, room);
	int ret;

	if (!in)
		return source_no_memory(s, e);
	ret = input_open(s, &in->file, e);
	if (ret) {
		free(in);
		return ret;
	}
	in->s = s;
	in->html = plain && text_html_head(plain, len);
	*out = in;
	return 0;
}

void text_input_free(struct text_input *in)
{
	if (!in)
		return;
	if (in->inner)
		inflateEnd(&in->inner->z);
	free(in->inner);
	input_free(in->file);
	free(in);
}

/* Inflate some: how much, 0 if there is no more, or a negative errno. */
static ssize_t inflate_some(struct text_input *in, struct inflater *i, char *to, size_t room,
			    struct err *e)
{
	i->z.next_out = (unsigned char *)to;
	i->z.avail_out = (uInt)room;
	while (i->z.avail_out == room && !i->ended) {
		int ret;

		if (!i->z.avail_in) {
			ssize_t n = input_read(in->file, i->in, sizeof(i->in), e);

			if (n < 0)
				return n;
			i->z.next_in = i->in;
			i->z.avail_in = (uInt)n;
		}
		ret = i->z.avail_in ? inflate(&i->z, Z_NO_FLUSH) : Z_DATA_ERROR;
		in->broken = ret != Z_OK && ret != Z_BUF_ERROR && ret != Z_STREAM_END;
		i->ended = in->broken || ret == Z_STREAM_END;
	}
	return (ssize_t)(room - i->z.avail_out);
}

/* Bytes of text. */
static ssize_t read_text(struct text_input *in, char *to, size_t room, struct err *e)
{
	struct inflater *i = in->inner;
	ssize_t n = 0;
	size_t left;

	if (i && i->on && !i->ended)
		n = inflate_some(in, i, to, room, e);
	if (n || in->broken)
		return n;
	if (i && i->on && i->z.avail_in) {
		left = i->z.avail_in < room ? i->z.avail_in : room;
		memcpy(to, i->z.next_in, left);
		i->z.next_in += left;
		i->z.avail_in -= (uInt)left;
		return (ssize_t)left;
	}
	if (i)
		i->on = false;
	return input_read(in->file, to, room, e);
}

static struct inflater *inflater_new(void)
{
	struct inflater *i = calloc(1, sizeof(*i));

	if (i && inflateInit(&i->z) != Z_OK) {
		free(i);
		return NULL;
	}
	return i;
}

/* What follows is compressed: take it back, to be read through the inner stage. */
static int begin_inner(struct text_input *in, struct err *e)
{
	struct inflater *i = in->inner;

	if (!i)
		i = in->inner = inflater_new();
	if (!i)
		return source_no_memory(in->s, e);
	inflateReset(&i->z);
	i->on = true;
	i->ended = false;
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

int text_input_fill(struct text_input *in, struct err *e)
{
	ssize_t n;
	int ret;

	if (in->banner && in->len - in->start >= 2) {
		in->banner = false;
		ret = compressed(in) ? begin_inner(in, e) : 0;
		if (ret)
			return ret;
	}
	memmove(in->buf, in->buf + in->start, in->len - in->start);
	in->len -= in->start;
	in->start = 0;
	if (in->eof)
		return 0;
	n = read_text(in, in->buf + in->len, sizeof(in->buf) - in->len, e);
	if (n < 0)
		return (int)n;
	in->len += (size_t)n;
	if (n == 0) {
		in->eof = true;
		in->banner = false;
		in->cut = in->broken || input_cut(in->file) || input_damaged(in->file) ||
			  (in->html ? in->in_block : in->len > in->start);
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
