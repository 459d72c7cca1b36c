/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Random frames of random windows are judged, written as dumpsys gfxinfo would, and read back: what
 * is read is what was judged. Written again from what was read, and judged again from the rows, it
 * is the same text.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/text.h"
#include "check.h"
#include "model/dump_frames.h"
#include "output/gfxinfo_text.h"
#include "stream/gfxinfo.h"

#define ROUNDS 300
#define WINDOWS 10
#define BLOCKS (2 * WINDOWS)
#define MS INT64_C(1000000)

static uint64_t random_state = 88172645463325252u;

static uint64_t random64(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state;
}

static int64_t below(int64_t end)
{
	return (int64_t)(random64() % (uint64_t)end);
}

/* Characters of names, and control characters and bytes that are no UTF-8. */
static const char *random_name(char *dst, bool any)
{
	static const char *const pieces[] = { "a",  "Z",   "/",  ".",    "[",        "] **",
					      "\"", "\\",  "\t", "\xff", "\xc2\x9b", "\xc3\xa4",
					      "x ", "(1)", ":y", "#",    "{0}",      "\\x0a" };
	unsigned nr = any ? sizeof(pieces) / sizeof(*pieces) : 4;

	*dst = '\0';
	for (int64_t left = below(14); left; left--)
		strcat(dst, pieces[below(nr)]);
	return strcat(dst, "e");
}

/* A block of the text as it was read. */
struct block {
	bool window;
	uint32_t pid;
	char process[GFXINFO_NAME], name[GFXINFO_NAME];
	struct gfxinfo_stats stats;
	struct frame_ring rows;
};

struct dump {
	uint64_t uptime_ms;
	unsigned nr;
	struct block blocks[BLOCKS];
};

static void take_item(void *to, const struct gfxinfo_item *item)
{
	struct dump *d = to;
	struct block *b = d->nr ? &d->blocks[d->nr - 1] : NULL;

	switch (item->kind) {
	case GFXINFO_DUMP:
		d->uptime_ms = item->uptime_ms;
		break;
	case GFXINFO_STATS:
		CU_ASSERT_FATAL(d->nr < BLOCKS);
		b = &d->blocks[d->nr++];
		b->window = item->stats->scope == SCOPE_WINDOW;
		b->pid = item->pid;
		b->stats = *item->stats;
		b->rows.nr = 0;
		strcpy(b->process, item->process);
		strcpy(b->name, item->window);
		break;
	case GFXINFO_ROW:
		CU_ASSERT_FATAL(b && b->window && b->rows.nr < VERDICT_ROWS);
		b->rows.slots[b->rows.nr++] = item->slots;
		break;
	default:
		CU_ASSERT_EQUAL(item->kind, GFXINFO_PROCESS);
		break;
	}
}

static void feed(void *to, const struct gfxinfo_item *item)
{
	CU_ASSERT_EQUAL(dump_frames_add(to, item), 0);
}

static void read_items(const char *text, void (*take)(void *to, const struct gfxinfo_item *item),
		       void *to)
{
	int fd = memfd_create("gfxinfo", MFD_CLOEXEC);
	const struct gfxinfo_item *item;
	struct gfxinfo *g;
	struct err e = { 0 };
	char path[64];

	CU_ASSERT_FATAL(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	CU_ASSERT_EQUAL_FATAL(gfxinfo_open(path, &g, &e), 0);
	while (gfxinfo_next(g, &item, &e) == 1) {
		CU_ASSERT_EQUAL(item->fault, FAULT_NONE);
		take(to, item);
	}
	CU_ASSERT_EQUAL(gfxinfo_input(g)->unreadable, 0);
	CU_ASSERT_FALSE(gfxinfo_input(g)->cut);
	gfxinfo_close(g);
	close(fd);
}

static void read_text(const char *text, struct dump *d)
{
	d->nr = 0;
	read_items(text, take_item, d);
}

static struct profile_data profile_of(const struct gfxinfo_stats *s)
{
	struct profile_data p = {
		.since_ns = s->since_ns,
		.total = (uint32_t)s->total,
		.janky = (uint32_t)s->janky,
		.janky_legacy = (uint32_t)s->janky_legacy,
	};

	for (unsigned i = 0; i < JANK_TYPE_NR; i++)
		p.types[i] = (uint32_t)s->types[i];
	for (unsigned i = 0; i < s->nr_bars; i++) {
		int bucket = profile_bucket_of_label(s->bars[i].label_ms);

		CU_ASSERT_EQUAL(bucket, (int)i);
		if (bucket < PROFILE_FAST)
			p.fast[bucket] = (uint32_t)s->bars[i].count;
		else
			p.slow[bucket - PROFILE_FAST] = (uint16_t)s->bars[i].count;
	}
	for (unsigned i = 0; i < s->nr_gpu_bars; i++)
		p.gpu[profile_gpu_bucket_of_label(s->gpu_bars[i].label_ms)] =
			(uint32_t)s->gpu_bars[i].count;
	return p;
}

static void check_share(uint32_t centipercent, uint32_t part, uint32_t total)
{
	double share = total ? 1e4 * part / total : 0;

	/* Two places, and a float has six more. */
	CU_ASSERT_TRUE(share - centipercent < 0.51 + share / 4e6);
	CU_ASSERT_TRUE(centipercent - share < 0.51 + share / 4e6);
}

static void check_profile(const struct gfxinfo_stats *s, const struct profile_data *p,
			  unsigned android)
{
	static const unsigned percents[] = { 50, 90, 95, 99 };
	const struct profile_data read = profile_of(s);
	bool gpu = android >= 12 || profile_has_gpu(p);
	unsigned types = android < 9 ? 5 : android < 12 ? 6 : 7;

	CU_ASSERT_EQUAL(memcmp(&read, p, sizeof(read)), 0);
	CU_ASSERT_EQUAL(s->nr_bars, 154);
	CU_ASSERT_EQUAL(s->nr_gpu_bars, gpu ? 26 : 0);
	CU_ASSERT_EQUAL(s->printed >> FIGURE_TYPES & 0x7f, (1u << types) - 1);
	CU_ASSERT_EQUAL(s->printed >> FIGURE_PERCENTILES & 0xff, gpu ? 0xff : 0xf);
	CU_ASSERT_EQUAL(s->printed >> FIGURE_JANKY_LEGACY & 1, android >= 12);
	check_share(s->janky_centipercent, p->janky, p->total);
	check_share(s->janky_legacy_centipercent, p->janky_legacy, p->total);
	for (unsigned i = 0; i < 4; i++) {
		CU_ASSERT_EQUAL(s->percentiles_ms[i], profile_percentile(p, percents[i]));
		if (gpu)
			CU_ASSERT_EQUAL(s->gpu_percentiles_ms[i],
					profile_gpu_percentile(p, percents[i]));
	}
}

static void check_rows(const struct frame_ring *read, const struct frame_ring *ring)
{
	uint64_t nr = ring->nr < VERDICT_ROWS ? ring->nr : VERDICT_ROWS;

	CU_ASSERT_EQUAL_FATAL(read->nr, nr);
	for (uint64_t i = 0; i < nr; i++) {
		struct frame_slots was = ring->slots[(ring->nr - nr + i) % VERDICT_ROWS];

		if (was.layout == 17 && !slot_known(&was, SLOT_GPU_COMPLETED))
			was.ns[SLOT_GPU_COMPLETED] = -1;
		CU_ASSERT_EQUAL(read->slots[i].layout, was.layout);
		CU_ASSERT_EQUAL(read->slots[i].known, was.known);
		CU_ASSERT_EQUAL(memcmp(read->slots[i].ns, was.ns, sizeof(was.ns)), 0);
	}
}

static void check_name(const char *read, const char *was)
{
	char name[GFXINFO_NAME];

	text_escape_controls(name, sizeof(name), was, strlen(was));
	CU_ASSERT_STRING_EQUAL(read, name);
}

/* The blocks are those of the verdicts, process by process. */
static void check_dump(const struct dump *d, const struct verdicts *v)
{
	const struct process_verdicts *p = NULL;
	unsigned nr = 0;

	while ((p = verdicts_next_process(v, p))) {
		const struct window_verdicts *w = NULL;

		CU_ASSERT_FATAL(nr < d->nr && !d->blocks[nr].window);
		check_profile(&d->blocks[nr].stats, &p->profile, p->android);
		nr++;
		while ((w = verdicts_window_of(p, w))) {
			const struct block *b = &d->blocks[nr];

			CU_ASSERT_FATAL(nr < d->nr && b->window);
			CU_ASSERT_EQUAL(b->pid, p->producer->pid);
			check_name(b->process, p->producer->process);
			if (w->producer->window)
				check_name(b->name, w->producer->window);
			else
				CU_ASSERT_EQUAL(strncmp(b->name, "JankTracker@", 12), 0);
			check_profile(&b->stats, &w->profile, w->android);
			check_rows(&b->rows, w->ring);
			nr++;
		}
	}
	CU_ASSERT_EQUAL(nr, d->nr);
}

static struct producer producer_of(const struct block *b, unsigned id)
{
	struct producer p = {
		.id = id + 1,
		.pid = b->pid,
		.window = b->window ? b->name : NULL,
	};

	snprintf(p.process, sizeof(p.process), "%.*s", PRODUCER_NAME_LEN - 1, b->process);
	return p;
}

static char *write_again(struct dump *d, unsigned android, uint64_t realtime_ms)
{
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	gfxinfo_text_head(out, d->uptime_ms, realtime_ms);
	for (unsigned i = 0; i < d->nr; i++) {
		struct block *b = &d->blocks[i];
		const struct producer producer = producer_of(b, i);
		const struct process_verdicts p = { &producer, android, profile_of(&b->stats) };
		const struct window_verdicts w = {
			.producer = &producer,
			.android = android,
			.profile = p.profile,
			.ring = &b->rows,
		};

		if (b->window)
			gfxinfo_text_window(out, &w);
		else
			gfxinfo_text_process(out, &p);
	}
	fclose(out);
	return text;
}

static char *text_of(const struct verdicts *v, uint64_t uptime_ms, uint64_t realtime_ms)
{
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	gfxinfo_text(out, v, uptime_ms, realtime_ms);
	fclose(out);
	return text;
}

static void judge_dumped(void *ctx, struct frame *f)
{
	CU_ASSERT_EQUAL(f->fault, FAULT_NONE);
	CU_ASSERT_EQUAL(verdicts_judge(ctx, f), 0);
}

static char *judge_again(const char *text, const struct verdict_rules *rules, uint64_t uptime_ms,
			 uint64_t realtime_ms)
{
	struct verdicts *v = verdicts_new(rules, NULL, NULL);
	struct dump_frames *frames =
		dump_frames_new(&(struct dump_sink){ .frame = judge_dumped, .ctx = v });

	read_items(text, feed, frames);
	char *again = text_of(v, uptime_ms, realtime_ms);
	verdicts_free(v);
	dump_frames_free(frames);
	return again;
}

static struct frame_slots random_slots(unsigned layout, int64_t vsync, bool gpu)
{
	struct frame_slots s = { .layout = layout };
	static const int64_t flags[] = { 0, 0, 0, 1, 2, FRAME_FLAG_SURFACE_CANVAS };
	int64_t each = below(10) ? MS : 20 * MS, at = vsync;
	uint32_t slots = 0;

	s.ns[SLOT_FLAGS] = flags[below(6)];
	s.ns[SLOT_VSYNC_ID] = below(2) ? below(100000) : -1;
	s.ns[SLOT_INTENDED_VSYNC] = at;
	s.ns[SLOT_VSYNC] = at += below(4) ? 0 : 16666667;
	s.ns[SLOT_OLDEST_INPUT] = below(3) ? INT64_MAX : at - below(MS);
	s.ns[SLOT_NEWEST_INPUT] = below(3) ? 0 : at;
	s.ns[SLOT_INPUT_EVENT_ID] = below(1000);
	s.ns[SLOT_FRAME_DEADLINE] = vsync + 16666667 + below(4) * MS;
	s.ns[SLOT_FRAME_START] = at + below(MS);
	s.ns[SLOT_FRAME_INTERVAL] = below(2) ? 16666667 : 8333333;
	s.ns[SLOT_WORKLOAD_TARGET] = s.ns[SLOT_FRAME_DEADLINE] - vsync;
	s.ns[SLOT_ANIMATION_TIME] = below(2) ? -1 : at;
	s.ns[SLOT_HANDLE_INPUT_START] = at += below(each);
	s.ns[SLOT_ANIMATION_START] = at += below(each);
	s.ns[SLOT_PERFORM_TRAVERSALS_START] = at += below(each);
	s.ns[SLOT_DRAW_START] = at += below(each);
	s.ns[SLOT_SYNC_QUEUED] = at += below(each);
	s.ns[SLOT_SYNC_START] = at += below(each);
	s.ns[SLOT_ISSUE_DRAW_COMMANDS_START] = at += below(each);
	s.ns[SLOT_SWAP_BUFFERS] = at += below(each);
	s.ns[SLOT_COMMAND_SUBMISSION_COMPLETED] = at;
	s.ns[SLOT_SWAP_BUFFERS_COMPLETED] = at += below(each);
	s.ns[SLOT_GPU_COMPLETED] = gpu ? at + below(2 * each) : -below(2);
	s.ns[SLOT_FRAME_COMPLETED] = at + below(below(50) ? 2 * each : 6000 * MS);
	s.ns[SLOT_DEQUEUE_DURATION] = below(3 * MS);
	s.ns[SLOT_QUEUE_DURATION] = below(3 * MS);
	s.ns[SLOT_DISPLAY_PRESENT_TIME] = (int64_t)random64();
	for (unsigned i = 0; i < layout; i++)
		slots |= 1u << frame_slots_order(layout)[i];
	for (unsigned i = 0; i < SLOT_NR; i++)
		if (!(slots & 1u << i))
			s.ns[i] = 0;
	s.known = frame_slots_filled(slots, s.ns);
	return s;
}

/* So few that a reader of a dump may know that its rows begin with the window's first frame. */
#define ROWS_FROM_START 116

struct app {
	unsigned nr;
	struct producer producers[WINDOWS];
	char titles[WINDOWS][128];
	uint64_t trackers[WINDOWS], frames[WINDOWS];
	bool gpu[WINDOWS];
};

static void random_app(struct app *a)
{
	char names[3][128];

	a->nr = 1 + (unsigned)below(WINDOWS);
	for (unsigned i = 0; i < 3; i++)
		random_name(strcpy(names[i], "p") + 1, true);
	for (unsigned i = 0; i < a->nr; i++) {
		struct producer *p = &a->producers[i];
		unsigned process = (unsigned)below(3);

		*p = (struct producer){ .id = i + 1, .pid = 100 + process, .from_start = true };
		snprintf(p->process, sizeof(p->process), "%.*s", PRODUCER_NAME_LEN / 4,
			 names[process]);
		p->window = below(4) ? random_name(a->titles[i], below(2)) : NULL;
		a->trackers[i] = 0xb400007000 + i;
		a->frames[i] = 0;
		a->gpu[i] = below(4);
	}
}

/* Returns the last frame's end. */
static int64_t judge_random(struct verdicts *v, struct app *a, unsigned layout)
{
	int64_t vsync = 1000 * MS, end = 0;

	for (int64_t left = 1 + below(below(2) ? 100 : 1000); left; left--) {
		unsigned i = (unsigned)below(a->nr);
		struct frame f = {
			.producer = &a->producers[i],
			.hwui = { .jank_tracker = a->trackers[i], .whole = true },
		};

		vsync += below(5) ? 16666667 : below(100 * MS);
		f.hwui.slots = random_slots(layout, vsync, a->gpu[i]);
		if (!a->frames[i])
			f.hwui.slots.ns[SLOT_FLAGS] = FRAME_FLAG_FIRST_DRAW;
		f.start_ns = (uint64_t)f.hwui.slots.ns[SLOT_INTENDED_VSYNC];
		end = f.hwui.slots.ns[SLOT_FRAME_COMPLETED];
		a->frames[i]++;
		CU_ASSERT_EQUAL(verdicts_judge(v, &f), 0);
	}
	return end;
}

static const struct {
	unsigned android, layout;
} releases[] = {
	{ 8, 16 },  { 9, 16 },  { 10, 16 }, { 11, 17 }, { 12, 22 },
	{ 13, 23 }, { 14, 23 }, { 15, 23 }, { 16, 24 }, { 17, 25 },
};

#define RELEASES (sizeof(releases) / sizeof(*releases))

static void judged(void)
{
	static struct dump d;
	static struct app a;
	unsigned judged_again = 0;

	for (unsigned round = 0; round < ROUNDS; round++) {
		unsigned android = releases[round % RELEASES].android;
		const struct verdict_rules rules = {
			.android = android,
			.refresh_hz = below(8) || android >= 12 ? 60 : 0,
			.multiplier = JANKSTATS_MULTIPLIER,
			.matrix = matrix_default,
			.since_ns = below(4) ? (uint64_t)below(1000 * MS) : 0,
			.keep_rows = true,
		};
		struct verdicts *v = verdicts_new(&rules, NULL, NULL);
		bool all_rows = true;

		random_app(&a);
		uint64_t end =
			(uint64_t)judge_random(v, &a, releases[round % RELEASES].layout) / MS;
		uint64_t uptime_ms = below(2) ? end + (uint64_t)below(1000) : 0;
		uint64_t realtime_ms = uptime_ms && below(2) ? uptime_ms + 77 : 0;
		char *text = text_of(v, uptime_ms, realtime_ms);
		read_text(text, &d);
		CU_ASSERT_EQUAL(d.uptime_ms, uptime_ms);
		check_dump(&d, v);

		char *again = write_again(&d, android, realtime_ms);
		CU_ASSERT_STRING_EQUAL(again, text);
		free(again);
		for (unsigned i = 0; i < a.nr; i++)
			all_rows = all_rows && a.frames[i] <= ROWS_FROM_START;
		if (all_rows) {
			again = judge_again(text, &rules, uptime_ms, realtime_ms);
			CU_ASSERT_STRING_EQUAL(again, text);
			free(again);
			judged_again++;
		}
		free(text);
		verdicts_free(v);
	}
	CU_ASSERT_TRUE(judged_again > ROUNDS / 2 && judged_again < ROUNDS);
}

/* Counters that may be anything, as after a long time. */
static void counted(void)
{
	static struct dump d;

	for (unsigned round = 0; round < ROUNDS; round++) {
		unsigned android = releases[round % RELEASES].android;
		const struct producer app = { .id = 1, .pid = UINT32_MAX, .process = "app" };
		struct process_verdicts p = { .producer = &app, .android = android };
		struct profile_data *data = &p.profile;
		unsigned shift = (unsigned)below(32);
		char *text = NULL;
		size_t len;

		data->since_ns = random64();
		data->total = (uint32_t)random64() >> shift;
		data->janky = data->total ? (uint32_t)below(data->total) : 0;
		data->janky_legacy = android < 12 ? 0 : data->janky / 3;
		for (unsigned i = 0; i < JANK_TYPE_NR; i++)
			if (jank_type_of_release((enum jank_type)i, android))
				data->types[i] = (uint32_t)random64() >> shift;
		for (unsigned i = 0; i < PROFILE_FAST; i++)
			data->fast[i] = (uint32_t)random64() >> shift;
		for (unsigned i = 0; i < PROFILE_SLOW; i++)
			data->slow[i] = (uint16_t)random64();
		for (unsigned i = 0; i < PROFILE_GPU_BUCKETS; i++)
			data->gpu[i] = android < 11 ? 0 : (uint32_t)random64() >> shift;

		FILE *out = open_memstream(&text, &len);
		gfxinfo_text_head(out, 0, 0);
		gfxinfo_text_process(out, &p);
		fclose(out);
		read_text(text, &d);
		CU_ASSERT_EQUAL_FATAL(d.nr, 1);
		CU_ASSERT_EQUAL(d.blocks[0].pid, UINT32_MAX);
		check_profile(&d.blocks[0].stats, data, android);
		char *again = write_again(&d, android, 0);
		CU_ASSERT_STRING_EQUAL(again, text);
		free(again);
		free(text);
	}
}

int main(void)
{
	static const struct check_case cases[] = {
		{ "judged", judged },
		{ "counted", counted },
		{ NULL, NULL },
	};

	return check_main("gfxinfo_round_trip", cases);
}
