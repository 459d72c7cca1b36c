/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Feeds damaged captures and text dumps to the sources: fuzz_source [COUNT [FIRST]], by default for
 * about ten seconds. Input number i depends on i alone, so `fuzz_source 1 i` repeats a failure.
 * Half of the captures get right checksums again after the damage, which lets it reach deeper code.
 * Best built with SANITIZE=1.
 *
 * The work is done in a child, so that a crash or a hang is reported like any failure.
 */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "stream/record.h"
#include "unit/image.h"

#define DEFAULT_SECONDS 10
#define HANG_SECONDS 20

/* Seen by parent and child. */
struct progress {
	uint64_t index; /* of the input being read */
	uint64_t done;
	char why[512]; /* what is wrong with it; empty if it crashed */
};

static struct progress *progress;
static uint64_t random_state;

static uint64_t rnd(uint64_t below)
{
	/* splitmix64 */
	uint64_t z = random_state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return (z ^ z >> 31) % below;
}

static void fail(const char *why)
{
	snprintf(progress->why, sizeof(progress->why), "%s", why);
	_exit(1);
}

static const char *const lines[] = {
	"100 cpu=3 12/10 span entry_ns=90 point=2 flags=open seq=5 depth=1 arg1=0xb400007fff "
	"ret=0x1",
	"200 cpu=0 12/10 offcpu out_ns=150 waking_ns=180 seq=9 flags=preempted|no_start state=0x2 "
	"syscall=202 fd=-1 call=futex context=task peer_tid=13 peer_comm=\"Render\\x1bThread\"",
	"300 cpu=1 0/0 fence context=7 seqno=18446744073709551615 op=signaled irq=hardirq",
	"301 cpu=1 0/0 fence_name context=7 driver=\"vgem\" timeline=\"a \\\"b\\\" \\\\\"",
	"302 cpu=- 14/10 task op=seen parent=1 comm=\"gears\"",
	"304 cpu=5 0/0 lost count=12 where=ring",
	"305 cpu=- 0/0 clock boottime_ns=400 realtime_ns=1700000000000000000 mark=start",
	"306 cpu=- 0/0 meta text=\"{\\\"kernel\\\": \\\"6.18\\\"}\"",
	"308 cpu=- 0/0 point id=1 role=swap offset=0x1f20 lib=\"libEGL.so.1\" symbol=\"eglSwap\"",
	"309 cpu=1 14/10 text point=1 text=\"acquire\\x1bFence\"",
	"310 cpu=- 0/10 timeline kind=actual_surface start_ns=290 token=-7 display_token=9 "
	"flags=on_time|gpu|0x40 jank=0x100040 present=2 prediction=1 severity=3 layer=\"a\\x1b#1\"",
	"311 cpu=- 0/0 buffer type=4 frame_number=4294967295 buffer_id=3 duration_ns=20 "
	"layer=\"b\"",
};

#define LINES (sizeof(lines) / sizeof(lines[0]))

/* A sound capture of random records. */
static void make_capture(struct image *im)
{
	static char payload[65536] __attribute__((aligned(8)));
	static char rec[FS_RECORD_MAX] __attribute__((aligned(8)));
	unsigned chunks = 1 + (unsigned)rnd(8);

	image_begin(im, 1, 0, sizeof(struct fs_file_header));
	for (unsigned c = 0; c < chunks; c++) {
		struct fs_chunk h = { .type = FS_CHUNK_EVENTS,
				      .records = (uint32_t)rnd(12),
				      .cpu = (uint32_t)rnd(4) };

		for (unsigned i = 0; i < h.records; i++) {
			struct fs_header *r = (struct fs_header *)rec;
			struct err e = { 0 };

			if (record_parse(lines[rnd(LINES)], rec, &e))
				fail("a line of the fuzzer's own is refused");
			r->time_ns += 100 * c + rnd(50);
			r->cpu = h.cpu;
			memcpy(payload + h.size, rec, r->size);
			h.size += r->size;
		}
		image_chunk(im, h, payload);
		if (rnd(2))
			image_mark(im, FS_CHUNK_ROUND, 100 * c);
	}
	image_mark(im, FS_CHUNK_END, 1000);
}

static void make_text(struct image *im)
{
	unsigned n = (unsigned)rnd(20);

	im->len = 0;
	image_bytes(im, "# framescope dump 1 x86_64\n", 27);
	for (unsigned i = 0; i < n; i++) {
		const char *line = lines[rnd(LINES)];

		image_bytes(im, line, strlen(line));
		image_bytes(im, "\n", 1);
		if (rnd(5) == 0)
			image_bytes(im, "round\n", 6);
	}
	image_bytes(im, "end\n", 4);
}

static const uint64_t interesting[] = {
	0,          1,          7,           8,          23,         24,
	0x7f,       0x80,       0xff,        4095,       4096,       4104,
	0x7fff,     0xffff,     0x400000,    0x400008,   0x7fffffff, 0x80000000,
	0xfffffff8, 0xffffffff, 0x100000000, UINT64_MAX, INT64_MAX,
};

#define INTERESTING (sizeof(interesting) / sizeof(interesting[0]))

static const char *const tokens[] = {
	" ",  "=",    "\"",   "\\",      "\\x",   "|", "/",      "-",    "0x",
	"\n", "\r\n", "cpu=", "round\n", "end\n", "#", "flags=", "\xff", "99999999999999999999"
};

#define TOKENS (sizeof(tokens) / sizeof(tokens[0]))

static void insert(struct image *im, size_t at, const char *data, size_t len)
{
	if (len > IMAGE_MAX - im->len)
		return;
	memmove(im->data + at + len, im->data + at, im->len - at);
	memcpy(im->data + at, data, len);
	im->len += len;
}

static void damage(struct image *im)
{
	static char piece[4096];
	size_t at = rnd(im->len + 1);
	size_t left = im->len - at;
	size_t len = rnd((left < sizeof(piece) ? left : sizeof(piece)) + 1);
	size_t width = 1u << rnd(4);
	uint64_t value = interesting[rnd(INTERESTING)];
	const char *token = tokens[rnd(TOKENS)];

	switch (rnd(8)) {
	case 0:
		if (left)
			im->data[at] ^= (char)(1u << rnd(8));
		break;
	case 1:
		if (left)
			im->data[at] = (char)rnd(256);
		break;
	case 2:
	case 3:
		at -= at % width;
		if (im->len - at >= width)
			memcpy(im->data + at, &value, width);
		break;
	case 4:
		insert(im, at, token, strlen(token));
		break;
	case 5: /* repeat a part elsewhere */
		memcpy(piece, im->data + at, len);
		insert(im, rnd(im->len + 1), piece, len);
		break;
	case 6:
		memmove(im->data + at, im->data + at + len, left - len);
		im->len -= len;
		break;
	case 7:
		if (rnd(4) == 0)
			im->len = at;
		break;
	}
}

/* Make the checksums right of everything that looks like a header. */
static void repair(struct image *im)
{
	struct fs_file_header *f = (struct fs_file_header *)im->data;

	if (im->len >= sizeof(*f)) {
		f->crc = 0;
		f->crc = (uint32_t)crc32(0, (const void *)f, sizeof(*f));
	}
	for (size_t at = 0; at + sizeof(struct fs_chunk) <= im->len; at += 8) {
		struct fs_chunk *h = (struct fs_chunk *)(im->data + at);

		if (h->magic != FS_CHUNK_MAGIC)
			continue;
		if (h->size <= im->len - at - sizeof(*h))
			h->payload_crc = (uint32_t)crc32(0, (const void *)(h + 1), h->size);
		h->crc = 0;
		h->crc = (uint32_t)crc32(0, (const void *)h, sizeof(*h));
	}
}

/* The record's line. */
static const char *print(const struct fs_header *rec)
{
	static char text[2][5 * FS_RECORD_MAX];
	static unsigned next;
	char *to = text[next++ % 2];
	FILE *f = fmemopen(to, sizeof(text[0]), "w");

	record_print(f, rec);
	if (fclose(f))
		fail("a record's line is too long");
	return to;
}

/* What source_next() promises of a record. */
static void check_record(const struct fs_header *rec)
{
	static char back[FS_RECORD_MAX] __attribute__((aligned(8)));
	struct err e = { 0 };

	if ((uintptr_t)rec % 8)
		fail("a record is not aligned");
	if (!record_known(rec->kind) || rec->size < record_full_size(rec->kind) ||
	    rec->size > FS_RECORD_MAX)
		fail("a record of unknown kind or impossible size");
	if (rec->kind == FS_KIND_META &&
	    strlen(((const struct fs_meta *)rec)->text) > rec->size - sizeof(*rec))
		fail("a META text has no end");

	const char *line = print(rec);
	size_t len = strlen(line);
	if (len == 0 || strchr(line, '\n') != line + len - 1)
		fail("a record is not one line");
	((char *)line)[len - 1] = '\0';
	if (record_parse(line, back, &e))
		fail(e.what);
	const char *again = print((const struct fs_header *)back);
	if (strncmp(line, again, len - 1) != 0 || again[len - 1] != '\n')
		fail("printing what was parsed gives another line");
}

static void read_input(const struct image_file *f, size_t size)
{
	const struct fs_header *rec;
	struct err e = { 0 };
	uint64_t last_ns = 0, backwards = 0, records = 0, reported = 0;
	struct source *s;
	int ret = source_open(f->path, &s, &e);

	if (ret) {
		if (ret > 0 || ret != e.code || !e.what[0])
			fail("an error without a text");
		return;
	}
	while ((ret = source_next(s, &rec, &e)) == 1) {
		check_record(rec);
		records++;
		reported += rec->kind == FS_KIND_LOST;
		if (rec->time_ns < last_ns)
			backwards++;
		else
			last_ns = rec->time_ns;
	}
	const struct source_stats *st = source_stats(s);
	if (ret < 0 && (ret != e.code || !e.what[0]))
		fail("an error without a text");
	if (records != st->records || records > size)
		fail("the number of records is wrong");
	if (ret == 0 && backwards != st->late)
		fail("the number of late records is wrong");
	if (ret == 0 && st->malformed && !reported)
		fail("a malformed record is not in the stream as lost");
	if (st->bytes > size || st->damaged_bytes > size)
		fail("more bytes than there are");
	source_close(s);
}

static void run_input(uint64_t index)
{
	static struct image im;
	struct image_file f;

	progress->index = index;
	random_state = index;
	bool text = rnd(3) == 0;
	if (text)
		make_text(&im);
	else
		make_capture(&im);
	for (uint64_t n = rnd(6); n > 0; n--)
		damage(&im);
	if (!text && rnd(2))
		repair(&im);
	image_open(&f, im.data, im.len);
	alarm(HANG_SECONDS);
	read_input(&f, im.len);
	image_close(&f);
	progress->done++;
}

static void run(uint64_t count, uint64_t first)
{
	struct timespec start, now;

	clock_gettime(CLOCK_MONOTONIC, &start);
	for (uint64_t i = 0; count == 0 || i < count; i++) {
		run_input(first + i);
		clock_gettime(CLOCK_MONOTONIC, &now);
		if (count == 0 && now.tv_sec - start.tv_sec >= DEFAULT_SECONDS)
			return;
	}
}

int main(int argc, char **argv)
{
	uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;
	uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
	int status;

	progress = mmap(NULL, sizeof(*progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
			-1, 0);
	if (progress == MAP_FAILED)
		return 1;
	pid_t pid = fork();
	if (pid == 0) {
		run(count, first);
		exit(0);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return 1;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
		printf("PASS fuzz/source (%llu inputs)\n", (unsigned long long)progress->done);
		return 0;
	}
	printf("FAIL fuzz/source: input %llu: %s\n", (unsigned long long)progress->index,
	       progress->why[0]                                     ? progress->why
	       : WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM ? "hangs"
								    : "crashed");
	return 1;
}
