// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A running capture as a source: its sink fills the merge, its rounds are the merge's marks. */
#include "stream/live.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "stream/merge.h"
#include "stream/record.h"

struct live {
	struct sink sink; /* first */
	struct source *source;
	uint64_t known_ns; /* the last watermark */
	struct err error; /* the first, which sticks; code 0 = none */
};

static int no_memory(struct live *l, struct err *e)
{
	err_errno(&l->error, -ENOMEM, "cannot follow the capture");
	*e = l->error;
	return e->code;
}

/* A ring holds what this very program's kernel side wrote; it is looked at like any input. */
static int add(struct sink *sink, const struct fs_header *rec, struct err *e)
{
	struct live *l = (struct live *)sink;
	struct fs_header *copy;

	if (l->error.code) {
		*e = l->error;
		return e->code;
	}
	copy = merge_reserve(l->source->merge, rec->size);
	if (!copy)
		return no_memory(l, e);
	memcpy(copy, rec, rec->size);
	switch (record_check(copy)) {
	case RECORD_FITS:
		if (merge_add(l->source->merge, copy))
			return no_memory(l, e);
		break;
	case RECORD_UNKNOWN:
		l->source->stats.unknown++;
		break;
	case RECORD_MALFORMED:
		l->source->stats.malformed++;
		break;
	}
	return 0;
}

static void open_up_to(struct live *l, uint64_t watermark_ns)
{
	merge_round(l->source->merge, watermark_ns);
	l->source->done = false;
	l->known_ns = watermark_ns;
}

static int round_over(struct sink *sink, uint64_t watermark_ns, struct err *e)
{
	struct live *l = (struct live *)sink;

	if (l->error.code) {
		*e = l->error;
		return e->code;
	}
	open_up_to(l, watermark_ns);
	return 0;
}

static int end(struct sink *sink, enum sink_end how, struct err *e)
{
	struct live *l = (struct live *)sink;

	(void)e;
	l->source->stats.cut = how != SINK_WHOLE;
	open_up_to(l, UINT64_MAX);
	return 0;
}

static const struct sink_ops live_sink_ops = {
	.add = add,
	.round = round_over,
	.end = end,
};

/* What there is has been given: more comes by the sink. */
static int read_nothing(struct source *s, struct err *e)
{
	(void)e;
	s->done = true;
	return 0;
}

static const struct source_ops live_source = { .read = read_nothing };

struct live *live_new(void)
{
	struct live *l = calloc(1, sizeof(*l));

	if (!l)
		return NULL;
	l->sink.ops = &live_sink_ops;
	l->source = source_new(&live_source, "the running capture");
	if (l->source)
		return l;
	free(l);
	return NULL;
}

void live_free(struct live *l)
{
	if (!l)
		return;
	source_close(l->source);
	free(l);
}

struct sink *live_sink(struct live *l)
{
	return &l->sink;
}

int live_next(struct live *l, const struct fs_header **rec, struct err *e)
{
	return source_next(l->source, rec, e);
}

uint64_t live_known_ns(const struct live *l)
{
	return l->known_ns;
}

const struct source_stats *live_stats(const struct live *l)
{
	return source_stats(l->source);
}
