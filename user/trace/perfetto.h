/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Perfetto's traces as a source: those that others recorded, and framescope's own exports. */
#ifndef TRACE_PERFETTO_H
#define TRACE_PERFETTO_H

#include "stream/source.h"

extern const struct source_ops perfetto_source;

#endif
