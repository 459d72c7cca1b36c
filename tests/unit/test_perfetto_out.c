/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The small parts of the Perfetto format: bytes on the wire against those of the encoding's own
 * documentation and against protobuf-c, names, the interning, and switches worked out by hand.
 */
#include <linux/types.h>
#include <string.h>

#include "check.h"
#include "export/perfetto_records.h"
#include "export/perfetto_sched.h"
#include "proto/perfetto.pb-c.h"

static bool is(const struct wire_out *w, const uint8_t *buf, const char *bytes, size_t len)
{
	return (size_t)(w->at - buf) == len && !memcmp(buf, bytes, len);
}

#define IS(w, buf, bytes) CU_ASSERT_TRUE(is(&(w), buf, bytes, sizeof(bytes) - 1))

static void test_wire(void)
{
	uint8_t buf[64];
	struct wire_out w = { buf };
	uint8_t *start;

	wire_put_uint(&w, 1, 150);
	IS(w, buf, "\x08\x96\x01");
	w.at = buf;
	wire_put_bytes(&w, 2, "testing", 7);
	IS(w, buf, "\x12\x07testing");
	w.at = buf;
	wire_put_varint(&w, UINT64_MAX);
	IS(w, buf, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01");
	w.at = buf;
	wire_put_fixed64(&w, 47, 0x0102030405060708);
	IS(w, buf, "\xf9\x02\x08\x07\x06\x05\x04\x03\x02\x01");
	/* A length in two bytes, where one would do. */
	w.at = buf;
	start = wire_open(&w, 3);
	wire_put_uint(&w, 1, 150);
	wire_close(&w, start);
	IS(w, buf, "\x1a\x83\x00\x08\x96\x01");
	w.at = buf;
	start = wire_open_small(&w, 3);
	wire_put_uint(&w, 1, 150);
	wire_close_small(&w, start);
	IS(w, buf, "\x1a\x03\x08\x96\x01");
}

static void test_long_message(void)
{
	static uint8_t buf[1 << 16];
	static const size_t lengths[] = { 16000, 16379, 16380, 16381, 20000 };

	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		static char text[20000];
		struct wire_out w = { buf };
		uint8_t *start = wire_open(&w, 11);
		Perfetto__TracePacket *p;

		memset(text, 'x', sizeof(text));
		wire_put_bytes(&w, 23, text, lengths[i]);
		wire_close(&w, start);
		p = perfetto__trace_packet__unpack(NULL, (size_t)(w.at - buf), buf);
		CU_ASSERT_PTR_NOT_NULL_FATAL(p);
		CU_ASSERT_EQUAL(strlen(p->track_event->name), lengths[i]);
		perfetto__trace_packet__free_unpacked(p, NULL);
	}
}

static void test_symbols(void)
{
	static const char *const names[][2] = {
		{ "eglSwapBuffers", "eglSwapBuffers" },
		{ "_ZN7android7Surface13dequeueBufferEPP19ANativeWindowBufferPi",
		  "Surface::dequeueBuffer" },
		{ "_ZN7android5Fence4waitEi", "Fence::wait" },
		{ "_ZNK7android5Fence13getSignalTimeEv", "Fence::getSignalTime" },
		{ "_Z3foov", "foo" },
		{ "_ZN7android2spI3FooED2Ev", "_ZN7android2spI3FooED2Ev" },
		{ "_ZN7android", "_ZN7android" },
		{ "_ZN99short", "_ZN99short" },
		{ "_Z", "_Z" },
		{ "", "" },
	};
	char name[POINT_NAME_LEN];

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		records_symbol(name, names[i][0]);
		CU_ASSERT_STRING_EQUAL(name, names[i][1]);
	}
}

/* What was written, packet by packet. */
struct reading {
	char *data;
	size_t size, at;
	FILE *out;
};

static void no_preamble(struct packets *p, void *ctx)
{
	(void)p;
	(void)ctx;
}

static Perfetto__TracePacket *read_packet(struct reading *r)
{
	size_t len = 0;
	unsigned shift = 0;
	uint8_t byte;

	if (r->at == r->size)
		return NULL;
	CU_ASSERT_EQUAL_FATAL(r->data[r->at++], 0x0a);
	do {
		byte = (uint8_t)r->data[r->at++];
		len |= (size_t)(byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80);
	r->at += len;
	return perfetto__trace_packet__unpack(NULL, len, (uint8_t *)r->data + r->at - len);
}

static struct packets *begin_packets(struct reading *r)
{
	struct packets *p;

	*r = (struct reading){ 0 };
	r->out = open_memstream(&r->data, &r->size);
	p = packets_new(r->out, no_preamble, NULL);
	CU_ASSERT_PTR_NOT_NULL_FATAL(p);
	return p;
}

static void end_packets(struct reading *r, struct packets *p)
{
	packets_flush(p);
	packets_free(p);
	fclose(r->out);
}

/* More names than a table holds: it begins anew, and each name's number is known when it is used.
 */
static void test_interning(void)
{
	struct reading r;
	struct packets *p = begin_packets(&r);
	Perfetto__TracePacket *packet;
	unsigned events = 0, cleared = 0;
	char name[32], known[INTERN_MAX + 1][32];
	uint64_t nr = 0;

	for (unsigned i = 0; i < 3 * INTERN_MAX; i++) {
		event_begin(p, PERFETTO__TRACK_EVENT__TYPE__TYPE_INSTANT, i, 1);
		snprintf(name, sizeof(name), "name %u", i / 2);
		event_name_of(p, name);
		event_end(p);
	}
	end_packets(&r, p);
	while ((packet = read_packet(&r))) {
		const Perfetto__InternedData *data = packet->interned_data;

		if (packet->sequence_flags == 1) {
			cleared++;
			nr = 0;
		}
		for (size_t i = 0; data && i < data->n_event_names; i++) {
			CU_ASSERT_EQUAL_FATAL(data->event_names[i]->iid, ++nr);
			snprintf(known[nr], sizeof(known[nr]), "%s", data->event_names[i]->name);
		}
		if (packet->track_event) {
			snprintf(name, sizeof(name), "name %u", events++ / 2);
			CU_ASSERT_TRUE_FATAL(packet->track_event->name_iid <= nr);
			CU_ASSERT_STRING_EQUAL(known[packet->track_event->name_iid], name);
		}
		perfetto__trace_packet__free_unpacked(packet, NULL);
	}
	CU_ASSERT_EQUAL(events, 3 * INTERN_MAX);
	CU_ASSERT_EQUAL(cleared, 1);
	free(r.data);
}

struct expected_switch {
	uint64_t ns;
	int64_t prev_state;
	int32_t next;
};

static void check_switches(const struct fs_offcpu *recs, size_t nr,
			   const struct expected_switch *expected, size_t nr_expected)
{
	struct reading r;
	struct packets *p = begin_packets(&r);
	struct tracks tracks = { 0 };
	struct sched sched = { .has_release = true };
	Perfetto__TracePacket *packet;
	size_t seen = 0;

	tracks_begin(&tracks, p);
	sched_begin(&sched, &tracks);
	for (size_t i = 0; i < nr; i++)
		CU_ASSERT_EQUAL(sched_offcpu(&sched, &recs[i]), 0);
	CU_ASSERT_EQUAL(sched_end(&sched), 0);
	sched_free(&sched);
	tracks_free(&tracks);
	end_packets(&r, p);
	while ((packet = read_packet(&r))) {
		const Perfetto__FtraceEventBundle *b = packet->ftrace_events;
		const Perfetto__FtraceEventBundle__CompactSched *c = b ? b->compact_sched : NULL;
		uint64_t ns = 0;

		for (size_t i = 0; c && i < c->n_switch_timestamp && seen < nr_expected; i++) {
			ns += c->switch_timestamp[i];
			CU_ASSERT_EQUAL(ns, expected[seen].ns);
			CU_ASSERT_EQUAL(c->switch_prev_state[i], expected[seen].prev_state);
			CU_ASSERT_EQUAL(c->switch_next_pid[i], expected[seen].next);
			seen++;
		}
		perfetto__trace_packet__free_unpacked(packet, NULL);
	}
	CU_ASSERT_EQUAL(seen, nr_expected);
	free(r.data);
}

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define OFF(t, s, out, in, ...)                                                                    \
	{                                                                                          \
		.h = { .time_ns = in, .tid = t, .tgid = 1, .kind = FS_KIND_OFFCPU }, .seq = s,     \
		.out_ns = out, .cpu_waking = -1, __VA_ARGS__                                       \
	}

/* 10 leaves to 11, which leaves to nobody watched; then 10 comes back. */
static void test_switch_to_watched(void)
{
	static const struct fs_offcpu recs[] = {
		OFF(11, 1, 50, 200, .state = 1),
		OFF(10, 1, 200, 400, .state = 2),
		OFF(11, 2, 300, 600, .state = 1),
		OFF(10, 2, 600, 700, .flags = FS_OFF_PREEMPTED, .peer_tid = 11),
	};
	static const struct expected_switch expected[] = {
		{ 48, 0, SCHED_NOT_WATCHED },
		{ 49, 0, 11 },
		{ 50, 1, SCHED_NOT_WATCHED },
		{ 199, 0, 10 }, /* it was there when
				   11 came in */
		{ 200, 2, 11 },
		{ 300, 1, SCHED_NOT_WATCHED },
		{ 400, 0, 10 },
		{ 600, 0x100, 11 },
		{ 700, 0, 10 },
	};

	check_switches(recs, COUNT(recs), expected, COUNT(expected));
}

/*
 * Preempted by a thread that nobody watches, so that it is not known how long that ran; a new
 * thread, and one that was off-CPU all the time.
 */
static void test_switch_edges(void)
{
	static const struct fs_offcpu recs[] = {
		OFF(10, 1, 0, 100, .flags = FS_OFF_NO_START, .state = 1),
		OFF(11, 1, 110, 150, .flags = FS_OFF_NEW),
		OFF(10, 2, 120, 200, .flags = FS_OFF_PREEMPTED, .peer_tid = 77),
		OFF(11, 2, 190, 300, .flags = FS_OPEN, .state = 0x402),
	};
	static const struct expected_switch expected[] = {
		{ 99, 0, SCHED_NOT_WATCHED },      { 100, 0, 10 },
		{ 120, 0x100, SCHED_NOT_WATCHED }, { 150, 0, 11 },
		{ 190, 0x80, SCHED_NOT_WATCHED },  { 200, 0, 10 },
	};

	check_switches(recs, COUNT(recs), expected, COUNT(expected));
}

int main(void)
{
	static const struct check_case cases[] = {
		{ "wire", test_wire },
		{ "long_message", test_long_message },
		{ "symbols", test_symbols },
		{ "interning", test_interning },
		{ "switch_to_watched", test_switch_to_watched },
		{ "switch_edges", test_switch_edges },
		{ NULL, NULL },
	};

	return check_main("perfetto_out", cases);
}
