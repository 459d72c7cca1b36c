/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A report as one HTML file that needs nothing else: the page (page/, which the build puts into the
 * program), and in its middle what the inputs have, in chunks (pack.h). What the page shows is its
 * own work; here is only said what there is. Streaming: memory is that of a chunk of each table and
 * of struct detail, whatever the inputs' length.
 */
#ifndef HTML_HTML_H
#define HTML_HTML_H

#include <stdbool.h>
#include <stdio.h>

#include "export/export.h"
#include "html/detail.h"
#include "html/pack.h"
#include "output/output.h"

/* What of one input goes into the page: the priv of an export with html_ops. */
struct html_file {
	unsigned index; /* from 0; also the number of its chunks */
	bool baseline; /* to be compared with: no more than its frames is wanted */
	struct detail *detail; /* the caller's; settled. NULL: of a dump */
	struct probed *probed; /* the caller's; NULL likewise */
	struct pack_table *frames, *blocks, *fences, *losses;
	uint64_t nr_losses; /* that were met */
};

#define HTML_LOSSES 4096u /* places where records were lost that are marked */

/* The second reading of an input. */
extern const struct export_ops html_ops; /* tables.c */

void html_begin(FILE *out);
void html_end(FILE *out);

/*
 * What is said of an input as a whole, when all of it was read; of `r`, but for the path and the
 * verdicts, what it has of a capture is used unless `dump`. 0 or -ENOMEM.
 */
int html_info(FILE *out, const struct html_file *f, const struct report *r, bool dump);

#endif
