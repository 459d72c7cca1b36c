/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The frame of a text dump, around the lines of record_print().
 *
 *   # framescope dump 1 x86_64     the first line: version, machine (optional)
 *   # ...                          a comment; blank lines are skipped too
 *   <record>                       in any order, like the chunks of a capture
 *   round                          what is above comes before what is below, whatever its time
 *   end                            the last line; without it the dump was cut
 */
#ifndef STREAM_DUMP_TEXT_H
#define STREAM_DUMP_TEXT_H

#include <linux/types.h>
#include <stdint.h>

#define DUMP_TEXT_MAGIC "# framescope dump "
#define DUMP_TEXT_VERSION 1 /* a reader refuses a higher one */
#define DUMP_TEXT_ROUND "round"
#define DUMP_TEXT_END "end"

/* The name of an enum fs_arch, or NULL. */
const char *dump_text_arch(uint32_t arch);

#endif
