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
	uint64_t pos; /* of the next chunk */
	uint64_t round_ns; /* everything up to here had arrived at the last mark */
	/* CPUs of which a sound chunk came since damage was reported last, and its last time. */
	uint32_t heard[MERGE_CPUS + 1];
	uint32_t nr_heard;
	uint64_t heard_ns[MERGE_CPUS + 1]; /* by CPU; 0 = not in `heard` */
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

static int open_capture(struct source *s, struct err *e)
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
		return source_no_memory(s, e);
	s->priv = c;
	c->pos = h.size;
	if (h.arch == FS_ARCH_X86_64 || h.arch == FS_ARCH_ARM64)
		s->stats.arch = h.arch;
	(void)posix_fadvise(s->fd, 0, 0, POSIX_FADV_SEQUENTIAL);
	return 0;
}

/*
 * Put a record into the stream that says that `count` are missing. It stands where the loss may
 * have begun, so that whoever reads it knows of it before the records that came behind.
 */
static int add_lost(struct source *s, uint64_t time_ns, uint32_t cpu, uint64_t count,
		    enum fs_lost_where where, struct err *e)
{
	struct fs_lost *lost = merge_reserve(s->merge, sizeof(*lost));

	if (!lost)
		return source_no_memory(s, e);
	*lost = (struct fs_lost){
		.h = { .time_ns = time_ns,
		       .kind = FS_KIND_LOST,
		       .size = sizeof(*lost),
		       .cpu = cpu },
		.count = count,
		.where = where,
	};
	return merge_add(s->merge, &lost->h) ? source_no_memory(s, e) : 0;
}

static uint32_t slot_of(uint32_t cpu)
{
	return cpu < MERGE_CPUS ? cpu : MERGE_CPUS;
}

static void note_heard(struct capture *c, uint32_t cpu, uint64_t last_ns)
{
	uint32_t slot = slot_of(cpu);

	if (!c->heard_ns[slot])
		c->heard[c->nr_heard++] = slot;
	if (c->heard_ns[slot] < last_ns)
		c->heard_ns[slot] = last_ns;
	if (!c->heard_ns[slot])
		c->heard_ns[slot] = 1;
}

/*
 * Some of the file can't be read. How many records that were, and of which CPUs, nobody knows: of
 * each they may be those behind the last one that was read, or behind the last mark.
 */
static int add_lost_everywhere(struct source *s, struct err *e)
{
	struct capture *c = s->priv;
	int ret = 0;

	if (!c->nr_heard)
		return add_lost(s, c->round_ns, FS_CPU_NONE, 0, FS_LOST_FILE, e);
	for (; c->nr_heard && !ret; c->nr_heard--) {
		uint32_t slot = c->heard[c->nr_heard - 1];
		uint64_t from = c->heard_ns[slot];

		ret = add_lost(s, from > c->round_ns ? from : c->round_ns,
			       slot < MERGE_CPUS ? slot : FS_CPU_NONE, 0, FS_LOST_FILE, e);
		c->heard_ns[slot] = 0;
	}
	return ret;
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
	s->done = true;
	merge_round(s->merge, UINT64_MAX);
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

/* The chunk header at c->pos is damaged: go to the next sound one. */
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
	return add_lost_everywhere(s, e);
}

/* Take the records of a chunk whose checksum is right. */
static int take_records(struct source *s, const struct fs_chunk *h, char *payload, struct err *e)
{
	uint64_t bad = 0, sound_ns = h->first_ns;
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
			if (merge_add(s->merge, rec))
				return source_no_memory(s, e);
			if (!bad)
				sound_ns = rec->time_ns;
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
	note_heard(s->priv, h->cpu, h->last_ns);
	if (h->records > walked)
		bad += h->records - walked;
	if (bad == 0)
		return 0;
	s->stats.malformed += bad;
	return add_lost(s, sound_ns, h->cpu, bad, FS_LOST_FILE, e);
}

static int read_events(struct source *s, const struct fs_chunk *h, struct err *e)
{
	struct capture *c = s->priv;
	char *payload = merge_reserve(s->merge, h->size);

	if (!payload)
		return source_no_memory(s, e);
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
	int ret = add_lost(s, h->first_ns, h->cpu, h->records, FS_LOST_FILE, e);
	/* The reports of earlier losses went with it; the header has their sum. */
	if (!ret && h->lost)
		ret = add_lost(s, h->first_ns, h->cpu, h->lost, FS_LOST_RING, e);
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
		if (h.type == FS_CHUNK_ROUND) {
			merge_round(s->merge, h.last_ns);
			c->round_ns = h.last_ns;
		} else if (h.type == FS_CHUNK_END) {
			check_end(s);
		}
	}
	s->stats.bytes = c->pos;
	return ret;
}

const struct source_ops capture_file_source = {
	.detect = detect,
	.open = open_capture,
	.read = read_chunk,
};
