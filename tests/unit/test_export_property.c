/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Exports of streams that make sense and of such that make none. Always: the text is JSON or CSV,
 * what begins ends, slices of a track that is no thread nest, and an arrow has two ends.
 */
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "export/export.h"
#include "story.h"

#define SEEDS 12
/* The parser's own integers are signed. */
#define JSON_FLAGS (JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL)
#define FAR_NS 1000000000000 /* a double holds what is before, to the ns */
#define LANES 0x20000000 /* numbers of tracks that are no threads begin there */

/* The whole story as text, which the caller frees. */
static char *export_story(struct story *s, const struct export_ops *ops, unsigned rows)
{
	struct export x = { .ops = ops, .rows = rows };
	const struct model_sink sink = export_sink(&x);
	struct model *m = model_new(&sink);
	char *text = NULL;
	size_t len;

	x.out = open_memstream(&text, &len);
	CU_ASSERT_FATAL(m && x.out);
	export_begin(&x, m, NULL);
	for (size_t i = 0; i < s->nr_records; i++) {
		export_record(&x, &s->records[i].h);
		CU_ASSERT_EQUAL_FATAL(model_feed(m, &s->records[i].h), 0);
	}
	CU_ASSERT_EQUAL_FATAL(model_finish(m), 0);
	export_end(&x);
	CU_ASSERT_FALSE(x.stop);
	export_free(&x);
	model_free(m);
	fclose(x.out);
	return text;
}

struct slice {
	double pid, tid;
	long long from, to; /* ns */
	size_t place; /* in the file: the outer of two that are alike comes first */
};

static int by_place(const void *pa, const void *pb)
{
	const struct slice *a = pa, *b = pb;

	if (a->pid != b->pid)
		return a->pid < b->pid ? -1 : 1;
	if (a->tid != b->tid)
		return a->tid < b->tid ? -1 : 1;
	if (a->from != b->from)
		return a->from < b->from ? -1 : 1;
	if (a->to != b->to)
		return a->to > b->to ? -1 : 1;
	return a->place < b->place ? -1 : 1;
}

/* There are at most two levels: a stage in a stage, the hardware in a fence. */
static size_t torn(struct slice *s, size_t nr)
{
	size_t wrong = 0, outer = 0;

	qsort(s, nr, sizeof(*s), by_place);
	for (size_t i = 1; i < nr; i++) {
		bool same = s[i].pid == s[outer].pid && s[i].tid == s[outer].tid;

		if (same && s[i].from < s[outer].to)
			wrong += s[i].to > s[outer].to;
		else
			outer = i;
	}
	return wrong;
}

static long long ns(const json_t *e, const char *key)
{
	double us = json_number_value(json_object_get(e, key));

	/* Far from where it matters. */
	return us < FAR_NS ? llround(us * 1000) : FAR_NS;
}

static char phase(const json_t *e)
{
	return *json_string_value(json_object_get(e, "ph"));
}

static void check_chrome(struct story *s)
{
	char *text = export_story(s, &export_chrome, 0);
	json_error_t error;
	json_t *trace = json_loads(text, JSON_FLAGS, &error), *e;
	json_t *events = json_object_get(trace, "traceEvents");
	struct slice *slices = calloc(json_array_size(events) + 1, sizeof(*slices));
	size_t i, nr = 0, negative = 0, arrows = 0;
	long long async = 0;

	if (!trace)
		printf("# %s near '%.60s'\n", error.text, text + error.position - 30);
	CU_ASSERT_FATAL(events && slices);
	json_array_foreach(events, i, e)
	{
		long long ts = ns(e, "ts"), dur = ns(e, "dur");

		negative += ts < 0 || dur < 0;
		async += (phase(e) == 'b') - (phase(e) == 'e');
		/* Each end is followed by the other one. */
		if (phase(e) == 's') {
			const json_t *to = json_array_get(events, i + 1);

			arrows++;
			CU_ASSERT_FATAL(to && phase(to) == 'f');
			CU_ASSERT_EQUAL(json_number_value(json_object_get(e, "id")),
					json_number_value(json_object_get(to, "id")));
		} else if (phase(e) == 'f') {
			arrows--;
		}
		slices[nr] = (struct slice){
			.pid = json_number_value(json_object_get(e, "pid")),
			.tid = json_number_value(json_object_get(e, "tid")),
			.from = ts,
			.to = ts + dur,
			.place = i,
		};
		nr += phase(e) == 'X' && slices[nr].tid >= LANES && ts + dur < FAR_NS;
	}
	CU_ASSERT_EQUAL(negative, 0);
	CU_ASSERT_EQUAL(async, 0);
	CU_ASSERT_EQUAL(arrows, 0);
	CU_ASSERT_EQUAL(torn(slices, nr), 0);
	json_decref(trace);
	free(slices);
	free(text);
}

/* Returns the number of rows. */
static size_t check_ndjson(struct story *s)
{
	char *text = export_story(s, &export_ndjson, EXPORT_ALL);
	size_t nr = 0, wrong = 0;

	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"), nr++) {
		json_t *row = json_loads(line, JSON_FLAGS, NULL);

		wrong += !json_is_string(json_object_get(row, "schema"));
		json_decref(row);
	}
	CU_ASSERT_EQUAL(wrong, 0);
	free(text);
	return nr;
}

/* Commas outside of quotes, which no name within this story's rows has, are as many everywhere. */
static void check_csv(struct story *s, unsigned rows)
{
	char *text = export_story(s, &export_csv, rows);
	size_t commas = 0, expected = 0, wrong = 0;
	bool quoted = false, head = true;

	for (const char *c = text; *c; c++) {
		quoted ^= *c == '"';
		commas += *c == ',' && !quoted;
		if (*c != '\n' || quoted)
			continue;
		if (head)
			expected = commas;
		head = false;
		wrong += commas != expected;
		commas = 0;
	}
	CU_ASSERT_FALSE(quoted);
	CU_ASSERT_EQUAL(wrong, 0);
	free(text);
}

static size_t check_all(struct story *s)
{
	check_chrome(s);
	for (unsigned rows = EXPORT_FRAMES; rows < EXPORT_ALL; rows <<= 1)
		check_csv(s, rows);
	return check_ndjson(s);
}

static void test_whole(void)
{
	struct story s;
	size_t rows = 0;

	open_story(&s);
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		make_story(&s, seed);
		if (seed % 2)
			drop(&s, 5 + seed * 10, 1u << FS_KIND_OFFCPU | 1u << FS_KIND_SPAN);
		rows += check_all(&s);
	}
	CU_ASSERT_TRUE(rows > SEEDS * THREADS * FRAMES);
	close_story(&s);
}

/* As source_next() gives strings. */
static void terminate(union record *r)
{
	if (r->h.kind == FS_KIND_TASK)
		r->task.comm[FS_COMM_LEN - 1] = '\0';
	if (r->h.kind == FS_KIND_OFFCPU)
		r->off.peer_comm[FS_COMM_LEN - 1] = '\0';
	if (r->h.kind == FS_KIND_FENCE_NAME) {
		r->name.driver[FS_DRIVER_LEN - 1] = '\0';
		r->name.timeline[FS_TIMELINE_LEN - 1] = '\0';
	}
	if (r->h.kind == FS_KIND_POINT) {
		r->point.lib[FS_LIB_LEN - 1] = '\0';
		r->point.symbol[FS_SYMBOL_LEN - 1] = '\0';
		r->point.role = r->point.id;
	}
}

/* Few ids and near times, so that much of it meets. */
static void make_noise(struct story *s, uint64_t seed)
{
	static const uint16_t kinds[][2] = {
		{ FS_KIND_OFFCPU, sizeof(struct fs_offcpu) },
		{ FS_KIND_SPAN, sizeof(struct fs_span) },
		{ FS_KIND_SPAN, sizeof(struct fs_span) },
		{ FS_KIND_TASK, sizeof(struct fs_task) },
		{ FS_KIND_FENCE, sizeof(struct fs_fence) },
		{ FS_KIND_FENCE, sizeof(struct fs_fence) },
		{ FS_KIND_FENCE_NAME, sizeof(struct fs_fence_name) },
		{ FS_KIND_FENCE_REF, sizeof(struct fs_fence_ref) },
		{ FS_KIND_LOST, sizeof(struct fs_lost) },
		{ FS_KIND_POINT, sizeof(struct fs_point) },
	};
	uint64_t now = START;

	random_state = seed * 0x9e3779b97f4a7c15u + 1;
	s->nr_records = 0;
	for (unsigned n = 0; n < 10000; n++) {
		union record *r = add_random(s, kinds, sizeof(kinds) / sizeof(kinds[0]), now, 0);

		r->h.tid = (uint32_t)below(below(10) ? 6 : 100000);
		r->h.tgid = below(100) ? 1 : (uint32_t)below(3);
		terminate(r);
		now += below(100);
		if (r->h.kind == FS_KIND_OFFCPU && below(20)) {
			r->off.out_ns = now - below(300);
			r->off.waking_ns = below(3) ? now - below(20) : 0;
		} else if (r->h.kind == FS_KIND_SPAN && below(20)) {
			r->span.entry_ns = now - below(500);
			r->span.depth = (uint32_t)below(3);
		} else if (r->h.kind == FS_KIND_FENCE && below(20)) {
			r->fence.seqno = now / 1000;
		} else if (r->h.kind == FS_KIND_FENCE_REF && below(20)) {
			r->ref.seqno = now / 1000;
			r->ref.role = FS_REF_WAITED;
		}
		if (!below(500))
			now -= below(5000);
	}
}

static void test_noise(void)
{
	struct story s;
	size_t rows = 0;

	open_story(&s);
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		make_noise(&s, seed);
		rows += check_all(&s);
	}
	CU_ASSERT_TRUE(rows > 1000);
	close_story(&s);
}

int main(void)
{
	static const struct check_case cases[] = {
		{ "streams", test_whole },
		{ "noise", test_noise },
		{ NULL, NULL },
	};

	return check_main("export property", cases);
}
