// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Histograms of milliseconds, and their text. */
#include "standins/android/profile.h"

#include <inttypes.h>
#include <stdbool.h>

#include "standins/android/layout.h"
#include "standins/android/plan.h"

#define FAST ((int)(sizeof(((struct profile *)0)->fast) / sizeof(uint32_t)))
#define SLOW ((int)(sizeof(((struct profile *)0)->slow) / sizeof(uint16_t)))
#define GPU ((int)(sizeof(((struct profile *)0)->gpu) / sizeof(uint32_t)))
#define SLOW_MS 150
#define SLOW_STEP_MS 50

/* Of the fast buckets: from which time on they are how wide. */
static const struct {
	int from_ms, step_ms, nr;
} widths[] = { { 5, 1, 27 }, { 32, 2, 8 }, { 48, 4, 22 } };

#define WIDTHS (sizeof(widths) / sizeof(widths[0]))

static const char *const names[JANKS] = {
	[JANK_VSYNC] = "Missed Vsync",
	[JANK_INPUT] = "High input latency",
	[JANK_UI] = "Slow UI thread",
	[JANK_SYNC] = "Slow bitmap uploads",
	[JANK_RENDER] = "Slow issue draw commands",
	[JANK_DEADLINE] = "Frame deadline missed",
	[JANK_LEGACY] = "Frame deadline missed (legacy)",
};

void profile_frame(struct profile *p, int64_t ns)
{
	int64_t ms = ns / (int64_t)MS, slow = (ms - SLOW_MS) / SLOW_STEP_MS;
	int bucket = 0;

	p->total++;
	for (unsigned i = 0; i < WIDTHS; i++) {
		int64_t steps = (ms - widths[i].from_ms) / widths[i].step_ms;

		if (steps < widths[i].nr) {
			p->fast[steps > 0 ? bucket + steps : bucket]++;
			return;
		}
		bucket += widths[i].nr;
	}
	p->slow[slow < SLOW ? slow : SLOW - 1]++;
}

void profile_gpu(struct profile *p, int64_t ns)
{
	int64_t ms = ns / (int64_t)MS;

	p->gpu[ms < GPU ? ms : GPU - 1]++;
}

/* Of a fast bucket and, behind these, a slow one. Of the wide ones all but the first are named one
 * too high. */
static int label(int bucket)
{
	for (unsigned i = 0; i < WIDTHS; i++) {
		if (bucket < widths[i].nr)
			return widths[i].from_ms + bucket * widths[i].step_ms +
			       (widths[i].step_ms == 4 && bucket);
		bucket -= widths[i].nr;
	}
	return SLOW_MS + bucket * SLOW_STEP_MS;
}

static int gpu_label(int bucket)
{
	return bucket < GPU - 1 ? bucket + 1 : 4950;
}

static uint32_t count(const struct profile *p, int bucket)
{
	return bucket < FAST ? p->fast[bucket] : p->slow[bucket - FAST];
}

static void print_percentiles(FILE *out, const struct profile *p, bool is_gpu)
{
	static const uint32_t percents[] = { 50, 90, 95, 99 };
	uint32_t total = is_gpu ? 0 : p->total;

	for (int i = 0; is_gpu && i < GPU; i++)
		total += p->gpu[i];
	for (unsigned i = 0; i < sizeof(percents) / sizeof(percents[0]); i++) {
		int bucket = is_gpu ? GPU : FAST + SLOW;
		int64_t left = total - percents[i] * total / 100;

		do {
			bucket--;
			left -= is_gpu ? p->gpu[bucket] : count(p, bucket);
		} while (left > 0 && bucket);
		fprintf(out, "\n%uth %spercentile: %dms", percents[i], is_gpu ? "gpu " : "",
			is_gpu ? gpu_label(bucket) : label(bucket));
	}
}

static void print_share(FILE *out, const char *what, uint32_t nr, uint32_t of)
{
	fprintf(out, "\n%s: %" PRIu32 " (%.2f%%)", what, nr,
		(double)(of ? (float)nr / (float)of * 100.0f : 0.0f));
}

void profile_print(FILE *out, const struct profile *p)
{
	fprintf(out, "\nStats since: %" PRIu64 "ns\nTotal frames rendered: %" PRIu32,
		plan.settled_ns, p->total);
	print_share(out, "Janky frames", p->janky, p->total);
	if (layout >= 22)
		print_share(out, "Janky frames (legacy)", p->legacy, p->total);
	print_percentiles(out, p, false);
	for (int i = 0; i < (layout >= 22 ? JANKS : JANK_LEGACY); i++)
		fprintf(out, "\nNumber %s: %" PRIu32, names[i], p->jank[i]);
	fputs("\nHISTOGRAM:", out);
	for (int i = 0; i < FAST + SLOW; i++)
		fprintf(out, " %dms=%" PRIu32, label(i), count(p, i));
	if (layout >= 17) {
		print_percentiles(out, p, true);
		fputs("\nGPU HISTOGRAM:", out);
		for (int i = 0; i < GPU; i++)
			fprintf(out, " %dms=%" PRIu32, gpu_label(i), p->gpu[i]);
	}
	if (layout >= 23)
		fputc('\n', out);
}
