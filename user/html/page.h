/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The page that shows the data: what comes before them, and what comes behind. */
#ifndef HTML_PAGE_H
#define HTML_PAGE_H

extern const char html_page_head[], html_page_head_end[];
extern const char html_page_tail[], html_page_tail_end[];

#endif
