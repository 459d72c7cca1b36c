/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Events of the Trace Event Format, and the tracks on which they are laid. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define HASH_NONFATAL_OOM 1
#include <uthash.h>

#include "base/text.h"
#include "export/chrome.h"

#define LANES_MAX 64 /* of one name */
#define NAMES_MAX 4096
#define KEY_LEN (WORDS_LEN + 24)

struct chrome_lanes {
	char key[KEY_LEN]; /* process and name */
	unsigned nr;
	uint64_t first[LANES_MAX]; /* number of each */
	uint64_t busy_ns[LANES_MAX]; /* until then */
	UT_hash_handle hh;
};

static void put_us(struct chrome *c, const char *key, uint64_t ns)
{
	fputs_unlocked(key, c->out);
	cells_put_thousandths(c->out, ns);
}

static void put_text(struct chrome *c, const char *text)
{
	struct cell cell = { .kind = CELL_TEXT };

	text_escape(cell.text, sizeof(cell.text), text, strlen(text));
	cell_json(c->out, &cell);
}

static void begin(struct chrome *c, char phase, const char *name)
{
	fputs_unlocked(c->any ? ",\n{\"ph\":\"" : "\n{\"ph\":\"", c->out);
	putc_unlocked(phase, c->out);
	fputs_unlocked("\",\"name\":", c->out);
	put_text(c, name);
	c->any = true;
}

void chrome_begin(struct chrome *c, char phase, const struct chrome_at *at, const char *name)
{
	begin(c, phase, name);
	fputs_unlocked(",\"pid\":", c->out);
	cells_put_digits(c->out, at->pid);
	fputs_unlocked(",\"tid\":", c->out);
	cells_put_digits(c->out, at->tid);
	put_us(c, ",\"ts\":", at->ns);
}

void chrome_end(struct chrome *c)
{
	putc('}', c->out);
}

void chrome_duration(struct chrome *c, uint64_t ns)
{
	put_us(c, ",\"dur\":", ns);
}

void chrome_args(struct chrome *c, const struct listing_column *columns, const void *row)
{
	fputs(",\"args\":{", c->out);
	listing_members(c->out, columns, row, true);
	putc('}', c->out);
}

void chrome_metadata(struct chrome *c, uint64_t pid, uint64_t tid, const char *what,
		     const char *name)
{
	begin(c, 'M', what);
	fprintf(c->out, ",\"pid\":%" PRIu64 ",\"tid\":%" PRIu64 ",\"args\":{\"name\":", pid, tid);
	put_text(c, name);
	fputs("}}", c->out);
}

void chrome_counter(struct chrome *c, uint64_t pid, uint64_t ns, const char *name, const char *unit,
		    uint64_t value)
{
	chrome_begin(c, 'C', &(struct chrome_at){ .pid = pid, .ns = ns }, name);
	fprintf(c->out, ",\"args\":{\"%s\":%" PRIu64 "}}", unit, value);
}

void chrome_flow(struct chrome *c, const struct chrome_at *from, const struct chrome_at *to,
		 const char *name)
{
	uint64_t id = ++c->nr_flows;

	chrome_begin(c, 's', from, name);
	fprintf(c->out, ",\"cat\":\"flow\",\"id\":%" PRIu64 "}", id);
	chrome_begin(c, 'f', to, name);
	fprintf(c->out, ",\"cat\":\"flow\",\"id\":%" PRIu64 ",\"bp\":\"e\"}", id);
}

static struct chrome_lanes *lanes_get(struct chrome *c, uint64_t pid, const char *name)
{
	char key[KEY_LEN];
	struct chrome_lanes *l;

	snprintf(key, sizeof(key), "%" PRIu64 " %s", pid, name);
	HASH_FIND_STR(c->lanes, key, l);
	if (l || HASH_COUNT(c->lanes) == NAMES_MAX)
		return l;
	l = calloc(1, sizeof(*l));
	if (!l) {
		c->error = -ENOMEM;
		return NULL;
	}
	memcpy(l->key, key, sizeof(l->key));
	HASH_ADD_STR(c->lanes, key, l);
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
	char numbered[KEY_LEN];
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

	chrome_begin(c, 'b', &(struct chrome_at){ .pid = s->pid, .ns = s->from_ns }, s->track);
	fprintf(c->out, ",\"cat\":\"overlap\",\"id\":%" PRIu64, id);
	chrome_args(c, s->columns, s->row);
	chrome_end(c);
	chrome_begin(c, 'e', &(struct chrome_at){ .pid = s->pid, .ns = s->to_ns }, s->track);
	fprintf(c->out, ",\"cat\":\"overlap\",\"id\":%" PRIu64 "}", id);
}

void chrome_slice(struct chrome *c, const struct chrome_slice *s)
{
	if (!s->tid) {
		async_slice(c, s);
		return;
	}
	chrome_begin(c, 'X', &(struct chrome_at){ s->pid, s->tid, s->from_ns }, s->name);
	chrome_duration(c, s->to_ns - s->from_ns);
	chrome_args(c, s->columns, s->row);
	chrome_end(c);
}
