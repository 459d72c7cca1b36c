/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Exports of small streams made by hand, read again by a JSON parser and a reader of CSV. */
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/export_file.h"
#include "csv.h"
#include "events.h"
#include "export/export.h"

#define FAR_NS UINT64_C(123456789012345678) /* 3.9 years after the start */

/* An export into memory. */
struct test {
	struct export x;
	struct world w; /* of which the model is used */
	char *text;
	size_t len;
};

static void open_test(struct test *t, const struct export_ops *ops, unsigned rows)
{
	*t = (struct test){ .x = { .ops = ops, .rows = rows } };

	const struct model_sink sink = export_sink(&t->x);

	t->x.out = open_memstream(&t->text, &t->len);
	t->w.model = model_new(&sink);
	CU_ASSERT_FATAL(t->x.out && t->w.model);
	export_begin(&t->x, t->w.model, NULL);
}

static void put(struct test *t, struct fs_header *h, uint16_t kind, size_t size)
{
	h->kind = kind;
	h->size = (uint16_t)size;
	if (!h->tid)
		h->tid = TID;
	if (!h->tgid)
		h->tgid = TID;
	export_record(&t->x, h);
	CU_ASSERT_EQUAL(model_feed(t->w.model, h), 0);
}

#define PUT(t, kind, type, ...)                                                                    \
	do {                                                                                       \
		struct type rec_ = { __VA_ARGS__ };                                                \
		put(t, &rec_.h, FS_KIND_##kind, sizeof(rec_));                                     \
	} while (0)
#define PUT_FENCE(t, what, at, c, s, ...)                                                          \
	PUT(t, FENCE, fs_fence, .h.time_ns = (at), .context = (c), .seqno = (s),                   \
	    .op = FS_FENCE_##what, .irq = FS_CTX_TASK, ##__VA_ARGS__)

/* The text is complete then. */
static void end_test(struct test *t)
{
	CU_ASSERT_EQUAL(model_finish(t->w.model), 0);
	export_end(&t->x);
	CU_ASSERT_FALSE(t->x.stop);
	fclose(t->x.out);
}

static void close_test(struct test *t)
{
	export_free(&t->x);
	world_close(&t->w);
	free(t->text);
}

static json_t *parse(const char *text)
{
	json_error_t e;
	json_t *v = json_loads(text, JSON_REJECT_DUPLICATES, &e);

	if (!v)
		printf("# %s at %d: %.200s\n", e.text, e.position, text);
	CU_ASSERT_PTR_NOT_NULL_FATAL(v);
	return v;
}

static long long number(const json_t *o, const char *key)
{
	const json_t *v = json_object_get(o, key);

	return json_is_integer(v) ? json_integer_value(v) : -1;
}

static const char *text(const json_t *o, const char *key)
{
	const char *v = json_string_value(json_object_get(o, key));

	return v ? v : "";
}

static const struct producer app = {
	.id = 1, .pid = TID, .ui_tid = TID, .render_tid = TID, .surface = 0x10, .name = "app"
};

static struct frame make_frame(uint64_t number, uint64_t from, uint64_t to)
{
	return (struct frame){ .producer = &app,
			       .number = number,
			       .start_ns = from,
			       .end_ns = to,
			       .render_start_ns = from };
}

/* One thread that swaps: it waits for a fence, is preempted, and waits to be woken in vain. */
static void tell(struct test *t)
{
	PUT(t, CLOCK, fs_clock, .h.time_ns = 1000, .mark = FS_CLOCK_START);
	PUT(t, POINT, fs_point, .h.time_ns = 1000, .id = 1, .role = FS_ROLE_SWAP,
	    .symbol = "eglSwapBuffers");
	PUT(t, TASK, fs_task, .h.time_ns = 1000, .op = FS_TASK_SEEN, .comm = "a\"p\\p,\n\xff");
	PUT(t, TASK, fs_task, .h = { .time_ns = 1000, .tid = 77, .tgid = 77 }, .op = FS_TASK_SEEN,
	    .comm = "gpu");
	PUT(t, SPAN, fs_span, .h.time_ns = 2000, .entry_ns = 1500, .point = 1, .seq = 1,
	    .args = { 0, 0x10 });
	PUT_FENCE(t, INIT, 2100, 9, 4);
	PUT(t, FENCE_NAME, fs_fence_name, .h.time_ns = 2100, .context = 9, .driver = "drv",
	    .timeline = "ring");
	PUT(t, FENCE_REF, fs_fence_ref, .h.time_ns = 2200, .role = FS_REF_WAITED, .context = 9,
	    .seqno = 4, .fd = 5, .off_seq = 1, .timeout_ns = -1);
	PUT_FENCE(t, SIGNALED, 5000, 9, 4, .h.tid = 77, .h.cpu = 3);
	PUT(t, OFFCPU, fs_offcpu, .h.time_ns = 5400, .out_ns = 2200, .waking_ns = 5100, .seq = 1,
	    .state = 1, .call = FS_CALL_POLL, .file = FS_FILE_SYNC_FILE, .fd = 5, .nfds = 1,
	    .context = FS_CTX_TASK, .peer_tid = 77, .peer_tgid = 77, .peer_comm = "gpu",
	    .cpu_waking = 3);
	PUT(t, OFFCPU, fs_offcpu, .h.time_ns = 6500, .out_ns = 6000, .seq = 2,
	    .flags = FS_OFF_PREEMPTED, .fd = -1, .peer_tid = 88, .peer_tgid = 80,
	    .peer_comm = "greedy", .cpu_waking = -1);
	PUT(t, OFFCPU, fs_offcpu, .h.time_ns = 8000, .out_ns = 7000, .seq = 3, .state = 1,
	    .call = FS_CALL_FUTEX, .fd = -1, .cpu_waking = -1);
	PUT(t, SPAN, fs_span, .h.time_ns = 9000, .entry_ns = 8500, .point = 1, .seq = 2,
	    .off_seq = 3, .args = { 0, 0x10 });
	PUT_FENCE(t, INIT, 9100, 9, 5);
	PUT(t, TASK, fs_task, .h.time_ns = 10000, .op = FS_TASK_LAST, .off_seq = 3, .span_seq = 2);
	PUT(t, CLOCK, fs_clock, .h.time_ns = 10000, .mark = FS_CLOCK_STOP);
}

#define COMM "a\\\"p\\\\p,\\x0a\\xff" /* as it is printed everywhere */

static void check_block(json_t *row, unsigned n)
{
	static const struct {
		long long out, wake, in, blocked, runnable, waker, taker, seqno;
		const char *cause, *confidence;
	} expected[] = {
		{ 2200, 5100, 5400, 2900, 300, 77, -1, 4, "fence", "exact" },
		{ 6000, -1, 6500, 0, 500, -1, 88, -1, "runnable", "exact" },
		{ 7000, -1, 8000, 1000, -1, -1, -1, -1, "lock", "probable" },
	};

	CU_ASSERT_FATAL(n < 3);
	CU_ASSERT_EQUAL(number(row, "out_ns"), expected[n].out);
	CU_ASSERT_EQUAL(number(row, "wake_ns"), expected[n].wake);
	CU_ASSERT_EQUAL(number(row, "in_ns"), expected[n].in);
	CU_ASSERT_EQUAL(number(row, "blocked_ns"), expected[n].blocked);
	CU_ASSERT_EQUAL(number(row, "runnable_ns"), expected[n].runnable);
	CU_ASSERT_EQUAL(number(row, "waker_tid"), expected[n].waker);
	CU_ASSERT_EQUAL(number(row, "taker_tid"), expected[n].taker);
	CU_ASSERT_EQUAL(number(row, "fence_seqno"), expected[n].seqno);
	CU_ASSERT_STRING_EQUAL(text(row, "cause"), expected[n].cause);
	CU_ASSERT_STRING_EQUAL(text(row, "confidence"), expected[n].confidence);
	CU_ASSERT_STRING_EQUAL(text(row, "comm"), COMM);
	CU_ASSERT_STRING_EQUAL(text(row, "timeline"), n ? "" : "ring");
	CU_ASSERT_EQUAL(number(row, "timed_out"), -1);
}

static void check_fence(json_t *row, unsigned n)
{
	CU_ASSERT_EQUAL(number(row, "seqno"), n ? 5 : 4);
	CU_ASSERT_STRING_EQUAL(text(row, "end"), n ? "pending" : "signaled");
	CU_ASSERT_STRING_EQUAL(text(row, "driver"), "drv");
	CU_ASSERT_EQUAL(number(row, "submitted_ns"), n ? 9100 : 2100);
	CU_ASSERT_EQUAL(number(row, "init_ns"), n ? 9100 : 2100);
	CU_ASSERT_EQUAL(number(row, "emit_ns"), -1);
	CU_ASSERT_EQUAL(number(row, "signal_ns"), n ? -1 : 5000);
	CU_ASSERT_EQUAL(number(row, "latency_ns"), n ? -1 : 2900);
	CU_ASSERT_EQUAL(number(row, "hardware_ns"), n ? -1 : 2900);
	CU_ASSERT_EQUAL(number(row, "signaller_tid"), n ? -1 : 77);
	CU_ASSERT_STRING_EQUAL(text(row, "signaller_comm"), n ? "" : "gpu");
	CU_ASSERT_EQUAL(number(row, "submitter_tid"), TID);
	CU_ASSERT_STRING_EQUAL(text(row, "submitter_comm"), COMM);
}

static void ndjson(void)
{
	unsigned frames = 0, fences = 0, waits = 0, blocks = 0;
	struct test t;

	open_test(&t, &export_ndjson, EXPORT_ALL);
	tell(&t);
	end_test(&t);
	for (char *line = strtok(t.text, "\n"); line; line = strtok(NULL, "\n")) {
		json_t *row = parse(line);
		const char *schema = text(row, "schema");

		if (!strcmp(schema, "framescope.block/1"))
			check_block(row, blocks++);
		else if (!strcmp(schema, "framescope.fence/1"))
			check_fence(row, fences++);
		frames += !strcmp(schema, "framescope.frame/1");
		waits += !strcmp(schema, "framescope.wait/1");
		json_decref(row);
	}
	/* The first and the last frame are cut by the edges. */
	CU_ASSERT_EQUAL(frames, 3);
	CU_ASSERT_EQUAL(fences, 2);
	CU_ASSERT_EQUAL(waits, 1);
	CU_ASSERT_EQUAL(blocks, 3);
	close_test(&t);
}

static void check_csv(unsigned rows, unsigned expected, const char *column, const char *first)
{
	char path[] = "/tmp/framescope-export.XXXXXX";
	int fd = mkstemp(path);
	unsigned nr = 0;
	struct test t;
	struct csv c;

	open_test(&t, &export_csv, rows);
	tell(&t);
	end_test(&t);
	CU_ASSERT_EQUAL(write(fd, t.text, t.len), (ssize_t)t.len);
	close(fd);
	CU_ASSERT_EQUAL_FATAL(csv_open(&c, path), 0);
	for (; csv_next(&c) == 1; nr++) {
		const char *cell = csv_cell(&c, column);

		CU_ASSERT_PTR_NOT_NULL_FATAL(cell);
		if (!nr)
			CU_ASSERT_STRING_EQUAL(cell, first);
	}
	CU_ASSERT_EQUAL(nr, expected);
	unlink(path);
	close_test(&t);
}

static void csv(void)
{
	check_csv(EXPORT_FRAMES, 3, "producer", COMM);
	check_csv(EXPORT_FENCES, 2, "submitter_comm", COMM);
	check_csv(EXPORT_WAITS, 1, "signaller", "gpu/77");
	check_csv(EXPORT_BLOCKS, 3, "comm", COMM);
}

/* The n-th event (from 0) of that phase and name; NULL: there are not so many. */
static json_t *event(const json_t *trace, const char *phase, const char *name, unsigned n)
{
	json_t *e;
	size_t i;

	json_array_foreach(json_object_get(trace, "traceEvents"), i, e)
	{
		if (!strcmp(text(e, "ph"), phase) && (!name || !strcmp(text(e, "name"), name)) &&
		    !n--)
			return e;
	}
	return NULL;
}

/* Of small times, which a double holds exactly enough. */
static bool is_ns(const json_t *e, const char *key, double ns)
{
	double got = json_number_value(json_object_get(e, key)) * 1000;

	return e && got > ns - 0.01 && got < ns + 0.01;
}

static void chrome(void)
{
	unsigned named = 0;
	struct test t;
	json_t *trace, *slice, *from, *to;

	open_test(&t, &export_chrome, 0);
	tell(&t);
	end_test(&t);
	trace = parse(t.text);

	slice = event(trace, "X", "eglSwapBuffers", 1);
	CU_ASSERT_TRUE(is_ns(slice, "ts", 8500) && is_ns(slice, "dur", 500));
	CU_ASSERT_EQUAL(number(slice, "tid"), TID);
	slice = event(trace, "X", "frame 2 fence", 0);
	CU_ASSERT_TRUE(is_ns(slice, "ts", 2000) && is_ns(slice, "dur", 7000));
	CU_ASSERT_STRING_EQUAL(text(json_object_get(slice, "args"), "producer"), COMM);

	/* A fence, the hardware at it, and the arrow to the block that it ended. */
	slice = event(trace, "X", "9:4", 0);
	CU_ASSERT_TRUE(is_ns(slice, "ts", 2100) && is_ns(slice, "dur", 2900));
	from = event(trace, "s", NULL, 0);
	to = event(trace, "f", NULL, 0);
	CU_ASSERT_TRUE(is_ns(from, "ts", 4999) && is_ns(to, "ts", 5099));
	CU_ASSERT_EQUAL(number(from, "id"), number(to, "id"));
	CU_ASSERT_EQUAL(number(from, "tid"), number(slice, "tid"));
	CU_ASSERT_EQUAL(number(from, "pid"), number(slice, "pid"));
	CU_ASSERT_PTR_NULL(event(trace, "s", NULL, 1));
	CU_ASSERT_EQUAL(number(event(trace, "X", "hardware", 0), "tid"), number(slice, "tid"));
	slice = event(trace, "X", "fence", 0);
	CU_ASSERT_TRUE(is_ns(slice, "ts", 2200) && is_ns(slice, "dur", 2900));
	CU_ASSERT_EQUAL(number(to, "tid"), number(slice, "tid"));
	slice = event(trace, "X", "runnable", 0);
	CU_ASSERT_TRUE(is_ns(slice, "ts", 5100) && is_ns(slice, "dur", 300));
	slice = event(trace, "X", "runnable", 1);
	CU_ASSERT_TRUE(is_ns(slice, "ts", 6000) && is_ns(slice, "dur", 500));
	CU_ASSERT_EQUAL(number(json_object_get(slice, "args"), "taker_tid"), 88);
	/* Still in flight: until the capture's end. */
	slice = event(trace, "X", "9:5", 0);
	CU_ASSERT_TRUE(is_ns(slice, "ts", 9100) && is_ns(slice, "dur", 900));

	/* The first fence began before its timeline had a name. */
	slice = event(trace, "C", "in flight: drv/ring 9", 0);
	CU_ASSERT_TRUE(is_ns(slice, "ts", 5000));
	CU_ASSERT_EQUAL(number(json_object_get(slice, "args"), "fences"), 0);
	slice = event(trace, "C", "in flight: drv/ring 9", 1);
	CU_ASSERT_TRUE(is_ns(slice, "ts", 9100));
	CU_ASSERT_EQUAL(number(json_object_get(slice, "args"), "fences"), 1);

	for (unsigned n = 0; (slice = event(trace, "M", "process_name", n)); n++) {
		if (number(slice, "pid") != TID)
			continue;
		CU_ASSERT_STRING_EQUAL(text(json_object_get(slice, "args"), "name"), COMM);
		named++;
	}
	CU_ASSERT_EQUAL(named, 1);
	slice = json_object_get(trace, "otherData");
	CU_ASSERT_EQUAL(number(slice, "start_ns"), 1000);
	CU_ASSERT_EQUAL(number(slice, "stop_ns"), 10000);
	json_decref(trace);
	close_test(&t);
}

/* What overlaps is on tracks beside each other; of too many, by itself. */
static void overlapping(void)
{
	struct frame f[] = { make_frame(1, 1000, 2000), make_frame(2, 1500, 2500),
			     make_frame(3, 2000, 3000), make_frame(4, 2400, 3100) };
	long long tids[4];
	unsigned n = 0;
	struct test t;
	json_t *trace;

	open_test(&t, &export_chrome, 0);
	for (unsigned i = 0; i < 4; i++)
		export_frame(&t.x, &f[i]);
	for (unsigned i = 0; i < 70; i++) {
		const struct frame more = make_frame(100 + i, 10000 + i, 20000);

		export_frame(&t.x, &more);
	}
	end_test(&t);
	trace = parse(t.text);
	for (unsigned i = 0; i < 4; i++) {
		char name[16];

		snprintf(name, sizeof(name), "frame %u", i + 1);
		tids[i] = number(event(trace, "X", name, 0), "tid");
	}
	CU_ASSERT_NOT_EQUAL(tids[1], tids[0]);
	CU_ASSERT_EQUAL(tids[2], tids[0]);
	CU_ASSERT_TRUE(tids[3] != tids[2] && tids[3] != tids[1]);
	while (event(trace, "b", "frames app", n))
		n++;
	CU_ASSERT_EQUAL(n, 70 - 64);
	for (unsigned i = 0; i < n; i++)
		CU_ASSERT_EQUAL(number(event(trace, "b", NULL, i), "id"),
				number(event(trace, "e", NULL, i), "id"));
	CU_ASSERT_PTR_NULL(event(trace, "e", NULL, n));
	json_decref(trace);
	close_test(&t);
}

/* The stages that were known, where they lie; what no track has room for is left out. */
static void stages(void)
{
	struct frame f = make_frame(1, 1000, 9000);
	struct hwui_frame *hf = &f.hwui;
	struct test t;
	json_t *trace, *outer, *inner;

	hf->stages_known = 1u << STAGE_ANIMATION | 1u << STAGE_DRAW | 1u << STAGE_SYNC_PREPARE |
			   1u << STAGE_SYNC_DEQUEUE | 1u << STAGE_COMMAND_ISSUE | 1u << STAGE_GPU;
	hf->stage_edges[STAGE_ANIMATION] = (struct stage_edges){ 1000, 3000 };
	hf->stage_edges[STAGE_DRAW] = (struct stage_edges){ 2000, 4000 };
	hf->stage_edges[STAGE_SYNC_PREPARE] = (struct stage_edges){ 4000, 7000 };
	hf->stage_edges[STAGE_SYNC_DEQUEUE] = (struct stage_edges){ 5000, 6000 };
	hf->stage_edges[STAGE_COMMAND_ISSUE] = (struct stage_edges){ 7000, 8000 };
	hf->stage_edges[STAGE_GPU] = (struct stage_edges){ 8500, 9900 };
	open_test(&t, &export_chrome, 0);
	export_frame(&t.x, &f);
	end_test(&t);
	trace = parse(t.text);
	CU_ASSERT_TRUE(is_ns(event(trace, "X", "animation", 0), "dur", 2000));
	CU_ASSERT_PTR_NULL(event(trace, "X", "draw", 0));
	outer = event(trace, "X", "sync_prepare", 0);
	inner = event(trace, "X", "sync_dequeue", 0);
	CU_ASSERT_TRUE(is_ns(outer, "ts", 4000) && is_ns(outer, "dur", 3000));
	CU_ASSERT_TRUE(is_ns(inner, "ts", 5000) && is_ns(inner, "dur", 1000));
	CU_ASSERT_EQUAL(number(outer, "tid"), number(inner, "tid"));
	CU_ASSERT_EQUAL(number(outer, "tid"), number(event(trace, "X", "command_issue", 0), "tid"));
	CU_ASSERT_NOT_EQUAL(number(outer, "tid"), number(event(trace, "X", "gpu", 0), "tid"));
	CU_ASSERT_TRUE(is_ns(event(trace, "X", "gpu", 0), "ts", 8500));
	json_decref(trace);
	close_test(&t);
}

/* All digits of a time are there. */
static void exact(void)
{
	const struct frame f = make_frame(1, FAR_NS, FAR_NS + 1000007);
	struct test t;

	open_test(&t, &export_chrome, 0);
	export_frame(&t.x, &f);
	end_test(&t);
	CU_ASSERT_PTR_NOT_NULL(strstr(t.text, "\"ts\":123456789012345.678,\"dur\":1000.007,"));
	close_test(&t);
}

static int judged(void *ctx, struct frame *f)
{
	(*(unsigned *)ctx)++;
	f->verdict.hwui.known = f->verdict.hwui.janky = true;
	return 0;
}

static int refused(void *ctx, struct frame *f)
{
	(void)ctx;
	(void)f;
	return -ENOMEM;
}

static void judging(void)
{
	unsigned nr = 0;
	struct test t;

	open_test(&t, &export_ndjson, EXPORT_FRAMES);
	t.x.judge = judged;
	t.x.judge_ctx = &nr;
	tell(&t);
	end_test(&t);
	CU_ASSERT_EQUAL(nr, 3);
	CU_ASSERT_PTR_NOT_NULL(strstr(t.text, "\"hwui_janky\":1"));
	close_test(&t);

	open_test(&t, &export_ndjson, EXPORT_FRAMES);
	t.x.judge = refused;
	tell(&t);
	CU_ASSERT_EQUAL(model_finish(t.w.model), 0);
	CU_ASSERT_TRUE(t.x.stop);
	CU_ASSERT_EQUAL(t.x.error, -ENOMEM);
	fclose(t.x.out);
	CU_ASSERT_EQUAL(t.len, 0);
	close_test(&t);
}

static void full_disk(void)
{
	const struct frame f = make_frame(1, 1000, 2000);
	struct test t;
	unsigned n = 0;

	open_test(&t, &export_chrome, 0);
	fclose(t.x.out);
	t.x.out = fopen("/dev/full", "we");
	CU_ASSERT_PTR_NOT_NULL_FATAL(t.x.out);
	export_free(&t.x);
	export_begin(&t.x, t.w.model, NULL);
	while (!t.x.stop && n++ < 100000)
		export_frame(&t.x, &f);
	CU_ASSERT_EQUAL(t.x.write_error, -ENOSPC);
	CU_ASSERT_EQUAL(t.x.error, 0);
	fclose(t.x.out);
	close_test(&t);
}

/* Nothing but the trace may hold what was recorded; a device or a pipe holds nothing. */
static void recorded(void)
{
	char dir[] = "/tmp/framescope-test-XXXXXX", input[64], file[64], device[64];
	struct err e = { 0 };

	CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(dir));
	snprintf(input, sizeof(input), "%s/x.fsc", dir);
	snprintf(file, sizeof(file), "%s/file.pftrace", dir);
	snprintf(device, sizeof(device), "%s/device.pftrace", dir);

	FILE *f = fopen(input, "we");

	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	fputs("# framescope dump 1\nend\n", f);
	fclose(f);
	CU_ASSERT_EQUAL_FATAL(symlink("/dev/null", device), 0);

	CU_ASSERT_EQUAL(export_recorded(input, device, &e), 0);
	CU_ASSERT_EQUAL(access(input, F_OK), 0);
	CU_ASSERT_EQUAL(export_recorded(input, file, &e), 0);
	CU_ASSERT_EQUAL(access(file, F_OK), 0);
	CU_ASSERT_NOT_EQUAL(access(input, F_OK), 0);
	unlink(device);
	unlink(file);
	rmdir(dir);
}

static void formats(void)
{
	CU_ASSERT_PTR_EQUAL(export_find("chrome")->ops, &export_chrome);
	CU_ASSERT_PTR_EQUAL(export_find_file("x.pftrace")->ops, &export_perfetto);
	CU_ASSERT_PTR_EQUAL(export_find_file("x.perfetto-trace")->ops, &export_perfetto);
	CU_ASSERT_PTR_NULL(export_find("chrom"));
	CU_ASSERT_PTR_EQUAL(export_find_file("a.b/x.jsonl")->ops, &export_ndjson);
	CU_ASSERT_PTR_EQUAL(export_find_file("x.csv")->ops, &export_csv);
	CU_ASSERT_PTR_NULL(export_find_file("x.csv.gz"));
	CU_ASSERT_PTR_NULL(export_find_file(".csv"));
	CU_ASSERT_PTR_NULL(export_find_file(""));
}

int main(void)
{
	static const struct check_case cases[] = {
		{ "ndjson", ndjson },
		{ "csv", csv },
		{ "chrome", chrome },
		{ "stages", stages },
		{ "overlapping", overlapping },
		{ "exact", exact },
		{ "judging", judging },
		{ "full_disk", full_disk },
		{ "recorded", recorded },
		{ "formats", formats },
		{ NULL, NULL },
	};

	return check_main("export", cases);
}
