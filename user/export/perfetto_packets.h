/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Perfetto packets on their way out: one sequence, its clock and its interned strings. What is
 * written gathers in a buffer. Until that is full for the first time, nothing has left: so what the
 * trace begins with, its clocks and the kernel's release, may come to be known in between.
 *
 * A failed write shows in the stream's error flag and needs no care here.
 */
#ifndef EXPORT_PERFETTO_PACKETS_H
#define EXPORT_PERFETTO_PACKETS_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "proto/wire_write.h"
#include "proto/perfetto.pb-c.h"

#define PACKETS_ROOM (1u << 20)
#define PACKETS_FLUSH (512u << 10) /* bytes that are written at once, or more */

#define INTERN_SLOTS 4096u /* a power of two */
#define INTERN_MAX 2048u
#define INTERN_TEXT (128u << 10) /* bytes of all strings of a table */
#define INTERN_LEN 128u /* a longer string stands where it is used */
#define INTERN_SPARE 256u /* new ones that one event may have */

struct interned {
	uint64_t generation; /* of another one: the slot is free */
	uint32_t hash;
	uint32_t iid;
	uint32_t at; /* in text */
	uint32_t len;
};

/* One field of InternedData. */
struct interner {
	unsigned field;
	uint32_t nr;
	uint32_t used; /* of text */
	struct interned slots[INTERN_SLOTS];
	char text[INTERN_TEXT];
};

#define FIXED_SLOTS 1024u /* a power of two */

/* A string that stays where it is, by its address. */
struct fixed_string {
	const char *text;
	uint64_t generation;
	uint64_t iid;
};

enum packets_table { TABLE_CATEGORY, TABLE_EVENT, TABLE_ANNOTATION, TABLE_STRING, TABLES_NR };

#define FRESH_ROOM (TABLES_NR * INTERN_SPARE * (INTERN_LEN + 16u))

struct packets {
	FILE *out;
	struct wire_out wire; /* in buf */
	uint8_t *buf;
	bool begun; /* something was written */
	uint64_t generation; /* of the interned strings, from 1 */
	/* Write what the trace begins with; called once, before the first byte. */
	void (*preamble)(struct packets *p, void *ctx);
	void *ctx;
	uint32_t clock; /* Perfetto's number of the clock of all events; 0 = the trace's own */
	struct interner tables[TABLES_NR];
	struct fixed_string fixed[TABLES_NR][FIXED_SLOTS];
	struct wire_out fresh; /* what the event at hand interned */
	uint8_t fresh_buf[FRESH_ROOM];
	uint8_t *packet, *event; /* open ones */
};

/* NULL when out of memory. Ends with packets_free(), which takes NULL. */
struct packets *packets_new(FILE *out, void (*preamble)(struct packets *p, void *ctx), void *ctx);
void packets_free(struct packets *p);

/* A whole packet, of less than 192 KiB; the sequence's number is put into it if it has none. */
void packets_put(struct packets *p, Perfetto__TracePacket *packet);

/* Begin a sequence, or forget what was interned in it. */
void packets_clear_state(struct packets *p, uint32_t sequence, bool first);

/* Write out what there is. */
void packets_flush(struct packets *p);

/*
 * A track event: begin, then its fields, then end. The time is ns of the clock. Strings called
 * fixed are literals, or lie somewhere else where they stay unchanged until the end.
 */
void event_begin(struct packets *p, Perfetto__TrackEvent__Type type, uint64_t ns, uint64_t track);
void event_end(struct packets *p);

void event_category(struct packets *p, const char *fixed);
void event_name(struct packets *p, const char *fixed);
void event_name_of(struct packets *p, const char *name); /* interned */
void event_name_once(struct packets *p, const char *name); /* that no other event has */
void event_counter(struct packets *p, int64_t value);
void event_flow(struct packets *p, uint64_t id, bool last);

/* Annotations, by their fixed names. */
void note_uint(struct packets *p, const char *name, uint64_t value);
void note_int(struct packets *p, const char *name, int64_t value);
void note_pointer(struct packets *p, const char *name, uint64_t value);
void note_fixed(struct packets *p, const char *name, const char *fixed);
void note_string(struct packets *p, const char *name, const char *text, size_t len); /* interned */
void note_once(struct packets *p, const char *name, const char *text, size_t len);

#endif
