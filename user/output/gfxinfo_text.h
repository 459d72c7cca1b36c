/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Verdicts as the text that `dumpsys gfxinfo PACKAGE framestats` of the release prints, byte for
 * byte, so that scripts made for that can be used. What was not observed is left out: caches and
 * pipeline, the view hierarchy, and the GPU's figures if its time is not known of any frame.
 */
#ifndef OUTPUT_GFXINFO_TEXT_H
#define OUTPUT_GFXINFO_TEXT_H

#include <stdint.h>
#include <stdio.h>

#include "judge/verdicts.h"

/*
 * All processes and their windows. Rows are printed if the verdicts kept them. The times are when
 * the frames were dumped, CLOCK_MONOTONIC and CLOCK_BOOTTIME; 0 = not known.
 */
void gfxinfo_text(FILE *out, const struct verdicts *v, uint64_t uptime_ms, uint64_t realtime_ms);

/* Its parts: the first lines, a process up to its windows, and a window. */
void gfxinfo_text_head(FILE *out, uint64_t uptime_ms, uint64_t realtime_ms);
void gfxinfo_text_process(FILE *out, const struct process_verdicts *p);
void gfxinfo_text_window(FILE *out, const struct window_verdicts *w);

#endif
