/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Reading captures: sound, cut at every byte, with every bit flipped, of other versions. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "check.h"
#include "image.h"
#include "stream/record.h"

static struct image im;
static struct reading r;

#define TIMES(...)                                                                                 \
	(const uint64_t[])                                                                         \
	{                                                                                          \
		__VA_ARGS__                                                                        \
	}

/* Read the image that was built. */
static void read_image(void)
{
	struct image_file f;

	image_open(&f, im.data, im.len);
	read_all(f.path, &r);
	image_close(&f);
}

/*
 * The capture that most tests damage: chunks of 2, 3, 2 and 1 records with the ids 1 .. 8, two
 * marks, the end. ends[] has the offset behind each.
 */
#define PARTS 7

static size_t ends[PARTS];
static const unsigned part_records[PARTS] = { 2, 3, 0, 2, 1, 0, 0 };
static const unsigned part_first_id[PARTS] = { 1, 3, 0, 6, 8, 0, 0 };
/* CPUs heard of before, each of which a loss may be on; before the first one, any: one report. */
static const unsigned part_reports[PARTS] = { 1, 1, 2, 2, 2, 2, 2 };

static void build(void)
{
	image_begin(&im, 1, 0, 24);
	image_clocks(&im, 0, 1, TIMES(100, 140), 2);
	ends[0] = im.len;
	image_clocks(&im, 1, 3, TIMES(110, 120, 130), 3);
	ends[1] = im.len;
	image_mark(&im, FS_CHUNK_ROUND, 140);
	ends[2] = im.len;
	image_clocks(&im, 0, 6, TIMES(150, 170), 2);
	ends[3] = im.len;
	image_clocks(&im, 1, 8, TIMES(160), 1);
	ends[4] = im.len;
	image_mark(&im, FS_CHUNK_ROUND, 170);
	ends[5] = im.len;
	image_mark(&im, FS_CHUNK_END, 170);
	ends[6] = im.len;
}

static uint64_t id_at(unsigned i)
{
	return ((const struct fs_clock *)reading_at(&r, i))->realtime_ns;
}

static void whole(void)
{
	static const uint64_t expected[] = { 1, 3, 4, 5, 2, 6, 8, 7 };

	build();
	read_image();
	CU_ASSERT_EQUAL(r.ret, 0);
	CU_ASSERT_EQUAL_FATAL(r.n, 8);
	for (unsigned i = 0; i < 8; i++)
		CU_ASSERT_EQUAL(id_at(i), expected[i]);
	CU_ASSERT_EQUAL(r.stats.records, 8);
	CU_ASSERT_EQUAL(r.stats.bytes, im.len);
	CU_ASSERT_EQUAL(r.stats.arch, FS_ARCH_X86_64);
	CU_ASSERT_EQUAL(r.stats.late, 0);
	CU_ASSERT_EQUAL(r.stats.damaged_bytes, 0);
	CU_ASSERT_FALSE(r.stats.cut);
}

/* What is whole before the cut is delivered, nothing else, and the cut is told. */
static void cut_anywhere(void)
{
	struct image_file f;

	build();
	image_open(&f, im.data, im.len);
	for (size_t len = im.len; len-- > 0;) {
		unsigned expected = 0;

		CU_ASSERT_EQUAL_FATAL(ftruncate(f.fd, (off_t)len), 0);
		for (unsigned i = 0; i < PARTS; i++)
			expected += ends[i] <= len ? part_records[i] : 0;
		read_all(f.path, &r);
		CU_ASSERT_EQUAL_FATAL(r.ret, len < 24 ? -EINVAL : 0);
		CU_ASSERT_EQUAL_FATAL(r.n, expected);
		CU_ASSERT_EQUAL_FATAL(r.stats.cut, len >= 24);
		CU_ASSERT_EQUAL_FATAL(r.stats.damaged_bytes, 0);
	}
	image_close(&f);
}

/* One bit of part `part` is wrong: the rest arrives, and the loss is in the stream and the counts.
 */
static void check_flip(unsigned part, size_t offset_in_part)
{
	unsigned lost_records = 0;
	/* How many there were, and on which CPU, is known only from a sound chunk header. */
	bool sound = offset_in_part >= sizeof(struct fs_chunk);

	CU_ASSERT_EQUAL_FATAL(r.ret, 0);
	CU_ASSERT_FATAL(r.stats.damaged_chunks == 1);
	CU_ASSERT_EQUAL_FATAL(r.stats.damaged_bytes, ends[part] - (part ? ends[part - 1] : 24));
	for (unsigned i = 0; i < PARTS; i++) {
		for (unsigned j = 0; j < part_records[i]; j++)
			CU_ASSERT_EQUAL_FATAL(reading_has(&r, part_first_id[i] + j), i != part);
	}
	for (unsigned i = 0; i < r.n; i++) {
		const struct fs_lost *lost = (const struct fs_lost *)reading_at(&r, i);

		if (lost->h.kind != FS_KIND_LOST)
			continue;
		lost_records++;
		CU_ASSERT_EQUAL_FATAL(lost->where, FS_LOST_FILE);
		CU_ASSERT_EQUAL_FATAL(lost->count, sound ? part_records[part] : 0);
	}
	CU_ASSERT_EQUAL_FATAL(lost_records, sound ? 1 : part_reports[part]);
	CU_ASSERT_EQUAL_FATAL(r.n, 8 - part_records[part] + lost_records);
	CU_ASSERT_EQUAL_FATAL(r.stats.lost, sound ? part_records[part] : 0);
	CU_ASSERT_EQUAL_FATAL(r.stats.lost_unknown, sound ? 0 : lost_records);
	CU_ASSERT_EQUAL_FATAL(r.stats.cut, part == PARTS - 1);
}

static void every_bit(void)
{
	struct image_file f;

	build();
	image_open(&f, im.data, im.len);
	for (size_t at = 0; at < im.len; at++) {
		unsigned part = 0;

		while (part < PARTS && at >= ends[part])
			part++;
		for (unsigned bit = 0; bit < 8; bit++) {
			char wrong = (char)(im.data[at] ^ 1 << bit);

			CU_ASSERT_EQUAL_FATAL(pwrite(f.fd, &wrong, 1, (off_t)at), 1);
			read_all(f.path, &r);
			if (at < 24)
				CU_ASSERT_EQUAL_FATAL(r.ret, -EINVAL);
			if (at >= 24)
				check_flip(part, at - (part ? ends[part - 1] : 24));
		}
		CU_ASSERT_EQUAL_FATAL(pwrite(f.fd, im.data + at, 1, (off_t)at), 1);
	}
	image_close(&f);
}

/*
 * The header of CPU 1's second chunk is damaged. For all that is known, each CPU's records may have
 * been in it: those of CPU 0 behind 170, those of CPU 1 behind the mark at 140.
 */
static void damaged_header(void)
{
	bool seen[2] = { false, false };

	build();
	im.data[ends[3]] ^= 1;
	read_image();
	CU_ASSERT_EQUAL_FATAL(r.n, 9);
	for (unsigned i = 0; i < r.n; i++) {
		const struct fs_lost *lost = (const struct fs_lost *)reading_at(&r, i);

		if (lost->h.kind != FS_KIND_LOST)
			continue;
		CU_ASSERT_FATAL(lost->h.cpu < 2);
		seen[lost->h.cpu] = true;
		CU_ASSERT_EQUAL(lost->h.time_ns, lost->h.cpu ? 140 : 170);
		CU_ASSERT_EQUAL(lost->count, 0);
	}
	CU_ASSERT_TRUE(seen[0] && seen[1]);
	CU_ASSERT_EQUAL(r.stats.late, 0);
}

/* A damaged payload: the loss is placed where the chunk began, on its CPU, with what its own LOST
 * records said. */
static void damaged_payload(void)
{
	struct fs_clock rec = {
		.h = { .time_ns = 120, .kind = FS_KIND_CLOCK, .size = sizeof(rec) }
	};
	struct fs_chunk h = { .type = FS_CHUNK_EVENTS,
			      .size = sizeof(rec),
			      .records = 1,
			      .first_ns = 120,
			      .last_ns = 125,
			      .cpu = 5,
			      .lost = 9 };

	image_begin(&im, 1, 0, 24);
	image_clocks(&im, 0, 1, TIMES(100, 130), 2);
	image_chunk(&im, h, &rec);
	im.data[im.len - 1] ^= 1;
	image_mark(&im, FS_CHUNK_END, 130);
	read_image();
	CU_ASSERT_EQUAL_FATAL(r.n, 4);
	CU_ASSERT_EQUAL(reading_at(&r, 0)->kind, FS_KIND_CLOCK);
	CU_ASSERT_EQUAL(reading_at(&r, 3)->kind, FS_KIND_CLOCK);
	for (unsigned i = 1; i < 3; i++) {
		const struct fs_lost *lost = (const struct fs_lost *)reading_at(&r, i);

		CU_ASSERT_EQUAL(lost->h.kind, FS_KIND_LOST);
		CU_ASSERT_EQUAL(lost->h.time_ns, 120);
		CU_ASSERT_EQUAL(lost->h.cpu, 5);
		CU_ASSERT_EQUAL(lost->count, i == 1 ? 1 : 9);
		CU_ASSERT_EQUAL(lost->where, i == 1 ? FS_LOST_FILE : FS_LOST_RING);
	}
	CU_ASSERT_EQUAL(r.stats.lost, 10);
}

/* Garbage longer than one look of the resync, with a false chunk mark in it. */
static void resync(void)
{
	static char garbage[200000];

	memset(garbage, 'F', sizeof(garbage));
	memcpy(garbage + 65528, "FSCK", 4);
	memcpy(garbage + 100000, "FSCK", 4);
	image_begin(&im, 1, 0, 24);
	image_clocks(&im, 0, 1, TIMES(100), 1);
	image_bytes(&im, garbage, sizeof(garbage));
	image_clocks(&im, 0, 2, TIMES(200), 1);
	image_mark(&im, FS_CHUNK_END, 200);
	read_image();
	CU_ASSERT_EQUAL(r.ret, 0);
	CU_ASSERT_EQUAL_FATAL(r.n, 3);
	CU_ASSERT_EQUAL(reading_at(&r, 1)->kind, FS_KIND_LOST);
	CU_ASSERT_EQUAL(reading_at(&r, 1)->time_ns, 100);
	CU_ASSERT_TRUE(reading_has(&r, 2));
	CU_ASSERT_EQUAL(r.stats.damaged_bytes, sizeof(garbage));
	CU_ASSERT_EQUAL(r.stats.damaged_chunks, 1);
	CU_ASSERT_FALSE(r.stats.cut);

	/* Without a sound chunk behind it, it is the file's cut end as well. */
	image_begin(&im, 1, 0, 24);
	image_clocks(&im, 0, 1, TIMES(100), 1);
	image_bytes(&im, garbage, sizeof(garbage));
	read_image();
	CU_ASSERT_EQUAL(r.ret, 0);
	CU_ASSERT_EQUAL(r.n, 2);
	CU_ASSERT_EQUAL(r.stats.damaged_bytes, sizeof(garbage));
	CU_ASSERT_TRUE(r.stats.cut);

	/* Behind the end mark nothing belongs to the capture. */
	build();
	image_bytes(&im, garbage, 1001);
	read_image();
	CU_ASSERT_EQUAL(r.n, 8);
	CU_ASSERT_EQUAL(r.stats.damaged_bytes, 1001);
	CU_ASSERT_FALSE(r.stats.cut);
}

/* A chunk header that is right by its checksum and impossible all the same. */
static void impossible_headers(void)
{
	static const struct fs_chunk headers[] = {
		{ .type = FS_CHUNK_EVENTS, .size = FS_CHUNK_MAX + 8 },
		{ .type = FS_CHUNK_EVENTS, .size = 0xfffffff8 },
		{ .type = FS_CHUNK_EVENTS, .size = 20 },
		{ .type = FS_CHUNK_EVENTS, .size = 48, .records = 3 },
		{ .type = FS_CHUNK_EVENTS, .size = 0, .records = 0xffffffff },
	};

	for (unsigned i = 0; i < sizeof(headers) / sizeof(headers[0]); i++) {
		struct fs_chunk h = headers[i];

		image_begin(&im, 1, 0, 24);
		h.magic = FS_CHUNK_MAGIC;
		h.crc = (uint32_t)crc32(0, (const void *)&h, sizeof(h));
		image_bytes(&im, &h, sizeof(h));
		image_clocks(&im, 0, 1, TIMES(100), 1);
		image_mark(&im, FS_CHUNK_END, 100);
		read_image();
		CU_ASSERT_EQUAL(r.ret, 0);
		CU_ASSERT_TRUE(reading_has(&r, 1));
		CU_ASSERT_EQUAL(r.stats.damaged_chunks, 1);
		CU_ASSERT_EQUAL(r.stats.damaged_bytes, sizeof(h));
	}
}

/* Put a record of any size into a payload. */
static uint32_t put(char *payload, uint32_t at, unsigned kind, unsigned size, unsigned length)
{
	struct fs_header h = {
		.time_ns = 100 + at, .kind = (uint16_t)kind, .size = (uint16_t)size, .tid = 1
	};

	memset(payload + at, 0x55, length);
	memcpy(payload + at, &h, sizeof(h));
	return at + length;
}

static void newer_minor(void)
{
	static char payload[8192] __attribute__((aligned(8)));
	uint32_t size = 0;

	size = put(payload, size, 200, 40, 40); /* an unknown kind */
	size = put(payload, size, FS_KIND_FENCE, 64, 64); /* 16 bytes longer than known */
	size = put(payload, size, 4000, 4096, 4096);
	size = put(payload, size, FS_KIND_FENCE, 48, 48);
	struct fs_chunk h = { .type = FS_CHUNK_EVENTS, .size = size, .records = 4, .last_ns = 100 };
	struct fs_chunk strange = { .type = 77, .size = 64, .records = 0xffff, .cpu = 3 };

	image_begin(&im, 1, 9, 48);
	image_chunk(&im, strange, payload);
	image_chunk(&im, h, payload);
	image_mark(&im, FS_CHUNK_END, 0);
	read_image();
	CU_ASSERT_EQUAL(r.ret, 0);
	CU_ASSERT_EQUAL_FATAL(r.n, 2);
	CU_ASSERT_EQUAL(reading_at(&r, 0)->kind, FS_KIND_FENCE);
	CU_ASSERT_EQUAL(((const struct fs_fence *)reading_at(&r, 0))->seqno, 0x5555555555555555);
	CU_ASSERT_EQUAL(r.stats.unknown, 2);
	CU_ASSERT_EQUAL(r.stats.malformed, 0);
	CU_ASSERT_EQUAL(r.stats.damaged_chunks, 0);
	CU_ASSERT_FALSE(r.stats.cut);
}

/* A record of an older writer lacks its tail, which reads as zero whatever was read before it. */
static void older_writer(void)
{
	static char payload[1024] __attribute__((aligned(8)));
	uint32_t size = put(payload, 0, FS_KIND_META, 512, 512);

	size = put(payload, size, FS_KIND_OFFCPU, 72, 72);
	size = put(payload, size, FS_KIND_META, 280, 280);
	size = put(payload, size, FS_KIND_OFFCPU, 88, 88); /* ends inside the name */
	struct fs_chunk h = { .type = FS_CHUNK_EVENTS, .size = size, .records = 4 };

	image_begin(&im, 1, 0, 24);
	image_chunk(&im, h, payload);
	image_mark(&im, FS_CHUNK_END, 0);
	read_image();
	CU_ASSERT_EQUAL_FATAL(r.n, 4);
	for (unsigned i = 1; i < 4; i += 2) {
		const struct fs_offcpu *o = (const struct fs_offcpu *)reading_at(&r, i);

		CU_ASSERT_EQUAL(o->h.size, sizeof(*o));
		CU_ASSERT_EQUAL(o->out_ns, 0x5555555555555555);
		CU_ASSERT_EQUAL(o->context, 0x55);
		CU_ASSERT_EQUAL(o->peer_tid, i == 3 ? 0x55555555 : 0);
		CU_ASSERT_EQUAL(strlen(o->peer_comm), i == 3 ? 8 : 0);
	}
}

/* Strings end inside their fields even if the file's don't. */
static void endless_strings(void)
{
	static char payload[8192] __attribute__((aligned(8)));
	uint32_t size =
		put(payload, 0, FS_KIND_POINT, sizeof(struct fs_point), sizeof(struct fs_point));

	size = put(payload, size, FS_KIND_META, FS_RECORD_MAX, FS_RECORD_MAX);
	struct fs_chunk h = { .type = FS_CHUNK_EVENTS, .size = size, .records = 2 };

	image_begin(&im, 1, 0, 24);
	image_chunk(&im, h, payload);
	image_mark(&im, FS_CHUNK_END, 0);

	const struct fs_header *rec;
	struct image_file f;
	struct source *s;
	struct err e = { 0 };
	image_open(&f, im.data, im.len);
	CU_ASSERT_EQUAL_FATAL(source_open(f.path, &s, &e), 0);
	CU_ASSERT_EQUAL_FATAL(source_next(s, &rec, &e), 1);
	CU_ASSERT_EQUAL(strlen(((const struct fs_point *)rec)->lib), FS_LIB_LEN - 1);
	CU_ASSERT_EQUAL(strlen(((const struct fs_point *)rec)->symbol), FS_SYMBOL_LEN - 1);
	CU_ASSERT_EQUAL_FATAL(source_next(s, &rec, &e), 1);
	CU_ASSERT_EQUAL(rec->size, FS_RECORD_MAX);
	CU_ASSERT_EQUAL(strlen(((const struct fs_meta *)rec)->text), FS_RECORD_MAX - 24);
	CU_ASSERT_EQUAL(source_next(s, &rec, &e), 0);
	source_close(s);
	image_close(&f);
}

/* In a sound chunk: records too short for their kind, and a size that leads nowhere. */
static void malformed(void)
{
	static const unsigned bad_sizes[] = { 0, 8, 23, 28, 4104, 65528, 1000 };
	static char payload[8192] __attribute__((aligned(8)));

	for (unsigned i = 0; i < sizeof(bad_sizes) / sizeof(bad_sizes[0]); i++) {
		uint32_t size = put(payload, 0, FS_KIND_FENCE, 40, 40); /* 8 short */

		size = put(payload, size, FS_KIND_FENCE, 48, 48);
		size = put(payload, size, FS_KIND_FENCE, bad_sizes[i], 48);
		size = put(payload, size, FS_KIND_FENCE, 48, 48);
		struct fs_chunk h = { .type = FS_CHUNK_EVENTS,
				      .size = size,
				      .records = 4,
				      .first_ns = 100,
				      .last_ns = 1000,
				      .cpu = 2 };

		image_begin(&im, 1, 0, 24);
		image_chunk(&im, h, payload);
		image_mark(&im, FS_CHUNK_END, 0);
		read_image();
		CU_ASSERT_EQUAL(r.ret, 0);
		CU_ASSERT_EQUAL_FATAL(r.n, 2);
		CU_ASSERT_EQUAL(reading_at(&r, 1)->time_ns, 140);
		const struct fs_lost *lost = (const struct fs_lost *)reading_at(&r, 0);
		CU_ASSERT_EQUAL(lost->h.kind, FS_KIND_LOST);
		CU_ASSERT_EQUAL(lost->h.time_ns, 100);
		CU_ASSERT_EQUAL(lost->count, 3);
		CU_ASSERT_EQUAL(r.stats.malformed, 3);
		CU_ASSERT_EQUAL(r.stats.damaged_chunks, 0);
	}
}

/* Times that go back within a round are sorted; over a mark they are late and come at once. */
static void clock_back(void)
{
	image_begin(&im, 1, 0, 24);
	image_clocks(&im, 0, 1, TIMES(500, 400, 300), 3);
	image_mark(&im, FS_CHUNK_ROUND, 500);
	image_clocks(&im, 0, 4, TIMES(600, 0, 450), 3);
	image_mark(&im, FS_CHUNK_END, 0);
	read_image();
	static const uint64_t expected[] = { 3, 2, 1, 5, 6, 4 };
	CU_ASSERT_EQUAL_FATAL(r.n, 6);
	for (unsigned i = 0; i < 6; i++)
		CU_ASSERT_EQUAL(id_at(i), expected[i]);
	CU_ASSERT_EQUAL(r.stats.late, 2);
}

static void refused(int code, const char *text)
{
	read_image();
	CU_ASSERT_EQUAL(r.ret, code);
	CU_ASSERT_EQUAL(r.err.code, code);
	CU_ASSERT_PTR_NOT_NULL(strstr(r.err.what, text));
	CU_ASSERT_NOT_EQUAL(r.err.hint[0], '\0');
}

static void not_a_capture(void)
{
	im.len = 0;
	refused(-EINVAL, "empty (0 bytes)");
	image_begin(&im, 2, 0, 24);
	refused(-ENOTSUP, "format 2.0");
	image_begin(&im, 1, 0, 24);
	im.data[20] ^= 1;
	refused(-EINVAL, "damaged header");
	image_begin(&im, 1, 0, 20);
	refused(-EINVAL, "damaged header");
	image_begin(&im, 1, 0, 24);
	im.len = 23;
	refused(-EINVAL, "23 of 24 bytes");
	im.len = 0;
	image_bytes(&im, "fscap\n\x1a 0123456789012345678901234567890", 40);
	refused(-EINVAL, "line ends were changed");
	im.len = 0;
	image_bytes(&im, "PERFILE2 and so on", 18);
	refused(-EINVAL, "a perf.data file");
	im.len = 0;
	image_bytes(&im, "hello", 5);
	refused(-EINVAL, "no framescope capture");

	read_all("/nonexistent/x.fsc", &r);
	CU_ASSERT_EQUAL(r.ret, -ENOENT);
	CU_ASSERT_PTR_NOT_NULL(strstr(r.err.what, "/nonexistent/x.fsc"));
	read_all("/", &r);
	CU_ASSERT_EQUAL(r.ret, -EISDIR);
	read_all("/dev/zero", &r);
	CU_ASSERT_EQUAL(r.ret, -EINVAL);
}

int main(void)
{
	static const struct check_case cases[] = {
		{ "whole", whole },
		{ "cut_anywhere", cut_anywhere },
		{ "every_bit", every_bit },
		{ "damaged_header", damaged_header },
		{ "damaged_payload", damaged_payload },
		{ "resync", resync },
		{ "impossible_headers", impossible_headers },
		{ "newer_minor", newer_minor },
		{ "older_writer", older_writer },
		{ "endless_strings", endless_strings },
		{ "malformed", malformed },
		{ "clock_back", clock_back },
		{ "not_a_capture", not_a_capture },
		{ NULL, NULL },
	};

	return check_main("capture_file", cases);
}
