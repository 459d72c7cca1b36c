/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Against dumps of `dumpsys gfxinfo` from real devices, where there are some: of windows whose
 * every frame is in the dump the device's own counters and histograms must come out, and of all
 * blocks the device's percentiles. The dumps are read here by what they look like, not by the
 * product's reader.
 */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "judge/jank_tracker.h"
#include "judge/profile_data.h"
#include "unit/realdata.h"

#define MS INT64_C(1000000)
#define DISPLAY_NS 16666666 /* 60 Hz, as the platform has it */
#define ANDROID 14
#define COLUMNS 23
#define MAX_ROWS 120
#define MAX_BLOCKS 128

/* One set of counters as printed, and the rows behind it. */
struct block {
	char name[256];
	int64_t uptime_ms;
	struct profile_data printed;
	unsigned percentile[4], gpu_percentile[4];
	bool has_gpu;
	int64_t rows[MAX_ROWS][COLUMNS];
	unsigned nr_rows;
};

static struct block blocks[MAX_BLOCKS];
static unsigned nr_blocks;
static unsigned strange_labels; /* that no bucket has */

static const enum frame_slot columns[COLUMNS] = {
	SLOT_FLAGS,
	SLOT_VSYNC_ID,
	SLOT_INTENDED_VSYNC,
	SLOT_VSYNC,
	SLOT_INPUT_EVENT_ID,
	SLOT_HANDLE_INPUT_START,
	SLOT_ANIMATION_START,
	SLOT_PERFORM_TRAVERSALS_START,
	SLOT_DRAW_START,
	SLOT_FRAME_DEADLINE,
	SLOT_FRAME_START,
	SLOT_FRAME_INTERVAL,
	SLOT_SYNC_QUEUED,
	SLOT_SYNC_START,
	SLOT_ISSUE_DRAW_COMMANDS_START,
	SLOT_SWAP_BUFFERS,
	SLOT_FRAME_COMPLETED,
	SLOT_DEQUEUE_DURATION,
	SLOT_QUEUE_DURATION,
	SLOT_GPU_COMPLETED,
	SLOT_SWAP_BUFFERS_COMPLETED,
	SLOT_DISPLAY_PRESENT_TIME,
	SLOT_COMMAND_SUBMISSION_COMPLETED,
};

static const unsigned ranks[4] = { 50, 90, 95, 99 };

/* What a line has after `label`, or NULL. */
static const char *after(const char *line, const char *label)
{
	size_t len = strlen(label);

	return strncmp(line, label, len) ? NULL : line + len;
}

/* " 5ms=0 6ms=1 ..." */
static void read_histogram(const char *text, struct profile_data *p, bool gpu)
{
	unsigned ms, count;
	int len;

	for (; sscanf(text, " %ums=%u%n", &ms, &count, &len) == 2; text += len) {
		int bucket = gpu ? profile_gpu_bucket_of_label(ms) : profile_bucket_of_label(ms);

		if (bucket < 0)
			strange_labels++;
		else if (gpu)
			p->gpu[bucket] = count;
		else if (bucket < PROFILE_FAST)
			p->fast[bucket] = count;
		else
			p->slow[bucket - PROFILE_FAST] = (uint16_t)count;
	}
}

static void read_counter(const char *line, struct block *b)
{
	const char *value;
	char label[64];

	if ((value = after(line, "Total frames rendered: ")))
		b->printed.total = (uint32_t)strtoul(value, NULL, 10);
	if ((value = after(line, "Janky frames: ")))
		b->printed.janky = (uint32_t)strtoul(value, NULL, 10);
	if ((value = after(line, "Janky frames (legacy): ")))
		b->printed.janky_legacy = (uint32_t)strtoul(value, NULL, 10);
	for (unsigned i = 0; i < JANK_TYPE_NR; i++) {
		snprintf(label, sizeof(label), "Number %s: ", jank_type_title((enum jank_type)i));
		if ((value = after(line, label)))
			b->printed.types[i] = (uint32_t)strtoul(value, NULL, 10);
	}
	for (unsigned i = 0; i < 4; i++) {
		snprintf(label, sizeof(label), "%uth percentile: ", ranks[i]);
		if ((value = after(line, label)))
			b->percentile[i] = (unsigned)strtoul(value, NULL, 10);
		snprintf(label, sizeof(label), "%uth gpu percentile: ", ranks[i]);
		if ((value = after(line, label))) {
			b->gpu_percentile[i] = (unsigned)strtoul(value, NULL, 10);
			b->has_gpu = true;
		}
	}
	if ((value = after(line, "HISTOGRAM:")))
		read_histogram(value, &b->printed, false);
	if ((value = after(line, "GPU HISTOGRAM:")))
		read_histogram(value, &b->printed, true);
}

static void read_row(const char *line, struct block *b)
{
	unsigned n = 0;
	char *end;

	if (b->nr_rows == MAX_ROWS)
		return;
	for (; n < COLUMNS; n++, line = end + 1) {
		b->rows[b->nr_rows][n] = strtoll(line, &end, 10);
		if (end == line || *end != ',')
			return;
	}
	b->nr_rows++;
}

static void read_lines(char *text, const char *file)
{
	int64_t uptime_ms = INT64_MAX / MS - 60000;
	struct block *b = NULL;
	bool in_rows = false;
	const char *value;
	char window[160] = "";

	for (char *line = strtok(text, "\r\n"); line; line = strtok(NULL, "\r\n")) {
		if ((value = after(line, "Uptime: ")))
			uptime_ms = strtoll(value, NULL, 10);
		if ((value = after(line, "Window: ")))
			snprintf(window, sizeof(window), "%s", value);
		if (after(line, "Stats since: ") && nr_blocks < MAX_BLOCKS) {
			b = &blocks[nr_blocks++];
			b->uptime_ms = uptime_ms;
			snprintf(b->name, sizeof(b->name), "%.80s: %s", file,
				 *window ? window : "all windows");
			*window = '\0';
		}
		if (after(line, "---PROFILEDATA---"))
			in_rows = !in_rows;
		else if (b && in_rows)
			read_row(line, b);
		else if (b)
			read_counter(line, b);
	}
}

/* Copies of a terminal's output come in any encoding; what is read is plain in all of them. */
static void to_ascii(char *text, size_t len)
{
	size_t step = len > 1 && !memcmp(text, "\xff\xfe", 2) ? 2 : 1, n = 0;

	for (size_t i = 0; i < len; i += step)
		if (text[i] > 0)
			text[n++] = text[i];
	text[n] = '\0';
}

static void read_file(const char *dir, const char *name)
{
	char path[8192], *text = NULL;
	FILE *f;
	long len;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = fopen(path, "rb");
	if (!f)
		return;
	if (!fseek(f, 0, SEEK_END) && (len = ftell(f)) > 0 && !fseek(f, 0, SEEK_SET) &&
	    (text = malloc((size_t)len + 1)) && fread(text, 1, (size_t)len, f) == (size_t)len) {
		to_ascii(text, (size_t)len);
		read_lines(text, name);
	}
	free(text);
	fclose(f);
}

static void read_dir(const char *path)
{
	DIR *dir = opendir(path);

	if (!dir)
		return;
	for (struct dirent *e; (e = readdir(dir));)
		if (*e->d_name != '.')
			read_file(path, e->d_name);
	closedir(dir);
}

static struct frame_slots slots_of(const int64_t *row)
{
	struct frame_slots s = { .layout = COLUMNS };

	for (unsigned i = 0; i < COLUMNS; i++) {
		s.ns[columns[i]] = row[i];
		if (row[i] > 0 || columns[i] == SLOT_FLAGS)
			s.known |= 1u << columns[i];
	}
	return s;
}

/* Was it finished? Skipped frames are not, and may have the times of any older one. */
static bool finished(const struct block *b, const struct frame_slots *s)
{
	int64_t completed = s->ns[SLOT_FRAME_COMPLETED];

	return completed > s->ns[SLOT_INTENDED_VSYNC] && completed >= s->ns[SLOT_SYNC_START] &&
	       completed <= (b->uptime_ms + 60000) * MS &&
	       !(s->ns[SLOT_FLAGS] & FRAME_FLAG_SKIPPED);
}

static unsigned nr_finished(const struct block *b)
{
	unsigned n = 0;

	for (unsigned i = 0; i < b->nr_rows; i++) {
		struct frame_slots s = slots_of(b->rows[i]);

		n += finished(b, &s);
	}
	return n;
}

static bool is_whole(const struct block *b)
{
	return b->printed.total && nr_finished(b) == b->printed.total;
}

static bool equal(const struct profile_data *a, const struct profile_data *b)
{
	return a->total == b->total && a->janky == b->janky && a->janky_legacy == b->janky_legacy &&
	       !memcmp(a->types, b->types, sizeof(a->types)) &&
	       !memcmp(a->fast, b->fast, sizeof(a->fast)) &&
	       !memcmp(a->slow, b->slow, sizeof(a->slow)) &&
	       !memcmp(a->gpu, b->gpu, sizeof(a->gpu));
}

static void check_window(const struct block *b)
{
	static const struct jank_rules rules = { .android = ANDROID, .interval_ns = DISPLAY_NS };
	struct profile_data p = { 0 };
	struct jank_tracker t;

	jank_tracker_init(&t, &rules, true);
	for (unsigned i = 0; i < b->nr_rows; i++) {
		struct frame_slots s = slots_of(b->rows[i]);
		struct hwui_verdict v;

		if (!finished(b, &s))
			continue;
		jank_tracker_finish(&t, &s, 0, s.ns[SLOT_FRAME_DEADLINE], &v);
		profile_data_add(&p, &v);
	}
	CU_ASSERT_TRUE(equal(&p, &b->printed));
	if (equal(&p, &b->printed))
		return;
	printf("# %s: total %u of %u, janky %u of %u, legacy %u of %u\n", b->name, p.total,
	       b->printed.total, p.janky, b->printed.janky, p.janky_legacy,
	       b->printed.janky_legacy);
	for (unsigned i = 0; i < JANK_TYPE_NR; i++)
		printf("#   %s: %u of %u\n", jank_type_title((enum jank_type)i), p.types[i],
		       b->printed.types[i]);
}

static void test_windows(void)
{
	for (unsigned i = 0; i < nr_blocks; i++)
		if (is_whole(&blocks[i]))
			check_window(&blocks[i]);
}

static void test_percentiles(void)
{
	CU_ASSERT_EQUAL(strange_labels, 0);
	for (unsigned i = 0; i < nr_blocks; i++) {
		const struct block *b = &blocks[i];

		for (unsigned k = 0; k < 4; k++) {
			CU_ASSERT_EQUAL(profile_percentile(&b->printed, ranks[k]),
					b->percentile[k]);
			if (b->has_gpu)
				CU_ASSERT_EQUAL(profile_gpu_percentile(&b->printed, ranks[k]),
						b->gpu_percentile[k]);
		}
	}
}

int main(void)
{
	const char *dir = realdata_dir();
	struct check_case cases[3] = { 0 };
	unsigned n = 0, whole = 0;

	if (dir)
		read_dir(dir);
	for (unsigned i = 0; i < nr_blocks; i++)
		whole += is_whole(&blocks[i]);
	if (nr_blocks)
		cases[n++] = (struct check_case){ "percentiles", test_percentiles };
	else
		printf("SKIP realdata/percentiles: " REALDATA_MISSING "\n");
	if (whole)
		cases[n] = (struct check_case){ "windows", test_windows };
	else
		printf("SKIP realdata/windows: no dump that has all frames of a window\n");
	return check_main("realdata", cases);
}
