/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* For each reason, two verdicts on a frame that differ in nothing but what it is for. */
#include "judge/disagree.h"

#include <ctype.h>
#include <string.h>

#include "unit/jank_frames.h"

#define REASON(name) (1u << (name))

/* In time by all. */
static struct verdict agreed(void)
{
	return (struct verdict){
		.hwui = { .known = true, .counted = true, .has_legacy = true },
		.jankstats = { .known = true, .ui_ns = 4 * MS, .expected_ns = 16 * MS },
		.matrix = { .known = true },
	};
}

/* Late by all. */
static struct verdict late(void)
{
	struct verdict v = agreed();

	v.hwui.janky = v.hwui.janky_legacy = v.jankstats.janky = true;
	v.jankstats.ui_ns = 40 * MS;
	v.matrix.dropped = 2;
	return v;
}

static void test_agreement(void)
{
	struct verdict v = agreed();

	CU_ASSERT_EQUAL(disagreements(&v), 0);
	v = late();
	CU_ASSERT_EQUAL(disagreements(&v), 0);
	v = (struct verdict){ 0 };
	CU_ASSERT_EQUAL(disagreements(&v), 0);
}

static void test_legacy(void)
{
	struct verdict v = agreed();

	v.hwui.janky_legacy = true;
	CU_ASSERT_EQUAL(disagreements(&v), REASON(LEGACY_ONLY_DEADLINE));
	v.hwui.stuffed = true;
	CU_ASSERT_EQUAL(disagreements(&v), REASON(LEGACY_ONLY_STUFFED));
	v = late();
	v.hwui.janky_legacy = false;
	CU_ASSERT_EQUAL(disagreements(&v), REASON(LEGACY_NOT_GPU));
	v.hwui.swap_late = true;
	CU_ASSERT_EQUAL(disagreements(&v), REASON(LEGACY_NOT_SWAP));
	v.hwui.forgiven = true;
	CU_ASSERT_EQUAL(disagreements(&v), REASON(LEGACY_NOT_FORGIVEN));
	/* before 12 there is one algorithm */
	v.hwui.has_legacy = false;
	CU_ASSERT_EQUAL(disagreements(&v), 0);
}

static void test_jankstats(void)
{
	struct verdict v = agreed();

	v.jankstats.janky = true;
	CU_ASSERT_EQUAL(disagreements(&v), REASON(JANKSTATS_ONLY_EXPECTED));
	v.hwui.stuffed = true;
	CU_ASSERT_EQUAL(disagreements(&v), REASON(JANKSTATS_ONLY_STUFFED));
	v = late();
	v.jankstats.janky = false;
	v.jankstats.ui_ns = v.jankstats.expected_ns;
	CU_ASSERT_EQUAL(disagreements(&v), REASON(JANKSTATS_NOT_RENDER));
	v.jankstats.ui_ns++;
	CU_ASSERT_EQUAL(disagreements(&v), REASON(JANKSTATS_NOT_MULTIPLIER));
	v.jankstats.known = false;
	CU_ASSERT_EQUAL(disagreements(&v), 0);
}

static void test_matrix(void)
{
	struct verdict v = agreed();

	v.matrix.dropped = 0.5f;
	CU_ASSERT_EQUAL(disagreements(&v), REASON(MATRIX_ONLY_DEADLINE));
	v.hwui.stuffed = true;
	CU_ASSERT_EQUAL(disagreements(&v), REASON(MATRIX_ONLY_STUFFED));
	v.matrix.dropped = 0.49f;
	CU_ASSERT_EQUAL(disagreements(&v), 0);
	v = late();
	v.matrix.dropped = 0.49f;
	CU_ASSERT_EQUAL(disagreements(&v), REASON(MATRIX_NOT_HALF));
	v.matrix.known = false;
	CU_ASSERT_EQUAL(disagreements(&v), 0);
}

/* Each system for itself; and of a frame that HWUI does not judge none is held against it. */
static void test_several(void)
{
	struct verdict v = late(), other;

	v.hwui.janky = false;
	CU_ASSERT_EQUAL(disagreements(&v), REASON(LEGACY_ONLY_DEADLINE) |
						   REASON(JANKSTATS_ONLY_EXPECTED) |
						   REASON(MATRIX_ONLY_DEADLINE));
	other = v;
	other.hwui.known = false;
	CU_ASSERT_EQUAL(disagreements(&other), 0);
	other = v;
	other.hwui.counted = false;
	CU_ASSERT_EQUAL(disagreements(&other), 0);
	other = v;
	other.hwui.exempt = true;
	CU_ASSERT_EQUAL(disagreements(&other), 0);
}

static void test_names(void)
{
	for (unsigned i = 0; i < DISAGREEMENT_NR; i++) {
		const char *name = disagreement_name((enum disagreement)i);

		for (const char *c = name; *c; c++)
			CU_ASSERT_TRUE(islower(*c) || *c == '_');
		CU_ASSERT_TRUE(strlen(disagreement_text((enum disagreement)i)) > 20);
		for (unsigned j = 0; j < i; j++)
			CU_ASSERT_STRING_NOT_EQUAL(disagreement_name((enum disagreement)j), name);
	}
	CU_ASSERT_STRING_EQUAL(disagreement_name(LEGACY_NOT_GPU), "legacy_not_gpu");
	CU_ASSERT_STRING_EQUAL(disagreement_name(MATRIX_ONLY_DEADLINE), "matrix_only_deadline");
}

int main(void)
{
	static const struct check_case cases[] = {
		{ "agreement", test_agreement },
		{ "legacy", test_legacy },
		{ "jankstats", test_jankstats },
		{ "matrix", test_matrix },
		{ "several", test_several },
		{ "names", test_names },
		{ NULL, NULL },
	};

	return check_main("disagree", cases);
}
