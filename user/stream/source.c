/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Finds the kind of an input, and does what all kinds share. */
#include "stream/source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "stream/gfxinfo.h"
#include "stream/merge.h"
#include "stream/record.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

#define A_FILE "a file made by 'framescope record'"

/* Files that are often taken for captures, and what to try instead. */
static const struct {
	const char *magic;
	size_t len;
	const char *what;
	const char *hint;
} strangers[] = {
	{ "PERFILE2", 8, "a perf.data file", A_FILE },
	{ "\x7f"
	  "ELF",
	  4, "a program or library (ELF)", A_FILE },
	{ "\x1f\x8b", 2, "a gzip file, and what is inside it is no trace",
	  "gunzip it first, if it is a capture or the text of framescope dump: of what is packed, "
	  "only traces are unpacked" },
	{ "\x28\xb5\x2f\xfd", 4, "a zstd file", "unpack it first (zstd -d)" },
	{ "\xfd"
	  "7zXZ",
	  5, "an xz file", "unpack it first (xz -d)" },
	{ "PK\x03\x04", 4, "a zip or apk file", "unzip it first, if there is a trace in it" },
	{ "{", 1, "a JSON text",
	  "the trace that it was made from: JSON, such as Chrome's, is not read" },
};

static int unknown_format(const char *path, const unsigned char *head, size_t len, struct err *e)
{
	for (size_t i = 0; i < COUNT(strangers); i++) {
		if (len < strangers[i].len || memcmp(head, strangers[i].magic, strangers[i].len))
			continue;
		err_set(e, -EINVAL, "'%s' is no framescope capture but %s", path,
			strangers[i].what);
		return err_hint(e, "%s", strangers[i].hint);
	}
	if (gfxinfo_detect(head, len)) {
		err_set(e, -EINVAL,
			"'%s' is no framescope capture but a text of dumpsys, which only report "
			"and frames take",
			path);
		return err_hint(e, "framescope report FILE");
	}
	err_set(e, -EINVAL,
		"'%s' is no framescope capture: it begins with neither the mark of a "
		"capture nor that of a text dump, nor as a trace that can be read here",
		path);
	return err_hint(e, "a file made by 'framescope record' or 'framescope dump', a Perfetto "
			   "trace, or the text of ftrace, atrace, systrace or 'trace-cmd report', "
			   "traces also gzip'ed; report and frames also take the text of 'dumpsys "
			   "gfxinfo' and 'dumpsys SurfaceFlinger --latency'");
}

static ssize_t read_head(int fd, unsigned char *head, size_t size)
{
	size_t len = 0;

	while (len < size) {
		ssize_t n = pread(fd, head + len, size - len, (off_t)len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			break;
		len += (size_t)n;
	}
	return (ssize_t)len;
}

static int open_error(const char *path, int code, struct err *e)
{
	if (!strcmp(path, "-")) {
		err_set(e, -EINVAL,
			"a capture or a trace is not read from standard input or a pipe");
		return err_hint(e, "save it to a file first");
	}
	err_errno(e, code, "cannot open '%s'", path);
	if (code == -ENOENT)
		return err_hint(e, "check the name; 'framescope record' writes framescope.fsc "
				   "unless told otherwise with -o");
	if (code == -EACCES)
		return err_hint(e, "as the user that it belongs to (record ran as root: sudo), or "
				   "chmod it");
	return err_hint(e, "another file");
}

static const struct source_ops *find_kind(const unsigned char *head, size_t len)
{
	for (size_t i = 0; source_kinds[i]; i++)
		if (source_kinds[i]->detect(head, len))
			return source_kinds[i];
	return NULL;
}

bool source_detect(const unsigned char *head, size_t len)
{
	return find_kind(head, len < SOURCE_HEAD_LEN ? len : SOURCE_HEAD_LEN);
}

/* Open the file and find what reads it. */
static int open_kind(struct source *s, struct err *e)
{
	unsigned char head[SOURCE_HEAD_LEN];
	struct stat st;

	s->fd = open(s->path, O_RDONLY | O_CLOEXEC);
	if (s->fd < 0)
		return open_error(s->path, -errno, e);
	if (fstat(s->fd, &st) != 0)
		return err_errno(e, -errno, "cannot examine '%s'", s->path);
	if (S_ISDIR(st.st_mode)) {
		err_errno(e, -EISDIR, "cannot read '%s'", s->path);
		return err_hint(e, "the name of a capture file, such as framescope.fsc");
	}
	if (!S_ISREG(st.st_mode)) {
		err_set(e, -EINVAL,
			"'%s' is no regular file, and a capture or a trace is not read from a pipe",
			s->path);
		return err_hint(e, "save it to a file first");
	}

	ssize_t len = read_head(s->fd, head, sizeof(head));
	if (len < 0)
		return err_errno(e, (int)len, "cannot read '%s'", s->path);
	if (len == 0) {
		err_set(e, -EINVAL,
			"'%s' is empty (0 bytes): its recording was interrupted before "
			"the first write, or its disk was full",
			s->path);
		return err_hint(e, "record again");
	}
	s->ops = find_kind(head, (size_t)len);
	return s->ops ? s->ops->open(s, e) : unknown_format(s->path, head, (size_t)len, e);
}

struct source *source_new(const struct source_ops *ops, const char *path)
{
	struct source *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->ops = ops;
	s->fd = -1;
	s->path = strdup(path);
	s->merge = merge_new();
	if (s->path && s->merge)
		return s;
	source_close(s);
	return NULL;
}

int source_open(const char *path, struct source **out, struct err *e)
{
	struct source *s = source_new(NULL, path);

	if (!s)
		return err_errno(e, -ENOMEM, "cannot open '%s'", path);

	int ret = open_kind(s, e);

	if (ret) {
		source_close(s);
		return ret;
	}
	*out = s;
	return 0;
}

int source_no_memory(const struct source *s, struct err *e)
{
	return err_errno(e, -ENOMEM, "cannot read '%s'", s->path);
}

/* The record as this version's structs have it. */
static const struct fs_header *widen(struct source *s, const struct fs_header *rec)
{
	size_t full = record_full_size(rec->kind);

	if (rec->size >= full && rec->kind != FS_KIND_META)
		return rec;

	struct fs_header *wide = (struct fs_header *)s->wide;
	size_t size = rec->size > full ? rec->size : full;
	memcpy(wide, rec, rec->size);
	memset(s->wide + rec->size, 0, size - rec->size + 8);
	wide->size = (uint16_t)size;
	return wide;
}

static void count(struct source_stats *st, const struct fs_header *rec)
{
	st->records++;
	if (rec->kind != FS_KIND_LOST)
		return;

	uint64_t lost = ((const struct fs_lost *)rec)->count;

	st->lost_unknown += !lost;
	st->lost = lost < UINT64_MAX - st->lost ? st->lost + lost : UINT64_MAX;
}

int source_next(struct source *s, const struct fs_header **rec, struct err *e)
{
	const struct fs_header *found;

	while (!(found = merge_next(s->merge))) {
		if (s->done)
			return 0;
		int ret = s->ops->read(s, e);
		s->stats.late = merge_late(s->merge);
		if (ret)
			return ret;
	}
	*rec = widen(s, found);
	count(&s->stats, *rec);
	return 1;
}

const struct source_stats *source_stats(const struct source *s)
{
	return &s->stats;
}

void source_warn(const struct source *s)
{
	const struct source_stats *st = &s->stats;

	if (st->damaged_bytes)
		log_warn("%s: damaged: %llu bytes in %llu places were skipped", s->path,
			 (unsigned long long)st->damaged_bytes,
			 (unsigned long long)st->damaged_chunks);
	if (st->malformed)
		log_warn("%s: damaged: %llu records of an impossible size, or lines that make no "
			 "sense, were skipped",
			 s->path, (unsigned long long)st->malformed);
	if (st->cut)
		log_warn("%s: cut: its end is missing, so the recording or a copy was interrupted; "
			 "what came before was read",
			 s->path);
	if (st->lost)
		log_warn("%s: lost: %llu records are missing, in the recording or in damaged parts",
			 s->path, (unsigned long long)st->lost);
	if (st->lost_unknown)
		log_warn("%s: lost: in %llu places more records are missing, nobody knows how many",
			 s->path, (unsigned long long)st->lost_unknown);
	if (st->late)
		log_warn("%s: late: %llu records came too late to be put in order", s->path,
			 (unsigned long long)st->late);
	if (st->unknown)
		log_warn("%s: %llu records are of kinds that this version does not know; a newer "
			 "framescope can read them",
			 s->path, (unsigned long long)st->unknown);
	if (s->ops->warn)
		s->ops->warn(s);
}

bool source_absence(const struct source *s, unsigned topics, unsigned *index,
		    struct source_absence *a)
{
	while (s->ops->absence && s->ops->absence(s, (*index)++, a))
		if (a->of & topics)
			return true;
	return false;
}

void source_close(struct source *s)
{
	if (!s)
		return;
	if (s->ops && s->ops->close && s->priv)
		s->ops->close(s);
	merge_free(s->merge);
	free(s->priv);
	if (s->fd >= 0)
		close(s->fd);
	free((char *)s->path);
	free(s);
}
