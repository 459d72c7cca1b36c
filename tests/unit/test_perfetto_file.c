/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What a Perfetto trace is wrapped in: framing, compression, damage, clocks, order, sequences. */
#include <zlib.h>

#include "perfetto_trace.h"
#include "trace/perfetto_file.h"

static bool detected(const void *data, size_t len)
{
	return pf_file_detect(data, len);
}

static void detection(void)
{
	static const char *const others[] = {
		"\n# tracer: nop\n#\n# entries-in-buffer/entries-written: 3/3   #P:8\n",
		"\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n",
		"\n                                                                    \n",
		"\n** Graphics info for pid 123 [com.example] **\n\nStats since: 1ns\n",
		"# framescope dump 1\n",
		"{\"traceEvents\": []}",
		"\n{\"traceEvents\": [{\"ph\": \"X\"}]}\n",
	};
	static const unsigned char packet_only[] = { 0x0a, 0x02, 0x50, 0x03 };
	static const unsigned char cut[] = { 0x0a, 0x80, 0x20, 0x0a, 0xfd, 0x1f, 0x08, 0x00 };

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		CU_ASSERT_FALSE(detected(others[i], strlen(others[i])));
	CU_ASSERT_FALSE(detected("\n", 1));
	CU_ASSERT_FALSE(detected("\x0a\x00\x0a\x00\x0a\x00", 6));
	CU_ASSERT_TRUE(detected(packet_only, sizeof(packet_only)));
	CU_ASSERT_TRUE(detected(cut, sizeof(cut)));
}

/* Thread `tid` signals fence 1:seqno. */
static void add_signal(uint64_t ns, uint32_t tid, uint64_t seqno)
{
	put_number(&body, 1, 1);
	put_number(&body, 3, seqno);
	add_event(ns, tid, 416);
}

/* One event each, at 1000, 2000 ... */
static void add_marks(unsigned first, unsigned nr)
{
	for (unsigned i = first; i < first + nr; i++) {
		add_signal(1000 * i, 50, i);
		add_bundle(0);
	}
}

static const char *const two[] = {
	"1000 0 50/0 seen  0",
	"1000 0 50/0 fence 4 1:1 irq=0",
	"2000 0 50/0 fence 4 1:2 irq=0",
	NULL,
};

/* Other fields, of each type, are passed over: a trace has none, so that they count as damage. */
static void other_fields(void)
{
	add_marks(1, 1);
	put_number(&trace, 7, UINT64_MAX);
	put_string(&trace, 2, "not a packet");
	put_raw(&trace,
		"\x19"
		"12345678"
		"\x1d"
		"1234",
		14);
	add_marks(2, 1);
	expect(two);
	CU_ASSERT_FALSE(stats.cut);
	CU_ASSERT_EQUAL(stats.malformed, 0);
	CU_ASSERT_EQUAL(stats.damaged_bytes, 11 + (2 + 12) + 14);
}

/* Cut anywhere in the third packet, the first two are read. */
static void cut(void)
{
	static struct bytes whole;
	size_t two_len;

	add_marks(1, 2);
	two_len = trace.len;
	add_marks(3, 1);
	whole = trace;
	for (size_t len = two_len; len < whole.len; len++) {
		expect_bytes(whole.data, len, two);
		CU_ASSERT_EQUAL(stats.cut, len > two_len);
		CU_ASSERT_EQUAL(stats.bytes, len);
		CU_ASSERT_EQUAL(stats.damaged_bytes, len - two_len);
	}
	trace.len = 0;
}

/* Behind what is no field nothing can be read; what is before it is. */
static void damaged(void)
{
	add_marks(1, 2);
	put_raw(&trace, "\x0b\x0b\x0b\x0b", 4); /* the start of a group */
	add_marks(3, 1);

	size_t len = trace.len;

	expect(two);
	CU_ASSERT_TRUE(stats.damaged_bytes > 4 && stats.damaged_bytes < len);

	/* A packet that is not sound is left out alone. */
	add_marks(1, 1);
	put_bytes(&trace, 1, "\x0a\x7f\x01", 3);
	add_marks(2, 1);
	expect(two);
	CU_ASSERT_EQUAL(stats.malformed, 1);
	CU_ASSERT_EQUAL(stats.damaged_bytes, 3);

	/* One whose length is wrong, and ends where another does: it has swallowed the others. */
	static struct bytes others;

	add_marks(3, 3);
	others = trace;
	trace.len = 0;
	add_marks(1, 2);
	put_message(&trace, 1, &others);
	expect(two);
	CU_ASSERT_EQUAL(stats.malformed, 1);
	CU_ASSERT_EQUAL(stats.damaged_bytes, others.len);
}

static size_t pack(const struct bytes *from, unsigned char *to, size_t room, int window)
{
	z_stream z = { .next_in = (unsigned char *)from->data,
		       .avail_in = (unsigned)from->len,
		       .next_out = to,
		       .avail_out = (unsigned)room };

	if (deflateInit2(&z, 6, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY) != Z_OK ||
	    deflate(&z, Z_FINISH) != Z_STREAM_END)
		abort();
	deflateEnd(&z);
	return z.total_out;
}

#define GZIP (15 + 16)
#define ZLIB 15

static void gzip(void)
{
	static unsigned char packed[65536];
	size_t len;

	add_marks(1, 1);
	len = pack(&trace, packed, sizeof(packed), GZIP);
	CU_ASSERT_TRUE(detected(packed, len));
	/* Two members, one behind the other. */
	trace.len = 0;
	add_marks(2, 1);
	len += pack(&trace, packed + len, sizeof(packed) - len, GZIP);
	expect_bytes(packed, len, two);
	CU_ASSERT_EQUAL(stats.bytes, len);
	CU_ASSERT_FALSE(stats.cut);
	/* Without its trailer it ends too early, and all of it is read. */
	expect_bytes(packed, len - 8, two);
	CU_ASSERT_TRUE(stats.cut);
	trace.len = 0;
}

/* Packets that were compressed together; a second level and zstd are counted. */
static void compressed(void)
{
	static unsigned char packed[65536];
	static struct bytes inner;

	add_marks(1, 1);
	inner = trace;
	trace.len = packet.len = 0;
	put_bytes(&packet, 50, packed, pack(&inner, packed, sizeof(packed), ZLIB));
	add_packet(&packet);
	inner = trace;
	add_marks(2, 1);
	expect(two);
	CU_ASSERT_EQUAL(stats.malformed, 0);

	trace.len = packet.len = 0;
	put_bytes(&packet, 50, packed, pack(&inner, packed, sizeof(packed), ZLIB));
	add_packet(&packet);
	add_marks(1, 2);
	expect(two);
	CU_ASSERT_EQUAL(stats.malformed, 1);

	packet.len = 0;
	put_string(&packet, 133, "whatever");
	add_packet(&packet);
	add_marks(1, 2);
	expect(two);
}

/* The first snapshot holds for what is before it, too; after a sleep of 5000 another difference. */
static void clocks(void)
{
	add_signal(11000, 50, 1);
	add_signal(13000, 50, 2);
	add_signal(25000, 50, 3);
	add_bundle(0);
	SNAPSHOT(6, 12000, 3, 2000, 1, 1700000000000000000);
	SNAPSHOT(6, 20000, 3, 5000, 1, 1700000000000008000);
	EXPECT("1000 0 50/0 seen  0", "1000 0 50/0 fence 4 1:1 irq=0",
	       "3000 0 50/0 fence 4 1:2 irq=0", "10000 0 50/0 fence 4 1:3 irq=0");
}

/* ftrace's own clock, with what BOOTTIME was at one of its instants; and without any of them. */
static void ftrace_clock(void)
{
	put_number(&bundle, 5, 2);
	put_number(&bundle, 6, 100);
	put_number(&bundle, 7, 1100);
	add_signal(0, 50, 1);
	add_signal(1000, 50, 2);
	add_bundle(0);
	expect(two);
}

/* Clocks of a sequence: 64 counts microseconds from packet to packet, 65 is absolute. */
static void sequence_clocks(void)
{
	static struct bytes snapshot, clock, graphics, buffer;
	static const struct {
		uint32_t clock;
		uint64_t timestamp;
	} packets[] = { { 64, 3 }, { 64, 2 }, { 65, 1007 }, { 3, 9000 } };

	snapshot.len = packet.len = clock.len = 0;
	put_number(&clock, 1, 3);
	put_number(&clock, 2, 1000);
	put_message(&snapshot, 1, &clock);
	clock.len = 0;
	put_number(&clock, 1, 64);
	put_number(&clock, 2, 500);
	put_number(&clock, 3, 1); /* is_incremental */
	put_number(&clock, 4, 1000); /* unit_multiplier_ns */
	put_message(&snapshot, 1, &clock);
	clock.len = 0;
	put_number(&clock, 1, 65);
	put_number(&clock, 2, 1000);
	put_message(&snapshot, 1, &clock);
	put_message(&packet, 6, &snapshot);
	put_number(&packet, 10, 9);
	add_packet(&packet);
	for (size_t i = 0; i < sizeof(packets) / sizeof(packets[0]); i++) {
		buffer.len = graphics.len = packet.len = 0;
		put_number(&buffer, 1, i);
		put_message(&graphics, 1, &buffer);
		put_message(&packet, 57, &graphics);
		put_number(&packet, 8, packets[i].timestamp);
		put_number(&packet, 58, packets[i].clock);
		put_number(&packet, 10, 9);
		add_packet(&packet);
	}
	EXPECT("1007 -1 0/0 kind 15", "4000 -1 0/0 kind 15", "6000 -1 0/0 kind 15",
	       "9000 -1 0/0 kind 15");
}

/*
 * As a trace that was kept in memory lies in its file: all of one sequence, then all of the next,
 * each over the whole time. More than the merge would hold.
 */
static void sequences(void)
{
	enum { SEQUENCES = 4, PACKETS = 20000 };
	static unsigned char image[16u << 20];
	const struct fs_header *h;
	struct source *s;
	struct err e = { 0 };
	uint64_t last_ns = 0, n = 0;
	size_t len = 0;
	char path[64];
	int fd;

	for (unsigned q = 0; q < SEQUENCES; q++) {
		for (unsigned i = 1; i <= PACKETS; i++) {
			add_signal((uint64_t)i * 1000000 + q, q + 1, i);
			packet.len = trace.len = 0;
			put_number(&bundle, 1, q);
			put_message(&packet, 1, &bundle);
			put_number(&packet, 10, q + 1);
			add_packet(&packet);
			bundle.len = 0;
			memcpy(image + len, trace.data, trace.len);
			len += trace.len;
		}
	}
	trace.len = 0;
	open_bytes(image, len, path, &fd);
	CU_ASSERT_EQUAL_FATAL(source_open(path, &s, &e), 0);
	while (source_next(s, &h, &e) == 1) {
		CU_ASSERT_TRUE(h->time_ns >= last_ns);
		last_ns = h->time_ns;
		n += h->kind == FS_KIND_FENCE;
	}
	CU_ASSERT_EQUAL(n, SEQUENCES * PACKETS);
	CU_ASSERT_EQUAL(source_stats(s)->late, 0);
	CU_ASSERT_EQUAL(source_stats(s)->bytes, len);
	source_close(s);
	close(fd);
}

static const struct check_case cases[] = {
	{ "detection", detection },
	{ "other_fields", other_fields },
	{ "cut", cut },
	{ "damaged", damaged },
	{ "gzip", gzip },
	{ "compressed", compressed },
	{ "clocks", clocks },
	{ "ftrace_clock", ftrace_clock },
	{ "sequence_clocks", sequence_clocks },
	{ "sequences", sequences },
	{ NULL, NULL },
};

int main(void)
{
	return check_main("perfetto_file", cases);
}
