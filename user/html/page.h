/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The page that shows the data, as text: what comes before them, and what comes behind. */
#ifndef HTML_PAGE_H
#define HTML_PAGE_H

extern const char html_page_head[];
extern const char html_page_tail[];

#endif
