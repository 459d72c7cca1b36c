/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Figures that both forms of the report derive from a summary. */
#include "output/figures.h"

double figure_fps(const struct producer_summary *p)
{
	return pace_fps(&p->pace);
}

uint64_t figure_waited(const struct producer_summary *p)
{
	const struct budget *b = &p->total;

	return budget_total(b) - b->ns[BUDGET_RUNNING] - b->ns[BUDGET_UNKNOWN] + p->unknown_wait_ns;
}
