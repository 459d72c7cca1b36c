/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Reads a capture file. Nothing in it is believed unchecked. It is read, not mapped: a file that
 * another process cuts meanwhile ends early instead of raising SIGBUS.
 */
#include "stream/source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include <framescope/capture.h>

#include "stream/merge.h"
#include "stream/record.h"

#define MAGIC_START_LEN 5 /* of FS_FILE_MAGIC, up to the line end that a text-mode copy changes */
#define FILE_HEADER_MAX 4096
#define SCAN_BYTES (64u << 10)

struct capture {
	struct merge *merge;
	uint64_t pos; /* of the next chunk */
	uint64_t seen_ns; /* highest time of a record read so far */
	bool done;
	/* A record made longer than it is in the file, and a NUL behind the text of a META. */
	_Alignas(8) char wide[FS_RECORD_MAX + 8];
	_Alignas(8) char scan[SCAN_BYTES];
};

/* Read `len` bytes at `pos`. The count is lower only at the end of the file; or a negative errno.
 */
static ssize_t read_at(const struct source *s, void *buf, size_t len, uint64_t pos, struct err *e)
{
	size_t got = 0;

	while (got < len) {
		ssize_t n = pread(s->fd, (char *)buf + got, len - got, (off_t)(pos + got));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return err_errno(e, -errno, "cannot read '%s' behind byte %llu", s->path,
					 (unsigned long long)pos);
		if (n == 0)
			break;
		got += (size_t)n;
	}
	return (ssize_t)got;
}

static int no_memory(const struct source *s, struct err *e)
{
	return err_errno(e, -ENOMEM, "cannot read '%s'", s->path);
}

static bool detect(const unsigned char *head, size_t len)
{
	return len >= MAGIC_START_LEN && !memcmp(head, FS_FILE_MAGIC, MAGIC_START_LEN);
}

static int check_file_header(struct source *s, const struct fs_file_header *h, size_t len,
			     struct err *e)
{
	struct fs_file_header copy = *h;

	if (len < sizeof(*h)) {
		err_set(e, -EINVAL,
			"'%s' ends inside its header (%zu of %zu bytes): its recording "
			"was interrupted at once, or the copy is not complete",
			s->path, len, sizeof(*h));
		return err_hint(e, "copy it again, or record again");
	}
	if (memcmp(h->magic, FS_FILE_MAGIC, FS_FILE_MAGIC_LEN)) {
		err_set(e, -EINVAL, "'%s' is a framescope capture, but its line ends were changed",
			s->path);
		return err_hint(e, "copy it again as binary (adb pull, or adb exec-out instead of "
				   "adb shell)");
	}
	copy.crc = 0;
	if ((uint32_t)crc32(0, (const void *)&copy, sizeof(copy)) != h->crc ||
	    h->size < sizeof(*h) || h->size > FILE_HEADER_MAX || h->size % 8 != 0) {
		err_set(e, -EINVAL, "'%s' is a framescope capture with a damaged header", s->path);
		return err_hint(e, "copy it again from where it was recorded");
	}
	if (h->major > FS_VERSION_MAJOR) {
		err_set(e, -ENOTSUP,
			"'%s' is a capture of format %u.%u; this version reads up to "
			"format %u",
			s->path, h->major, h->minor, FS_VERSION_MAJOR);
		return err_hint(e, "a newer framescope");
	}
	return 0;
}

static int open_capture(struct source *s, int fd, struct err *e)
{
	struct fs_file_header h = { 0 };

	ssize_t n = read_at(s, &h, sizeof(h), 0, e);
	if (n < 0)
		return (int)n;
	int ret = check_file_header(s, &h, (size_t)n, e);
	if (ret)
		return ret;

	struct capture *c = calloc(1, sizeof(*c));
	if (!c)
		return no_memory(s, e);
	s->priv = c;
	c->merge = merge_new();
	if (!c->merge)
		return no_memory(s, e);
	c->pos = h.size;
	if (h.arch == FS_ARCH_X86_64 || h.arch == FS_ARCH_ARM64)
		s->stats.arch = h.arch;
	(void)posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
	return 0;
}

/* Put a record into the stream that says that `count` are missing. */
static int add_lost(struct source *s, uint64_t time_ns, uint32_t cpu, uint64_t count,
		    enum fs_lost_where where, struct err *e)
{
	struct capture *c = s->priv;
	struct fs_lost *lost = merge_reserve(c->merge, sizeof(*lost));

	if (!lost)
		return no_memory(s, e);
	*lost = (struct fs_lost){
		.h = { .time_ns = time_ns,
		       .kind = FS_KIND_LOST,
		       .size = sizeof(*lost),
		       .cpu = cpu },
		.count = count,
		.where = where,
	};
	return merge_add(c->merge, &lost->h) ? no_memory(s, e) : 0;
}

/* There is no more input: let go of everything. */
static void finish(struct source *s, bool cut)
{
	struct capture *c = s->priv;
	off_t end = lseek(s->fd, 0, SEEK_END);

	/* A header may have named a length that leads beyond the end. */
	if (end >= 0 && c->pos > (uint64_t)end)
		c->pos = (uint64_t)end;
	s->stats.cut = cut;
	c->done = true;
	merge_round(c->merge, UINT64_MAX);
}

static bool chunk_sound(const struct fs_chunk *h)
{
	struct fs_chunk copy = *h;

	if (h->magic != FS_CHUNK_MAGIC || h->size % 8 != 0 || h->size > FS_CHUNK_MAX)
		return false;
	if (h->type == FS_CHUNK_EVENTS && h->records > h->size / sizeof(struct fs_header))
		return false;
	copy.crc = 0;
	return (uint32_t)crc32(0, (const void *)&copy, sizeof(copy)) == h->crc;
}

/* Where in `data` the first sound chunk header is, or else the first place too near to its end to
 * tell. */
static size_t find_chunk(const char *data, size_t len, bool *found)
{
	size_t at;

	*found = false;
	for (at = 0; at + sizeof(struct fs_chunk) <= len; at += 8) {
		struct fs_chunk h;

		memcpy(&h, data + at, sizeof(h));
		if (chunk_sound(&h)) {
			*found = true;
			break;
		}
	}
	return at;
}

/*
 * The chunk header at c->pos is damaged: go to the next sound one. How much was lost in between,
 * and when, nobody knows; it is reported at the time that was reached.
 */
static int resync(struct source *s, struct err *e)
{
	struct capture *c = s->priv;
	uint64_t from = c->pos;
	bool found;
	ssize_t n;

	c->pos += 8;
	do {
		n = read_at(s, c->scan, sizeof(c->scan), c->pos, e);
		if (n < 0)
			return (int)n;
		c->pos += find_chunk(c->scan, (size_t)n, &found);
	} while (!found && (size_t)n == sizeof(c->scan));
	if (!found) {
		c->pos = UINT64_MAX; /* the end, wherever it is */
		finish(s, true);
	}
	s->stats.damaged_chunks++;
	if (c->pos > from) /* else the file was cut meanwhile */
		s->stats.damaged_bytes += c->pos - from;
	return add_lost(s, c->seen_ns, FS_CPU_NONE, 0, FS_LOST_FILE, e);
}

/* Take the records of a chunk whose checksum is right. */
static int take_records(struct source *s, const struct fs_chunk *h, char *payload, struct err *e)
{
	struct capture *c = s->priv;
	uint64_t bad = 0;
	uint32_t walked = 0;

	for (size_t at = 0; at < h->size; walked++) {
		struct fs_header *rec = (struct fs_header *)(payload + at);
		size_t left = h->size - at;

		if (left < sizeof(*rec) || rec->size < sizeof(*rec) || rec->size > left ||
		    rec->size > FS_RECORD_MAX || rec->size % 8 != 0) {
			/* Where the next record begins is not known. */
			bad++;
			walked++;
			break;
		}
		switch (record_check(rec)) {
		case RECORD_FITS:
			if (merge_add(c->merge, rec))
				return no_memory(s, e);
			if (rec->time_ns > c->seen_ns)
				c->seen_ns = rec->time_ns;
			break;
		case RECORD_UNKNOWN:
			s->stats.unknown++;
			break;
		case RECORD_MALFORMED:
			bad++;
			break;
		}
		at += rec->size;
	}
	if (h->records > walked)
		bad += h->records - walked;
	if (bad == 0)
		return 0;
	s->stats.malformed += bad;
	return add_lost(s, h->last_ns, h->cpu, bad, FS_LOST_FILE, e);
}

static int read_events(struct source *s, const struct fs_chunk *h, struct err *e)
{
	struct capture *c = s->priv;
	char *payload = merge_reserve(c->merge, h->size);

	if (!payload)
		return no_memory(s, e);
	ssize_t n = read_at(s, payload, h->size, c->pos + sizeof(*h), e);
	if (n < 0)
		return (int)n;
	if ((size_t)n < h->size) {
		c->pos += sizeof(*h) + (size_t)n;
		finish(s, true);
		return 0;
	}
	c->pos += sizeof(*h) + h->size;
	if ((uint32_t)crc32(0, (const void *)payload, h->size) == h->payload_crc)
		return take_records(s, h, payload, e);

	s->stats.damaged_chunks++;
	s->stats.damaged_bytes += sizeof(*h) + h->size;
	int ret = add_lost(s, h->last_ns, h->cpu, h->records, FS_LOST_FILE, e);
	/* The reports of earlier losses went with it; the header has their sum. */
	if (!ret && h->lost)
		ret = add_lost(s, h->last_ns, h->cpu, h->lost, FS_LOST_RING, e);
	return ret;
}

/* Data behind the end mark belongs to nothing. */
static void check_end(struct source *s)
{
	struct capture *c = s->priv;
	off_t end = lseek(s->fd, 0, SEEK_END);

	finish(s, false);
	if (end >= 0 && (uint64_t)end > c->pos) {
		s->stats.damaged_chunks++;
		s->stats.damaged_bytes += (uint64_t)end - c->pos;
	}
}

/* Read one chunk, or find that there is none. */
static int read_chunk(struct source *s, struct err *e)
{
	struct capture *c = s->priv;
	struct fs_chunk h;
	int ret = 0;

	ssize_t n = read_at(s, &h, sizeof(h), c->pos, e);
	if (n < 0)
		return (int)n;
	if ((size_t)n < sizeof(h)) {
		c->pos += (size_t)n;
		finish(s, true);
	} else if (!chunk_sound(&h)) {
		ret = resync(s, e);
	} else if (h.type == FS_CHUNK_EVENTS) {
		ret = read_events(s, &h, e);
	} else {
		c->pos += sizeof(h) + h.size;
		if (h.type == FS_CHUNK_ROUND)
			merge_round(c->merge, h.last_ns);
		else if (h.type == FS_CHUNK_END)
			check_end(s);
	}
	s->stats.bytes = c->pos;
	return ret;
}

/* The record as this version's structs have it. */
static const struct fs_header *widen(struct capture *c, const struct fs_header *rec)
{
	size_t full = record_full_size(rec->kind);

	if (rec->size >= full && rec->kind != FS_KIND_META)
		return rec;

	struct fs_header *wide = (struct fs_header *)c->wide;
	size_t size = rec->size > full ? rec->size : full;
	memcpy(wide, rec, rec->size);
	memset(c->wide + rec->size, 0, size - rec->size + 8);
	wide->size = (uint16_t)size;
	return wide;
}

static int next(struct source *s, const struct fs_header **rec, struct err *e)
{
	struct capture *c = s->priv;

	for (;;) {
		const struct fs_header *found = merge_next(c->merge);

		if (found) {
			*rec = widen(c, found);
			return 1;
		}
		s->stats.late = merge_late(c->merge);
		if (c->done)
			return 0;
		int ret = read_chunk(s, e);
		if (ret)
			return ret;
	}
}

static void close_capture(struct source *s)
{
	struct capture *c = s->priv;

	merge_free(c->merge);
	free(c);
}

const struct source_ops capture_file_source = {
	.name = "framescope capture",
	.detect = detect,
	.open = open_capture,
	.next = next,
	.close = close_capture,
};
