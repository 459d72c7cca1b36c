/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Records as track events. */
#include "export/perfetto_records.h"

#include <ctype.h>
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/vocabulary.h"
#include "stream/record.h"

#define INTERNED_FIELD 64 /* longer strings are seldom the same twice */
#define LIST_LEN (FS_FRAME_SLOTS * 21 + 1)

struct point_name {
	char name[POINT_NAME_LEN];
	uint32_t role; /* enum fs_role */
};

void records_begin(struct records *r, struct tracks *t)
{
	r->packets = t->packets;
	r->tracks = t;
	for (unsigned i = 0; i < RECORD_KINDS; i++)
		if (record_kinds[i].name)
			snprintf(r->categories[i], CATEGORY_LEN, VOCABULARY_CATEGORY "%s",
				 record_kinds[i].name);
	for (unsigned call = 0; call < FS_CALL_NR; call++) {
		for (unsigned file = 0; file < FS_FILE_NR; file++) {
			bool named = file != FS_FILE_NONE && file != FS_FILE_UNKNOWN;

			snprintf(r->calls[call][file], CALL_TEXT_LEN, "%s%s%s",
				 record_call_name(call), named ? " " : "",
				 named ? record_file_name(file) : "");
		}
	}
}

void records_free(struct records *r)
{
	for (size_t i = 0; i < r->points.room; i++)
		if (r->points.slots[i].id)
			free(r->points.slots[i].value);
	idmap_free(&r->points);
}

/* The plain name at *at, such as "7Surface", which is moved behind it; 0 if it is none. */
static size_t plain_name(const char **at, const char **name)
{
	size_t len = 0;
	const char *digit = *at;

	while (isdigit((unsigned char)*digit) && len < FS_SYMBOL_LEN)
		len = len * 10 + (size_t)(*digit++ - '0');
	if (!len || strnlen(digit, len) < len)
		return 0;
	*name = digit;
	*at = digit + len;
	return len;
}

void records_symbol(char out[POINT_NAME_LEN], const char *symbol)
{
	const char *at = symbol, *name = NULL, *before = NULL;
	size_t len = 0, before_len = 0, next;
	bool nested;

	snprintf(out, POINT_NAME_LEN, "%s", symbol);
	if (strncmp(symbol, "_Z", 2) != 0)
		return;
	at += 2;
	nested = *at == 'N';
	at += nested;
	at += nested && *at == 'K';
	do {
		const char *found;

		next = plain_name(&at, &found);
		if (next) {
			before = name;
			before_len = len;
			name = found;
			len = next;
		}
	} while (next && nested);
	/* A constructor, an operator or a template is more than this knows. */
	if (!name || (nested && *at != 'E'))
		return;
	if (before)
		snprintf(out, POINT_NAME_LEN, "%.*s::%.*s", (int)before_len, before, (int)len,
			 name);
	else
		snprintf(out, POINT_NAME_LEN, "%.*s", (int)len, name);
}

/* Names stay where they are, for the packets know them by their addresses. 0 or -ENOMEM. */
static int name_point(struct records *r, const struct fs_point *rec)
{
	struct point_name *point = idmap_get(&r->points, rec->id);

	if (point || !rec->id || r->points.nr >= POINTS_MAX)
		return 0;
	point = calloc(1, sizeof(*point));
	if (!point || idmap_put(&r->points, rec->id, point)) {
		free(point);
		return -ENOMEM;
	}
	point->role = rec->role;
	if (*rec->symbol)
		records_symbol(point->name, rec->symbol);
	else
		snprintf(point->name, sizeof(point->name), "0x%llx",
			 (unsigned long long)rec->offset);
	return 0;
}

static void put_list(struct packets *p, const struct field *f, const char *at)
{
	char text[LIST_LEN];
	size_t count = f->len / sizeof(int64_t), len = 0;
	int64_t value[FS_FRAME_SLOTS];

	memcpy(value, at, f->len);
	while (count && !value[count - 1])
		count--;
	for (size_t i = 0; i < count; i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%lld", i ? "," : "",
					(long long)value[i]);
	if (count)
		note_once(p, f->name, text, len);
}

static void put_enum(struct packets *p, const struct field *f, uint64_t value)
{
	if (value && value < f->nr_names && f->names[value])
		note_fixed(p, f->name, f->names[value]);
	else if (value)
		note_uint(p, f->name, value);
}

static void put_string(struct packets *p, const struct field *f, const char *at, size_t room)
{
	size_t len = strnlen(at, room);

	if (!len)
		return;
	if (room <= INTERNED_FIELD)
		note_string(p, f->name, at, len);
	else
		note_once(p, f->name, at, len);
}

static void put_letter(struct packets *p, const struct field *f, uint64_t value)
{
	char letter = (char)value;

	if (value < 0x80 && isalpha((int)value))
		note_string(p, f->name, &letter, 1);
	else if (value)
		note_uint(p, f->name, value);
}

static void put_field(struct packets *p, const struct field *f, const struct fs_header *rec)
{
	const char *at = (const char *)rec + f->offset;
	uint64_t value = field_number(f, rec);

	switch (f->type) {
	case FIELD_U64:
	case FIELD_U32:
	case FIELD_U16:
	case FIELD_FLAGS:
		if (value)
			note_uint(p, f->name, value);
		break;
	case FIELD_HEX64:
	case FIELD_HEX32:
		if (value)
			note_pointer(p, f->name, value);
		break;
	case FIELD_CPU:
		if (value != FS_CPU_NONE)
			note_uint(p, f->name, value);
		break;
	case FIELD_S32:
	case FIELD_S64:
		if ((int64_t)value != -1)
			note_int(p, f->name, (int64_t)value);
		break;
	case FIELD_S64_LIST:
		put_list(p, f, at);
		break;
	case FIELD_ENUM8:
	case FIELD_ENUM16:
	case FIELD_ENUM32:
		put_enum(p, f, value);
		break;
	case FIELD_LETTER:
		put_letter(p, f, value);
		break;
	case FIELD_STRING:
		put_string(p, f, at, f->len);
		break;
	case FIELD_TEXT:
		put_string(p, f, at, rec->size - f->offset);
		break;
	}
}

/* All fields, but for the one at `skip`, which is the beginning of a slice. */
static void put_fields(struct packets *p, const struct fs_header *rec, size_t skip)
{
	for (const struct field *f = record_kinds[rec->kind].fields; f->name; f++)
		if (f->offset != skip)
			put_field(p, f, rec);
	if (rec->cpu != FS_CPU_NONE)
		note_uint(p, VOCABULARY_CPU, rec->cpu);
}

static void put_instant(struct records *r, const struct fs_header *rec)
{
	struct packets *p = r->packets;

	if (rec->time_ns > r->last_ns)
		r->last_ns = rec->time_ns;
	event_begin(p, PERFETTO__TRACK_EVENT__TYPE__TYPE_INSTANT, r->last_ns, TRACK_RECORDS);
	event_category(p, r->categories[rec->kind]);
	event_name(p, record_kinds[rec->kind].name);
	put_fields(p, rec, 0);
	if (rec->time_ns != r->last_ns)
		note_uint(p, VOCABULARY_TIME, rec->time_ns);
	if (rec->tid)
		note_uint(p, VOCABULARY_TID, rec->tid);
	if (rec->tgid)
		note_uint(p, VOCABULARY_TGID, rec->tgid);
	event_end(p);
}

/* The beginning of a slice of the thread's; its fields but for when it began, which is at `skip`.
 */
static void put_begin(struct records *r, const struct out_thread *thread,
		      const struct fs_header *rec, uint64_t from, uint64_t track, const char *name,
		      size_t skip)
{
	struct packets *p = r->packets;

	event_begin(p, PERFETTO__TRACK_EVENT__TYPE__TYPE_SLICE_BEGIN, from, track);
	event_category(p, r->categories[rec->kind]);
	event_name(p, name);
	put_fields(p, rec, skip);
	if (!thread->tgid)
		note_uint(p, VOCABULARY_TID, rec->tid);
	else if (rec->tgid != thread->tgid)
		note_uint(p, VOCABULARY_TGID, rec->tgid);
}

static void put_end(struct packets *p, uint64_t ns, uint64_t track)
{
	event_begin(p, PERFETTO__TRACK_EVENT__TYPE__TYPE_SLICE_END, ns, track);
}

static const char *offcpu_name(const struct records *r, const struct fs_offcpu *rec)
{
	if (rec->flags & FS_OFF_PREEMPTED)
		return "preempted";
	if (rec->flags & FS_OFF_NEW)
		return "new thread";
	return r->calls[rec->call < FS_CALL_NR ? rec->call : 0]
		       [rec->file < FS_FILE_NR ? rec->file : 0];
}

static void put_offcpu(struct records *r, const struct fs_offcpu *rec)
{
	struct out_thread *thread = tracks_thread(r->tracks, rec->h.tid, rec->h.tgid);
	bool slice = thread && rec->out_ns && rec->out_ns <= rec->h.time_ns &&
		     !(rec->flags & FS_OFF_NO_START);
	uint64_t track =
		slice ? thread_lane(r->tracks, thread, LANES_OFFCPU, rec->out_ns, rec->h.time_ns)
		      : 0;

	if (!track) {
		put_instant(r, &rec->h);
		return;
	}
	put_begin(r, thread, &rec->h, rec->out_ns, track, offcpu_name(r, rec),
		  offsetof(struct fs_offcpu, out_ns));
	event_end(r->packets);
	put_end(r->packets, rec->h.time_ns, track);
	event_end(r->packets);
}

static int by_entry(const void *a, const void *b)
{
	const struct fs_span *x = a, *y = b;

	if (x->entry_ns != y->entry_ns)
		return x->entry_ns > y->entry_ns ? 1 : -1;
	if (x->depth != y->depth)
		return x->depth > y->depth ? 1 : -1;
	/* The one that is around the other ends later. */
	return x->h.time_ns < y->h.time_ns ? 1 : -(x->h.time_ns > y->h.time_ns);
}

/* Where an arrow to a thread's buffer ends. */
struct flow_end {
	unsigned span;
	bool at_end;
};

static bool hands_on(const struct point_name *point, bool queue)
{
	if (!point)
		return false;
	if (queue)
		return point->role == FS_ROLE_QUEUE;
	return point->role == FS_ROLE_SWAP || point->role == FS_ROLE_PRESENT ||
	       point->role == FS_ROLE_QUEUE;
}

/* The first queueing that begins then or later; else what hands a buffer on and ends then or later.
 */
static bool find_flow_end(const struct records *r, const struct out_thread *thread,
			  const struct pending_flow *flow, struct flow_end *out)
{
	uint64_t end_ns = UINT64_MAX;
	bool found = false;

	for (unsigned i = 0; i < thread->nr_held; i++) {
		const struct fs_span *span = &thread->held[i];
		const struct point_name *point = idmap_get(&r->points, span->point);

		if (hands_on(point, true) && span->entry_ns >= flow->from_ns) {
			*out = (struct flow_end){ i, false };
			return true;
		}
		if (hands_on(point, false) && !(span->flags & FS_OPEN) &&
		    span->h.time_ns >= flow->from_ns && span->h.time_ns < end_ns) {
			*out = (struct flow_end){ i, true };
			end_ns = span->h.time_ns;
			found = true;
		}
	}
	return found;
}

/* The spans of a thread on their way out. */
struct unholding {
	struct records *records;
	struct out_thread *thread;
	uint64_t track;
	struct {
		unsigned span;
		uint64_t end_ns;
	} open[HELD_MAX]; /* the innermost last */
	unsigned nr_open;
	struct flow_end ends[FLOWS_MAX];
	bool has_end[FLOWS_MAX];
};

static void put_flows(struct unholding *u, unsigned span, bool at_end)
{
	for (unsigned i = 0; i < u->thread->nr_flows; i++)
		if (u->has_end[i] && u->ends[i].span == span && u->ends[i].at_end == at_end)
			event_flow(u->records->packets, u->thread->flows[i].id, true);
}

static void put_span(struct unholding *u, unsigned i, uint64_t track)
{
	const struct fs_span *span = &u->thread->held[i];
	const struct point_name *point = idmap_get(&u->records->points, span->point);

	put_begin(u->records, u->thread, &span->h, span->entry_ns, track,
		  point ? point->name : "unknown function", offsetof(struct fs_span, entry_ns));
	put_flows(u, i, false);
	event_end(u->records->packets);
}

static void end_span(struct unholding *u, unsigned i, uint64_t ns, uint64_t track)
{
	put_end(u->records->packets, ns, track);
	put_flows(u, i, true);
	event_end(u->records->packets);
}

/* Those that have ended by `ns`. */
static void close_until(struct unholding *u, uint64_t ns)
{
	while (u->nr_open && u->open[u->nr_open - 1].end_ns <= ns) {
		u->nr_open--;
		end_span(u, u->open[u->nr_open].span, u->open[u->nr_open].end_ns, u->track);
		u->thread->track_end_ns = u->open[u->nr_open].end_ns;
	}
}

/* One that neither nests nor comes behind the others lies beside them. */
static void put_beside(struct unholding *u, unsigned i)
{
	const struct fs_span *span = &u->thread->held[i];
	uint64_t track = thread_lane(u->records->tracks, u->thread, LANES_CALLS, span->entry_ns,
				     span->h.time_ns);

	if (!track) {
		put_instant(u->records, &span->h);
		return;
	}
	put_span(u, i, track);
	end_span(u, i, span->h.time_ns, track);
}

/* Not held any more. */
static void unlink_held(struct tracks *t, struct out_thread *thread)
{
	if (thread->held_prev)
		thread->held_prev->held_next = thread->held_next;
	else
		t->held_first = thread->held_next;
	if (thread->held_next)
		thread->held_next->held_prev = thread->held_prev;
	else
		t->held_last = thread->held_prev;
	thread->held_prev = thread->held_next = NULL;
}

/* Arrows that have their end are no more to be drawn. */
static void drop_flows(struct unholding *u)
{
	struct out_thread *thread = u->thread;
	unsigned kept = 0;

	for (unsigned i = 0; i < thread->nr_flows; i++)
		if (!u->has_end[i])
			thread->flows[kept++] = thread->flows[i];
	thread->nr_flows = kept;
}

void records_flush(struct records *r, struct out_thread *thread)
{
	struct unholding u = { .records = r, .thread = thread };

	if (!thread->nr_held)
		return;
	u.track = thread_track(r->tracks, thread);
	qsort(thread->held, thread->nr_held, sizeof(thread->held[0]), by_entry);
	for (unsigned i = 0; i < thread->nr_flows; i++)
		u.has_end[i] = find_flow_end(r, thread, &thread->flows[i], &u.ends[i]);
	for (unsigned i = 0; i < thread->nr_held; i++) {
		const struct fs_span *span = &thread->held[i];

		close_until(&u, span->entry_ns);
		if (span->entry_ns < thread->track_end_ns ||
		    (u.nr_open && span->h.time_ns > u.open[u.nr_open - 1].end_ns)) {
			put_beside(&u, i);
			continue;
		}
		put_span(&u, i, u.track);
		u.open[u.nr_open].span = i;
		u.open[u.nr_open++].end_ns = span->h.time_ns;
	}
	close_until(&u, UINT64_MAX);
	drop_flows(&u);
	thread->nr_held = 0;
	unlink_held(r->tracks, thread);
}

static void link_held(struct tracks *t, struct out_thread *thread, uint64_t ns)
{
	thread->held_ns = ns;
	thread->held_prev = t->held_last;
	if (t->held_last)
		t->held_last->held_next = thread;
	else
		t->held_first = thread;
	t->held_last = thread;
}

static int hold_span(struct records *r, const struct fs_span *rec)
{
	struct out_thread *thread = tracks_thread(r->tracks, rec->h.tid, rec->h.tgid);

	if (!thread || rec->entry_ns > rec->h.time_ns) {
		put_instant(r, &rec->h);
		return 0;
	}
	if (thread->nr_held == HELD_MAX)
		records_flush(r, thread);
	if (thread->nr_held == thread->room_held) {
		unsigned room = thread->room_held ? thread->room_held * 2 : 4;
		struct fs_span *held = realloc(thread->held, room * sizeof(*held));

		if (!held)
			return -ENOMEM;
		thread->held = held;
		thread->room_held = room;
	}
	if (!thread->nr_held)
		link_held(r->tracks, thread, rec->h.time_ns);
	memcpy(&thread->held[thread->nr_held++], rec, sizeof(*rec));
	if (rec->depth == 0 && !(rec->flags & FS_OPEN))
		records_flush(r, thread);
	return 0;
}

void records_due(struct records *r, uint64_t ns)
{
	struct out_thread *first;

	while ((first = r->tracks->held_first) && first->held_ns < ns &&
	       ns - first->held_ns > HELD_NS)
		records_flush(r, first);
}

void records_end(struct records *r)
{
	while (r->tracks->held_first)
		records_flush(r, r->tracks->held_first);
}

int records_put(struct records *r, const struct fs_header *rec)
{
	int err = 0;

	switch (rec->kind) {
	case FS_KIND_SPAN:
		return hold_span(r, (const struct fs_span *)rec);
	case FS_KIND_OFFCPU:
		put_offcpu(r, (const struct fs_offcpu *)rec);
		return 0;
	case FS_KIND_POINT:
		err = name_point(r, (const struct fs_point *)rec);
		break;
	default:
		break;
	}
	put_instant(r, rec);
	return err;
}
