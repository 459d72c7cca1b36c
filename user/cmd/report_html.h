/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* framescope report --html: one file for a browser, of one input or several. */
#ifndef CMD_REPORT_HTML_H
#define CMD_REPORT_HTML_H

#include "base/err.h"
#include "cmd/judging.h"

#define REPORT_HTML_FILES 64 /* at most */

struct report_html_request {
	char *const *paths;
	unsigned nr_paths;
	const char *baseline; /* NULL: none */
	const char *output; /* "-": standard output */
	const struct judging *judging; /* the options; nothing is judged with it itself */
};

/* 0 or a negative errno. */
int report_html(const struct report_html_request *q, struct err *e);

#endif
