/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A trace of framescope's own: the records that it was made from, by the words in
 * proto/vocabulary.h and the table of record kinds. All else in it follows from them and is left
 * aside.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "proto/vocabulary.h"
#include "stream/record.h"
#include "stream/record_table.h"
#include "trace/perfetto_parts.h"

#define DEPTH_MAX 4096 /* slices that are open on one track */
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* A slice that has begun. */
struct pf_open_record {
	struct pf_open_record *next;
	uint32_t depth; /* from 1 */
	bool is_record; /* or something that was worked out */
	bool timed; /* its record's time was said at the begin */
	uint64_t rec[]; /* a record of the kind's full size */
};

/* What of the header is an annotation. */
static const struct field header_fields[] = {
	{ VOCABULARY_TIME, FIELD_U64, offsetof(struct fs_header, time_ns), 0, 0, NULL },
	{ VOCABULARY_TID, FIELD_U32, offsetof(struct fs_header, tid), 0, 0, NULL },
	{ VOCABULARY_TGID, FIELD_U32, offsetof(struct fs_header, tgid), 0, 0, NULL },
	{ VOCABULARY_CPU, FIELD_CPU, offsetof(struct fs_header, cpu), 0, 0, NULL },
};

/* A record being put together from an event. */
struct draft {
	const struct pf_sequence *seq;
	const struct kind *kind;
	bool timed; /* time_ns was said */
	union {
		struct fs_header h;
		struct fs_span span;
		struct fs_offcpu offcpu;
		struct fs_clock clock;
		uint64_t bytes[FS_RECORD_MAX / 8];
	} rec;
	bool bad; /* as in struct told */
};

/* Of a track event, what a record has. */
struct told {
	uint32_t type; /* 1 begin, 2 end, 3 instant */
	uint64_t track;
	bool on_track;
	unsigned kind; /* 0: it is no record */
	bool bad; /* a part is not sound, or refers to what was lost */
};

void pf_own_drop(struct pf_track *t)
{
	while (t->open) {
		struct pf_open_record *open = t->open;

		t->open = open->next;
		free(open);
	}
}

int pf_record_add(struct pf *pf, const struct fs_header *rec)
{
	struct pf_event *ev;
	void *room;

	if (pf->own) {
		room = merge_reserve(pf->s->merge, rec->size);
		if (!room)
			return -ENOMEM;
		memcpy(room, rec, rec->size);
		if (rec->time_ns > pf->fed_ns)
			pf->fed_ns = rec->time_ns;
		if (rec->time_ns > pf->last_ns)
			pf->last_ns = rec->time_ns;
		return merge_add(pf->s->merge, room);
	}
	ev = pf_event_new(pf, PF_EVENT_RECORD, rec->time_ns, FS_CPU_NONE, rec->size);
	if (!ev)
		return -ENOMEM;
	memcpy(ev->record, rec, rec->size);
	return pf_event_add(pf, ev);
}

/* "framescope.span": which kind; 0: none that is known. */
static unsigned kind_of(const char *category, size_t len)
{
	size_t prefix = strlen(VOCABULARY_CATEGORY);

	if (len <= prefix || memcmp(category, VOCABULARY_CATEGORY, prefix) != 0)
		return 0;
	for (unsigned kind = 0; kind < RECORD_KINDS; kind++) {
		const char *name = record_kinds[kind].name;

		if (name && strlen(name) == len - prefix &&
		    !memcmp(name, category + prefix, len - prefix))
			return kind;
	}
	return 0;
}

static unsigned kind_of_string(struct pf_string *category)
{
	if (!category)
		return 0;
	if (category->hint != record_kinds) {
		category->hint = record_kinds;
		category->hint_value = kind_of(category->text, category->len);
	}
	return category->hint_value;
}

static struct told read_told(const struct pf_sequence *seq, const struct wire_field *event)
{
	struct told t = { 0 };
	struct wire w = wire_in(event);
	struct wire_field f;
	struct pf_string *category;

	while (wire_next(&w, &f)) {
		unsigned kind = 0;

		switch (f.number) {
		case 3:
			category = pf_sequence_string(seq, PF_INTERN_CATEGORY, wire_number(&f));
			kind = kind_of_string(category);
			t.bad |= !category;
			break;
		case 9:
			t.type = (uint32_t)wire_number(&f);
			break;
		case 11:
			t.track = wire_number(&f);
			t.on_track = true;
			break;
		case 22:
			kind = kind_of((const char *)f.data, f.len);
			break;
		default:
			break;
		}
		if (kind)
			t.kind = kind;
	}
	t.bad |= w.bad;
	return t;
}

static const struct field *find_field(const struct kind *kind, const char *name, size_t len)
{
	for (size_t i = 0; i < COUNT(header_fields); i++) {
		const struct field *f = &header_fields[i];

		if (strlen(f->name) == len && !memcmp(f->name, name, len))
			return f;
	}
	for (const struct field *f = kind->fields; f->name; f++) {
		if (strlen(f->name) == len && !memcmp(f->name, name, len))
			return f;
	}
	return NULL;
}

/* An annotation's name is looked up once, as long as it is met in the same kind of record. */
static const struct field *field_of_string(const struct kind *kind, struct pf_string *name)
{
	const struct field *f = name ? name->hint : NULL;

	if (!name)
		return NULL;
	if (f && ((f >= header_fields && f < header_fields + COUNT(header_fields)) ||
		  (f >= kind->fields && f < kind->fields + RECORD_FIELDS_MAX)))
		return f;
	f = find_field(kind, name->text, name->len);
	name->hint = f;
	return f;
}

/* "1,2,-3" */
static void set_list(struct draft *d, const struct field *f, const char *text, size_t len)
{
	char *at = (char *)d->rec.bytes + f->offset;
	const char *end = text + len;

	for (unsigned i = 0; i < f->len / sizeof(int64_t) && text < end; i++) {
		bool negative = *text == '-';
		uint64_t value = 0;

		for (text += negative; text < end && *text >= '0' && *text <= '9'; text++)
			value = value * 10 + (uint64_t)(*text - '0');
		if (negative)
			value = -value;
		memcpy(at + i * sizeof(value), &value, sizeof(value));
		if (text < end && *text++ != ',')
			return;
	}
}

static bool enum_value(const struct field *f, const char *text, size_t len, uint32_t *value)
{
	if (f->type == FIELD_LETTER && len == 1) {
		*value = (unsigned char)*text;
		return true;
	}
	for (unsigned i = 0; i < f->nr_names; i++) {
		if (f->names && f->names[i] && strlen(f->names[i]) == len &&
		    !memcmp(f->names[i], text, len)) {
			*value = i;
			return true;
		}
	}
	return false;
}

static void set_text(struct draft *d, const struct field *f, const char *text, size_t len)
{
	char *at = (char *)d->rec.bytes + f->offset;
	size_t room = f->type == FIELD_TEXT ? (size_t)FS_RECORD_MAX - f->offset : f->len - 1u;
	uint32_t value;

	switch (f->type) {
	case FIELD_STRING:
	case FIELD_TEXT:
		if (len > room)
			len = room;
		if (len)
			memcpy(at, text, len);
		if (f->type == FIELD_TEXT)
			d->rec.h.size = (uint16_t)(f->offset + ((len + 7) & ~(size_t)7));
		break;
	case FIELD_S64_LIST:
		set_list(d, f, text, len);
		break;
	default:
		if (enum_value(f, text, len, &value))
			field_set_number(f, &d->rec.h, value);
		break;
	}
}

/* An interned string; for an enumerator what it is is looked up once. */
static void set_string(struct draft *d, const struct field *f, struct pf_string *s)
{
	if (!s)
		return;
	if (s->hint == f) {
		field_set_number(f, &d->rec.h, s->hint_value);
		return;
	}
	set_text(d, f, s->text, s->len);
	if (field_width(f->type) && enum_value(f, s->text, s->len, &s->hint_value))
		s->hint = f;
}

/* One DebugAnnotation. */
static void annotate(struct draft *d, const struct wire_field *annotation)
{
	struct wire w = wire_in(annotation);
	struct wire_field f, value = { 0 };
	const struct field *field = NULL;

	while (wire_next(&w, &f)) {
		switch (f.number) {
		case 1:
			field = field_of_string(
				d->kind,
				pf_sequence_string(d->seq, PF_INTERN_ANNOTATION, wire_number(&f)));
			break;
		case 10:
			field = find_field(d->kind, (const char *)f.data, f.len);
			break;
		case 2: /* bool_value */
		case 3: /* uint_value */
		case 4: /* int_value */
		case 6: /* string_value */
		case 7: /* pointer_value */
		case 17: /* string_value_iid */
			value = f;
			break;
		default:
			break;
		}
	}
	d->bad |= w.bad;
	if (!field || !value.number)
		return;
	d->timed |= field == &header_fields[0];
	if (value.number == 17)
		set_string(d, field,
			   pf_sequence_string(d->seq, PF_INTERN_VALUE, wire_number(&value)));
	else if (value.type == WIRE_BYTES)
		set_text(d, field, (const char *)value.data, value.len);
	else
		field_set_number(field, &d->rec.h, value.value);
}

/* A record as it is if nothing is said of it. */
static void begin_draft(struct draft *d, unsigned kind)
{
	const uint64_t none = UINT64_MAX;

	d->kind = &record_kinds[kind];
	d->timed = false;
	memset(d->rec.bytes, 0, kind == FS_KIND_META ? FS_RECORD_MAX : d->kind->full_size);
	d->rec.h.kind = (uint16_t)kind;
	d->rec.h.size = d->kind->full_size;
	d->rec.h.cpu = FS_CPU_NONE;
	for (const struct field *f = d->kind->fields; f->name; f++) {
		if (f->type == FIELD_S32 || f->type == FIELD_S64 || f->type == FIELD_CPU)
			field_set_number(f, &d->rec.h, none);
	}
}

static void fill_draft(struct pf *pf, struct draft *d, const struct wire_field *event)
{
	struct wire w = wire_in(event);
	struct wire_field f;

	while (wire_next(&w, &f)) {
		if (f.number == 4 && f.type == WIRE_BYTES)
			annotate(d, &f);
	}
	if (d->bad)
		pf_reader_malformed(&pf->reader, event->len);
}

/* Whose thread's a track is: its own, or that of the one around it. */
static void set_thread(const struct pf *pf, const struct pf_track *track, struct fs_header *h)
{
	if (!track->tid && track->parent)
		track = map64_get(&pf->tracks, track->parent);
	if (!track || !track->tid)
		return;
	h->tid = track->tid;
	h->tgid = track->pid;
}

static int begin(struct pf_track *track, const struct draft *d)
{
	uint32_t depth = track->open ? track->open->depth + 1 : 1;
	size_t size = d ? d->rec.h.size : 0;
	struct pf_open_record *open;

	if (depth > DEPTH_MAX)
		return 0;
	open = malloc(sizeof(*open) + size);
	if (!open)
		return -ENOMEM;
	*open = (struct pf_open_record){ .next = track->open, .depth = depth, .is_record = d };
	if (d) {
		open->timed = d->timed;
		memcpy(open->rec, d->rec.bytes, size);
	}
	track->open = open;
	return 0;
}

static int end(struct pf *pf, struct pf_track *track, uint64_t ns)
{
	struct pf_open_record *open = track->open;
	struct fs_header *h;
	int ret = 0;

	if (!open)
		return 0;
	track->open = open->next;
	h = (struct fs_header *)open->rec;
	if (open->is_record) {
		if (!open->timed)
			h->time_ns = ns;
		ret = pf_record_add(pf, h);
	}
	free(open);
	return ret;
}

static bool is_stop(const struct draft *d)
{
	return d->rec.h.kind == FS_KIND_CLOCK && d->rec.clock.mark == FS_CLOCK_STOP;
}

/* What was open when the capture stopped has no end in the trace, and comes before the stop. */
static int stop(struct pf *pf, const struct fs_header *rec)
{
	int ret;

	if (rec->time_ns > pf->last_ns)
		pf->last_ns = rec->time_ns;
	ret = pf_frames_finish(pf);
	return ret ? ret : pf_record_add(pf, rec);
}

static int take_event(struct pf *pf, const struct pf_sequence *seq, const struct wire_field *event,
		      uint64_t ns)
{
	struct told t = read_told(seq, event);
	struct pf_track *track = map64_get(&pf->tracks, t.on_track ? t.track : seq->track);
	struct draft d = { .seq = seq };

	if (t.bad)
		pf_reader_malformed(&pf->reader, event->len);
	if (t.type == 2)
		return track ? end(pf, track, ns) : 0;
	if (t.type == 1 && !track) {
		if (t.kind)
			pf_reader_malformed(&pf->reader, event->len);
		return 0;
	}
	if (!t.kind)
		return t.type == 1 ? begin(track, NULL) : 0;
	begin_draft(&d, t.kind);
	if (t.type == 1) {
		set_thread(pf, track, &d.rec.h);
		if (t.kind == FS_KIND_SPAN)
			d.rec.span.entry_ns = ns;
		else if (t.kind == FS_KIND_OFFCPU)
			d.rec.offcpu.out_ns = ns;
		fill_draft(pf, &d, event);
		return begin(track, &d);
	}
	if (t.type != 3)
		return 0;
	fill_draft(pf, &d, event);
	if (!d.timed)
		d.rec.h.time_ns = ns;
	return is_stop(&d) ? stop(pf, &d.rec.h) : pf_record_add(pf, &d.rec.h);
}

int pf_own_packet(struct pf *pf, struct pf_sequence *seq, const struct pf_packet *p, uint64_t ns)
{
	if (p->content.number == PF_TRACK)
		return pf_track_descriptor(pf, &p->content, ns);
	if (p->sequence != VOCABULARY_SEQUENCE)
		return 0;
	switch (p->content.number) {
	case PF_TRACK_EVENT:
		return take_event(pf, seq, &p->content, ns);
	case PF_FRAME_TIMELINE:
		return pf_frame_timeline(pf, &p->content, ns);
	case PF_GRAPHICS_FRAME:
		return pf_graphics_frame(pf, &p->content, ns);
	default:
		return 0;
	}
}
