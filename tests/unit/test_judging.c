/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What is estimated from which input, before it is judged. */
#include "cmd/judging.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "stream/slot_names.h"
#include "unit/jank_frames.h"

#define FRAMES 40
#define NO_API 0

static char text[1 << 17];
static size_t text_len;

static void print(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

static void print(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	text_len += (size_t)vsnprintf(text + text_len, sizeof(text) - text_len, fmt, ap);
	va_end(ap);
	CU_ASSERT_FATAL(text_len < sizeof(text));
}

/* At 90 Hz; each has waited for a buffer until 2 ms after the vsync behind its own. */
static struct frame_slots slots_at(unsigned android, unsigned n)
{
	const struct parts parts = { .ui = 4 * MS,
				     .sync = 5 * MS,
				     .draw = 6 * MS,
				     .gpu = 7 * MS,
				     .dequeue = HZ90 + 2 * MS - 9 * MS,
				     .interval = HZ90 };
	struct frame_slots s = make_slots(android, BOOT + n * HZ90, &parts);

	set_slot(&s, SLOT_VSYNC_ID, 1000 + n);
	set_slot(&s, SLOT_INPUT_EVENT_ID, 0);
	set_slot(&s, SLOT_FRAME_START, s.ns[SLOT_VSYNC]);
	set_slot(&s, SLOT_FRAME_DEADLINE, s.ns[SLOT_VSYNC] + HZ90);
	return s;
}

static void print_slots(const struct frame_slots *s)
{
	const uint8_t *order = frame_slots_order(s->layout);

	for (unsigned i = 0; i < s->layout; i++)
		print("%s%" PRId64, i ? "," : "", s->ns[order[i]]);
}

/* Of a platform of that API level; NO_API: the capture does not say. */
static void print_capture(unsigned api, unsigned android)
{
	text_len = 0;
	print("# framescope dump 1\n");
	if (api)
		print("%" PRId64 " cpu=- 0/0 meta text=\"{\\\"android_sdk\\\":%u}\"\n", BOOT, api);
	for (unsigned n = 0; n < FRAMES; n++) {
		const struct frame_slots s = slots_at(android, n);

		print("%" PRId64 " cpu=0 102/100 frame_info object=0x7000 part=whole layout=%u "
		      "count=%u slots=",
		      s.ns[SLOT_FRAME_COMPLETED] + 2 * MS, s.layout, s.layout);
		print_slots(&s);
		print("\n");
	}
}

static void print_dump(unsigned android)
{
	const unsigned layout = layout_of(android);

	text_len = 0;
	print("Applications Graphics Acceleration Info:\nUptime: 200000 Realtime: 9\n\n"
	      "** Graphics info for pid 7 [app] **\n\nWindow: w\n---PROFILEDATA---\n");
	for (unsigned i = 0; i < layout; i++)
		print("%s,", slot_heading(layout, i));
	for (unsigned n = 0; n < FRAMES; n++) {
		const struct frame_slots s = slots_at(android, n);

		print("\n");
		print_slots(&s);
		print(",");
	}
	print("\n---PROFILEDATA---\n\n");
}

/* What these options make of the text. */
static struct verdict_rules calibrated(bool dump, unsigned android, float hz, bool offset)
{
	struct judging j;
	struct err e = { 0 };
	char path[64];
	int fd = memfd_create("text", MFD_CLOEXEC);

	CU_ASSERT_FATAL(fd >= 0 && write(fd, text, text_len) == (ssize_t)text_len);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	judging_init(&j);
	j.rules.android = android;
	j.rules.refresh_hz = hz;
	j.estimate_offset = offset;
	CU_ASSERT_EQUAL((dump ? judging_calibrate_dump : judging_calibrate)(&j, path, &e), 0);
	close(fd);
	return j.rules;
}

static bool is_90(float hz)
{
	return hz > 89.99f && hz < 90.01f;
}

/* Up to Android 11 no frame says the display's rate; of what release it is, the capture does. */
static void test_capture(void)
{
	print_capture(30, 11);
	CU_ASSERT_TRUE(is_90(calibrated(false, 0, 0, false).refresh_hz));
	CU_ASSERT_EQUAL(calibrated(false, 0, 60, false).refresh_hz, 60);
	CU_ASSERT_EQUAL(calibrated(false, 0, 0, false).forgiveness_ns, 0);
	print_capture(33, 14);
	CU_ASSERT_EQUAL(calibrated(false, 0, 0, false).refresh_hz, 0);
	/* without that, its frames */
	print_capture(NO_API, 11);
	CU_ASSERT_TRUE(is_90(calibrated(false, 0, 0, false).refresh_hz));
	print_capture(NO_API, 12);
	CU_ASSERT_EQUAL(calibrated(false, 0, 0, false).refresh_hz, 0);
}

/* It is the rules that need a rate: these may be another release's. */
static void test_other_rules(void)
{
	print_capture(33, 14);
	CU_ASSERT_TRUE(is_90(calibrated(false, 11, 0, false).refresh_hz));
	CU_ASSERT_EQUAL(calibrated(false, 12, 0, false).refresh_hz, 0);
	print_capture(30, 11);
	CU_ASSERT_EQUAL(calibrated(false, 12, 0, false).refresh_hz, 0);
	print_dump(14);
	CU_ASSERT_TRUE(is_90(calibrated(true, 11, 0, false).refresh_hz));
}

/* The vsyncs are 2 ms apart, which forgives 4 ms more. The rate is the frames' own from 12 on. */
static void test_offset(void)
{
	static const unsigned releases[] = { 11, 12, 14 };

	for (unsigned i = 0; i < 3; i++) {
		for (int dump = 0; dump < 2; dump++) {
			struct verdict_rules rules;

			if (dump)
				print_dump(releases[i]);
			else
				print_capture(android_api(releases[i]), releases[i]);
			rules = calibrated(dump, 0, 0, true);
			CU_ASSERT_EQUAL(rules.forgiveness_ns, 6 * MS);
			CU_ASSERT_EQUAL(is_90(rules.refresh_hz), releases[i] < 12);
			CU_ASSERT_EQUAL(rules.refresh_hz > 0, releases[i] < 12);
			CU_ASSERT_EQUAL(calibrated(dump, 0, 60, true).refresh_hz, 60);
		}
	}
}

static void test_dump(void)
{
	print_dump(10);
	CU_ASSERT_TRUE(is_90(calibrated(true, 0, 0, false).refresh_hz));
	CU_ASSERT_EQUAL(calibrated(true, 0, 60, false).refresh_hz, 60);
	print_dump(14);
	CU_ASSERT_EQUAL(calibrated(true, 0, 0, false).refresh_hz, 0);
}

/* A file is not opened where nothing of it is asked. */
static void test_unread(void)
{
	struct judging j;
	struct err e = { 0 };

	judging_init(&j);
	CU_ASSERT_EQUAL(judging_calibrate(&j, "/nowhere", &e), -ENOENT);
	j.rules.android = 12;
	CU_ASSERT_EQUAL(judging_calibrate(&j, "/nowhere", &e), 0);
	CU_ASSERT_EQUAL(judging_calibrate_dump(&j, "/nowhere", &e), 0);
	j.rules.android = 11;
	j.rules.refresh_hz = 60;
	CU_ASSERT_EQUAL(judging_calibrate(&j, "/nowhere", &e), 0);
	CU_ASSERT_EQUAL(judging_calibrate_dump(&j, "/nowhere", &e), 0);
	j.estimate_offset = true;
	CU_ASSERT_EQUAL(judging_calibrate(&j, "/nowhere", &e), -ENOENT);
}

int main(void)
{
	static const struct check_case cases[] = {
		{ "capture", test_capture }, { "other_rules", test_other_rules },
		{ "offset", test_offset },   { "dump", test_dump },
		{ "unread", test_unread },   { NULL, NULL },
	};

	return check_main("judging", cases);
}
