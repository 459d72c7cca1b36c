/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Reads a text dump, as `framescope dump` prints it or as a test has it written by hand. */
#include "stream/dump_text.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <framescope/capture.h>

#include "stream/merge.h"
#include "stream/record.h"
#include "stream/source.h"

/* Longer than the longest record's line: 4072 bytes of META text, all escaped. */
#define LINE_BYTES (32u << 10)

struct text {
	char *line; /* read last, in buf */
	uint64_t number; /* of that line, from 1 */
	bool ended; /* the end line came */
	bool eof;
	size_t start; /* what of buf is not consumed yet: [start, len) */
	size_t len;
	char buf[2 * LINE_BYTES];
	_Alignas(8) char rec[FS_RECORD_MAX];
};

static const char *const arch_names[] = {
	[FS_ARCH_X86_64] = "x86_64",
	[FS_ARCH_ARM64] = "arm64",
};

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

const char *dump_text_arch(uint32_t arch)
{
	return arch < COUNT(arch_names) ? arch_names[arch] : NULL;
}

static bool detect(const unsigned char *head, size_t len)
{
	size_t magic_len = strlen(DUMP_TEXT_MAGIC);

	return len >= magic_len && !memcmp(head, DUMP_TEXT_MAGIC, magic_len);
}

/* Read more behind what is left. */
static int fill(struct source *s, struct err *e)
{
	struct text *t = s->priv;

	memmove(t->buf, t->buf + t->start, t->len - t->start);
	t->len -= t->start;
	t->start = 0;
	for (;;) {
		ssize_t n = read(s->fd, t->buf + t->len, sizeof(t->buf) - t->len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return err_errno(e, -errno, "cannot read '%s'", s->path);
		t->eof = n == 0;
		t->len += (size_t)n;
		s->stats.bytes += (uint64_t)n;
		return 0;
	}
}

/*
 * Find the next line, and terminate it in place: 1, 0 at the end, or a negative errno. A last line
 * without a newline was cut, maybe inside a number, and does not count.
 */
static int next_line(struct source *s, struct err *e)
{
	struct text *t = s->priv;
	char *newline;

	for (;;) {
		char *start = t->buf + t->start;
		size_t left = t->len - t->start;

		newline = memchr(start, '\n', left);
		if (newline || t->eof)
			break;
		if (left > LINE_BYTES)
			return err_set(e, -EINVAL, "%s:%llu: no record has a line this long",
				       s->path, (unsigned long long)t->number + 1);
		int ret = fill(s, e);
		if (ret < 0)
			return ret;
	}
	if (!newline)
		return 0;
	t->number++;
	t->line = t->buf + t->start;
	t->start = (size_t)(newline - t->buf) + 1;
	if (newline > t->line && newline[-1] == '\r')
		newline--;
	*newline = '\0';
	if (strlen(t->line) != (size_t)(newline - t->line))
		return err_set(e, -EINVAL, "%s:%llu: a NUL byte in a line of text", s->path,
			       (unsigned long long)t->number);
	return 1;
}

/* "# framescope dump VERSION [ARCH]" */
static int parse_first_line(struct source *s, const char *line, struct err *e)
{
	const char *version = line + strlen(DUMP_TEXT_MAGIC);
	char *end;

	errno = 0;
	unsigned long number = strtoul(version, &end, 10);
	if (!isdigit((unsigned char)*version) || errno || (*end && *end != ' ') || number == 0)
		return err_set(e, -EINVAL, "%s:1: '%s...' should be followed by a version number",
			       s->path, DUMP_TEXT_MAGIC);
	if (number > DUMP_TEXT_VERSION) {
		err_set(e, -ENOTSUP,
			"'%s' is a text dump of format %lu; this version reads up to "
			"format %d",
			s->path, number, DUMP_TEXT_VERSION);
		return err_hint(e, "a newer framescope");
	}
	for (uint32_t i = 0; *end && i < COUNT(arch_names); i++) {
		if (arch_names[i] && !strcmp(end + 1, arch_names[i]))
			s->stats.arch = i;
	}
	return 0;
}

static int open_text(struct source *s, struct err *e)
{
	struct text *t = calloc(1, sizeof(*t));
	if (!t)
		return source_no_memory(s, e);
	s->priv = t;
	int ret = next_line(s, e);
	if (ret == 0)
		return err_set(e, -EINVAL, "'%s' ends inside its first line", s->path);
	return ret < 0 ? ret : parse_first_line(s, t->line, e);
}

static int add_record(struct source *s, const char *line, struct err *e)
{
	struct text *t = s->priv;
	struct fs_header *rec = (struct fs_header *)t->rec;
	struct err why = { 0 };

	int ret = record_parse(line, t->rec, &why);
	if (ret) {
		err_set(e, ret, "%s:%llu: %.900s", s->path, (unsigned long long)t->number,
			why.what);
		return why.hint[0] ? err_hint(e, "%s", why.hint) : ret;
	}
	void *room = merge_reserve(s->merge, rec->size);
	if (!room)
		return source_no_memory(s, e);
	memcpy(room, rec, rec->size);
	return merge_add(s->merge, room) ? source_no_memory(s, e) : 0;
}

static int take_line(struct source *s, const char *line, struct err *e)
{
	struct text *t = s->priv;

	line += strspn(line, " \t");
	if (*line == '\0' || *line == '#')
		return 0;
	if (t->ended)
		return err_set(e, -EINVAL, "%s:%llu: text behind the line '%s'", s->path,
			       (unsigned long long)t->number, DUMP_TEXT_END);
	if (!strcmp(line, DUMP_TEXT_END)) {
		t->ended = true;
	} else if (!strcmp(line, DUMP_TEXT_ROUND)) {
		merge_round(s->merge, UINT64_MAX);
	} else {
		return add_record(s, line, e);
	}
	return 0;
}

static int read_text(struct source *s, struct err *e)
{
	struct text *t = s->priv;
	int ret = next_line(s, e);

	if (ret == 1)
		return take_line(s, t->line, e);
	if (ret == 0) {
		s->done = true;
		s->stats.cut = !t->ended;
		merge_round(s->merge, UINT64_MAX);
	}
	return ret;
}

const struct source_ops dump_text_source = {
	.detect = detect,
	.open = open_text,
	.read = read_text,
};
