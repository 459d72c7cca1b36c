/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The capture writer. A buffer per CPU holds one chunk, header and payload, as it will lie in the
 * file, so that writing it out is one write(2).
 */
#include "capture/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

/* Header included. A fourth of the reader's buffers, which then hold four without waste. */
#define CHUNK_BYTES (256u << 10)

struct chunk {
	struct fs_chunk h;
	char payload[CHUNK_BYTES - sizeof(struct fs_chunk)];
};

struct writer {
	struct sink sink; /* first */
	int fd;
	unsigned cpus;
	char *path;
	bool created; /* there was no such file before */
	bool begun; /* the file header is written, what was in the file is gone */
	struct fs_file_header header;
	uint64_t bytes; /* in the file, whole chunks only */
	bool dirty; /* something came since the last round */
	struct err error; /* the one that sticks */
	struct chunk *chunks[]; /* by CPU, the last for user space; NULL until first used */
};

/* Make the error stick, and give it to the caller. */
static int stick(struct writer *w, const struct err *error, struct err *e)
{
	w->error = *error;
	*e = *error;
	return e->code;
}

static int write_all(int fd, const void *data, size_t len)
{
	const char *at = data;

	while (len) {
		ssize_t n = write(fd, at, len);

		if (n < 0) {
			if (errno == EINTR)
				continue;
			return -errno;
		}
		if (n == 0)
			return -ENOSPC;
		at += n;
		len -= (size_t)n;
	}
	return 0;
}

/* Only now is what an older file held given up. */
static int begin(struct writer *w)
{
	/* Pipes and devices can't be truncated, and need not be. */
	if (!w->created && ftruncate(w->fd, 0) && errno != EINVAL)
		return -errno;
	int ret = write_all(w->fd, &w->header, sizeof(w->header));
	if (!ret) {
		w->begun = true;
		w->bytes = sizeof(w->header);
	}
	return ret;
}

/* Append `len` bytes to the file, or nothing. */
static int append(struct writer *w, const void *data, size_t len, struct err *e)
{
	struct err error = { 0 };

	int ret = w->begun ? 0 : begin(w);
	if (!ret)
		ret = write_all(w->fd, data, len);
	if (!ret) {
		w->bytes += len;
		return 0;
	}
	/* Half a chunk would read as a cut capture; not every file can be cut back, though. */
	if (ftruncate(w->fd, (off_t)w->bytes) == 0)
		lseek(w->fd, (off_t)w->bytes, SEEK_SET);
	err_errno(&error, ret, "cannot write to '%s' after %llu bytes", w->path,
		  (unsigned long long)w->bytes);
	if (ret == -ENOSPC || ret == -EDQUOT || ret == -EFBIG)
		err_hint(&error, "free some space, or record to another disk%s",
			 w->begun ? "; what was written up to here can be read" : "");
	else if (w->begun)
		err_hint(&error, "read what was written up to here with 'framescope report'");
	return stick(w, &error, e);
}

static int append_chunk(struct writer *w, struct fs_chunk *h, struct err *e)
{
	h->magic = FS_CHUNK_MAGIC;
	h->payload_crc = (uint32_t)crc32(0, (const void *)(h + 1), h->size);
	h->crc = 0;
	h->crc = (uint32_t)crc32(0, (const void *)h, sizeof(*h));
	return append(w, h, sizeof(*h) + h->size, e);
}

/* A chunk without payload. */
static int append_mark(struct writer *w, enum fs_chunk_type type, uint64_t time_ns, struct err *e)
{
	struct fs_chunk h = {
		.type = type,
		.first_ns = time_ns,
		.last_ns = time_ns,
		.cpu = FS_CPU_NONE,
	};

	return append_chunk(w, &h, e);
}

/* Write out the buffer and leave it empty. */
static int flush(struct writer *w, struct chunk *c, struct err *e)
{
	int ret = append_chunk(w, &c->h, e);

	c->h.size = 0;
	c->h.records = 0;
	c->h.lost = 0;
	return ret;
}

static void free_writer(struct writer *w)
{
	for (unsigned i = 0; i <= w->cpus; i++)
		free(w->chunks[i]);
	free(w->path);
	free(w);
}

static int open_error(const char *path, int code, struct err *e)
{
	char *copy = strdup(path);
	const char *dir = copy ? dirname(copy) : ".";

	err_errno(e, code, "cannot create the capture file '%s'", path);
	/* In /proc and its like nothing can be created, whatever is there. */
	if (code == -ENOENT && !access(dir, F_OK))
		err_hint(e, "name a file on a disk with -o");
	else if (code == -ENOENT)
		err_hint(e, "mkdir -p '%s', or name another file with -o", dir);
	else if (code == -EISDIR)
		err_hint(e, "name a file in it: -o '%s/framescope.fsc'", path);
	else if (code == -EACCES || code == -EPERM || code == -EROFS)
		err_hint(e,
			 "name a file with -o where you may write ('%s' or the file itself is "
			 "protected)",
			 dir);
	else
		err_hint(e, "name another file with -o");
	free(copy);
	return code;
}

static int sink_add(struct sink *s, const struct fs_header *rec, struct err *e)
{
	return writer_add((struct writer *)s, rec, e);
}

static int sink_round(struct sink *s, uint64_t watermark_ns, struct err *e)
{
	return writer_round((struct writer *)s, watermark_ns, e);
}

static int sink_end(struct sink *s, enum sink_end how, struct err *e)
{
	struct writer *w = (struct writer *)s;

	if (how == SINK_WHOLE)
		return writer_close(w, UINT64_MAX, e);
	if (how == SINK_CUT)
		return writer_close_cut(w, 0, e);
	writer_discard(w);
	return 0;
}

static const struct sink_ops writer_sink_ops = {
	.add = sink_add,
	.round = sink_round,
	.end = sink_end,
};

struct sink *writer_sink(struct writer *w)
{
	return &w->sink;
}

int writer_open(const char *path, unsigned cpus, uint32_t arch, struct writer **out, struct err *e)
{
	int ret;

	struct writer *w = calloc(1, sizeof(*w) + (cpus + 1ul) * sizeof(void *));
	if (!w)
		return err_errno(e, -ENOMEM, "cannot write '%s'", path);
	w->sink.ops = &writer_sink_ops;
	w->cpus = cpus;
	w->header = (struct fs_file_header){
		.major = FS_VERSION_MAJOR,
		.minor = FS_VERSION_MINOR,
		.size = sizeof(w->header),
		.arch = arch,
	};
	memcpy(w->header.magic, FS_FILE_MAGIC, FS_FILE_MAGIC_LEN);
	w->header.crc = (uint32_t)crc32(0, (const void *)&w->header, sizeof(w->header));
	w->path = strdup(path);
	if (!w->path) {
		ret = err_errno(e, -ENOMEM, "cannot write '%s'", path);
		goto out;
	}
	w->fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	w->created = w->fd >= 0;
	if (w->fd < 0 && errno == EEXIST)
		w->fd = open(path, O_WRONLY | O_CLOEXEC);
	if (w->fd < 0) {
		ret = open_error(path, -errno, e);
		goto out;
	}
	/* Not every kind of file can be locked; those that can't, are not shared either. */
	if (flock(w->fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK) {
		ret = err_set(e, -EBUSY, "another recording writes to '%s'", path);
		err_hint(e, "name another file with -o");
		close(w->fd);
		goto out;
	}
	*out = w;
	return 0;
out:
	free(w->path);
	free(w);
	return ret;
}

void writer_discard(struct writer *w)
{
	if (!w)
		return;
	if (w->created && !w->begun)
		unlink(w->path);
	close(w->fd);
	free_writer(w);
}

/* The buffer of a CPU, made at its first record: most possible CPUs of a phone or server are idle
 * or absent. */
static struct chunk *chunk_of(struct writer *w, uint32_t cpu)
{
	unsigned index = cpu < w->cpus ? cpu : w->cpus;

	if (!w->chunks[index]) {
		struct chunk *c = malloc(sizeof(*c));

		if (!c)
			return NULL;
		memset(&c->h, 0, sizeof(c->h));
		c->h.type = FS_CHUNK_EVENTS;
		c->h.cpu = index < w->cpus ? index : FS_CPU_NONE;
		w->chunks[index] = c;
	}
	return w->chunks[index];
}

static int no_chunk(struct writer *w, struct err *e)
{
	struct err error = { 0 };

	err_errno(&error, -ENOMEM, "cannot write to '%s'", w->path);
	return stick(w, &error, e);
}

int writer_add(struct writer *w, const struct fs_header *rec, struct err *e)
{
	if (w->error.code) {
		*e = w->error;
		return e->code;
	}
	if (rec->size < sizeof(*rec) || rec->size > FS_RECORD_MAX || rec->size % 8 != 0)
		return err_set(e, -EINVAL, "a record of kind %u has the impossible size %u",
			       rec->kind, rec->size);

	struct chunk *c = chunk_of(w, rec->cpu);
	if (!c)
		return no_chunk(w, e);
	if (c->h.size + rec->size > sizeof(c->payload)) {
		int ret = flush(w, c, e);

		if (ret)
			return ret;
	}
	if (c->h.records == 0)
		c->h.first_ns = c->h.last_ns = rec->time_ns;
	else if (rec->time_ns < c->h.first_ns)
		c->h.first_ns = rec->time_ns;
	else if (rec->time_ns > c->h.last_ns)
		c->h.last_ns = rec->time_ns;
	if (rec->kind == FS_KIND_LOST && rec->size >= sizeof(struct fs_lost)) {
		uint64_t count = ((const struct fs_lost *)rec)->count;

		c->h.lost =
			count < UINT32_MAX - c->h.lost ? c->h.lost + (uint32_t)count : UINT32_MAX;
	}
	memcpy(c->payload + c->h.size, rec, rec->size);
	c->h.size += rec->size;
	c->h.records++;
	w->dirty = true;
	return 0;
}

int writer_round(struct writer *w, uint64_t watermark_ns, struct err *e)
{
	if (w->error.code) {
		*e = w->error;
		return e->code;
	}
	if (!w->dirty)
		return 0;
	for (unsigned i = 0; i <= w->cpus; i++) {
		if (w->chunks[i] && w->chunks[i]->h.records) {
			int ret = flush(w, w->chunks[i], e);

			if (ret)
				return ret;
		}
	}
	w->dirty = false;
	return append_mark(w, FS_CHUNK_ROUND, watermark_ns, e);
}

uint64_t writer_bytes(const struct writer *w)
{
	return w->bytes;
}

static int finish(struct writer *w, uint64_t watermark_ns, bool whole, struct err *e)
{
	if (!w)
		return 0;
	int ret = writer_round(w, watermark_ns, e);
	/* A capture of nothing is one too: it needs its file header at least. */
	if (!ret)
		ret = whole ? append_mark(w, FS_CHUNK_END, watermark_ns, e) : append(w, "", 0, e);
	/* A network file system may report only here that it could not store the data. */
	if (close(w->fd) != 0 && errno != EINTR && !ret)
		ret = err_errno(e, -errno, "cannot write to '%s'", w->path);
	free_writer(w);
	return ret;
}

int writer_close(struct writer *w, uint64_t watermark_ns, struct err *e)
{
	return finish(w, watermark_ns, true, e);
}

int writer_close_cut(struct writer *w, uint64_t watermark_ns, struct err *e)
{
	return finish(w, watermark_ns, false, e);
}
