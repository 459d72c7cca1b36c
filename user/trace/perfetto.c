/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The source: looks through a Perfetto trace, then reads it part by part. */
#include "trace/perfetto.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/log.h"
#include "trace/absent.h"
#include "trace/perfetto_parts.h"

#define EVENTS_AT_ONCE 1024
#define PACKETS_AT_ONCE 256 /* of our own, whose records go straight on */

/*
 * The export holds a thread's calls back until the one around them has ended, but no longer than
 * half a second: that much later than one with a higher time may a record come.
 */
#define OWN_LAG_NS UINT64_C(1100000000)

static const char *clock_name(const struct pf *pf)
{
	return pf_clocks_related(&pf->clocks, PF_CLOCK_BOOTTIME, PF_CLOCK_MONOTONIC)
		       ? "monotonic"
		       : "the trace's own";
}

static int begin(struct pf *pf)
{
	char json[128];

	if (pf->own)
		return 0;
	pf->in = intake_new(pf->s);
	if (!pf->in)
		return -ENOMEM;
	snprintf(json, sizeof(json), "{\"source\": \"Perfetto trace\", \"clock\": \"%s\"}",
		 clock_name(pf));
	return intake_meta(pf->in, json);
}

static int open_trace(struct source *s, struct err *e)
{
	struct pf *pf = calloc(1, sizeof(*pf));
	int ret;

	if (!pf)
		return source_no_memory(s, e);
	s->priv = pf;
	pf->s = s;
	pf->merge = merge_new();
	pf_arena_init(&pf->arena);
	if (!pf->merge)
		return source_no_memory(s, e);
	ret = pf_file_open(s, &pf->reader.file, e);
	if (!ret)
		ret = pf_index_build(pf, e);
	if (!ret && begin(pf))
		ret = source_no_memory(s, e);
	return ret;
}

/* 0 or -ENOMEM. */
static int take_packet(struct pf *pf, const struct pf_packet *p)
{
	struct pf_sequence *seq;
	uint64_t ns = pf->last_ns;
	bool seen, timed;
	int ret = pf_sequence_take(pf, p, &seq);

	if (ret || !seq)
		return ret;
	seen = seq->seen;
	seq->seen = true;
	timed = pf_sequence_time(pf, seq, p, &ns);
	if (pf->own)
		return pf_own_packet(pf, seq, p, ns);
	switch (p->content.number) {
	case PF_FTRACE:
		if (p->dropped && seen && !p->first)
			ret = pf_ftrace_dropped(pf, &p->content);
		return ret ? ret : pf_ftrace(pf, &p->content);
	case PF_PROCESS_TREE:
		return pf_process_tree(pf, &p->content, ns);
	case PF_TRACK:
		return pf_track_descriptor(pf, &p->content, ns);
	case PF_TRACK_EVENT:
		return timed ? pf_track_event(pf, seq, &p->content, ns) : 0;
	case PF_FRAME_TIMELINE:
		return timed ? pf_frame_timeline(pf, &p->content, ns) : 0;
	case PF_GRAPHICS_FRAME:
		return timed ? pf_graphics_frame(pf, &p->content, ns) : 0;
	default:
		return 0;
	}
}

/* The next packet: 1, 0 if there is none, or a negative errno. What is earlier may go then. */
static int read_packet(struct pf *pf, struct err *e)
{
	struct pf_index *index = &pf->index;
	struct pf_packet p;
	int ret;

	while ((ret = pf_reader_next(&pf->reader, index->segments[index->at].to, &p, e)) == 0) {
		if (index->at + 1 == index->nr)
			return 0;
		ret = pf_reader_seek(&pf->reader, index->segments[++index->at].from, e);
		if (ret)
			return ret;
		if (index->segments[index->at].first_ns)
			pf->complete_ns = index->segments[index->at].first_ns - 1;
	}
	if (ret == 1 && take_packet(pf, &p))
		return source_no_memory(pf->s, e);
	return ret;
}

static void count(struct pf *pf)
{
	struct source_stats *st = &pf->s->stats;
	const struct pf_reader *r = &pf->reader;

	st->cut = pf_file_cut(r->file);
	st->malformed = r->malformed + r->unpacked + pf_file_too_long(r->file);
	st->damaged_bytes = pf_file_damaged(r->file) + r->damaged;
	st->damaged_chunks = st->damaged_bytes != 0;
}

/* All is read: what is still open ends here. */
static int finish(struct pf *pf, struct err *e)
{
	int ret = pf->own ? pf_frames_finish(pf) : intake_finish(pf->in);

	count(pf);
	pf->s->done = true;
	merge_round(pf->s->merge, UINT64_MAX);
	return ret ? source_no_memory(pf->s, e) : 0;
}

static int read_own(struct pf *pf, struct err *e)
{
	int ret = 1;

	for (unsigned i = 0; ret == 1 && i < PACKETS_AT_ONCE; i++)
		ret = read_packet(pf, e);
	if (ret < 0)
		return ret;
	if (ret == 0)
		return finish(pf, e);
	if (pf->fed_ns > OWN_LAG_NS)
		merge_round(pf->s->merge, pf->fed_ns - OWN_LAG_NS);
	return 0;
}

/* Events that may go, or else a packet, so that more may. */
static int read_events(struct pf *pf, struct err *e)
{
	int fed, ret = 1;

	for (;;) {
		merge_round(pf->merge, pf->complete_ns);
		fed = pf_events_feed(pf, EVENTS_AT_ONCE);
		if (fed)
			break;
		if (pf->exhausted)
			return finish(pf, e);
		ret = read_packet(pf, e);
		if (ret < 0)
			return ret;
		if (ret == 0) {
			pf->exhausted = true;
			pf->complete_ns = UINT64_MAX;
			if (pf_frames_finish(pf))
				return source_no_memory(pf->s, e);
		}
	}
	if (fed < 0)
		return source_no_memory(pf->s, e);
	if (pf->fed_ns)
		merge_round(pf->s->merge, pf->fed_ns - 1);
	return 0;
}

static int read_trace(struct source *s, struct err *e)
{
	struct pf *pf = s->priv;

	return pf->own ? read_own(pf, e) : read_events(pf, e);
}

#define WARN(pf, number, format)                                                                   \
	do {                                                                                       \
		if (number)                                                                        \
			log_warn("%s: " format, (pf)->s->path, (uint64_t)(number));                \
	} while (0)

static void warn(const struct source *s)
{
	const struct pf *pf = s->priv;

	WARN(pf, pf->reader.zstd,
	     "%" PRIu64 " parts are compressed with zstd, which is not read: record without, or "
	     "have traceconv decompress it");
	WARN(pf, pf->stateless,
	     "%" PRIu64 " packets can't be understood, for what they refer to was lost");
	WARN(pf, pf->foreign, "%" PRIu64 " packets of other machines were left out");
	WARN(pf, pf->unfollowed,
	     "%" PRIu64
	     " times there were more sequences, tracks, threads or frames at a time than "
	     "are followed");
	WARN(pf, pf->unordered_clock,
	     "%" PRIu64 " bundles have times of a clock that nothing relates to the others");
	if (s->stats.late && !pf_file_seekable(pf->reader.file))
		log_warn("%s: it is compressed and can only be read in one go, so events may come "
			 "too late: gunzip it first",
			 s->path);
	if (pf->in)
		intake_warn(pf->in);
}

static bool absence(const struct source *s, unsigned index, struct source_absence *a)
{
	const struct pf *pf = s->priv;

	return pf->in && absent_nth(intake_counts(pf->in), ABSENT_IN_PERFETTO, index, a);
}

static void close_trace(struct source *s)
{
	struct pf *pf = s->priv;

	intake_free(pf->in);
	pf_tracks_free(pf);
	pf_sequences_free(pf);
	map64_clear(&pf->open_timelines, free);
	pf_events_free(pf);
	pf_clocks_free(&pf->clocks);
	free(pf->index.segments);
	pf_reader_free(&pf->reader);
	pf_arena_free(&pf->arena);
}

const struct source_ops perfetto_source = {
	.detect = pf_file_detect,
	.open = open_trace,
	.read = read_trace,
	.warn = warn,
	.absence = absence,
	.close = close_trace,
};
