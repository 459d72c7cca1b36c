/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* FrameTimeline's numbers in the words that Perfetto's trace processor and UI have for them. */
#ifndef OUTPUT_FRAME_TIMELINE_WORDS_H
#define OUTPUT_FRAME_TIMELINE_WORDS_H

#include <stddef.h>
#include <stdint.h>

#include "model/frame.h"

/* "App Deadline Missed", ...; NULL for a bit (its number) that has no name. */
const char *ft_jank_name(unsigned bit);

/*
 * All bits, joined by ", "; those without a name as "unknown(0x100000)". Empty for 0, which was not
 * said.
 */
void words_ft_jank(char *dst, size_t len, uint32_t jank);

/* "Late Present", "Valid Prediction", "Partial"; "unknown(9)"; empty for 0. */
void words_ft_present(char *dst, size_t len, uint32_t present);
void words_ft_prediction(char *dst, size_t len, uint32_t prediction);
void words_ft_severity(char *dst, size_t len, uint32_t severity);

/*
 * Whose doing it is, in five characters: "drop", "app", "sf" (or the display), "stuff", "jank" for
 * what has no culprit; empty where there is no jank.
 */
const char *ft_jank_mark(const struct frame_timeline_verdict *ft);

#endif
