/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Packets on their way out. */
#include "export/perfetto_packets.h"

#include <stdlib.h>

#include "proto/vocabulary.h"

/* Fields of the messages that are written here and not by protobuf-c; as in perfetto.proto. */
enum {
	PACKET_TIMESTAMP = 8,
	PACKET_SEQUENCE = 10,
	PACKET_TRACK_EVENT = 11,
	PACKET_INTERNED_DATA = 12,
	PACKET_SEQUENCE_FLAGS = 13,

	EVENT_CATEGORY_IID = 3,
	EVENT_ANNOTATION = 4,
	EVENT_TYPE = 9,
	EVENT_NAME_IID = 10,
	EVENT_TRACK = 11,
	EVENT_NAME = 23,
	EVENT_COUNTER = 30,
	EVENT_FLOW = 47,
	EVENT_LAST_FLOW = 48,

	NOTE_NAME_IID = 1,
	NOTE_UINT = 3,
	NOTE_INT = 4,
	NOTE_STRING = 6,
	NOTE_POINTER = 7,
	NOTE_STRING_IID = 17,

	INTERNED_CATEGORY = 1,
	INTERNED_EVENT = 2,
	INTERNED_ANNOTATION = 3,
	INTERNED_STRING = 29,

	STRING_IID = 1,
	STRING_TEXT = 2,
};

#define TRACE_PACKET 1 /* the only field of a trace */
#define STATE_CLEARED 1
#define NEEDS_STATE 2
#define LENGTH_MAX 5 /* bytes of a packet's length */

static const unsigned fields[TABLES_NR] = {
	[TABLE_CATEGORY] = INTERNED_CATEGORY,
	[TABLE_EVENT] = INTERNED_EVENT,
	[TABLE_ANNOTATION] = INTERNED_ANNOTATION,
	[TABLE_STRING] = INTERNED_STRING,
};

struct packets *packets_new(FILE *out, void (*preamble)(struct packets *p, void *ctx), void *ctx)
{
	struct packets *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->buf = malloc(PACKETS_ROOM);
	if (!p->buf) {
		free(p);
		return NULL;
	}
	p->out = out;
	p->preamble = preamble;
	p->ctx = ctx;
	p->generation = 1;
	p->wire.at = p->buf;
	p->fresh.at = p->fresh_buf;
	for (unsigned i = 0; i < TABLES_NR; i++)
		p->tables[i].field = fields[i];
	return p;
}

void packets_free(struct packets *p)
{
	if (!p)
		return;
	free(p->buf);
	free(p);
}

/* The preamble goes before what has gathered. */
static void begin(struct packets *p)
{
	size_t len = (size_t)(p->wire.at - p->buf);
	uint8_t *later = malloc(len ? len : 1);

	p->begun = true;
	if (later)
		memcpy(later, p->buf, len);
	p->wire.at = p->buf;
	p->preamble(p, p->ctx);
	fwrite(p->buf, 1, (size_t)(p->wire.at - p->buf), p->out);
	p->wire.at = p->buf;
	if (later) {
		memcpy(p->buf, later, len);
		p->wire.at += len;
	}
	free(later);
}

void packets_flush(struct packets *p)
{
	if (!p->begun)
		begin(p);
	fwrite(p->buf, 1, (size_t)(p->wire.at - p->buf), p->out);
	p->wire.at = p->buf;
}

static void make_room(struct packets *p)
{
	if (p->wire.at - p->buf >= PACKETS_FLUSH)
		packets_flush(p);
}

void packets_put(struct packets *p, Perfetto__TracePacket *packet)
{
	struct wire_out *w = &p->wire;
	struct wire_out length;
	uint8_t *body;
	size_t len;

	make_room(p);
	if (!packet->has_trusted_packet_sequence_id) {
		packet->has_trusted_packet_sequence_id = 1;
		packet->trusted_packet_sequence_id = VOCABULARY_SEQUENCE;
	}
	wire_put_tag(w, TRACE_PACKET, WIRE_BYTES);
	body = w->at + LENGTH_MAX;
	len = perfetto__trace_packet__pack(packet, body);
	length.at = w->at;
	wire_put_varint(&length, len);
	memmove(length.at, body, len);
	w->at = length.at + len;
}

void packets_clear_state(struct packets *p, uint32_t sequence, bool first)
{
	Perfetto__TracePacketDefaults defaults = PERFETTO__TRACE_PACKET_DEFAULTS__INIT;
	Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;

	if (p->clock) {
		defaults.has_timestamp_clock_id = 1;
		defaults.timestamp_clock_id = p->clock;
		packet.trace_packet_defaults = &defaults;
	}
	packet.has_trusted_packet_sequence_id = 1;
	packet.trusted_packet_sequence_id = sequence;
	packet.has_sequence_flags = 1;
	packet.sequence_flags = STATE_CLEARED;
	packet.has_first_packet_on_sequence = first;
	packet.first_packet_on_sequence = first;
	packets_put(p, &packet);
}

/* FNV-1a */
static uint32_t hash_of(const char *text, size_t len)
{
	uint32_t hash = 2166136261u;

	for (size_t i = 0; i < len; i++)
		hash = (hash ^ (uint8_t)text[i]) * 16777619u;
	return hash;
}

/* The number of a string of at most INTERN_LEN; a new one's text goes along with the event. */
static uint64_t intern(struct packets *p, enum packets_table which, const char *text, size_t len)
{
	struct interner *table = &p->tables[which];
	uint32_t hash = hash_of(text, len);
	struct interned *slot;
	uint8_t *start;

	for (uint32_t i = hash;; i++) {
		slot = &table->slots[i & (INTERN_SLOTS - 1)];
		if (slot->generation != p->generation)
			break;
		if (slot->hash == hash && slot->len == len &&
		    !memcmp(table->text + slot->at, text, len))
			return slot->iid;
	}
	*slot = (struct interned){
		.generation = p->generation,
		.hash = hash,
		.iid = ++table->nr,
		.at = table->used,
		.len = (uint32_t)len,
	};
	memcpy(table->text + table->used, text, len);
	table->used += (uint32_t)len;
	start = wire_open(&p->fresh, table->field);
	wire_put_uint(&p->fresh, STRING_IID, slot->iid);
	wire_put_bytes(&p->fresh, STRING_TEXT, text, len);
	wire_close(&p->fresh, start);
	return slot->iid;
}

static uint64_t intern_fixed(struct packets *p, enum packets_table which, const char *text)
{
	uintptr_t address = (uintptr_t)text;
	struct fixed_string *f = &p->fixed[which][(address ^ address >> 10) & (FIXED_SLOTS - 1)];

	if (f->text != text || f->generation != p->generation) {
		f->iid = intern(p, which, text, strnlen(text, INTERN_LEN));
		f->text = text;
		f->generation = p->generation;
	}
	return f->iid;
}

static bool nearly_full(const struct interner *table)
{
	return table->nr > INTERN_MAX - INTERN_SPARE ||
	       table->used > INTERN_TEXT - INTERN_SPARE * INTERN_LEN;
}

static void forget(struct packets *p)
{
	p->generation++;
	for (unsigned i = 0; i < TABLES_NR; i++) {
		p->tables[i].nr = 0;
		p->tables[i].used = 0;
	}
	packets_clear_state(p, VOCABULARY_SEQUENCE, false);
}

void event_begin(struct packets *p, Perfetto__TrackEvent__Type type, uint64_t ns, uint64_t track)
{
	struct wire_out *w = &p->wire;

	make_room(p);
	for (unsigned i = 0; i < TABLES_NR; i++) {
		if (nearly_full(&p->tables[i])) {
			/* The clock of the sequence is a part of its state. */
			if (!p->begun)
				packets_flush(p);
			forget(p);
			break;
		}
	}
	p->packet = wire_open(w, TRACE_PACKET);
	wire_put_uint(w, PACKET_TIMESTAMP, ns);
	wire_put_uint(w, PACKET_SEQUENCE, VOCABULARY_SEQUENCE);
	wire_put_uint(w, PACKET_SEQUENCE_FLAGS, NEEDS_STATE);
	p->event = wire_open(w, PACKET_TRACK_EVENT);
	wire_put_uint(w, EVENT_TYPE, type);
	wire_put_uint(w, EVENT_TRACK, track);
}

void event_end(struct packets *p)
{
	struct wire_out *w = &p->wire;
	size_t fresh = (size_t)(p->fresh.at - p->fresh_buf);

	wire_close(w, p->event);
	if (fresh) {
		wire_put_bytes(w, PACKET_INTERNED_DATA, p->fresh_buf, fresh);
		p->fresh.at = p->fresh_buf;
	}
	wire_close(w, p->packet);
}

void event_category(struct packets *p, const char *fixed)
{
	wire_put_uint(&p->wire, EVENT_CATEGORY_IID, intern_fixed(p, TABLE_CATEGORY, fixed));
}

void event_name(struct packets *p, const char *fixed)
{
	wire_put_uint(&p->wire, EVENT_NAME_IID, intern_fixed(p, TABLE_EVENT, fixed));
}

void event_name_of(struct packets *p, const char *name)
{
	wire_put_uint(&p->wire, EVENT_NAME_IID,
		      intern(p, TABLE_EVENT, name, strnlen(name, INTERN_LEN)));
}

void event_name_once(struct packets *p, const char *name)
{
	wire_put_bytes(&p->wire, EVENT_NAME, name, strlen(name));
}

void event_counter(struct packets *p, int64_t value)
{
	wire_put_uint(&p->wire, EVENT_COUNTER, (uint64_t)value);
}

void event_flow(struct packets *p, uint64_t id, bool last)
{
	wire_put_fixed64(&p->wire, last ? EVENT_LAST_FLOW : EVENT_FLOW, id);
}

static uint8_t *open_note(struct packets *p, const char *name)
{
	uint8_t *start = wire_open_small(&p->wire, EVENT_ANNOTATION);

	wire_put_uint(&p->wire, NOTE_NAME_IID, intern_fixed(p, TABLE_ANNOTATION, name));
	return start;
}

static void note_number(struct packets *p, const char *name, unsigned field, uint64_t value)
{
	uint8_t *start = open_note(p, name);

	wire_put_uint(&p->wire, field, value);
	wire_close_small(&p->wire, start);
}

void note_uint(struct packets *p, const char *name, uint64_t value)
{
	note_number(p, name, NOTE_UINT, value);
}

void note_int(struct packets *p, const char *name, int64_t value)
{
	note_number(p, name, NOTE_INT, (uint64_t)value);
}

void note_pointer(struct packets *p, const char *name, uint64_t value)
{
	note_number(p, name, NOTE_POINTER, value);
}

void note_fixed(struct packets *p, const char *name, const char *fixed)
{
	note_number(p, name, NOTE_STRING_IID, intern_fixed(p, TABLE_STRING, fixed));
}

void note_string(struct packets *p, const char *name, const char *text, size_t len)
{
	if (len > INTERN_LEN)
		note_once(p, name, text, len);
	else
		note_number(p, name, NOTE_STRING_IID, intern(p, TABLE_STRING, text, len));
}

void note_once(struct packets *p, const char *name, const char *text, size_t len)
{
	uint8_t *start = wire_open(&p->wire, EVENT_ANNOTATION);

	wire_put_uint(&p->wire, NOTE_NAME_IID, intern_fixed(p, TABLE_ANNOTATION, name));
	wire_put_bytes(&p->wire, NOTE_STRING, text, len);
	wire_close(&p->wire, start);
}
