/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Damaged dumps against user/stream/gfxinfo.c. Meant to run under ASan and UBSan:
 *
 *     fuzz_gfxinfo [SECONDS [FIRST-INPUT]]
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/dump_image.h"
#include "fuzz/fuzz_file.h"
#include "stream/gfxinfo.h"

static const char *check_row(const struct gfxinfo_item *item)
{
	const struct frame_slots *s = &item->slots;

	if (item->fault == FAULT_CUT)
		return s->known ? "a cut row has slots" : NULL;
	if (!s->layout || s->known >> SLOT_NR)
		return "a row without a layout, or with slots that there are not";
	if (item->fault)
		return NULL;
	if (!slot_known(s, SLOT_INTENDED_VSYNC) || !slot_known(s, SLOT_FRAME_COMPLETED) ||
	    s->ns[SLOT_INTENDED_VSYNC] >= s->ns[SLOT_FRAME_COMPLETED])
		return "a frame without a length, and no fault of it";
	return NULL;
}

static const char *check_item(const struct gfxinfo_item *item)
{
	if (item->line == 0 || (unsigned)item->fault >= FAULT_NR)
		return "an impossible line or fault";
	if (strlen(item->process) >= GFXINFO_NAME || strlen(item->window) >= GFXINFO_NAME ||
	    (*item->window && !item->window_nr))
		return "an impossible name";
	switch (item->kind) {
	case GFXINFO_DUMP:
	case GFXINFO_PROCESS:
		return item->fault ? "a fault of what has none" : NULL;
	case GFXINFO_STATS:
		return !item->stats->printed || item->stats->printed >> FIGURE_NR ||
				       item->stats->nr_bars > GFXINFO_BARS ||
				       item->stats->nr_gpu_bars > GFXINFO_BARS ||
				       strlen(item->stats->name) >= GFXINFO_NAME
			       ? "totals that can't be"
			       : NULL;
	case GFXINFO_ROW:
		return check_row(item);
	case GFXINFO_TIMES:
		return item->nr_times < 3 || item->nr_times > TIME_NR
			       ? "too few columns or too many"
			       : NULL;
	case GFXINFO_LATENCY:
		return item->refresh_ns ? NULL : "no refresh period";
	}
	return "an item of no kind";
}

static const char *use(const char *path, size_t size)
{
	uint64_t kinds[GFXINFO_LATENCY + 1] = { 0 }, faults[FAULT_NR] = { 0 }, line = 1, items = 0;
	const char *wrong = NULL;
	const struct gfxinfo_item *item;
	struct err e = { 0 };
	struct gfxinfo *g;
	int ret = gfxinfo_open(path, &g, &e);

	if (ret)
		return ret == e.code && e.what[0] && e.hint[0] ? NULL : "an error without its text";
	while (!wrong && (ret = gfxinfo_next(g, &item, &e)) == 1) {
		wrong = check_item(item);
		if (wrong)
			break;
		if (item->line < line)
			wrong = "an item out of order";
		if (item->kind != GFXINFO_LATENCY && item->kind != GFXINFO_DUMP &&
		    !kinds[GFXINFO_DUMP])
			wrong = "an item before its dump";
		line = item->line;
		items++;
		kinds[item->kind]++;
		faults[item->fault] += item->kind == GFXINFO_ROW && item->fault;
	}
	const struct gfxinfo_input *in = gfxinfo_input(g);
	if (!wrong &&
	    (ret || in->bytes != size || in->lines > size || line > in->lines || items > size + 1))
		wrong = "an error, or more than there is";
	if (!wrong && (in->dumps != kinds[GFXINFO_DUMP] || in->rows != kinds[GFXINFO_ROW] ||
		       in->processes != kinds[GFXINFO_PROCESS] ||
		       memcmp(in->faults, faults, sizeof(faults)) != 0))
		wrong = "another number than there were";
	if (!wrong && (gfxinfo_next(g, &item, &e) != 0 || !in->encoding))
		wrong = "something behind the end";
	gfxinfo_close(g);
	return wrong;
}

int main(int argc, char **argv)
{
	static unsigned char image[IMAGE_SIZE];
	const struct fuzz_file f = { .name = "gfxinfo", .image = image, .make = make, .use = use };

	return fuzz_file(&f, argc, argv);
}
