/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The capture writer, by the bytes that it leaves; and what it does when it can't write. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "capture/writer.h"
#include "check.h"

static char dir[] = "/tmp/test_writer.XXXXXX";
static char path[64];

static unsigned char file[4u << 20] __attribute__((aligned(8)));
static size_t file_len;

/* Load what was written. */
static void load(void)
{
	int fd = open(path, O_RDONLY);
	ssize_t n = read(fd, file, sizeof(file));

	CU_ASSERT_FATAL(n >= 0 && (size_t)n < sizeof(file));
	close(fd);
	file_len = (size_t)n;
}

/* The chunk at *at, its checksums proven; moves *at behind it. */
static const struct fs_chunk *chunk(size_t *at)
{
	const struct fs_chunk *h = (const struct fs_chunk *)(file + *at);

	CU_ASSERT_FATAL(*at + sizeof(*h) <= file_len);
	struct fs_chunk copy = *h;
	copy.crc = 0;
	CU_ASSERT_EQUAL_FATAL(h->magic, FS_CHUNK_MAGIC);
	CU_ASSERT_EQUAL_FATAL(h->crc, crc32(0, (const void *)&copy, sizeof(copy)));
	CU_ASSERT_EQUAL_FATAL(h->size % 8, 0);
	CU_ASSERT_FATAL(*at + sizeof(*h) + h->size <= file_len);
	CU_ASSERT_EQUAL_FATAL(h->payload_crc, crc32(0, (const void *)(h + 1), h->size));
	*at += sizeof(*h) + h->size;
	return h;
}

static void add(struct writer *w, uint64_t time_ns, uint32_t cpu, uint64_t lost)
{
	struct fs_lost rec = {
		.h = { .time_ns = time_ns, .cpu = cpu, .kind = FS_KIND_LOST, .size = sizeof(rec) },
		.count = lost
	};
	struct err e = { 0 };

	CU_ASSERT_EQUAL_FATAL(writer_add(w, &rec.h, &e), 0);
}

static struct writer *start(unsigned cpus)
{
	struct err e = { 0 };
	struct writer *w = NULL;

	CU_ASSERT_EQUAL_FATAL(writer_open(path, cpus, FS_ARCH_ARM64, &w, &e), 0);
	return w;
}

static void layout(void)
{
	struct writer *w = start(2);
	struct err e = { 0 };

	add(w, 100, 1, 3);
	add(w, 90, 1, 4); /* back in time: the range holds both */
	add(w, 110, FS_CPU_NONE, 0);
	add(w, 105, 7, UINT64_MAX); /* beyond `cpus` */
	add(w, 120, 0, 0xfffffffe);
	add(w, 130, 0, 5);
	CU_ASSERT_EQUAL(writer_bytes(w), 0);
	CU_ASSERT_EQUAL(writer_round(w, 125, &e), 0);
	CU_ASSERT_EQUAL(writer_bytes(w), 24 + 4 * 48 + 6 * 40);
	CU_ASSERT_EQUAL(writer_round(w, 126, &e), 0); /* nothing new: nothing written */
	CU_ASSERT_EQUAL(writer_bytes(w), 24 + 4 * 48 + 6 * 40);
	CU_ASSERT_EQUAL(writer_close(w, 140, &e), 0);

	load();
	const struct fs_file_header *h = (const struct fs_file_header *)file;
	CU_ASSERT_EQUAL(memcmp(h->magic, "fscap\r\n\x1a", 8), 0);
	CU_ASSERT_EQUAL(h->major, 1);
	CU_ASSERT_EQUAL(h->minor, 0);
	CU_ASSERT_EQUAL(h->size, 24);
	CU_ASSERT_EQUAL(h->arch, FS_ARCH_ARM64);
	struct fs_file_header copy = *h;
	copy.crc = 0;
	CU_ASSERT_EQUAL(h->crc, crc32(0, (const void *)&copy, sizeof(copy)));

	static const struct {
		uint32_t type, cpu, records, lost;
		uint64_t first_ns, last_ns;
	} expected[] = {
		{ FS_CHUNK_EVENTS, 0, 2, UINT32_MAX, 120, 130 },
		{ FS_CHUNK_EVENTS, 1, 2, 7, 90, 100 },
		{ FS_CHUNK_EVENTS, FS_CPU_NONE, 2, UINT32_MAX, 105, 110 },
		{ FS_CHUNK_ROUND, FS_CPU_NONE, 0, 0, 125, 125 },
		{ FS_CHUNK_END, FS_CPU_NONE, 0, 0, 140, 140 },
	};
	size_t at = 24;
	for (unsigned i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
		const struct fs_chunk *c = chunk(&at);

		CU_ASSERT_EQUAL(c->type, expected[i].type);
		CU_ASSERT_EQUAL(c->cpu, expected[i].cpu);
		CU_ASSERT_EQUAL(c->records, expected[i].records);
		CU_ASSERT_EQUAL(c->lost, expected[i].lost);
		CU_ASSERT_EQUAL(c->first_ns, expected[i].first_ns);
		CU_ASSERT_EQUAL(c->last_ns, expected[i].last_ns);
		CU_ASSERT_EQUAL(c->size, expected[i].records * 40);
	}
	CU_ASSERT_EQUAL(at, file_len);

	/* The payload is the records as they came. */
	const struct fs_lost *rec = (const struct fs_lost *)(file + 24 + 48 + 80 + 48);
	CU_ASSERT_EQUAL(rec[0].h.time_ns, 100);
	CU_ASSERT_EQUAL(rec[0].count, 3);
	CU_ASSERT_EQUAL(rec[1].h.time_ns, 90);
}

/* A full buffer becomes a chunk by itself; no record is lost or split. */
static void many(void)
{
	struct writer *w = start(1);
	struct err e = { 0 };
	const unsigned n = 50000;

	for (unsigned i = 0; i < n; i++)
		add(w, 1000 + i, 0, 0);
	CU_ASSERT(writer_bytes(w) > n * 40ul * 9 / 10);
	CU_ASSERT_EQUAL(writer_close(w, 0, &e), 0);

	load();
	uint64_t next = 1000;
	size_t at = 24;
	unsigned chunks = 0;
	for (;;) {
		const struct fs_chunk *c = chunk(&at);

		if (c->type != FS_CHUNK_EVENTS)
			break;
		CU_ASSERT(c->size <= FS_CHUNK_MAX);
		CU_ASSERT_EQUAL(c->first_ns, next);
		CU_ASSERT_EQUAL(c->last_ns, next + c->records - 1);
		next += c->records;
		chunks++;
	}
	CU_ASSERT_EQUAL(next, 1000 + n);
	CU_ASSERT(chunks > 1);
}

static void cut_close(void)
{
	struct writer *w = start(1);
	struct err e = { 0 };

	add(w, 5, 0, 0);
	CU_ASSERT_EQUAL(writer_close_cut(w, 5, &e), 0);
	load();
	size_t at = 24;
	CU_ASSERT_EQUAL(chunk(&at)->type, FS_CHUNK_EVENTS);
	CU_ASSERT_EQUAL(chunk(&at)->type, FS_CHUNK_ROUND);
	CU_ASSERT_EQUAL(at, file_len);
}

static void impossible_sizes(void)
{
	static const uint16_t sizes[] = { 0, 16, 28, 4104 };
	struct fs_header rec = { .kind = 1 };
	struct writer *w = start(1);
	struct err e = { 0 };

	for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		rec.size = sizes[i];
		CU_ASSERT_EQUAL(writer_add(w, &rec, &e), -EINVAL);
	}
	add(w, 5, 0, 0); /* and goes on */
	CU_ASSERT_EQUAL(writer_close(w, 5, &e), 0);
	load();
	size_t at = 24;
	CU_ASSERT_EQUAL(chunk(&at)->records, 1);
}

static void cannot_open(void)
{
	struct writer *w = NULL;
	struct err e = { 0 };
	char name[128];

	snprintf(name, sizeof(name), "%s/none/x.fsc", dir);
	CU_ASSERT_EQUAL(writer_open(name, 1, 1, &w, &e), -ENOENT);
	CU_ASSERT_PTR_NOT_NULL(strstr(e.what, name));
	CU_ASSERT_PTR_NOT_NULL(strstr(e.hint, "mkdir -p"));
	CU_ASSERT_PTR_NOT_NULL(strstr(e.hint, "/none'"));

	CU_ASSERT_EQUAL(writer_open(dir, 1, 1, &w, &e), -EISDIR);
	CU_ASSERT_PTR_NOT_NULL(strstr(e.hint, "/framescope.fsc"));

	snprintf(name, sizeof(name), "%s/file", dir);
	close(open(name, O_CREAT | O_WRONLY, 0600));
	strcat(name, "/x.fsc");
	CU_ASSERT_EQUAL(writer_open(name, 1, 1, &w, &e), -ENOTDIR);
	CU_ASSERT_NOT_EQUAL(e.hint[0], '\0');

	/* The program's own file is busy, for root too; others may not write to it anyway. */
	int ret = writer_open("/proc/self/exe", 1, 1, &w, &e);

	CU_ASSERT_TRUE(ret == -ETXTBSY || (geteuid() && ret == -EACCES));
	CU_ASSERT_PTR_NOT_NULL(strstr(e.what, "/proc/self/exe"));
	CU_ASSERT_PTR_NULL(w);

	CU_ASSERT_EQUAL(writer_close(NULL, 0, &e), 0);
}

/* A directory that this user may not write to. */
static void not_writable(void)
{
	struct writer *w = NULL;
	struct err e = { 0 };
	char name[128];

	snprintf(name, sizeof(name), "%s/locked", dir);
	CU_ASSERT_EQUAL_FATAL(mkdir(name, 0500), 0);
	bool root = geteuid() == 0;
	if (root)
		CU_ASSERT_EQUAL_FATAL(seteuid(65534), 0);
	CU_ASSERT_EQUAL(chmod(dir, 0755), root ? -1 : 0);
	strcat(name, "/x.fsc");
	int ret = writer_open(name, 1, 1, &w, &e);
	if (root)
		CU_ASSERT_EQUAL_FATAL(seteuid(0), 0);
	CU_ASSERT_EQUAL(ret, -EACCES);
	CU_ASSERT_PTR_NOT_NULL(strstr(e.what, "Permission denied"));
	CU_ASSERT_PTR_NOT_NULL(strstr(e.hint, "-o"));
}

/* Put other content into the file. */
static void write_old(void)
{
	int fd = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0600);

	CU_ASSERT_EQUAL_FATAL(write(fd, file, 1000), 1000);
	close(fd);
}

/* What the file held is given up with the first chunk, not before. */
static void older_file(void)
{
	struct err e = { 0 };

	write_old();
	struct writer *w = start(1);
	add(w, 1, 0, 0);
	load();
	CU_ASSERT_EQUAL(file_len, 1000);
	CU_ASSERT_EQUAL(writer_round(w, 1, &e), 0);
	load();
	CU_ASSERT_EQUAL(file_len, 24 + 48 + 40 + 48);
	CU_ASSERT_EQUAL(writer_close(w, 1, &e), 0);

	write_old();
	writer_discard(start(1));
	load();
	CU_ASSERT_EQUAL(file_len, 1000);

	/* A capture of nothing replaces it as well. */
	CU_ASSERT_EQUAL(writer_close_cut(start(1), 0, &e), 0);
	load();
	CU_ASSERT_EQUAL(file_len, 24);
	unlink(path);
	CU_ASSERT_EQUAL(writer_close(start(1), 0, &e), 0);
	load();
	CU_ASSERT_EQUAL(file_len, 24 + 48);

	unlink(path);
	writer_discard(start(1));
	CU_ASSERT_EQUAL(access(path, F_OK), -1);
}

/* No room for a single byte. */
static void no_room(void)
{
	struct writer *w = NULL;
	struct err e = { 0 };

	CU_ASSERT_EQUAL_FATAL(writer_open("/dev/full", 1, 1, &w, &e), 0);
	add(w, 1, 0, 0);
	CU_ASSERT_EQUAL(writer_round(w, 1, &e), -ENOSPC);
	CU_ASSERT_EQUAL(writer_bytes(w), 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(e.what, "No space left"));
	CU_ASSERT_PTR_NULL(strstr(e.hint, "can be read"));
	CU_ASSERT_EQUAL(writer_close(w, 1, &e), -ENOSPC);
}

/*
 * The disk is full in the middle of a chunk: the file keeps its whole chunks and nothing else, the
 * error stays, and nothing is written any more even when there is room again.
 */
static void disk_full(void)
{
	struct rlimit old, limit;
	struct writer *w = start(1);
	struct err e = { 0 };

	add(w, 1, 0, 0);
	CU_ASSERT_EQUAL_FATAL(writer_round(w, 1, &e), 0);
	uint64_t whole = writer_bytes(w);
	CU_ASSERT_EQUAL(whole, 24 + 48 + 40 + 48);

	signal(SIGXFSZ, SIG_IGN);
	CU_ASSERT_EQUAL_FATAL(getrlimit(RLIMIT_FSIZE, &old), 0);
	limit = old;
	limit.rlim_cur = whole + 60;
	CU_ASSERT_EQUAL_FATAL(setrlimit(RLIMIT_FSIZE, &limit), 0);
	add(w, 2, 0, 0);
	CU_ASSERT_EQUAL(writer_round(w, 2, &e), -EFBIG);
	CU_ASSERT_EQUAL_FATAL(setrlimit(RLIMIT_FSIZE, &old), 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(e.what, path));
	CU_ASSERT_PTR_NOT_NULL(strstr(e.hint, "can be read"));

	struct fs_header rec = { .kind = 1, .size = 24 };
	memset(&e, 0, sizeof(e));
	CU_ASSERT_EQUAL(writer_add(w, &rec, &e), -EFBIG);
	CU_ASSERT_PTR_NOT_NULL(strstr(e.what, path));
	CU_ASSERT_EQUAL(writer_round(w, 3, &e), -EFBIG);
	CU_ASSERT_EQUAL(writer_bytes(w), whole);
	CU_ASSERT_EQUAL(writer_close(w, 4, &e), -EFBIG);

	load();
	CU_ASSERT_EQUAL(file_len, whole);
	size_t at = 24;
	CU_ASSERT_EQUAL(chunk(&at)->records, 1);
	CU_ASSERT_EQUAL(chunk(&at)->type, FS_CHUNK_ROUND);
}

int main(void)
{
	static const struct check_case cases[] = {
		{ "layout", layout },           { "many", many },
		{ "cut_close", cut_close },     { "impossible_sizes", impossible_sizes },
		{ "cannot_open", cannot_open }, { "not_writable", not_writable },
		{ "older_file", older_file },   { "no_room", no_room },
		{ "disk_full", disk_full },     { NULL, NULL },
	};
	char command[64];

	if (!mkdtemp(dir))
		return 1;
	snprintf(path, sizeof(path), "%s/x.fsc", dir);
	int ret = check_main("writer", cases);
	snprintf(command, sizeof(command), "rm -rf %s", dir);
	return system(command) == 0 ? ret : 1;
}
