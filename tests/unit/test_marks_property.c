/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What holds of the calls and frames made of any marks: threads that mark at random, begin what
 * they do not end, end what they did not begin, and lose events in between.
 */
#include "fuzz/random.h"
#include "traced.h"

#define ROUNDS 300
#define EVENTS 3000
#define THREADS 6

static const char *const names[] = {
	"Choreographer#doFrame",
	"Choreographer#doFrame 7",
	"Choreographer#doFrame 8",
	"Choreographer#doFrame - resynced to 8 in 1.0ms",
	"input",
	"animation",
	"traversal",
	"draw",
	"draw-x",
	"Record View#draw()",
	"postAndWait",
	"DrawFrame",
	"DrawFrames 7",
	"DrawFrames 8",
	"syncFrameState",
	"dequeueBuffer",
	"dequeueBuffer - one",
	"dequeueBuffer - two",
	"queueBuffer",
	"eglSwapBuffers",
	"eglSwapBuffersWithDamageKHR",
	"vkQueuePresentKHR",
	"waiting for free buffer",
	"waiting for GPU completion 5",
	"waiting for HWC release 6",
	"a|b",
	"",
	"another",
};

#define NAMES (sizeof(names) / sizeof(*names))

/* The calls of one thread that have been checked, outermost first, by their entry. */
struct checked {
	uint32_t seq;
	uint64_t exit_ns;
};

static void check_spans(const struct traced *t)
{
	struct checked threads[THREADS + 1] = { 0 };

	for (unsigned i = 0; i < t->nr_spans; i++) {
		const struct fs_span *s = &t->spans[i].rec;
		struct checked *c = &threads[s->h.tid % 10];

		if (s->entry_ns > s->h.time_ns || s->h.time_ns < c->exit_ns || s->seq <= c->seq ||
		    s->depth >= 512 || !t->spans[i].symbol[0])
			CU_FAIL("a call that can't be");
		c->exit_ns = s->h.time_ns;
		c->seq = s->seq;
		/* One that began later and ended earlier lies inside, as one of it. */
		for (unsigned k = 0; k < i; k++) {
			const struct fs_span *in = &t->spans[k].rec;

			if (in->h.tid != s->h.tid || in->h.time_ns <= s->entry_ns)
				continue;
			if (in->entry_ns < s->entry_ns ||
			    (in->entry_ns > s->entry_ns && in->depth <= s->depth))
				CU_FAIL("two calls overlap");
		}
	}
}

static void mark_random(struct traced *t, uint64_t now)
{
	uint32_t tid = 100 + 1 + (uint32_t)below(THREADS);
	uint32_t pid = tid <= 103 ? 101 : 104;
	const char *name = names[below(NAMES)];
	char text[128];

	switch (below(12)) {
	case 0:
		snprintf(text, sizeof(text), "E|%u|%s", pid, name);
		break;
	case 1:
		snprintf(text, sizeof(text), "%c|%u|%s|%d", "SFCNGHI"[below(7)], pid, name,
			 (int)below(100) - 50);
		break;
	case 2:
		snprintf(text, sizeof(text), "B|%u|%s", pid, name);
		text[below(strlen(text) + 1)] = '\0';
		break;
	case 3:
	case 4:
	case 5:
	case 6:
	case 7:
		snprintf(text, sizeof(text), below(2) ? "E" : "E|%u", pid);
		break;
	default:
		snprintf(text, sizeof(text), "B|%u|%s", pid, name);
	}
	traced_mark(t, now, tid, text);
}

/* Any CPU may take any thread, also one that is on another already. */
static void switch_random(struct traced *t, uint64_t now)
{
	uint32_t prev = below(4) ? 101 + (uint32_t)below(THREADS) : 0;
	uint32_t next = below(4) ? 101 + (uint32_t)below(THREADS) : 0;

	if (prev != next)
		traced_switch(t, now, (uint32_t)below(3), prev, below(3), next);
}

static void lose_random(struct traced *t, uint64_t now)
{
	uint32_t cpu = below(2) ? (uint32_t)below(3) : FS_CPU_NONE;

	CU_ASSERT_EQUAL(intake_lost(t->in, now, cpu, below(9)), 0);
}

static void any_marks(void)
{
	static struct traced t;

	for (unsigned round = 1; round <= ROUNDS; round++) {
		bool switches = round % 2, losses = round % 3 == 0;
		uint64_t now = 1000;

		state = round * 0x9e3779b97f4a7c15u;
		traced_open(&t);
		for (unsigned i = 0; i < EVENTS; i++) {
			now += below(50);
			if (switches && !below(5))
				switch_random(&t, now);
			else if (losses && !below(200))
				lose_random(&t, now);
			else
				mark_random(&t, now);
		}
		traced_end(&t); /* checks the frames */
		check_spans(&t);
		traced_close(&t);
	}
}

int main(void)
{
	static const struct check_case cases[] = {
		{ "any_marks", any_marks },
		{ NULL, NULL },
	};

	return check_main("marks_property", cases);
}
