/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The merge. Records stay where they were read, in slabs; the queues hold small entries.
 *
 * One CPU's records are nearly sorted: an interrupt emits between another program's timestamp and
 * its output, so neighbours may be swapped. An entry is therefore inserted from the end of its
 * CPU's queue. A heap has the front of every queue; what is next is on its top. An entry that would
 * become its queue's front, or move further than INSERT_STEPS, which keeps hostile input from
 * costing quadratic time, is a stray and goes to the heap by itself.
 *
 * Much of what comes is in the order of all CPUs already, such as what a reader makes of a trace
 * that it reads in order. An entry that belongs behind all that came so goes into one more queue,
 * which needs no heap.
 */
#include "stream/merge.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define SLAB_BYTES (1u << 20)
#define INSERT_STEPS 32

/* Where records lie. A larger request than SLAB_BYTES gets a slab of its own. */
struct slab {
	char *data; /* NULL: free slot */
	size_t capacity;
	uint32_t records; /* of it, not delivered yet */
	bool in_use;
};

/* Two words, which are passed in registers. */
struct entry {
	uint64_t time_ns;
	uint64_t place; /* the slab's number, and in the lower half the offset in 8 bytes */
};

#define PLACE_SLAB_SHIFT 32

/* One CPU's entries, sorted: entries[head .. tail). */
struct queue {
	struct entry *entries;
	size_t head;
	size_t tail;
	size_t capacity;
};

/*
 * In the heap: a stray, or the front of a queue. Of the rank the upper bits are the queue's number,
 * the lower ones when a stray arrived, from 1; 0: the front of the queue.
 */
struct item {
	struct entry entry;
	uint64_t rank;
};

#define RANK_QUEUE_SHIFT 48

struct merge {
	struct slab *slabs;
	uint32_t nr_slabs;
	uint32_t current; /* slab that room is taken from; valid if nr_slabs */
	size_t used; /* bytes of it */
	size_t reserved; /* where the room reserved last begins */
	bool added; /* something was taken from that room */
	size_t bytes; /* capacity of all slabs in use */

	struct queue *queues; /* by CPU */
	uint32_t nr_queues;
	struct item *heap;
	size_t nr_heap;
	size_t max_heap;
	struct queue ordered;
	uint64_t ordered_ns; /* what went there last, like the next; stays when it is delivered */
	uint32_t ordered_cpu;
	struct queue late; /* in order of arrival */
	size_t pending; /* records in all of these */

	bool open; /* what is up to watermark_ns may go */
	uint64_t watermark_ns;
	size_t forced; /* this many may go without a mark */
	uint64_t delivered_ns; /* the highest time delivered */
	uint64_t arrivals; /* strays so far */
	uint64_t nr_late;
	bool held; /* the caller has a record of slab `held_slab` */
	uint32_t held_slab;
};

struct merge *merge_new(void)
{
	return calloc(1, sizeof(struct merge));
}

void merge_free(struct merge *m)
{
	if (!m)
		return;
	for (uint32_t i = 0; i < m->nr_slabs; i++)
		free(m->slabs[i].data);
	for (uint32_t i = 0; i < m->nr_queues; i++)
		free(m->queues[i].entries);
	free(m->slabs);
	free(m->queues);
	free(m->heap);
	free(m->ordered.entries);
	free(m->late.entries);
	free(m);
}

uint64_t merge_late(const struct merge *m)
{
	return m->nr_late;
}

/* The slab may be used again. One of the common size keeps its memory for that. */
static void slab_retire(struct merge *m, struct slab *s)
{
	m->bytes -= s->capacity;
	s->in_use = false;
	if (s->capacity != SLAB_BYTES) {
		free(s->data);
		s->data = NULL;
	}
}

/* Make a slab of at least `size` bytes the current one. */
static int slab_take(struct merge *m, size_t size)
{
	size_t capacity = size <= SLAB_BYTES ? SLAB_BYTES : size;
	uint32_t found = m->nr_slabs;

	for (uint32_t i = 0; i < m->nr_slabs; i++) {
		if (m->slabs[i].in_use)
			continue;
		/* Prefer a slot with memory of the right size, or for another size one without. */
		if (found == m->nr_slabs || (m->slabs[i].data != NULL) == (capacity == SLAB_BYTES))
			found = i;
	}
	if (found == m->nr_slabs) {
		struct slab *slabs = realloc(m->slabs, (found + 1) * sizeof(*slabs));

		if (!slabs)
			return -ENOMEM;
		slabs[found] = (struct slab){ 0 };
		m->slabs = slabs;
		m->nr_slabs++;
	}

	struct slab *s = &m->slabs[found];
	if (!s->data || s->capacity != capacity) {
		free(s->data);
		s->data = malloc(capacity);
		if (!s->data)
			return -ENOMEM;
		s->capacity = capacity;
	}
	s->records = 0;
	s->in_use = true;
	m->bytes += capacity;
	m->current = found;
	m->used = 0;
	return 0;
}

/* The record given to the caller last is no longer needed. */
static void release_held(struct merge *m)
{
	if (!m->held)
		return;
	m->held = false;
	struct slab *s = &m->slabs[m->held_slab];
	if (--s->records == 0 && m->held_slab != m->current)
		slab_retire(m, s);
}

void *merge_reserve(struct merge *m, size_t size)
{
	release_held(m);
	size = (size + 7) & ~(size_t)7;
	if (!m->added)
		m->used = m->reserved;

	struct slab *s = m->nr_slabs ? &m->slabs[m->current] : NULL;
	if (s && s->in_use && s->records == 0)
		m->used = 0;
	if (!s || !s->in_use || s->capacity - m->used < size) {
		if (s && s->in_use && s->records == 0)
			slab_retire(m, s);
		int ret = slab_take(m, size);
		if (ret) {
			m->added = false;
			m->reserved = m->used;
			return NULL;
		}
		s = &m->slabs[m->current];
	}
	m->reserved = m->used;
	m->used += size;
	m->added = false;
	return s->data + m->reserved;
}

/* Room for one more entry behind the tail. */
static int queue_grow(struct queue *q)
{
	if (q->tail < q->capacity)
		return 0;
	if (q->head > q->capacity / 2) {
		memmove(q->entries, q->entries + q->head,
			(q->tail - q->head) * sizeof(*q->entries));
		q->tail -= q->head;
		q->head = 0;
		return 0;
	}
	size_t capacity = q->capacity ? 2 * q->capacity : 64;
	struct entry *entries = realloc(q->entries, capacity * sizeof(*entries));
	if (!entries)
		return -ENOMEM;
	q->entries = entries;
	q->capacity = capacity;
	return 0;
}

/* The queue of a CPU; makes it if need be. */
static struct queue *queue_of(struct merge *m, uint32_t cpu)
{
	if (cpu < m->nr_queues)
		return &m->queues[cpu];

	struct queue *queues = realloc(m->queues, (cpu + 1) * sizeof(*queues));
	if (!queues)
		return NULL;
	m->queues = queues;
	memset(queues + m->nr_queues, 0, (cpu + 1 - m->nr_queues) * sizeof(*queues));
	m->nr_queues = cpu + 1;
	return &queues[cpu];
}

static uint32_t queue_number(uint32_t cpu)
{
	return cpu < MERGE_CPUS ? cpu : MERGE_CPUS;
}

static const struct fs_header *record_of(const struct merge *m, struct entry entry)
{
	const char *data = m->slabs[entry.place >> PLACE_SLAB_SHIFT].data;

	return (const struct fs_header *)(data + 8 * (entry.place & UINT32_MAX));
}

/*
 * Of equals of one CPU the queue's come first: what is in it had come before the stray, which could
 * not pass it. Which of two is first can't be foreseen, so this has no branches.
 */
static bool item_before(const struct item *a, const struct item *b)
{
	return (a->entry.time_ns < b->entry.time_ns) |
	       ((a->entry.time_ns == b->entry.time_ns) & (a->rank < b->rank));
}

static int heap_push(struct merge *m, struct entry entry, uint64_t rank)
{
	const struct item item = { entry, rank };

	if (m->nr_heap == m->max_heap) {
		size_t max = m->max_heap ? 2 * m->max_heap : 64;
		struct item *heap = realloc(m->heap, max * sizeof(*heap));

		if (!heap)
			return -ENOMEM;
		m->heap = heap;
		m->max_heap = max;
	}

	size_t i = m->nr_heap++;
	while (i > 0 && item_before(&item, &m->heap[(i - 1) / 2])) {
		m->heap[i] = m->heap[(i - 1) / 2];
		i = (i - 1) / 2;
	}
	m->heap[i] = item;
	return 0;
}

/* Put the item on the top in place of what is there, and then where it belongs. */
static void heap_replace_top(struct merge *m, struct entry entry, uint64_t rank)
{
	const struct item item = { entry, rank };
	size_t i = 0;

	for (;;) {
		size_t child = 2 * i + 1;

		if (child >= m->nr_heap)
			break;
		if (child + 1 < m->nr_heap)
			child += item_before(&m->heap[child + 1], &m->heap[child]);
		if (!item_before(&m->heap[child], &item))
			break;
		m->heap[i] = m->heap[child];
		i = child;
	}
	m->heap[i] = item;
}

/* Take the top of the heap, which must not be empty; the next of its queue comes in its place. */
static struct entry heap_pop(struct merge *m)
{
	struct entry entry = m->heap[0].entry;
	uint64_t rank = m->heap[0].rank;
	bool stray = rank & ((UINT64_C(1) << RANK_QUEUE_SHIFT) - 1);
	struct queue *q = stray ? NULL : &m->queues[rank >> RANK_QUEUE_SHIFT];

	if (q && ++q->head < q->tail) {
		struct entry next = q->entries[q->head];

		/* Its turn comes after that of other queues' fronts. */
		__builtin_prefetch(record_of(m, next));
		heap_replace_top(m, next, rank);
		return entry;
	}
	if (q)
		q->head = q->tail = 0;
	m->nr_heap--;
	if (m->nr_heap)
		heap_replace_top(m, m->heap[m->nr_heap].entry, m->heap[m->nr_heap].rank);
	return entry;
}

static int add_late(struct merge *m, struct entry entry)
{
	if (queue_grow(&m->late))
		return -ENOMEM;
	m->late.entries[m->late.tail++] = entry;
	m->nr_late++;
	return 0;
}

/*
 * Whether it belongs behind all that went into that queue. What waits elsewhere was before the last
 * of these when it came: of equals the queue's are therefore the earlier ones.
 */
static bool is_ordered(const struct merge *m, uint32_t cpu, struct entry entry)
{
	if (entry.time_ns != m->ordered_ns)
		return entry.time_ns > m->ordered_ns || !m->pending;
	return cpu >= m->ordered_cpu || !m->pending;
}

static int add_ordered(struct merge *m, uint32_t cpu, struct entry entry)
{
	if (queue_grow(&m->ordered))
		return -ENOMEM;
	m->ordered.entries[m->ordered.tail++] = entry;
	m->ordered_ns = entry.time_ns;
	m->ordered_cpu = cpu;
	return 0;
}

static int add_by_cpu(struct merge *m, uint32_t cpu, struct entry entry)
{
	uint64_t rank = (uint64_t)cpu << RANK_QUEUE_SHIFT;
	struct queue *q = queue_of(m, cpu);

	if (!q || queue_grow(q))
		return -ENOMEM;
	if (q->head == q->tail) {
		q->entries[q->tail] = entry;
		if (heap_push(m, entry, rank))
			return -ENOMEM;
		q->tail++;
		return 0;
	}

	size_t at = q->tail;
	size_t stop = q->tail - q->head > INSERT_STEPS ? q->tail - INSERT_STEPS : q->head;

	while (at > stop && q->entries[at - 1].time_ns > entry.time_ns)
		at--;
	if (at == q->head || (at == stop && q->entries[at - 1].time_ns > entry.time_ns))
		return heap_push(m, entry, rank | ++m->arrivals);
	if (at < q->tail)
		memmove(q->entries + at + 1, q->entries + at, (q->tail - at) * sizeof(entry));
	q->entries[at] = entry;
	q->tail++;
	return 0;
}

int merge_add(struct merge *m, const struct fs_header *rec)
{
	struct slab *slab = &m->slabs[m->current];
	uint64_t offset = (uint64_t)((const char *)rec - slab->data) / 8;
	struct entry entry = { rec->time_ns, (uint64_t)m->current << PLACE_SLAB_SHIFT | offset };
	uint32_t cpu = queue_number(rec->cpu);
	int ret;

	if (entry.time_ns < m->delivered_ns)
		ret = add_late(m, entry);
	else if (is_ordered(m, cpu, entry))
		ret = add_ordered(m, cpu, entry);
	else
		ret = add_by_cpu(m, cpu, entry);
	if (ret)
		return ret;
	slab->records++;
	m->added = true;
	m->pending++;
	return 0;
}

void merge_round(struct merge *m, uint64_t watermark_ns)
{
	m->open = true;
	m->watermark_ns = watermark_ns;
}

static const struct fs_header *deliver(struct merge *m, struct entry entry)
{
	m->pending--;
	m->held = true;
	m->held_slab = (uint32_t)(entry.place >> PLACE_SLAB_SHIFT);
	return record_of(m, entry);
}

/* The front of what came in order, if it is before the top of the heap. */
static const struct entry *ordered_front(const struct merge *m)
{
	const struct item *top = m->heap;
	const struct entry *front;

	if (m->ordered.head == m->ordered.tail)
		return NULL;
	front = m->ordered.entries + m->ordered.head;
	if (!m->nr_heap || front->time_ns < top->entry.time_ns)
		return front;
	if (front->time_ns > top->entry.time_ns)
		return NULL;
	return queue_number(record_of(m, *front)->cpu) <= top->rank >> RANK_QUEUE_SHIFT ? front
											: NULL;
}

static struct entry ordered_pop(struct merge *m)
{
	struct queue *q = &m->ordered;
	struct entry entry = q->entries[q->head++];

	if (q->head == q->tail)
		q->head = q->tail = 0;
	return entry;
}

/* May one of that time go now? */
static bool may_go(struct merge *m, uint64_t time_ns)
{
	if (m->open && time_ns <= m->watermark_ns)
		return true;
	if (!m->forced && (m->bytes > MERGE_BYTES_MAX || m->pending > MERGE_RECORDS_MAX))
		m->forced = m->pending / 2 + 1;
	if (!m->forced)
		return false;
	m->forced--;
	return true;
}

const struct fs_header *merge_next(struct merge *m)
{
	const struct entry *ordered;

	release_held(m);
	if (m->late.head < m->late.tail)
		return deliver(m, m->late.entries[m->late.head++]);
	m->late.head = m->late.tail = 0;

	ordered = ordered_front(m);
	if (ordered || m->nr_heap) {
		uint64_t time_ns = ordered ? ordered->time_ns : m->heap[0].entry.time_ns;

		if (may_go(m, time_ns)) {
			m->delivered_ns = time_ns;
			return deliver(m, ordered ? ordered_pop(m) : heap_pop(m));
		}
	}
	m->open = false;
	return NULL;
}
