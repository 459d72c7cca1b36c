/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The records of a capture while it runs, in their order: as a source gives those of a file, but
 * without an end before the capture has one. Memory is that of the merge: what came since the last
 * rounds.
 */
#ifndef STREAM_LIVE_H
#define STREAM_LIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "capture/sink.h"
#include "stream/source.h"

struct live;

/* NULL when out of memory. Ends with live_free(), which takes NULL; the capture's end comes before.
 */
struct live *live_new(void);
void live_free(struct live *l);

/* What the capture is to give its records to. */
struct sink *live_sink(struct live *l);

/*
 * The next record: 1 and *rec, as of source_next(); 0: no more may go before the capture's next
 * round, or after its end; or a negative errno. Not within the capture's calls.
 */
int live_next(struct live *l, const struct fs_header **rec, struct err *e);

/* Everything up to here has come and been given by live_next(), once that has said 0; 0: nothing.
 */
uint64_t live_known_ns(const struct live *l);

const struct source_stats *live_stats(const struct live *l);

#endif
