/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Matrix's reports as text: the keys and their order are those of its issues. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "output/matrix_json.h"

static const struct matrix_report frames = {
	.scene = "com.example.app.MainActivity",
	.frames = 160,
	.level = { 100, 50, 7, 2, 1 },
	.sum = { 30, 200, 77, 60, 43 },
	.fps = 59.94f,
	.average_ns = { 1, 2, 3, 4, 5, 6, 7, 8, 16999999 },
	.gpu_ns = -5,
	.dropped = 3,
	.refresh_hz = 59,
};

static const struct looper_report looper = {
	.scene = "com.example.app",
	.frames = 31,
	.level = { 10, 9, 8, 3, 1 },
	.sum = { 5, 40, 90, 80, 50 },
	.fps = 60,
	.dropped = 265,
	.task_ns = 9999999999,
	.tasks = 600,
	.tasks_with_frame = 33,
	.costs = 31,
	.input_ns = 31000,
	.animation_ns = 0,
	.traversal_ns = 93000000,
	.left_out = 2,
};

static void expect_frames(const struct matrix_report *r, const struct matrix_issue *issue,
			  const char *text)
{
	char *got = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&got, &len);

	CU_ASSERT_PTR_NOT_NULL_FATAL(out);
	CU_ASSERT_EQUAL(matrix_json_frames(out, r, issue), 0);
	fclose(out);
	CU_ASSERT_STRING_EQUAL(got, text);
	if (strcmp(got, text) != 0)
		printf("# %s", got);
	free(got);
}

static void expect_looper(const struct looper_report *r, const struct matrix_issue *issue,
			  const char *text)
{
	char *got = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&got, &len);

	CU_ASSERT_PTR_NOT_NULL_FATAL(out);
	CU_ASSERT_EQUAL(matrix_json_looper(out, r, issue), 0);
	fclose(out);
	CU_ASSERT_STRING_EQUAL(got, text);
	if (strcmp(got, text) != 0)
		printf("# %s", got);
	free(got);
}

#define FRAMES_LEVELS                                                                              \
	"\"dropLevel\":{\"DROPPED_BEST\":100,\"DROPPED_NORMAL\":50,\"DROPPED_MIDDLE\":7,"          \
	"\"DROPPED_HIGH\":2,\"DROPPED_FROZEN\":1},"                                                \
	"\"dropSum\":{\"DROPPED_BEST\":30,\"DROPPED_NORMAL\":200,\"DROPPED_MIDDLE\":77,"           \
	"\"DROPPED_HIGH\":60,\"DROPPED_FROZEN\":43},"
#define FRAMES_AVERAGES                                                                            \
	"\"UNKNOWN_DELAY_DURATION\":1,\"INPUT_HANDLING_DURATION\":2,\"ANIMATION_DURATION\":3,"     \
	"\"LAYOUT_MEASURE_DURATION\":4,\"DRAW_DURATION\":5,\"SYNC_DURATION\":6,"                   \
	"\"COMMAND_ISSUE_DURATION\":7,\"SWAP_BUFFERS_DURATION\":8,\"TOTAL_DURATION\":16999999,"

static void test_frames(void)
{
	struct matrix_issue issue = { .process = "com.example.app", .time_ms = 1700000010000 };
	struct matrix_report r = frames;

	expect_frames(&r, &issue,
		      "{\"scene\":\"com.example.app.MainActivity\"," FRAMES_LEVELS
		      "\"fps\":59.939998626708984," FRAMES_AVERAGES
		      "\"DROP_COUNT\":3,\"REFRESH_RATE\":59,\"tag\":\"Trace_FPS\","
		      "\"process\":\"com.example.app\",\"time\":1700000010000}\n");
	/* From API level 31 on; a whole number has no fraction; no time, as it is not known. */
	r.has_gpu = true;
	r.fps = 120;
	issue.time_ms = 0;
	issue.partial = true;
	expect_frames(&r, &issue,
		      "{\"scene\":\"com.example.app.MainActivity\"," FRAMES_LEVELS
		      "\"fps\":120," FRAMES_AVERAGES
		      "\"GPU_DURATION\":-5,\"DROP_COUNT\":3,\"REFRESH_RATE\":59,"
		      "\"tag\":\"Trace_FPS\",\"process\":\"com.example.app\",\"partial\":true}\n");
}

#define LOOPER_LEVELS                                                                              \
	"\"dropLevel\":{\"DROPPED_FROZEN\":1,\"DROPPED_HIGH\":3,\"DROPPED_MIDDLE\":8,"             \
	"\"DROPPED_NORMAL\":9,\"DROPPED_BEST\":10},"                                               \
	"\"dropSum\":{\"DROPPED_FROZEN\":50,\"DROPPED_HIGH\":80,\"DROPPED_MIDDLE\":90,"            \
	"\"DROPPED_NORMAL\":40,\"DROPPED_BEST\":5},"

static void test_looper(void)
{
	struct matrix_issue issue = { .process = "com.example.app", .time_ms = 1700000010000 };
	struct looper_report r = looper;

	expect_looper(&r, &issue,
		      "{\"scene\":\"com.example.app\"," LOOPER_LEVELS
		      "\"fps\":60,\"dropTaskFrameSum\":265,\"taskCost\":9999,\"taskCount\":600,"
		      "\"containsFrameCount\":33,\"inputCost\":31000,\"animationCost\":0,"
		      "\"traversalCost\":93000000,\"leftOutCount\":2,\"tag\":\"Trace_FPS\","
		      "\"process\":\"com.example.app\",\"time\":1700000010000}\n");
	/* What is not known of any message has no key, nor what there is none of. */
	r.frames = 0;
	r.costs = 0;
	r.left_out = 0;
	issue.time_ms = 0;
	issue.partial = true;
	expect_looper(&r, &issue,
		      "{\"scene\":\"com.example.app\"," LOOPER_LEVELS
		      "\"dropTaskFrameSum\":265,\"taskCost\":9999,\"taskCount\":600,"
		      "\"containsFrameCount\":33,\"tag\":\"Trace_FPS\","
		      "\"process\":\"com.example.app\",\"partial\":true}\n");
}

/* As Java prints a float that was made a double. */
static void test_fps(void)
{
	static const struct {
		float fps;
		const char *text;
	} values[] = {
		{ 59.94f, "59.939998626708984" },
		{ 60.00013f, "60.00012969970703" },
		{ 62.5f, "62.5" },
		{ 0.1f, "0.10000000149011612" },
		{ 1, "1" },
		{ 119.88f, "119.87999725341797" },
		{ 1.0f / 3, "0.3333333432674408" },
	};
	const struct matrix_issue issue = { .process = "p" };

	for (unsigned i = 0; i < sizeof(values) / sizeof(*values); i++) {
		struct matrix_report r = { .scene = "s", .fps = values[i].fps };
		char expected[1024];

		snprintf(expected, sizeof(expected),
			 "{\"scene\":\"s\",\"dropLevel\":{\"DROPPED_BEST\":0,\"DROPPED_NORMAL\":0,"
			 "\"DROPPED_MIDDLE\":0,\"DROPPED_HIGH\":0,\"DROPPED_FROZEN\":0},"
			 "\"dropSum\":{\"DROPPED_BEST\":0,\"DROPPED_NORMAL\":0,"
			 "\"DROPPED_MIDDLE\":0,\"DROPPED_HIGH\":0,\"DROPPED_FROZEN\":0},\"fps\":%s,"
			 "\"UNKNOWN_DELAY_DURATION\":0,\"INPUT_HANDLING_DURATION\":0,"
			 "\"ANIMATION_DURATION\":0,\"LAYOUT_MEASURE_DURATION\":0,"
			 "\"DRAW_DURATION\":0,\"SYNC_DURATION\":0,\"COMMAND_ISSUE_DURATION\":0,"
			 "\"SWAP_BUFFERS_DURATION\":0,\"TOTAL_DURATION\":0,\"DROP_COUNT\":0,"
			 "\"REFRESH_RATE\":0,\"tag\":\"Trace_FPS\",\"process\":\"p\"}\n",
			 values[i].text);
		expect_frames(&r, &issue, expected);
	}
}

/* A name may hold anything. */
static void test_names(void)
{
	const struct matrix_issue issue = { .process = "a\"b\\\n" };
	struct looper_report r = looper;

	r.scene = "\033[1m";
	r.costs = 0;
	r.left_out = 0;
	expect_looper(&r, &issue,
		      "{\"scene\":\"\\\\x1b[1m\"," LOOPER_LEVELS
		      "\"fps\":60,\"dropTaskFrameSum\":265,\"taskCost\":9999,\"taskCount\":600,"
		      "\"containsFrameCount\":33,\"tag\":\"Trace_FPS\","
		      "\"process\":\"a\\\\\\\"b\\\\\\\\\\\\x0a\"}\n");
}

int main(void)
{
	static const struct check_case cases[] = {
		{ "frames", test_frames },
		{ "looper", test_looper },
		{ "fps", test_fps },
		{ "names", test_names },
		{ NULL, NULL },
	};

	return check_main("matrix_json", cases);
}
