/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The worst frames, by cause. */
#include "gate/shown.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/idmap.h"
#include "base/text.h"
#include "gate/samples.h"

struct of_producer {
	char name[GATE_NAME_LEN];
	struct shown_frame of[BUDGET_NR][SHOWN_FRAMES];
};

struct shown {
	struct idmap by_id;
	struct of_producer *all[GATE_PRODUCERS_MAX];
	unsigned nr;
};

struct shown *shown_new(void)
{
	return calloc(1, sizeof(struct shown));
}

bool shown_any(const struct shown *s)
{
	return s->nr > 0;
}

void shown_free(struct shown *s)
{
	if (!s)
		return;
	for (unsigned i = 0; i < s->nr; i++)
		free(s->all[i]);
	idmap_free(&s->by_id);
	free(s);
}

static struct of_producer *find(struct shown *s, const struct producer *p)
{
	struct of_producer *found = idmap_get(&s->by_id, p->id);

	if (found || s->nr == GATE_PRODUCERS_MAX)
		return found;
	found = calloc(1, sizeof(*found));
	if (!found || idmap_put(&s->by_id, p->id, found)) {
		free(found);
		return NULL;
	}
	text_escape(found->name, sizeof(found->name), p->name, sizeof(p->name));
	s->all[s->nr++] = found;
	return found;
}

static void describe(struct shown_frame *to, const struct frame *f, enum budget_part cause)
{
	const struct blocker *b = frame_top_blocker(f, cause);
	char waker[WORDS_LEN] = "";

	to->why[0] = '\0';
	if (!b)
		return;
	words_detail(to->why, sizeof(to->why), b);
	words_waker(waker, sizeof(waker), b, WORDS_NO_LIMIT);
	if (*waker) {
		words_append(to->why, sizeof(to->why), "%swoken by %s", *to->why ? ", " : "",
			     waker);
		return;
	}
	words_taker(waker, sizeof(waker), b, WORDS_NO_LIMIT);
	if (*waker)
		words_append(to->why, sizeof(to->why), "%sCPU taken by %s", *to->why ? ", " : "",
			     waker);
}

int shown_add(struct shown *s, const struct frame *f)
{
	const struct budget *way = frame_way(f);
	struct of_producer *p;

	if (f->status != FRAME_COMPLETE || f->dumped || f->hwui.kind == FRAME_SKIPPED)
		return 0;
	p = find(s, f->producer);
	if (!p)
		return s->nr == GATE_PRODUCERS_MAX ? 0 : -ENOMEM;
	for (unsigned cause = 0; cause < BUDGET_NR; cause++) {
		struct shown_frame *of = p->of[cause];
		unsigned i = SHOWN_FRAMES;

		while (i && way->ns[cause] > of[i - 1].cause_ns)
			i--;
		if (i == SHOWN_FRAMES)
			continue;
		memmove(&of[i + 1], &of[i], (SHOWN_FRAMES - 1 - i) * sizeof(*of));
		of[i].number = f->number;
		of[i].wall_ns = f->end_ns - f->start_ns;
		of[i].cause_ns = way->ns[cause];
		describe(&of[i], f, (enum budget_part)cause);
	}
	return 0;
}

const struct shown_frame *shown_find(const struct shown *s, const char *producer,
				     enum budget_part cause)
{
	for (unsigned i = 0; i < s->nr; i++)
		if (!strcmp(s->all[i]->name, producer))
			return s->all[i]->of[cause];
	return NULL;
}
