/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* How sure it is that a fence's signal ended a block, by times, CPUs and who was at work. */
#include "events.h"

#define OUT 1000000 /* the thread leaves its CPU */
#define IN 9000000
#define CONTEXT 7
#define SIGNALLER 77

struct stretch {
	const char *name;
	uint64_t signal_ns;
	uint64_t waking_ns; /* 0: not seen */
	int32_t cpu_waking; /* the signal is on CPU 3 */
	uint32_t waker;
	uint32_t flags; /* of the off-CPU interval */
	enum wait_outcome outcome;
	enum confidence confidence;
};

static const struct stretch blocks[] = {
	{ "signal, then waking", 5000000, 5001000, 3, SIGNALLER, 0, WAIT_SIGNALED, CONF_EXACT },
	{ "woken on another CPU", 5000000, 5001000, 2, SIGNALLER, 0, WAIT_SIGNALED, CONF_PROBABLE },
	{ "waking not seen", 5000000, 0, -1, 0, 0, WAIT_SIGNALED, CONF_PROBABLE },
	{ "signalled after the waking", 5000000, 4000000, 3, SIGNALLER, 0, WAIT_OTHER, CONF_NONE },
	{ "signalled while it went to sleep", 999000, 1200000, 3, SIGNALLER, 0, WAIT_SIGNALED,
	  CONF_EXACT },
	{ "by another one than the waker", 999000, 1200000, 3, 78, 0, WAIT_SIGNALED,
	  CONF_PROBABLE },
	{ "long before it blocked", 900000, 2200000, 3, SIGNALLER, 0, WAIT_SIGNALED,
	  CONF_PROBABLE },
	{ "the waking began before the block", 999000, OUT, 3, 78, FS_OFF_WOKEN_EARLY,
	  WAIT_SIGNALED, CONF_EXACT },
};

static void keep(void *ctx, const struct fence_wait *wait)
{
	*(struct fence_wait *)ctx = *wait;
}

static void test_confidence(void)
{
	for (size_t i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++) {
		const struct stretch *b = &blocks[i];
		struct fence_wait wait = { .outcome = WAIT_OUTCOME_NR };
		const struct model_sink sink = { .fence_wait = keep, .ctx = &wait };
		struct world w = { .model = model_new(&sink) };

		CU_ASSERT_PTR_NOT_NULL_FATAL(w.model);
		CLOCK(&w, START, 1);
		TASK(&w, SEEN, 1, .comm = "app");
		FEED(&w, FENCE_REF, fs_fence_ref, .h.time_ns = OUT, .role = FS_REF_WAITED,
		     .context = CONTEXT, .seqno = 1, .off_seq = 1, .fd = 5, .timeout_ns = -1);
		FEED(&w, FENCE, fs_fence,
		     .h = { .time_ns = b->signal_ns, .tid = SIGNALLER, .cpu = 3 },
		     .context = CONTEXT, .seqno = 1, .op = FS_FENCE_SIGNALED, .irq = FS_CTX_TASK);
		OFF(&w, 1, OUT, IN, .waking_ns = b->waking_ns, .state = 1, .call = FS_CALL_POLL,
		    .file = FS_FILE_SYNC_FILE, .fd = 5, .nfds = 1, .context = FS_CTX_TASK,
		    .peer_tid = b->waker, .cpu_waking = b->cpu_waking, .flags = b->flags);
		world_stop(&w, IN + 1);
		if (wait.outcome != b->outcome || wait.confidence != b->confidence) {
			printf("# %s: outcome %d, confidence %d\n", b->name, wait.outcome,
			       wait.confidence);
			CU_FAIL("another wait than made up");
		}
		world_close(&w);
	}
}

int main(void)
{
	static const struct check_case cases[] = {
		{ "confidence", test_confidence },
		{ NULL, NULL },
	};

	return check_main("waits", cases);
}
