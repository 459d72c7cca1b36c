/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Reads the text of ftrace: of the kernel itself, atrace, systrace (HTML too), and trace-cmd
 * report; plain, or compressed by gzip or atrace -z.
 */
#ifndef TRACE_TEXT_H
#define TRACE_TEXT_H

#include "stream/source.h"

extern const struct source_ops ftrace_text_source;

#endif
