/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Totals of a window against its own rows: where these are all frames that it has counted, what
 * they make is what must have been printed. From Android 12 on, where a row has its deadline.
 */
#ifndef JUDGE_GFXINFO_ROWS_CHECK_H
#define JUDGE_GFXINFO_ROWS_CHECK_H

#include "judge/gfxinfo_check.h"
#include "judge/verdicts.h"

/* Are the rows of the window, which the verdicts are on, all frames of its totals? */
bool gfxinfo_rows_are_all(const struct totals_entry *e, const struct window_verdicts *w);

/*
 * The findings about such a window; none about another. What also depends on the display, and not
 * on the rows alone, is noted only.
 */
void gfxinfo_check_rows(const struct totals_entry *e, const struct window_verdicts *w,
			const struct gfxinfo_finding_sink *sink);

#endif
