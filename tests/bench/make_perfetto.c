/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * make_perfetto OUT MIB: writes a Perfetto trace of about that size and prints "bytes events", to
 * measure what reading one takes.
 *
 * Eight CPUs, each with a bundle every 100 ms: switches and wakings packed together, and events as
 * they are: switches, marks of slices, fences, and some that are of no interest. The numbers of the
 * fields are those of Perfetto.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "perfetto_bytes.h"

#define CPUS 8u
#define THREADS 24u
#define CYCLE_NS 100000000ull
#define COMPACT 250u /* switches and wakings in a bundle, packed together */
#define FULL 100u /* switches */
#define SLICES 200u
#define FENCES 40u /* half of them handing one to the hardware, the other its signal */
#define OTHERS 100u /* that are of no interest: cpu_idle */

static uint32_t tid_of(uint32_t thread)
{
	return thread % THREADS ? 2000 + thread % THREADS : 0;
}

static const char *comm_of(uint32_t thread)
{
	static char comm[THREADS][16];
	char *name = comm[thread % THREADS];

	snprintf(name, sizeof(comm[0]), thread % THREADS ? "thread-%u" : "swapper",
		 thread % THREADS);
	return name;
}

static void put_event(struct bytes *bundle, uint64_t ns, uint32_t thread, uint32_t field,
		      const struct bytes *body)
{
	static struct bytes event;

	event.len = 0;
	put_number(&event, 1, ns);
	put_number(&event, 2, tid_of(thread));
	put_message(&event, field, body);
	put_message(bundle, 2, &event);
}

static void put_switch(struct bytes *bundle, uint64_t ns, uint32_t from, uint32_t to)
{
	static struct bytes body;

	body.len = 0;
	put_string(&body, 1, comm_of(from));
	put_number(&body, 2, tid_of(from));
	put_number(&body, 3, 120);
	put_number(&body, 4, from % 3);
	put_string(&body, 5, comm_of(to));
	put_number(&body, 6, tid_of(to));
	put_number(&body, 7, 120);
	put_event(bundle, ns, from, 4, &body);
}

static void put_mark(struct bytes *bundle, uint64_t ns, uint32_t thread, const char *text)
{
	static struct bytes body;

	body.len = 0;
	put_number(&body, 1, 0xffffff8008123456);
	put_string(&body, 2, text);
	put_event(bundle, ns, thread, 3, &body);
}

static void put_fence(struct bytes *bundle, uint64_t ns, uint32_t thread, uint32_t field,
		      uint64_t seqno)
{
	static struct bytes body;

	body.len = 0;
	put_number(&body, 1, 17);
	put_string(&body, 2, "vgem");
	put_number(&body, 3, seqno & UINT32_MAX);
	put_string(&body, 4, "gpu-ring");
	put_event(bundle, ns, thread, field, &body);
}

static void put_idle(struct bytes *bundle, uint64_t ns, uint32_t cpu)
{
	static struct bytes body;

	body.len = 0;
	put_number(&body, 1, cpu % 2 ? 0 : UINT32_MAX);
	put_number(&body, 2, cpu);
	put_event(bundle, ns, 0, 16, &body);
}

/* Switches, each after a waking of who is switched to. */
static void put_compact(struct bytes *bundle, uint64_t start, uint64_t step, uint32_t seed)
{
	static struct bytes compact, column[13];

	for (unsigned i = 0; i < 13; i++)
		column[i].len = 0;
	compact.len = 0;
	for (uint32_t i = 0; i < COMPACT; i++) {
		put_varint(&column[1], i ? step : start + step / 2);
		put_varint(&column[2], i % 3 ? 1 : 0x100);
		put_varint(&column[3], tid_of(seed + i));
		put_varint(&column[4], 120);
		put_varint(&column[6], (seed + i) % THREADS);
		put_varint(&column[7], i ? step : start);
		put_varint(&column[8], tid_of(seed + i));
		put_varint(&column[9], i % CPUS);
		put_varint(&column[10], 120);
		put_varint(&column[11], (seed + i) % THREADS);
		put_varint(&column[12], i % 4 ? 0 : 8);
	}
	for (uint32_t i = 0; i < THREADS; i++)
		put_string(&compact, 5, comm_of(i));
	for (uint32_t i = 1; i < 13; i++) {
		if (column[i].len)
			put_message(&compact, i, &column[i]);
	}
	put_message(bundle, 4, &compact);
}

static void put_bundle(struct bytes *bundle, uint32_t cpu, uint64_t start, uint64_t *seqno)
{
	uint64_t step = CYCLE_NS / SLICES / 4;
	char text[64];

	bundle->len = 0;
	put_number(bundle, 1, cpu);
	for (uint32_t i = 0; i < SLICES; i++) {
		uint64_t ns = start + i * 4 * step;
		uint32_t thread = cpu + i;

		snprintf(text, sizeof(text), "B|2001|a slice that is number %u\n", i);
		put_mark(bundle, ns, thread, text);
		if (i < FENCES)
			put_fence(bundle, ns + step, thread, i % 2 ? 416 : 415, *seqno + i / 2);
		put_mark(bundle, ns + 2 * step, thread, "E|2001\n");
		if (i < OTHERS)
			put_idle(bundle, ns + 2 * step, cpu);
		if (i < FULL)
			put_switch(bundle, ns + 3 * step, thread, thread + 1);
	}
	*seqno += FENCES / 2;
	put_compact(bundle, start, CYCLE_NS / COMPACT, cpu);
}

int main(int argc, char **argv)
{
	static struct bytes bundle, packet, field;
	uint64_t bytes = 0, events = 0, seqno = 1, start = 1000000000;
	FILE *out = argc == 3 ? fopen(argv[1], "wb") : NULL;

	if (!out) {
		fprintf(stderr, "usage: make_perfetto OUT MIB\n");
		return 2;
	}
	for (uint64_t max = strtoull(argv[2], NULL, 10) << 20; bytes < max; start += CYCLE_NS) {
		for (uint32_t cpu = 0; cpu < CPUS; cpu++) {
			put_bundle(&bundle, cpu, start, &seqno);
			packet.len = field.len = 0;
			put_message(&packet, 1, &bundle);
			put_number(&packet, 10, 3);
			put_message(&field, 1, &packet);
			fwrite(field.data, 1, field.len, out);
			bytes += field.len;
			events += 2ull * COMPACT + FULL + 2ull * SLICES + FENCES + OTHERS;
		}
	}
	printf("%llu %llu\n", (unsigned long long)bytes, (unsigned long long)events);
	return fclose(out) != 0;
}
