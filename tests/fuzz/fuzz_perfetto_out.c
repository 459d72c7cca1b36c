/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Records that no kernel would write, in any order, as a Perfetto trace. Whatever they are, its
 * packets must parse, its slices be closed and its tracks be in order, and each record be in it
 * once. Meant to run under ASan and UBSan:
 *
 *     fuzz_perfetto_out [SECONDS [FIRST-INPUT]]
 */
#include <linux/types.h>
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "export/export.h"
#include "fuzz/fuzz_file.h"
#include "fuzz/random.h"
#include "proto/perfetto.pb-c.h"
#include "proto/vocabulary.h"
#include "stream/record.h"

#define RECORDS 3000
#define TRACKS_MAX 65536
#define NEVER UINT64_MAX

struct checker {
	uint64_t last_ns[TRACKS_MAX];
	uint32_t open[TRACKS_MAX];
	bool described[TRACKS_MAX];
	uint64_t iids[4]; /* the highest known of each table */
	size_t records; /* of framescope's own */
	uint64_t category_records; /* iids that are those of records, as bits */
	const char *wrong;
};

static struct checker checker;

static uint64_t some_time(uint64_t now)
{
	switch (below(12)) {
	case 0:
		return 0;
	case 1:
		return next();
	case 2:
		return now - below(100);
	default:
		return now + below(40);
	}
}

/* A record of small numbers, so that things meet. */
static size_t make_record(struct fs_header *rec, uint64_t now)
{
	unsigned kind = 1 + (unsigned)below(FS_KIND_BUFFER);
	size_t size;

	if (below(3))
		kind = below(2) ? FS_KIND_SPAN : FS_KIND_OFFCPU;
	size = record_full_size(kind) + (kind == FS_KIND_META ? 16 : 0);
	for (size_t i = 0; i + 8 <= size; i += 8) {
		uint64_t word = below(4) ? below(6) : below(2) ? some_time(now) : next();

		memcpy((char *)rec + i, &word, sizeof(word));
	}
	rec->time_ns = below(20) ? now : some_time(now);
	rec->tid = (uint32_t)below(8);
	rec->tgid = (uint32_t)below(3);
	rec->cpu = below(9) ? (uint32_t)below(4) : (uint32_t)next();
	rec->kind = (uint16_t)kind;
	rec->size = (uint16_t)size;
	if (kind == FS_KIND_SPAN) {
		((struct fs_span *)rec)->entry_ns = now - below(60);
		((struct fs_span *)rec)->depth = (uint32_t)below(4);
	} else if (kind == FS_KIND_OFFCPU) {
		((struct fs_offcpu *)rec)->out_ns = now - below(60);
		((struct fs_offcpu *)rec)->cpu_out = (uint32_t)below(4);
	} else if (kind == FS_KIND_TIMELINE) {
		((struct fs_timeline *)rec)->kind = 1 + (uint32_t)below(4);
	}
	if (record_check(rec) != RECORD_FITS)
		abort();
	return size;
}

static void take_strings(const Perfetto__InternedData *data)
{
	const struct {
		size_t n;
		Perfetto__InternedString **all;
	} tables[4] = {
		{ data->n_event_categories, data->event_categories },
		{ data->n_event_names, data->event_names },
		{ data->n_debug_annotation_names, data->debug_annotation_names },
		{ data->n_debug_annotation_string_values, data->debug_annotation_string_values },
	};

	for (unsigned t = 0; t < 4; t++) {
		for (size_t i = 0; i < tables[t].n; i++) {
			const Perfetto__InternedString *s = tables[t].all[i];

			if (s->iid != ++checker.iids[t])
				checker.wrong = "an interned string's number is not the next one";
			if (t == 0 && s->iid < 64 &&
			    !strncmp(s->name, VOCABULARY_CATEGORY, strlen(VOCABULARY_CATEGORY)))
				checker.category_records |= UINT64_C(1) << s->iid;
		}
	}
}

static void take_event(uint64_t ns, const Perfetto__TrackEvent *e)
{
	uint64_t track = e->track_uuid;

	if (track >= TRACKS_MAX || !checker.described[track]) {
		checker.wrong = "a track is not described";
		return;
	}
	if (ns < checker.last_ns[track])
		checker.wrong = "a track goes backwards";
	checker.last_ns[track] = ns;
	if (e->type == PERFETTO__TRACK_EVENT__TYPE__TYPE_SLICE_BEGIN)
		checker.open[track]++;
	else if (e->type == PERFETTO__TRACK_EVENT__TYPE__TYPE_SLICE_END &&
		 checker.open[track]-- == 0)
		checker.wrong = "a slice ends that has not begun";
	if (e->has_name_iid && e->name_iid > checker.iids[1])
		checker.wrong = "a name is not known";
	for (size_t i = 0; i < e->n_debug_annotations; i++) {
		const Perfetto__DebugAnnotation *a = e->debug_annotations[i];

		if (!a->name_iid || a->name_iid > checker.iids[2] ||
		    a->string_value_iid > checker.iids[3])
			checker.wrong = "an annotation is not known";
	}
	if (e->n_category_iids && e->category_iids[0] < 64 &&
	    checker.category_records & UINT64_C(1) << e->category_iids[0])
		checker.records++;
}

static void take_packet(const Perfetto__TracePacket *p)
{
	if (p->base.n_unknown_fields)
		checker.wrong = "an unknown field";
	if (p->sequence_flags & 1 && p->trusted_packet_sequence_id == VOCABULARY_SEQUENCE)
		memset(checker.iids, 0, sizeof(checker.iids));
	if (p->interned_data)
		take_strings(p->interned_data);
	if (p->track_descriptor && p->track_descriptor->uuid < TRACKS_MAX)
		checker.described[p->track_descriptor->uuid] = true;
	if (p->track_event)
		take_event(p->timestamp, p->track_event);
	if (p->graphics_frame_event && p->trusted_packet_sequence_id == VOCABULARY_SEQUENCE)
		checker.records++;
	if (p->frame_timeline_event && !p->frame_timeline_event->frame_end)
		checker.records++;
}

static const char *check_trace(const uint8_t *data, size_t size, size_t records)
{
	size_t at = 0;

	memset(&checker, 0, sizeof(checker));
	while (at < size && !checker.wrong) {
		size_t len = 0;
		Perfetto__TracePacket *p;

		if (data[at++] != 0x0a)
			return "no packet";
		for (unsigned shift = 0; at < size; shift += 7) {
			len |= (size_t)(data[at] & 0x7f) << shift;
			if (!(data[at++] & 0x80))
				break;
		}
		p = len <= size - at ? perfetto__trace_packet__unpack(NULL, len, data + at) : NULL;
		if (!p)
			return "a packet does not parse";
		take_packet(p);
		perfetto__trace_packet__free_unpacked(p, NULL);
		at += len;
	}
	for (size_t i = 0; i < TRACKS_MAX && !checker.wrong; i++)
		if (checker.open[i])
			checker.wrong = "a slice is not closed";
	if (!checker.wrong && checker.records != records)
		checker.wrong = "not each record is there once";
	return checker.wrong;
}

static const char *try_input(uint64_t input)
{
	static alignas(8) char room[FS_RECORD_MAX];
	struct fs_header *rec = (struct fs_header *)room;
	uint64_t now = 1000;
	size_t size, records = 0;
	char *trace = NULL;
	struct export x = { .ops = &export_perfetto, .out = open_memstream(&trace, &size) };
	const struct model_sink sink = export_sink(&x);
	struct model *m = model_new(&sink);
	const char *wrong;

	if (!x.out || !m)
		return "no memory";
	state = input * 2 + 1;
	export_begin(&x, m, NULL);
	for (unsigned i = 0; i < RECORDS; i++) {
		now += below(30);
		make_record(rec, now);
		export_record(&x, rec);
		if (model_feed(m, rec))
			return "the model ran out of memory";
		records++;
	}
	if (model_finish(m))
		return "the model ran out of memory";
	export_end(&x);
	wrong = x.error ? "the export failed" : NULL;
	export_free(&x);
	model_free(m);
	fclose(x.out);
	if (!wrong)
		wrong = check_trace((const uint8_t *)trace, size, records);
	free(trace);
	return wrong;
}

int main(int argc, char **argv)
{
	double end = fuzz_seconds() + (argc > 1 ? strtod(argv[1], NULL) : 5);
	uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1, input = first;

	for (; fuzz_seconds() < end; input++) {
		const char *wrong = try_input(input);

		if (wrong) {
			printf("FAIL fuzz/perfetto_out: input %llu: %s\n",
			       (unsigned long long)input, wrong);
			return 1;
		}
	}
	printf("PASS fuzz/perfetto_out (%llu inputs)\n", (unsigned long long)(input - first));
	return 0;
}
