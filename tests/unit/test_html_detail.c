/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Which blocks a page has, of few and of too many. */
#include <stdio.h>

#include "check.h"
#include "html/detail.h"

#define RENDER 7
#define OTHER 8

static const struct producer app = { .id = 1, .pid = 7, .ui_tid = RENDER, .render_tid = RENDER };

static struct export counting(struct detail *d)
{
	return (struct export){ .ops = &detail_ops, .priv = d };
}

static struct block block_of(uint32_t tid, uint64_t out_ns, uint64_t ns)
{
	return (struct block){
		.tid = tid, .out_ns = out_ns, .wake_ns = out_ns, .in_ns = out_ns + ns
	};
}

static void see_block(struct detail *d, struct block b)
{
	struct export x = counting(d);

	CU_ASSERT_EQUAL(detail_ops.block(&x, &b), 0);
}

static struct frame frame_of(uint64_t start_ns, uint64_t ns)
{
	return (struct frame){ .producer = &app, .start_ns = start_ns, .end_ns = start_ns + ns };
}

static void see_frame(struct detail *d, struct frame f)
{
	struct export x = counting(d);

	CU_ASSERT_EQUAL(detail_ops.frame(&x, &f), 0);
}

static bool keeps(struct detail *d, struct block b)
{
	return detail_block(d, &b);
}

static void keeps_few(void)
{
	struct detail d = { 0 };
	struct frame f = frame_of(1000, 10);

	for (unsigned i = 0; i < DETAIL_LONG; i++)
		see_block(&d, block_of(OTHER, i, i % 3));
	CU_ASSERT_EQUAL(detail_settle(&d), 0);
	CU_ASSERT_EQUAL(d.blocks.least_ns, 0);
	CU_ASSERT(keeps(&d, block_of(OTHER, 5, 0)));
	CU_ASSERT(detail_frame(&d, &f));
	CU_ASSERT_EQUAL(d.blocks.left_out, 0);
	detail_free(&d);
}

/*
 * Lengths of 1 to 200 000 ns, each once: the longest half has room, but lengths from 98 304 to
 * 102 399 are one step, as 2^17 is 16 steps of 4 096 behind 2^16; so it begins with 102 400.
 */
static void keeps_the_longest(void)
{
	struct detail d = { 0 };

	for (uint64_t ns = 1; ns <= 200000; ns++)
		see_block(&d, block_of(OTHER, 0, ns));
	CU_ASSERT_EQUAL(detail_settle(&d), 0);
	CU_ASSERT_EQUAL(d.blocks.least_ns, 102400);
	CU_ASSERT(keeps(&d, block_of(OTHER, 0, 102400)));
	CU_ASSERT_FALSE(keeps(&d, block_of(OTHER, 0, 102399)));
	CU_ASSERT_EQUAL(d.blocks.left_out, 1);
	detail_free(&d);
}

/* Of 1000 frames, whose lengths come in no order, those of the longest 200 have all blocks. */
static void keeps_the_longest_frames(void)
{
	struct detail d = { 0 };
	unsigned kept = 0, full = 0;

	for (unsigned i = 0; i <= DETAIL_LONG; i++)
		see_block(&d, block_of(OTHER, 0, 1000));
	for (uint64_t i = 0; i < 1000; i++)
		see_frame(&d, frame_of(i * 10000, 1 + i * 7 % 1000));
	CU_ASSERT_EQUAL(detail_settle(&d), 0);
	CU_ASSERT(d.blocks.least_ns > 1000);
	for (uint64_t i = 0; i < 1000; i++) {
		struct frame f = frame_of(i * 10000, 1 + i * 7 % 1000);
		bool longest = i * 7 % 1000 >= 800;

		CU_ASSERT_EQUAL(detail_frame(&d, &f), longest);
		CU_ASSERT_EQUAL(keeps(&d, block_of(RENDER, i * 10000, 1)), longest);
		CU_ASSERT_FALSE(keeps(&d, block_of(OTHER, i * 10000, 1)));
		CU_ASSERT_FALSE(keeps(&d, block_of(RENDER, i * 10000 + 5000, 1)));
		kept += longest;
		full += detail_frame(&d, &f);
	}
	CU_ASSERT_EQUAL(kept, DETAIL_FRAMES);
	CU_ASSERT_EQUAL(full, DETAIL_FRAMES);
	CU_ASSERT_EQUAL(d.blocks.near, DETAIL_FRAMES);
	detail_free(&d);
}

/* There is an end to what one long frame may have, and it is said where. */
static void is_bounded(void)
{
	struct detail d = { 0 };
	uint64_t kept = 0;

	for (unsigned i = 0; i <= 2 * DETAIL_NEAR; i++)
		see_block(&d, block_of(RENDER, i, 1));
	see_frame(&d, frame_of(0, 10 * DETAIL_NEAR));
	CU_ASSERT_EQUAL(detail_settle(&d), 0);
	for (unsigned i = 0; i <= 2 * DETAIL_NEAR; i++)
		kept += keeps(&d, block_of(RENDER, i, 1));
	CU_ASSERT_EQUAL(kept, DETAIL_NEAR);
	CU_ASSERT_EQUAL(d.blocks.full_until_ns, DETAIL_NEAR);
	CU_ASSERT_EQUAL(d.blocks.left_out, DETAIL_NEAR + 1);
	detail_free(&d);
}

int main(void)
{
	static const struct check_case cases[] = {
		{ "few blocks are all kept", keeps_few },
		{ "of many the longest are", keeps_the_longest },
		{ "and all in the longest frames", keeps_the_longest_frames },
		{ "up to a number", is_bounded },
		{ NULL, NULL },
	};

	return check_main("html_detail", cases);
}
