/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* FrameTimelines, steps of buffers, and apps' slices that come as track events. */
#include "perfetto_trace.h"
#include "stream/record.h"

static struct bytes timeline, part;

/* A packet of SurfaceFlinger's, with what is in `inner` as that field. */
static void add_sf(uint64_t ns, uint32_t field, const struct bytes *inner)
{
	packet.len = 0;
	put_number(&packet, 8, ns);
	put_message(&packet, field, inner);
	put_number(&packet, 10, 7);
	add_packet(&packet);
}

static void add_end(uint64_t ns, uint64_t cookie)
{
	timeline.len = part.len = 0;
	put_number(&part, 1, cookie);
	put_message(&timeline, 5, &part);
	add_sf(ns, 76, &timeline);
}

/* Fields 1, 2 ... of a begin; those of 0 are not said. `layer` is a surface's field 5. */
static void add_begin(uint64_t ns, uint32_t which, const char *layer, const uint64_t *fields)
{
	timeline.len = part.len = 0;
	for (uint32_t i = 1; i <= 12; i++) {
		if (i == 5 && layer)
			put_string(&part, 5, layer);
		else if (fields[i - 1])
			put_number(&part, i, fields[i - 1]);
	}
	put_message(&timeline, which, &part);
	add_sf(ns, 76, &timeline);
}

#define BEGIN(ns, which, layer, ...)                                                               \
	add_begin(ns, which, layer, (const uint64_t[12]){ __VA_ARGS__ })

/* Read the trace: records of that kind must be as those lines of a dump say. */
static void expect_dumped(unsigned kind, const char *const *lines)
{
	static char record[FS_RECORD_MAX] __attribute__((aligned(8)));
	const struct fs_header *h;
	struct source *s;
	struct err e = { 0 };
	unsigned n = 0;
	char path[64];
	int fd;

	open_bytes(trace.data, trace.len, path, &fd);
	CU_ASSERT_EQUAL_FATAL(source_open(path, &s, &e), 0);
	while (source_next(s, &h, &e) == 1) {
		if (h->kind != kind)
			continue;
		CU_ASSERT_PTR_NOT_NULL_FATAL(lines[n]);
		CU_ASSERT_EQUAL_FATAL(record_parse(lines[n], record, &e), 0);
		if (memcmp(record, h, h->size) != 0) {
			printf("# expected: %s\n# got:      ", lines[n]);
			record_print(stdout, h);
			CU_FAIL("another record");
		}
		n++;
	}
	CU_ASSERT_PTR_NULL(lines[n]);
	source_close(s);
	close(fd);
	trace.len = 0;
}

#define DUMPED(kind, ...) expect_dumped(kind, (const char *const[]){ __VA_ARGS__, NULL })

/* Packets of test/trace_processor's frame_timeline_events in Perfetto, as the tables there have
 * them; and one whose jank no version knows yet, and one without an end. */
static void timelines(void)
{
	BEGIN(40, 1, NULL, 3, 4, 666);
	add_end(46, 3);
	BEGIN(42, 2, NULL, 4, 4, 666, 1, 1, 0, 1, 1);
	add_end(47, 4);
	BEGIN(41, 3, "Layer1", 9, 5, 6, 1000);
	add_end(56, 9);
	BEGIN(41, 4, "Layer1", 10, 5, 6, 1000, 0, 2, 0, 0, 64, 1, 0, 3);
	add_end(74, 10);
	BEGIN(148, 2, NULL, 16, 12, 666, 2, 0, 1, 16 | 2, 1);
	add_end(156, 16);
	BEGIN(200, 4, "Layer2", 20, 14, 15, 1000, 0, 1, 1, 1, 0x40000000, 2, 1, 2);
	add_end(210, 20);
	BEGIN(205, 3, "Layer2", 21, 17, 18, 1000);
	add_end(211, 99); /* of none that was begun */
	DUMPED(FS_KIND_TIMELINE,
	       "46 cpu=- 0/666 timeline kind=expected_display start_ns=40 token=4 display_token=0",
	       "47 cpu=- 0/666 timeline kind=actual_display start_ns=42 token=4 display_token=0 "
	       "flags=on_time jank=1 present=1 prediction=1",
	       "56 cpu=- 0/1000 timeline kind=expected_surface start_ns=41 token=5 "
	       "display_token=6 layer=\"Layer1\"",
	       "74 cpu=- 0/1000 timeline kind=actual_surface start_ns=41 token=5 display_token=6 "
	       "jank=64 present=2 prediction=1 severity=3 layer=\"Layer1\"",
	       "156 cpu=- 0/666 timeline kind=actual_display start_ns=148 token=12 display_token=0 "
	       "flags=gpu jank=18 present=2 prediction=1",
	       "210 cpu=- 0/1000 timeline kind=actual_surface start_ns=200 token=14 "
	       "display_token=15 flags=on_time|gpu|is_buffer jank=0x40000000 present=1 "
	       "prediction=2 "
	       "severity=2 layer=\"Layer2\"",
	       "210 cpu=- 0/1000 timeline kind=expected_surface start_ns=205 token=17 "
	       "display_token=18 flags=open layer=\"Layer2\"");
}

static void buffers(void)
{
	static struct bytes buffer, graphics;

	for (uint32_t type = 1; type <= 2; type++) {
		buffer.len = graphics.len = 0;
		put_number(&buffer, 1, 11);
		put_number(&buffer, 2, type);
		put_string(&buffer, 3, "layer1");
		put_number(&buffer, 4, 3 * type);
		put_number(&buffer, 5, 1);
		put_message(&graphics, 1, &buffer);
		add_sf(type * 4, 57, &graphics);
	}
	DUMPED(FS_KIND_BUFFER,
	       "4 cpu=- 0/0 buffer type=1 frame_number=11 buffer_id=1 duration_ns=3 "
	       "layer=\"layer1\"",
	       "8 cpu=- 0/0 buffer type=2 frame_number=11 buffer_id=1 duration_ns=6 "
	       "layer=\"layer1\"");
}

/* A track: of thread tid, or of none. */
static void add_track(uint64_t uuid, uint32_t pid, uint32_t tid)
{
	static struct bytes descriptor, thread;

	descriptor.len = thread.len = packet.len = 0;
	put_number(&descriptor, 1, uuid);
	put_number(&thread, 1, pid);
	if (tid) {
		put_number(&thread, 2, tid);
		put_string(&thread, 5, "RenderThread");
	}
	put_message(&descriptor, tid ? 4 : 3, &thread);
	put_message(&packet, 60, &descriptor);
	put_number(&packet, 10, 5);
	add_packet(&packet);
}

/* A track event whose name has that number; `interned` says what it stands for, or is NULL. */
static void add_slice(uint64_t ns, uint32_t type, uint64_t uuid, uint64_t iid, const char *interned,
		      uint32_t flags)
{
	static struct bytes track_event, data, entry;

	packet.len = track_event.len = data.len = entry.len = 0;
	put_number(&packet, 8, ns);
	put_number(&packet, 10, 5);
	put_number(&packet, 13, flags);
	put_number(&track_event, 9, type);
	if (iid)
		put_number(&track_event, 10, iid);
	put_number(&track_event, 11, uuid);
	put_message(&packet, 11, &track_event);
	if (interned) {
		put_number(&entry, 1, iid);
		put_string(&entry, 2, interned);
		put_message(&data, 2, &entry);
		put_message(&packet, 12, &data);
	}
	add_packet(&packet);
}

#define SKIPPED "Frame skipped: "

/*
 * What is on a thread's track becomes marks of the thread, of which those go out that say something
 * of frames; what is on a process's track does not. Without switches in the trace the thread may
 * have been off-CPU within a slice.
 */
static void slices(void)
{
	add_track(1ull << 63 | 5, 40, 42);
	add_track(6, 40, 0);
	add_slice(1000, 3, 1ull << 63 | 5, 1, SKIPPED "one", 1);
	add_slice(1100, 3, 6, 1, NULL, 2);
	add_slice(1150, 1, 1ull << 63 | 5, 2, NULL, 2);
	add_slice(1200, 3, 1ull << 63 | 5, 1, NULL, 2);
	add_slice(1300, 2, 1ull << 63 | 5, 0, NULL, 2);
	EXPECT("999 -1 42/40 seen RenderThread 0", "1000 -1 42/40 marker I " SKIPPED "one",
	       "1200 -1 42/40 marker I " SKIPPED "one",
	       "1300 -1 42/40 off 1 0x28 out=0,0 wake=0,-1,0 peer=0/0, state=0");
}

/* What needs names that were lost can't be read until the sequence begins anew. */
static void lost_state(void)
{
	add_track(5, 40, 42);
	add_slice(900, 3, 5, 1, NULL, 2);
	add_slice(1000, 3, 5, 1, SKIPPED "one", 1);
	packet.len = 0;
	put_number(&packet, 42, 1);
	put_number(&packet, 10, 5);
	add_packet(&packet);
	add_slice(1100, 3, 5, 1, NULL, 2);
	add_slice(1200, 3, 5, 1, SKIPPED "other", 1);
	add_slice(1300, 3, 5, 1, NULL, 2);
	EXPECT("999 -1 42/40 seen RenderThread 0", "1000 -1 42/40 marker I " SKIPPED "one",
	       "1200 -1 42/40 marker I " SKIPPED "other",
	       "1300 -1 42/40 marker I " SKIPPED "other");
}

static const struct check_case cases[] = {
	{ "timelines", timelines },   { "buffers", buffers }, { "slices", slices },
	{ "lost_state", lost_state }, { NULL, NULL },
};

int main(void)
{
	return check_main("perfetto_frames", cases);
}
