/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The look through a trace before it is read. Packets are in order within a sequence at most: a
 * trace that was kept in memory until it ended has one sequence behind the other, each over the
 * whole time. So the file is cut into segments of like time, which are then read in the order of
 * their times; memory is needed for those alone that overlap. A segment has some hundred KiB, and
 * takes 32 bytes here.
 *
 * A compressed file can only be read from its beginning on, and is one segment: what is out of
 * order by more than the merge holds comes too late.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <framescope/capture.h>

#include "proto/vocabulary.h"
#include "trace/perfetto_parts.h"

#define SEGMENT_BYTES (256u << 10)
#define SEGMENT_BYTES_MIN 4096u /* of one that ends because the time jumps back */
#define JUMP_NS UINT64_C(500000000)
/* From here on they are only cut for their length, and in larger pieces. */
#define SEGMENTS_MANY 131072
#define SEGMENT_BYTES_MANY (1u << 20)

/* The segment that is being made. */
struct growing {
	struct pf_segment segment;
	uint64_t floor; /* it must not be read before those that its sequences were in */
	uint64_t last_ns; /* of the packet before; 0 = none had a time */
};

static bool is_own(const struct wire_field *descriptor)
{
	struct wire w = wire_in(descriptor);
	struct wire_field f;

	while (wire_next(&w, &f)) {
		if ((f.number == 2 || f.number == 10) && f.type == WIRE_BYTES &&
		    f.len == strlen(VOCABULARY_RECORDS) &&
		    !memcmp(f.data, VOCABULARY_RECORDS, f.len))
			return true;
	}
	return false;
}

/* SystemInfo: utsname 1; there machine 4. */
static void take_arch(struct pf *pf, const struct wire_field *info)
{
	struct wire w = wire_in(info);
	struct wire_field f;
	char machine[16] = "";

	while (wire_next(&w, &f)) {
		struct wire inner = wire_in(&f);

		while (f.number == 1 && wire_next(&inner, &f)) {
			if (f.number == 4)
				wire_string(&f, machine, sizeof(machine));
			f.number = 1;
		}
	}
	if (!strcmp(machine, "x86_64"))
		pf->s->stats.arch = FS_ARCH_X86_64;
	else if (!strcmp(machine, "aarch64"))
		pf->s->stats.arch = FS_ARCH_ARM64;
}

static int add_segment(struct pf_index *index, struct growing *g, uint64_t end)
{
	struct pf_segment *s;

	if (index->nr == index->room) {
		size_t room = index->room ? 2 * index->room : 64;
		struct pf_segment *segments = realloc(index->segments, room * sizeof(*segments));

		if (!segments)
			return -ENOMEM;
		index->segments = segments;
		index->room = room;
	}
	s = &index->segments[index->nr++];
	*s = g->segment;
	s->to = end;
	s->key = s->first_ns == UINT64_MAX || s->first_ns < g->floor ? g->floor : s->first_ns;
	/* What has no time stays behind what is before it in the file. */
	*g = (struct growing){ .segment = { .from = end, .first_ns = UINT64_MAX },
			       .last_ns = g->last_ns };
	return 0;
}

static bool ends_before(const struct pf_index *index, const struct growing *g, uint64_t at,
			bool timed, uint64_t ns)
{
	uint64_t len = at - g->segment.from;
	bool many = index->nr >= SEGMENTS_MANY;

	if (len >= (many ? SEGMENT_BYTES_MANY : SEGMENT_BYTES))
		return true;
	return !many && len >= SEGMENT_BYTES_MIN && timed && ns < g->last_ns &&
	       g->last_ns - ns > JUMP_NS;
}

static int take(struct pf *pf, struct growing *g, const struct pf_packet *p)
{
	struct pf_sequence *seq;
	uint64_t ns, at = pf->reader.outer;
	int ret = pf_sequence_take(pf, p, &seq);

	if (ret || !seq)
		return ret;
	if (p->content.number == PF_TRACK) {
		pf->own |= is_own(&p->content);
		ret = pf_track_descriptor(pf, &p->content, 0);
	} else if (p->content.number == PF_PROCESS_TREE) {
		ret = pf_process_tree(pf, &p->content, 0);
	}
	if (p->content.number == PF_SYSTEM_INFO)
		take_arch(pf, &p->content);
	if (ret)
		return ret;

	bool timed = p->content.number == PF_FTRACE ? pf_ftrace_first(pf, &p->content, &ns)
						    : pf_sequence_time(pf, seq, p, &ns);

	if (at > g->segment.from && ends_before(&pf->index, g, at, timed, ns)) {
		ret = add_segment(&pf->index, g, at);
		if (ret)
			return ret;
	}
	if (timed) {
		g->last_ns = ns;
		if (ns < g->segment.first_ns)
			g->segment.first_ns = ns;
	}
	/* Its state is made from packet to packet, so they must stay in order. */
	if (seq->segment && seq->segment <= pf->index.nr &&
	    g->floor < pf->index.segments[seq->segment - 1].key)
		g->floor = pf->index.segments[seq->segment - 1].key;
	seq->segment = pf->index.nr + 1;
	return 0;
}

static int by_key(const void *a, const void *b)
{
	const struct pf_segment *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return x->from < y->from ? -1 : x->from > y->from;
}

/* Into the order of reading; from then on first_ns is that of all segments from here on. */
static void settle(struct pf *pf)
{
	struct pf_index *index = &pf->index;
	uint64_t first_ns = UINT64_MAX;

	qsort(index->segments, index->nr, sizeof(*index->segments), by_key);
	for (size_t i = index->nr; i-- > 0;) {
		struct pf_segment *s = &index->segments[i];

		if (s->first_ns != UINT64_MAX)
			s->first_ns = pf_clocks_convert(&pf->clocks, PF_CLOCK_BOOTTIME,
							PF_CLOCK_MONOTONIC, s->first_ns);
		if (s->first_ns < first_ns)
			first_ns = s->first_ns;
		s->first_ns = first_ns;
	}
}

/* A trace that is read as it lies. */
static void keep_order(struct pf_index *index)
{
	index->segments[0] = (struct pf_segment){ .to = UINT64_MAX };
	index->nr = 1;
}

int pf_index_build(struct pf *pf, struct err *e)
{
	struct growing g = { .segment = { .first_ns = UINT64_MAX } };
	struct pf_packet p;
	int ret;

	pf->looking = true;
	while ((ret = pf_reader_next(&pf->reader, UINT64_MAX, &p, e)) == 1) {
		if (pf->own && p.content.number == PF_TRACK_EVENT)
			break;
		if (take(pf, &g, &p))
			return source_no_memory(pf->s, e);
	}
	if (ret < 0)
		return ret;
	if (add_segment(&pf->index, &g, pf_file_at(pf->reader.file)))
		return source_no_memory(pf->s, e);
	pf_clocks_settle(&pf->clocks);
	settle(pf);
	if (pf->own || !pf_file_seekable(pf->reader.file))
		keep_order(&pf->index);

	/* All is read anew. */
	pf_sequences_free(pf);
	pf->looking = false;
	pf->foreign = pf->stateless = pf->unfollowed = pf->unordered_clock = 0;
	ret = pf_reader_rewind(&pf->reader, e);
	return ret ? ret : pf_reader_seek(&pf->reader, pf->index.segments[0].from, e);
}
