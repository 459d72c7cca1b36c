/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The kinds of input that are found by their content, in the order in which they are asked. */
#include <stddef.h>

#include "stream/source.h"
#include "trace/perfetto.h"
#include "trace/text.h"

const struct source_ops *const source_kinds[] = {
	&capture_file_source, &dump_text_source, &ftrace_text_source, &perfetto_source, NULL,
};
