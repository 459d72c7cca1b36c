/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What can be asked of a finished frame. */
#include "model/frame.h"

#include <stddef.h>

#include "model/tally.h"

static const char *const status_names[] = {
	[FRAME_COMPLETE] = "complete",
	[FRAME_LOSSY] = "lossy",
	[FRAME_TRUNCATED] = "truncated",
};
_Static_assert(sizeof(status_names) / sizeof(status_names[0]) == FRAME_STATUS_NR,
	       "a name for every status");

const char *frame_status_name(enum frame_status s)
{
	return (unsigned)s < FRAME_STATUS_NR ? status_names[s] : NULL;
}

enum budget_part frame_top_cause(const struct frame *f, uint64_t *ns)
{
	unsigned top = 0;

	if (f->hwui.top_ns) {
		*ns = f->hwui.top_ns;
		return f->hwui.top_cause;
	}
	for (unsigned i = 1; i < BUDGET_NR; i++) {
		if (f->render.ns[i] > f->render.ns[top])
			top = i;
	}
	*ns = f->render.ns[top];
	return (enum budget_part)top;
}

const struct budget *frame_way(const struct frame *f)
{
	return f->hwui.kind == FRAME_PLAIN ? &f->render : &f->hwui.way;
}

const struct blocker *frame_top_blocker(const struct frame *f, enum budget_part cause)
{
	if (f->hwui.top_ns && f->hwui.top_cause == cause)
		return f->hwui.has_top_blocker ? &f->hwui.top_blocker : NULL;
	return blockers_find(f->blockers, f->nr_blockers, cause);
}
