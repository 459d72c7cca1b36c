/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The keys of a live view, from bytes to what they change, and the order of its list. */
#include <linux/types.h>

#include "check.h"
#include "top/keys.h"
#include "top/view.h"

/* The keys that the bytes give, ended by a pause if `paused`. */
static void expect_keys(const char *bytes, bool paused, const int *wanted)
{
	struct keys k = { 0 };
	int key;

	for (; *bytes; bytes++) {
		key = keys_byte(&k, (unsigned char)*bytes);
		if (key)
			CU_ASSERT_EQUAL(key, *wanted++);
	}
	key = paused ? keys_pause(&k) : KEY_NONE;
	if (key)
		CU_ASSERT_EQUAL(key, *wanted++);
	CU_ASSERT_EQUAL(*wanted, 0);
}

#define EXPECT(bytes, paused, ...) expect_keys(bytes, paused, (const int[]){ __VA_ARGS__, 0 })

static void keys(void)
{
	EXPECT("qs ?", false, 'q', 's', ' ', '?');
	EXPECT("\r\n", false, KEY_ENTER, KEY_ENTER);
	EXPECT("\033[A\033[B", false, KEY_UP, KEY_DOWN);
	EXPECT("\033OA\033OBx", false, KEY_UP, KEY_DOWN, 'x');
	/* Page up, F5, and an arrow together with Shift: others, and no letters are left over. */
	EXPECT("\033[5~\033[15~\033[1;2A\033OPq", false, KEY_OTHER, KEY_OTHER, KEY_UP, KEY_OTHER,
	       'q');
	/* Escape is a key when nothing follows. */
	EXPECT("\033", true, KEY_ESCAPE);
	EXPECT("\033", false, 0);
	EXPECT("\033\033", false, KEY_ESCAPE);
	EXPECT("\033q", false, KEY_OTHER);
	EXPECT("\033[", true, 0);
	EXPECT("\x7f\x08", false, KEY_ESCAPE, KEY_ESCAPE);
	EXPECT("\x01\xff\xc3\xa4", false, KEY_OTHER, KEY_OTHER, KEY_OTHER, KEY_OTHER);
}

static const struct producer producers[] = {
	{ .id = 1, .name = "c" },
	{ .id = 2, .name = "a" },
	{ .id = 3, .name = "d" },
	{ .id = 4, .name = "b" },
};

static struct figures figures[4] = {
	{ .producer = &producers[0], .has_rate = true, .rate_mhz = 30, .judged = 4, .janky = 1 },
	{ .producer = &producers[1],
	  .has_rate = true,
	  .rate_mhz = 60,
	  .has_interval = true,
	  .p95_ns = 5 },
	{ .producer = &producers[2],
	  .has_interval = true,
	  .p95_ns = 9,
	  .judged = 100,
	  .janky = 10 },
	{ .producer = &producers[3],
	  .has_rate = true,
	  .rate_mhz = 60,
	  .has_interval = true,
	  .p95_ns = 7 },
};

static const struct snapshot four = { .to_ns = 1, .figures = figures, .nr = 4 };

static void expect_order(enum top_sort sort, bool reverse, const char *names)
{
	const struct view v = { .sort = sort, .reverse = reverse };
	unsigned order[TOP_PRODUCERS];

	view_order(&v, &four, order);
	for (unsigned i = 0; i < 4; i++)
		CU_ASSERT_EQUAL(figures[order[i]].producer->name[0], names[i]);
}

/* What is not known is last, also in reverse; of equals who appeared first. */
static void order(void)
{
	expect_order(SORT_RATE, false, "abcd");
	expect_order(SORT_RATE, true, "cabd");
	expect_order(SORT_P95, false, "dbac");
	expect_order(SORT_P95, true, "abdc");
	expect_order(SORT_JANK, false, "cdab");
	expect_order(SORT_JANK, true, "dcab");
	expect_order(SORT_NAME, false, "abcd");
	expect_order(SORT_NAME, true, "dcba");
}

static void press(struct view *v, const int *pressed)
{
	for (; *pressed; pressed++)
		view_key(v, *pressed, &four);
}

#define PRESS(v, ...) press(v, (const int[]){ __VA_ARGS__, 0 })

static void pick(void)
{
	struct view v = { 0 };

	/* In the order of the list: a, b, c, d are 2, 4, 1, 3. */
	PRESS(&v, KEY_DOWN);
	CU_ASSERT_EQUAL(v.picked, 2);
	PRESS(&v, 'j', KEY_DOWN, KEY_DOWN, KEY_DOWN, KEY_DOWN);
	CU_ASSERT_EQUAL(v.picked, 3);
	PRESS(&v, 'k');
	CU_ASSERT_EQUAL(v.picked, 1);
	PRESS(&v, KEY_UP, KEY_UP, KEY_UP);
	CU_ASSERT_EQUAL(v.picked, 2);
	PRESS(&v, KEY_ENTER);
	CU_ASSERT_TRUE(v.opened);
	CU_ASSERT_PTR_EQUAL(view_picked(&v, &four), &figures[1]);
	PRESS(&v, KEY_ESCAPE);
	CU_ASSERT_FALSE(v.opened);
	CU_ASSERT_EQUAL(v.picked, 2);
	PRESS(&v, KEY_ESCAPE);
	CU_ASSERT_EQUAL(v.picked, 0);
	CU_ASSERT_PTR_NULL(view_picked(&v, &four));
	/* Without a choice, the last from below and the first by Enter. */
	PRESS(&v, KEY_UP);
	CU_ASSERT_EQUAL(v.picked, 3);
	v.picked = 99; /* it is gone */
	PRESS(&v, KEY_ENTER);
	CU_ASSERT_EQUAL(v.picked, 2);
}

static void nobody_to_pick(void)
{
	const struct snapshot none = { 0 };
	struct view v = { 0 };

	view_key(&v, KEY_DOWN, &none);
	view_key(&v, KEY_ENTER, &none);
	CU_ASSERT_EQUAL(v.picked, 0);
	CU_ASSERT_FALSE(v.opened);
}

static void switches(void)
{
	struct view v = { 0 };

	PRESS(&v, 's', 's');
	CU_ASSERT_EQUAL(v.sort, SORT_JANK);
	PRESS(&v, 's', 's', 'r');
	CU_ASSERT_EQUAL(v.sort, SORT_RATE);
	CU_ASSERT_TRUE(v.reverse);
	PRESS(&v, 'p');
	CU_ASSERT_TRUE(v.paused);
	PRESS(&v, ' ');
	CU_ASSERT_FALSE(v.paused);
	PRESS(&v, 'h');
	CU_ASSERT_TRUE(v.help);
	PRESS(&v, 's');
	CU_ASSERT_FALSE(v.help);
	CU_ASSERT_EQUAL(v.sort, SORT_RATE);
	PRESS(&v, KEY_OTHER, 'x');
	CU_ASSERT_FALSE(v.quit);
	PRESS(&v, '?', 'q');
	CU_ASSERT_TRUE(v.quit);
}

int main(void)
{
	static const struct check_case cases[] = {
		{ "keys", keys },         { "order", order },
		{ "pick", pick },         { "nobody_to_pick", nobody_to_pick },
		{ "switches", switches }, { NULL, NULL },
	};

	return check_main("top_view", cases);
}
