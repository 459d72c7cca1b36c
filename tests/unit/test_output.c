/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Rows and words, byte by byte, from frames made by hand. */
#include <errno.h>
#include <jansson.h>
#include <string.h>

#include "check.h"
#include "output/figures.h"
#include "output/frames.h"
#include "output/meta.h"
#include "output/output.h"
#include "output/words.h"

/* The columns of HWUI, of a frame that is none of its. */
#define NO_HWUI ",,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,," NO_VERDICT
#define NO_VERDICT ",,,,,,,,,,,,,,,,,,,,,,,,," NO_TIMELINE
#define NO_TIMELINE ",,,,,,,,,,,,,,,,"

static const struct style plain = { "", "", "", "" };

static const struct producer gears = {
	.id = 1,
	.pid = 100,
	.ui_tid = 100,
	.render_tid = 101,
	.surface = 0x5500,
	.name = "gears",
};

/* 16.9 ms, of which 12.1 blocked on a lock in two ways. */
static struct frame lock_frame(void)
{
	struct frame f = {
		.producer = &gears,
		.number = 7,
		.start_ns = 2000000000,
		.end_ns = 2016900000,
		.seen = 1u << FS_ROLE_SWAP | 1u << FS_ROLE_QUEUE,
		.swap_ns = 3000000,
		.dequeue_ns = 99, /* not in `seen`: must not show */
		.queue_ns = 0,
		.nr_blockers = 2,
	};

	f.render.ns[BUDGET_RUNNING] = 4300000;
	f.render.ns[BUDGET_RUNNABLE] = 500000;
	f.render.ns[BUDGET_LOCK] = 12100000;
	f.blockers[0] = (struct blocker){
		.cause = BUDGET_LOCK,
		.confidence = CONF_EXACT,
		.call = FS_CALL_FUTEX,
		.context = FS_CTX_TASK,
		.fd = -1,
		.peer_tid = 1234,
		.peer_comm = "llvmpipe-0",
		.ns = 12100000,
		.count = 2,
	};
	f.blockers[1] =
		(struct blocker){ .cause = BUDGET_RUNNABLE, .fd = -1, .ns = 500000, .count = 1 };
	return f;
}

static struct listing listing(FILE *out, const struct row_format *format)
{
	return (struct listing){
		.out = out, .style = &plain, .format = format, .view = &frames_view
	};
}

/* The row as text; the caller frees it. */
static char *row(const struct row_format *format, uint64_t origin_ns, const struct frame *f)
{
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);
	struct listing l = listing(out, format);

	listing_print(&l, &(struct frame_row){ .frame = f, .origin_ns = origin_ns });
	fclose(out);
	return text;
}

/* What a list without rows prints. */
static char *head(const struct row_format *format)
{
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);
	const struct listing l = listing(out, format);

	listing_begin(&l);
	listing_end(&l);
	fclose(out);
	return text;
}

static void check_row(const struct row_format *format, const struct frame *f, const char *expected)
{
	char *text = row(format, 1000000000, f);

	CU_ASSERT_STRING_EQUAL(text, expected);
	if (strcmp(text, expected) != 0)
		printf("# got %s", text);
	free(text);
}

static void test_csv_head(void)
{
	char *text = head(&row_csv);

	CU_ASSERT_STRING_EQUAL(
		text,
		"frame,producer,pid,ui_tid,render_tid,surface,start_ns,end_ns,wall_ns,status,"
		"render_running_ns,render_runnable_ns,render_fence_ns,render_slot_ns,render_gpu_ns,"
		"render_lock_ns,render_binder_ns,render_ipc_ns,render_io_ns,render_sleep_ns,"
		"render_other_ns,render_unknown_ns,swap_ns,dequeue_ns,queue_ns,top_cause,"
		"top_cause_ns,top_waker,top_confidence,top_detail,acquire_fence,"
		"acquire_signal_ns,gpu_ns,release_fence,release_signal_ns,release_wait_ns,"
		"fence_confidence,queue_depth"
		",frame_kind,skip_reason,vsync_id,frame_number,jank_tracker"
		",unknown_delay_ns,input_handling_ns,animation_ns,layout_measure_ns"
		",draw_ns,sync_ns,command_issue_ns,swap_buffers_ns,total_ns"
		",first_draw_frame,intended_vsync_ns,vsync_ns,gpu_duration_ns"
		",deadline_ns,frame_timeline_vsync_id,render_queue_ns,commit_ns"
		",sync_dequeue_ns,frame_deadline_ns,vsync_delivery_ns,top_stage"
		",ui_running_ns,ui_runnable_ns,ui_fence_ns,ui_slot_ns,ui_gpu_ns"
		",ui_lock_ns,ui_binder_ns,ui_ipc_ns,ui_io_ns,ui_sleep_ns,ui_other_ns"
		",ui_unknown_ns,ui_end_ns,render_start_ns"
		",window,fault,hwui_janky,hwui_janky_legacy,hwui_jank_types,hwui_total_ns"
		",hwui_stuffed,hwui_davey,hwui_confidence,jankstats_janky,jankstats_start_ns"
		",jankstats_ui_ns,jankstats_cpu_ns,jankstats_total_ns,jankstats_overrun_ns"
		",matrix_dropped,matrix_level,disagree,table_draw_ns,table_prepare_ns"
		",table_process_ns,table_execute_ns,desired_present_ns,actual_present_ns"
		",frame_ready_ns,ft_token,ft_jank,ft_present,ft_prediction,ft_severity"
		",ft_on_time,ft_gpu_composition,ft_expected_start_ns,ft_deadline_ns"
		",ft_actual_start_ns,ft_actual_end_ns,ft_overrun_ns,ft_layer,ft_layers"
		",ft_display_token,ft_display_jank"
		"\n");
	free(text);
}

static void test_csv_row(void)
{
	struct frame f = lock_frame();

	/* A queue of no length was seen, a dequeue was not. */
	check_row(
		&row_csv, &f,
		"7,gears,100,100,101,0x5500,2000000000,2016900000,16900000,complete,4300000,500000,"
		"0,"
		"0,0,12100000,0,0,0,0,0,0,3000000,,0,lock,12100000,llvmpipe-0/"
		"1234,exact,futex,,,,,,,," NO_HWUI "\n");
}

static void test_csv_quoting(void)
{
	struct producer p = gears;
	struct frame f = lock_frame();

	f.producer = &p;
	memcpy(p.name, "a,\"b\"\n\x1b\xff", sizeof("a,\"b\"\n\x1b\xff"));
	memcpy(f.blockers[0].peer_comm, "x,y", sizeof("x,y"));
	check_row(&row_csv, &f,
		  "7,\"a,\\\"\"b\\\"\"\\x0a\\x1b\\xff\",100,100,101,0x5500,2000000000,2016900000,"
		  "16900000,"
		  "complete,4300000,500000,0,0,0,12100000,0,0,0,0,0,0,3000000,,0,lock,12100000,"
		  "\"x,y/1234\",exact,futex,,,,,,,," NO_HWUI "\n");
}

static void test_ndjson_row(void)
{
	struct frame f = lock_frame();

	check_row(
		&row_ndjson, &f,
		"{\"schema\":\"framescope.frame/1\",\"frame\":7,\"producer\":\"gears\",\"pid\":100,"
		"\"ui_tid\":100,\"render_tid\":101,\"surface\":\"0x5500\",\"start_ns\":2000000000,"
		"\"end_ns\":2016900000,\"wall_ns\":16900000,\"status\":\"complete\","
		"\"render_running_ns\":4300000,\"render_runnable_ns\":500000,\"render_fence_ns\":0,"
		"\"render_slot_ns\":0,\"render_gpu_ns\":0,\"render_lock_ns\":12100000,"
		"\"render_binder_ns\":0,\"render_ipc_ns\":0,\"render_io_ns\":0,\"render_sleep_ns\":"
		"0,"
		"\"render_other_ns\":0,\"render_unknown_ns\":0,\"swap_ns\":3000000,\"queue_ns\":0,"
		"\"top_cause\":\"lock\",\"top_cause_ns\":12100000,\"top_waker\":\"llvmpipe-0/"
		"1234\","
		"\"top_confidence\":\"exact\",\"top_detail\":\"futex\"}\n");
}

/* Any bytes in a name leave a JSON text that another parser takes. */
static void test_ndjson_hostile(void)
{
	struct producer p = gears;
	struct frame f = lock_frame();

	f.producer = &p;
	for (unsigned low = 1; low < 256; low += sizeof(p.name)) {
		for (unsigned i = 0; i < sizeof(p.name); i++)
			p.name[i] = (char)(low + i <= 255 ? low + i : 255);
		char *text = row(&row_ndjson, 0, &f);
		json_t *parsed = json_loads(text, JSON_REJECT_DUPLICATES, NULL);

		CU_ASSERT_PTR_NOT_NULL(parsed);
		CU_ASSERT_PTR_EQUAL(strchr(text, '\n'), text + strlen(text) - 1);
		json_decref(parsed);
		free(text);
	}
}

/* Running needs no blocker; what was not seen is absent everywhere. */
static void test_absent(void)
{
	struct producer p = { .id = 1, .render_tid = 5, .name = "x" };
	struct frame f = { .producer = &p, .number = 1, .start_ns = 5, .end_ns = 15 };

	f.status = FRAME_TRUNCATED;
	f.render.ns[BUDGET_RUNNING] = 10;
	check_row(&row_csv, &f,
		  "1,x,,,5,0x0,5,15,10,truncated,10,0,0,0,0,0,0,0,0,0,0,0,,,,running,10,,,,,,,,,,,"
		  "" NO_HWUI "\n");
	f.end_ns = 5;
	f.render.ns[BUDGET_RUNNING] = 0;
	check_row(&row_csv, &f,
		  "1,x,,,5,0x0,5,5,0,truncated,0,0,0,0,0,0,0,0,0,0,0,0,,,,,,,,,,,,,,,," NO_HWUI
		  "\n");
}

/* A frame that HWUI skipped, with nothing of its FrameInfo. */
static void test_skipped(void)
{
	struct frame f = lock_frame();
	char *text;

	f.hwui.kind = FRAME_SKIPPED;
	text = row(&row_ndjson, 0, &f);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"frame_kind\":\"skipped\""));
	CU_ASSERT_PTR_NULL(strstr(text, "vsync_delivery_ns"));
	free(text);
}

static void test_table(void)
{
	struct frame f = lock_frame();

	check_row(
		&row_table, &f,
		"    7 gears          1000.000   16.900    4.300    0.500   12.100       lock     "
		"llvmpipe-0/1234\n");
	f.status = FRAME_LOSSY;
	f.blockers[0].context = FS_CTX_HARDIRQ;
	check_row(
		&row_table, &f,
		"    7 gears          1000.000   16.900    4.300    0.500   12.100 lossy lock     "
		"hard irq\n");
}

static unsigned longest_line(const char *text)
{
	unsigned longest = 0;

	while (*text) {
		size_t len = strcspn(text, "\n");

		if (len > longest)
			longest = (unsigned)len;
		text += len + (text[len] == '\n');
	}
	return longest;
}

/* Long names and everyday times stay within 100 columns. */
static void test_table_width(void)
{
	struct producer p = gears;
	struct frame f = lock_frame();

	f.producer = &p;
	memcpy(p.name, "org.example.gam#12", sizeof("org.example.gam#12"));
	memcpy(f.blockers[0].peer_comm, "RenderThreadXYZ", sizeof("RenderThreadXYZ"));
	f.blockers[0].peer_tid = 4194303;
	f.number = 99999;
	f.status = FRAME_TRUNCATED;
	f.start_ns = 1000000000 + 999999999000;
	f.end_ns = f.start_ns + 9999999000;
	char *text = row(&row_table, 1000000000, &f);
	char *header = head(&row_table);

	CU_ASSERT_TRUE(longest_line(text) <= 100);
	CU_ASSERT_TRUE(longest_line(header) <= 100);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "RenderThre~/4194303\n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, " org.exam~#12 "));
	free(header);
	free(text);
}

static void test_ms(void)
{
	static const struct {
		uint64_t ns;
		const char *ms;
	} cases[] = {
		{ 0, "0.000" },
		{ 499, "0.000" },
		{ 500, "0.001" },
		{ 12345678, "12.346" },
		{ 999999500, "1000.000" },
		{ UINT64_MAX, "18446744073709.552" },
	};
	char ms[32];

	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		words_ms(ms, sizeof(ms), cases[i].ns);
		CU_ASSERT_STRING_EQUAL(ms, cases[i].ms);
	}
}

static void check_detail(struct blocker b, const char *expected)
{
	char text[WORDS_LEN];

	words_detail(text, sizeof(text), &b);
	CU_ASSERT_STRING_EQUAL(text, expected);
}

static void test_detail(void)
{
	check_detail((struct blocker){ .call = FS_CALL_POLL, .file = FS_FILE_SOCKET, .fd = 5 },
		     "poll socket fd 5");
	check_detail((struct blocker){ .call = FS_CALL_FUTEX, .fd = -1 }, "futex");
	check_detail((struct blocker){ .call = FS_CALL_IOCTL, .file = FS_FILE_UNKNOWN, .fd = 0 },
		     "ioctl fd 0");
	check_detail((struct blocker){ .call = FS_CALL_NONE, .fd = -1 }, "no system call");
	check_detail((struct blocker){ .fd = -1 }, "");
	check_detail((struct blocker){ .call = FS_CALL_EPOLL, .file = FS_FILE_EPOLL, .fd = 3 },
		     "epoll fd 3");
	/* Numbers of a newer writer. */
	check_detail((struct blocker){ .call = 200, .file = 201, .fd = -1 }, "");
}

static void check_words(const struct frame *f, const char *expected)
{
	char text[2 * WORDS_LEN];

	words_frame(text, sizeof(text), f);
	CU_ASSERT_STRING_EQUAL(text, expected);
	if (strcmp(text, expected) != 0)
		printf("# got %s\n", text);
}

static void test_words(void)
{
	struct frame f = lock_frame();

	check_words(&f, "12.100 of 16.900 ms blocked on a lock (futex), woken by llvmpipe-0/1234");
	f.blockers[0].ns = 9000000;
	f.blockers[0].confidence = CONF_PROBABLE;
	check_words(&f, "12.100 of 16.900 ms blocked on a lock; 9.000 ms of it in futex, woken by "
			"llvmpipe-0/1234 (probable)");
	f.blockers[0].peer_tid = 0;
	f.blockers[0].context = FS_CTX_UNKNOWN;
	check_words(&f,
		    "12.100 of 16.900 ms blocked on a lock; 9.000 ms of it in futex (probable)");
	/* Its own length says nothing where nothing is known of it. */
	f.blockers[0].call = FS_CALL_UNKNOWN;
	f.blockers[0].confidence = CONF_EXACT;
	check_words(&f, "12.100 of 16.900 ms blocked on a lock");
	f.nr_blockers = 0;
	check_words(&f, "12.100 of 16.900 ms blocked on a lock");
}

/* Who took the CPU is not a waker. */
static void test_preempted(void)
{
	struct frame f = lock_frame();
	char *text;

	f.render.ns[BUDGET_LOCK] = 0;
	f.render.ns[BUDGET_RUNNABLE] = 12600000;
	f.blockers[0] = (struct blocker){
		.cause = BUDGET_RUNNABLE,
		.confidence = CONF_EXACT,
		.fd = -1,
		.peer_tid = 77,
		.peer_comm = "hog",
		.ns = 12600000,
		.count = 3,
	};
	check_words(&f,
		    "12.600 of 16.900 ms ready, but waiting for a CPU, the CPU taken by hog/77");
	text = row(&row_csv, 0, &f);
	CU_ASSERT_PTR_NOT_NULL(
		strstr(text, ",runnable,12600000,,exact,CPU taken by hog/77,,,,,,,," NO_HWUI "\n"));
	free(text);
}

/* An unnamed thread still has its number; a name that fills its field needs no end mark. */
static void test_waker(void)
{
	struct blocker b = { .context = FS_CTX_TASK, .peer_tid = 9 };
	char text[WORDS_LEN];

	words_waker(text, sizeof(text), &b, WORDS_NO_LIMIT);
	CU_ASSERT_STRING_EQUAL(text, "thread/9");
	memcpy(b.peer_comm, "0123456789abcdef", FS_COMM_LEN);
	words_waker(text, sizeof(text), &b, WORDS_NO_LIMIT);
	CU_ASSERT_STRING_EQUAL(text, "0123456789abcdef/9");
	words_waker(text, sizeof(text), &b, 8);
	CU_ASSERT_STRING_EQUAL(text, "01234~/9");
	b.context = FS_CTX_SOFTIRQ;
	words_waker(text, sizeof(text), &b, WORDS_NO_LIMIT);
	CU_ASSERT_STRING_EQUAL(text, "soft irq");
}

/* Characters are counted, not bytes, and never cut in two. */
static void test_fit(void)
{
	char text[WORDS_LEN];

	CU_ASSERT_EQUAL(words_width("\xc3\xa9t\xc3\xa9"), 3);
	words_fit(text, sizeof(text), "\xc3\xa9t\xc3\xa9", 3);
	CU_ASSERT_STRING_EQUAL(text, "\xc3\xa9t\xc3\xa9");
	words_fit(text, sizeof(text), "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9", 3);
	CU_ASSERT_STRING_EQUAL(text, "\xc3\xa9\xc3\xa9~");
	words_fit(text, sizeof(text), "", 3);
	CU_ASSERT_STRING_EQUAL(text, "");
	words_fit_producer(text, sizeof(text), "es2gears_x11#2", 12);
	CU_ASSERT_STRING_EQUAL(text, "es2gears_~#2");
	words_fit_producer(text, sizeof(text), "es2gears_x11", 12);
	CU_ASSERT_STRING_EQUAL(text, "es2gears_x11");
	words_fit_producer(text, sizeof(text), "a#2", 12);
	CU_ASSERT_STRING_EQUAL(text, "a#2");
}

static void test_formats(void)
{
	CU_ASSERT_PTR_EQUAL(row_format_find("csv"), &row_csv);
	CU_ASSERT_PTR_EQUAL(row_format_find("ndjson"), &row_ndjson);
	CU_ASSERT_PTR_EQUAL(row_format_find("table"), row_formats[0]);
	CU_ASSERT_PTR_NULL(row_format_find("xml"));
}

static void test_write_error(void)
{
	struct err e = { 0 };
	struct frame f = lock_frame();
	FILE *full = fopen("/dev/full", "w");
	struct listing l = listing(full, &row_csv);

	CU_ASSERT_PTR_NOT_NULL_FATAL(full);
	for (unsigned i = 0; i < 1000; i++)
		listing_print(&l, &(struct frame_row){ .frame = &f });
	CU_ASSERT_EQUAL(output_finish(full, output_failed(full), &e), -ENOSPC);
	CU_ASSERT_EQUAL(e.code, -ENOSPC);
	CU_ASSERT_PTR_NOT_NULL(strstr(e.what, "No space left on device"));
	fclose(full);
}

static void test_meta(void)
{
	json_t *meta = meta_parse("{\"kernel\":\"6.18\\u001b[2J\",\"machine\":5,\"other\":\"x\","
				  "\"attached\":[{\"lib\":\"/l.so\",\"symbol\":\"s\"},7,{},[]],"
				  "\"missing\":{\"a\":1}}");

	CU_ASSERT_STRING_EQUAL(meta_string(meta, "kernel"), "6.18\\x1b[2J");
	CU_ASSERT_PTR_NULL(meta_string(meta, "machine"));
	CU_ASSERT_PTR_NULL(json_object_get(meta, "other"));
	CU_ASSERT_PTR_NULL(json_object_get(meta, "missing"));
	CU_ASSERT_EQUAL(json_array_size(json_object_get(meta, "attached")), 1);
	json_decref(meta);

	static const char *const hostile[] = {
		NULL, "", "[", "[]", "null", "\"x\"", "{\"kernel\":{}}"
	};
	for (unsigned i = 0; i < sizeof(hostile) / sizeof(hostile[0]); i++) {
		meta = meta_parse(hostile[i]);
		CU_ASSERT_EQUAL(json_object_size(meta), 0);
		json_decref(meta);
	}
}

/* A report on the given frames, as text; the caller frees it. */
static char *report(const struct source_stats *input, const struct frame *frames, unsigned nr)
{
	struct summary *summary = summary_new();
	struct model_stats model = { .start_ns = 1000000000, .stop_ns = 3000000000 };
	const struct probed probed = { 0 };
	const struct report r = {
		.path = "x.fsc",
		.input = input,
		.model = &model,
		.probed = &probed,
		.origin_ns = 1000000000,
		.summary = summary,
	};
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	for (unsigned i = 0; i < nr; i++)
		CU_ASSERT_EQUAL(summary_add(summary, &frames[i]), 0);
	report_text(out, &plain, &r);
	fclose(out);
	summary_free(summary);
	return text;
}

/* A loss of which nobody knows how many records it was is a loss. */
static void test_report_trust(void)
{
	struct source_stats input = { .records = 9 };
	struct frame f = lock_frame();
	char *text = report(&input, &f, 1);

	CU_ASSERT_PTR_NOT_NULL(strstr(text, "Nothing was lost"));
	free(text);
	input.lost_unknown = 1;
	text = report(&input, &f, 1);
	CU_ASSERT_PTR_NULL(strstr(text, "Nothing was lost"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "- Records were lost of which nobody knows how many."));
	free(text);
	input.lost = 7;
	text = report(&input, &f, 1);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "Lost records: 7."));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "- More records were lost of which nobody knows"));
	free(text);
}

/* One row where both say the same; two where a frame does not begin at the end of another. */
static void test_report_intervals(void)
{
	struct source_stats input = { .records = 9 };
	struct frame f[3] = { lock_frame(), lock_frame(), lock_frame() };
	char *text;

	f[0].status = FRAME_TRUNCATED;
	f[0].start_ns -= 16900000;
	f[0].end_ns -= 16900000;
	text = report(&input, f, 2);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "\n  wall = interval      16.900      16.900"));
	CU_ASSERT_PTR_NULL(strstr(text, "\n  interval"));
	free(text);
	f[2].start_ns += 100000000;
	f[2].end_ns += 110000000;
	f[2].number = 9;
	text = report(&input, f, 3);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "\n  interval             16.900      16.900"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "\n  wall                 16.900      26.900"));
	free(text);
}

/* The columns of the waits stand one below the other however long the names are. */
static void test_report_columns(void)
{
	static const char *const names[] = { "a", "tokio-rt-worker", "0123456789abcde" };
	static const uint32_t tids[] = { 7, 75, 4194303 };
	struct source_stats input = { .records = 9 };
	struct frame f = lock_frame();
	unsigned rows = 0;

	for (unsigned i = 0; i < 6; i++) {
		struct blocker *b = &f.blockers[i];

		*b = f.blockers[0];
		b->cause = i < 3 ? BUDGET_RUNNABLE : BUDGET_LOCK;
		b->peer_tid = tids[i % 3];
		b->ns = 1000000;
		snprintf(b->peer_comm, sizeof(b->peer_comm), "%s", names[i % 3]);
		if (i == 5) {
			b->call = FS_CALL_SELECT;
			b->file = FS_FILE_SYNC_FILE;
			b->fd = INT32_MAX;
		}
	}
	f.nr_blockers = 6;
	char *text = report(&input, &f, 1);
	const char *table = strstr(text, "    share    total ms");

	CU_ASSERT_PTR_NOT_NULL_FATAL(table);
	size_t detail = strstr(table, "waiting in") - table;
	size_t waker = strstr(table, "woken by") - table;
	size_t certainty = strstr(table, "certainty") - table;

	for (const char *line = strchr(table, '\n') + 1; *line != '\n';
	     line = strchr(line, '\n') + 1, rows++) {
		const size_t columns[] = { detail, waker, certainty };

		CU_ASSERT_FATAL(strcspn(line, "\n") > certainty);
		for (unsigned i = 0; i < 3; i++) {
			CU_ASSERT_NOT_EQUAL(line[columns[i]], ' ');
			CU_ASSERT_NSTRING_EQUAL(line + columns[i] - 2, "  ", 2);
		}
		CU_ASSERT_NSTRING_EQUAL(line + certainty, "exact\n", 6);
	}
	CU_ASSERT_EQUAL(rows, 6);
	free(text);
}

static void test_fps(void)
{
	struct producer_summary p = {
		.pace = { .first_end_ns = 1000000000, .last_end_ns = 3000000000, .swaps = 120 }
	};

	/* 121 swaps in 2 s. */
	CU_ASSERT_EQUAL(figure_fps(&p), 60.0);
	p.pace.last_end_ns = p.pace.first_end_ns;
	CU_ASSERT_EQUAL(figure_fps(&p), 0.0);
}

int main(void)
{
	static const struct check_case cases[] = {
		{ "csv_head", test_csv_head },
		{ "csv_row", test_csv_row },
		{ "csv_quoting", test_csv_quoting },
		{ "ndjson_row", test_ndjson_row },
		{ "ndjson_hostile", test_ndjson_hostile },
		{ "absent", test_absent },
		{ "skipped", test_skipped },
		{ "table", test_table },
		{ "table_width", test_table_width },
		{ "ms", test_ms },
		{ "detail", test_detail },
		{ "words", test_words },
		{ "preempted", test_preempted },
		{ "waker", test_waker },
		{ "fit", test_fit },
		{ "formats", test_formats },
		{ "write_error", test_write_error },
		{ "meta", test_meta },
		{ "fps", test_fps },
		{ "report_trust", test_report_trust },
		{ "report_intervals", test_report_intervals },
		{ "report_columns", test_report_columns },
		{ NULL, NULL },
	};

	return check_main("output", cases);
}
