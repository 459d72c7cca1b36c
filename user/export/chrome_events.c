/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Events of the Trace Event Format, and the tracks on which they are laid. */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define HASH_NONFATAL_OOM 1
#include <uthash.h>

#include "export/chrome.h"

#define LANES_MAX 64 /* of one name */
#define NAMES_MAX 4096
#define NAME_LEN (WORDS_LEN + 24)

struct lanes_key {
	uint64_t pid;
	char name[NAME_LEN];
};

struct chrome_lanes {
	struct lanes_key key; /* as far as the name goes */
	unsigned nr;
	uint64_t first[LANES_MAX]; /* number of each */
	uint64_t busy_ns[LANES_MAX]; /* until then */
	UT_hash_handle hh;
};

static void put_text(struct chrome *c, const char *text)
{
	struct cell cell;

	cell_set_name(&cell, text, strlen(text));
	if (cell.kind == CELL_ABSENT)
		line_put(&c->line, "\"\"");
	else
		line_took(&c->line, cell_json(line_room(&c->line, CELL_BYTES), &cell));
}

static void begin(struct chrome *c, char phase, const char *name, uint64_t pid, uint64_t tid)
{
	if (c->any)
		line_char(&c->line, ',');
	line_put(&c->line, "\n{\"ph\":\"");
	line_char(&c->line, phase);
	line_put(&c->line, "\",\"name\":");
	put_text(c, name);
	chrome_number(c, ",\"pid\":", pid);
	chrome_number(c, ",\"tid\":", tid);
	c->any = true;
}

void chrome_begin(struct chrome *c, char phase, const struct chrome_at *at, const char *category,
		  const char *name)
{
	begin(c, phase, name, at->pid, at->tid);
	line_put(&c->line, ",\"cat\":\"");
	line_bytes(&c->line, category, strlen(category));
	line_char(&c->line, '"');
	line_put(&c->line, ",\"ts\":");
	line_thousandths(&c->line, at->ns);
}

void chrome_end(struct chrome *c)
{
	line_char(&c->line, '}');
	line_send(&c->line);
}

void chrome_duration(struct chrome *c, uint64_t ns)
{
	line_put(&c->line, ",\"dur\":");
	line_thousandths(&c->line, ns);
}

void chrome_args(struct chrome *c, const struct listing_column *columns, const void *row)
{
	line_put(&c->line, ",\"args\":{");
	listing_members(&c->line, columns, row, true);
	line_char(&c->line, '}');
}

void chrome_metadata(struct chrome *c, uint64_t pid, uint64_t tid, const char *what,
		     const char *name)
{
	begin(c, 'M', what, pid, tid);
	line_put(&c->line, ",\"args\":{\"name\":");
	put_text(c, name);
	line_char(&c->line, '}');
	chrome_end(c);
}

void chrome_counter(struct chrome *c, const struct chrome_at *at, const char *category,
		    const char *name, const char *unit, uint64_t value)
{
	chrome_begin(c, 'C', &(struct chrome_at){ .pid = at->pid, .ns = at->ns }, category, name);
	line_put(&c->line, ",\"args\":{\"");
	line_bytes(&c->line, unit, strlen(unit));
	chrome_number(c, "\":", value);
	line_char(&c->line, '}');
	chrome_end(c);
}

void chrome_flow(struct chrome *c, const struct chrome_at *from, const struct chrome_at *to,
		 const char *name)
{
	uint64_t id = ++c->nr_flows;

	chrome_begin(c, 's', from, "flow", name);
	chrome_number(c, ",\"id\":", id);
	chrome_end(c);
	chrome_begin(c, 'f', to, "flow", name);
	chrome_number(c, ",\"id\":", id);
	line_put(&c->line, ",\"bp\":\"e\"");
	chrome_end(c);
}

static struct chrome_lanes *lanes_get(struct chrome *c, uint64_t pid, const char *name)
{
	size_t len = strnlen(name, NAME_LEN), key_len = offsetof(struct lanes_key, name) + len;
	struct lanes_key key;
	struct chrome_lanes *l;

	key.pid = pid;
	memcpy(key.name, name, len);
	HASH_FIND(hh, c->lanes, &key, key_len, l);
	if (l || HASH_COUNT(c->lanes) == NAMES_MAX)
		return l;
	l = calloc(1, sizeof(*l));
	if (!l) {
		c->error = -ENOMEM;
		return NULL;
	}
	memcpy(&l->key, &key, key_len);
	HASH_ADD(hh, c->lanes, key, key_len, l);
	if (l->hh.tbl)
		return l;
	free(l);
	c->error = -ENOMEM;
	return NULL;
}

uint64_t chrome_lane(struct chrome *c, uint64_t pid, const char *name, uint64_t from_ns,
		     uint64_t to_ns)
{
	struct chrome_lanes *l = lanes_get(c, pid, name);
	char numbered[NAME_LEN];
	unsigned i = 0;

	while (l && i < l->nr && l->busy_ns[i] > from_ns)
		i++;
	if (!l || i == LANES_MAX)
		return 0;
	if (i == l->nr) {
		l->nr++;
		l->first[i] = CHROME_LANE_TID + c->nr_lanes++;
		if (i)
			snprintf(numbered, sizeof(numbered), "%s (%u)", name, i + 1);
		chrome_metadata(c, pid, l->first[i], "thread_name", i ? numbered : name);
	}
	l->busy_ns[i] = to_ns;
	return l->first[i];
}

void chrome_lanes_free(struct chrome *c)
{
	struct chrome_lanes *l, *next;

	HASH_ITER (hh, c->lanes, l, next) {
		HASH_DEL(c->lanes, l);
		free(l);
	}
}

static void async_slice(struct chrome *c, const struct chrome_slice *s)
{
	uint64_t id = ++c->nr_async;

	chrome_begin(c, 'b', &(struct chrome_at){ .pid = s->pid, .ns = s->from_ns }, s->category,
		     s->track);
	chrome_number(c, ",\"id\":", id);
	chrome_args(c, s->columns, s->row);
	chrome_end(c);
	chrome_begin(c, 'e', &(struct chrome_at){ .pid = s->pid, .ns = s->to_ns }, s->category,
		     s->track);
	chrome_number(c, ",\"id\":", id);
	chrome_end(c);
}

void chrome_slice(struct chrome *c, const struct chrome_slice *s)
{
	if (!s->tid) {
		async_slice(c, s);
		return;
	}
	chrome_begin(c, 'X', &(struct chrome_at){ s->pid, s->tid, s->from_ns }, s->category,
		     s->name);
	chrome_duration(c, s->to_ns - s->from_ns);
	chrome_args(c, s->columns, s->row);
	chrome_end(c);
}
