// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Carries the script out: each stage spins a little, and the scripted one loses its time. */
#include "standins/android/work.h"

#include <string.h>

#include "standins/android/backend.h"
#include "standins/cause.h"

#define STUFFED_TURNS 6

static struct cause cause;

static uint64_t part_of_period(unsigned percent)
{
	return plan.period_ns * percent / 100;
}

void work_start(void)
{
	int err = 0;

	memset(&cause, 0, sizeof(cause));
	if (!plan.scenario->cause)
		return;
	cause.kind = cause_find(plan.scenario->cause);
	if (!cause.kind)
		die(0, "there is no cause %s", plan.scenario->cause);
	err = cause_start(&cause);
	if (err)
		die(err, "can't prepare the cause %s", cause.kind->name);
}

void work_stop(void)
{
	if (cause.kind)
		cause_stop(&cause);
}

void work_plan(struct frame *f, unsigned turn)
{
	const struct scenario *s = plan.scenario;

	f->is_scripted = true;
	f->stage = s->stage;
	f->part = s->part;
	f->waker = cause.kind && cause.kind->wait && cause.waker > 0 ? cause.waker : 0;
	if (s->turn == TURN_NO_SLOT || s->turn == TURN_LATE_RELEASE)
		f->waker = backend_consumer();
	f->gpu_ns = part_of_period(3);
	switch (s->turn) {
	case TURN_SLOW_GPU:
		f->gpu_ns = part_of_period(s->percent);
		break;
	case TURN_STUFFED:
		f->gpu_ns = part_of_period(turn % STUFFED_TURNS ? s->percent : 2 * s->percent);
		break;
	case TURN_BUSY_RENDERER:
		if (turn % 2 == 0)
			f->stage = STAGE_COMMAND_ISSUE;
		break;
	default:
		break;
	}
}

bool work_is_void(const struct frame *f)
{
	return f->skip_reason && !strcmp(f->skip_reason, "NothingToDraw");
}

bool work_fails(const struct frame *f)
{
	return f->skip_reason && !strcmp(f->skip_reason, "NoBuffer");
}

void work_a_little(void)
{
	spin_cpu(part_of_period(2));
}

void work_until(uint64_t ns)
{
	while (now_ns() < ns)
		;
}

void work(struct frame *f, enum stage stage)
{
	uint64_t ns = part_of_period(f->scenario->percent);

	if (stage != STAGE_SYNC_DEQUEUE)
		work_a_little();
	if (!f->is_scripted || f->stage != stage)
		return;
	if (f->scenario->turn == TURN_BUSY_RENDERER)
		spin_cpu(stage == STAGE_COMMAND_ISSUE ? ns : 0);
	else if (cause.kind && cause.kind->wait && cause.kind->wait(&cause, ns))
		die(0, "the wait for %s failed", cause.kind->name);
	else if (cause.kind && !cause.kind->wait)
		spin_cpu(ns);
}
