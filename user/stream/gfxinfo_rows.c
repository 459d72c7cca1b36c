/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The rows of ---PROFILEDATA---: one for each frame that a window's ring still has, the slots of
 * its FrameInfo in their order. HWUI prints whatever is in the ring, frames in the making too.
 */
#include "stream/gfxinfo_parts.h"
#include "stream/slot_names.h"

/* When a frame may end after the dump: the dump takes time, and its end is set in advance. */
#define AFTER_DUMP_MS UINT64_C(60000)
/* The same without the dump's time: what takes longer than this is no frame. */
#define LONGEST_NS INT64_C(100000000000)

#define NS_PER_MS UINT64_C(1000000)

#define BIT(slot) (1u << (slot))

/* Without these two a frame has no length. */
#define NEEDED (BIT(SLOT_INTENDED_VSYNC) | BIT(SLOT_FRAME_COMPLETED))

/* What no name begins with, but a row. */
static bool ends_header(char c)
{
	return gfxinfo_is_digit(c) || c == '-';
}

bool gfxinfo_rows_is_header(const char *p, const char *end)
{
	static const char needed[] = "IntendedVsync,";

	return p < end && !ends_header(*p) && memmem(p, (size_t)(end - p), needed, strlen(needed));
}

static unsigned slot_named(const char *name, size_t len)
{
	unsigned slot = 0;

	for (; slot < SLOT_NR; slot++) {
		const char *column = slot_name((enum frame_slot)slot);

		if (strlen(column) == len && !memcmp(column, name, len))
			break;
	}
	return slot;
}

/*
 * Android 12 to 15 print the names of two columns in the wrong order, while the values of all
 * releases are in that of the slots. WorkloadTarget came with the names put right.
 */
static void right_swapped(struct gfxinfo_rows *r)
{
	bool start_seen = false;

	if (r->present & BIT(SLOT_WORKLOAD_TARGET) || !(r->present & BIT(SLOT_VSYNC_ID)))
		return;
	if (r->nr == SLOTS_12 || r->nr == SLOTS_12 + 1) {
		const uint8_t *order = frame_slots_order(r->nr);

		r->present = 0;
		for (unsigned i = 0; i < r->nr; i++) {
			r->columns[i] = order[i];
			r->present |= BIT(order[i]);
		}
		return;
	}
	for (unsigned i = 0; i < r->nr; i++) {
		if (r->columns[i] != SLOT_FRAME_START && r->columns[i] != SLOT_FRAME_INTERVAL)
			continue;
		r->columns[i] = start_seen ? SLOT_FRAME_INTERVAL : SLOT_FRAME_START;
		start_seen = true;
	}
}

const char *gfxinfo_rows_header(struct gfxinfo_rows *r, const char *p, const char *end)
{
	*r = (struct gfxinfo_rows){ 0 };
	while (p < end && !ends_header(*p)) {
		const char *comma = memchr(p, ',', (size_t)(end - p));
		const char *name_end = comma ? comma : end;
		unsigned slot = slot_named(p, (size_t)(name_end - p));

		if (r->nr == GFXINFO_COLUMNS) {
			r->nr = 0;
			return end;
		}
		/* of two of one name neither can be told */
		if (slot < SLOT_NR && r->present & BIT(slot))
			slot = SLOT_NR;
		if (slot < SLOT_NR)
			r->present |= BIT(slot);
		r->columns[r->nr++] = (uint8_t)slot;
		r->comma = comma;
		p = comma ? comma + 1 : end;
	}
	right_swapped(r);
	if ((r->present & NEEDED) != NEEDED)
		r->nr = 0;
	r->slots.layout = frame_slots_layout(r->present);
	return p;
}

/* Is this time, which must be one, none? */
static bool no_time(const struct gfxinfo_rows *r)
{
	static const enum frame_slot times[] = {
		SLOT_INTENDED_VSYNC, SLOT_VSYNC,        SLOT_SYNC_QUEUED,
		SLOT_SYNC_START,     SLOT_SWAP_BUFFERS, SLOT_ISSUE_DRAW_COMMANDS_START,
		SLOT_FRAME_COMPLETED
	};
	const int64_t *ns = r->slots.ns;

	for (size_t i = 0; i < sizeof(times) / sizeof(*times); i++) {
		if (ns[times[i]] < 0 || ns[times[i]] == INT64_MAX)
			return true;
	}
	return false;
}

/* The last time that a frame of this dump can have ended. */
static int64_t latest(const struct gfxinfo_rows *r, uint64_t uptime_ms)
{
	int64_t start = r->slots.ns[SLOT_INTENDED_VSYNC];

	if (!uptime_ms)
		return start < INT64_MAX - LONGEST_NS ? start + LONGEST_NS : INT64_MAX;
	if (uptime_ms >= (uint64_t)INT64_MAX / NS_PER_MS - AFTER_DUMP_MS)
		return INT64_MAX;
	return (int64_t)((uptime_ms + AFTER_DUMP_MS) * NS_PER_MS);
}

/*
 * As HWUI counts: what has no length is not in the totals. A frame whose end is of the one before
 * in its place, or is what was in that memory, was being drawn when the ring was printed.
 */
static enum gfxinfo_fault judge(struct gfxinfo_rows *r, uint64_t uptime_ms)
{
	const int64_t *ns = r->slots.ns;
	uint32_t wrong = 0;
	enum gfxinfo_fault fault = FAULT_NONE;

	r->slots.known = frame_slots_filled(r->present, ns);
	if (no_time(r))
		return FAULT_NO_TIME;

	int64_t last = latest(r, uptime_ms);
	if (ns[SLOT_FRAME_COMPLETED] > last)
		wrong |= BIT(SLOT_FRAME_COMPLETED);
	if (ns[SLOT_GPU_COMPLETED] > last)
		wrong |= BIT(SLOT_GPU_COMPLETED);
	bool stale = ns[SLOT_FRAME_COMPLETED] <= ns[SLOT_INTENDED_VSYNC] ||
		     ns[SLOT_FRAME_COMPLETED] < ns[SLOT_SYNC_START];

	/* The place of a skipped frame is for the next one. */
	if (wrong || !ns[SLOT_FRAME_COMPLETED] || (!stale && ns[SLOT_FLAGS] & FRAME_FLAG_SKIPPED)) {
		fault = FAULT_UNFINISHED;
	} else if (!ns[SLOT_INTENDED_VSYNC]) {
		fault = FAULT_NO_TIME; /* all that HWUI measures from 0 has no length */
	} else if (stale) {
		wrong |= BIT(SLOT_FRAME_COMPLETED);
		fault = FAULT_STALE;
	}
	r->slots.known &= ~wrong;
	return fault;
}

static enum gfxinfo_fault take_row(struct gfxinfo_rows *r, const int64_t *values,
				   uint64_t uptime_ms)
{
	/* one more for the columns that have no slot */
	int64_t ns[SLOT_NR + 1] = { 0 };

	for (unsigned i = 0; i < r->nr; i++)
		ns[r->columns[i]] = values[i];
	memcpy(r->slots.ns, ns, sizeof(r->slots.ns));
	return judge(r, uptime_ms);
}

enum gfxinfo_fault gfxinfo_rows_line(struct gfxinfo_rows *r, const char *p, const char *end,
				     uint64_t uptime_ms)
{
	unsigned nr = 0;
	bool comma = true;

	r->glued = 0;
	while (p < end && nr < 2 * r->nr) {
		p = gfxinfo_take_signed(p, &r->values[nr]);
		if (!p)
			break;
		nr++;
		comma = *p == ',' && p < end;
		if (!comma)
			break;
		p++;
	}
	if (p == end && nr && nr == r->nr && (comma || !r->comma))
		return take_row(r, r->values, uptime_ms);
	if (p == end && nr && nr == 2 * r->nr && comma) {
		r->glued = 1;
		return take_row(r, r->values, uptime_ms);
	}
	/* which of its values are whole, and in their columns, can't be told */
	r->slots.known = 0;
	memset(r->slots.ns, 0, sizeof(r->slots.ns));
	return FAULT_CUT;
}

enum gfxinfo_fault gfxinfo_rows_glued(struct gfxinfo_rows *r, uint64_t uptime_ms)
{
	r->glued--;
	return take_row(r, r->values + r->nr, uptime_ms);
}
