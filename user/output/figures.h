/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Figures that both forms of the report derive from a summary. */
#ifndef OUTPUT_FIGURES_H
#define OUTPUT_FIGURES_H

#include <stdint.h>

#include "model/summary.h"

/* Frames per second between the first and the last swap seen. 0: fewer than two swaps. */
double figure_fps(const struct producer_summary *p);

/* The part of its budget in which a thread is known not to have run, ns. */
uint64_t figure_waited(const struct producer_summary *p);

#endif
