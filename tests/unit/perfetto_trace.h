/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A Perfetto trace made in a test, and the records that it is read as. */
#ifndef TESTS_UNIT_PERFETTO_TRACE_H
#define TESTS_UNIT_PERFETTO_TRACE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "perfetto_bytes.h"
#include "stream/source.h"
#include "trace_records.h"

static struct bytes trace; /* the file */
static struct source_stats stats; /* of the reading */

/* A packet is the trace's field 1. */
static inline void add_packet(const struct bytes *packet)
{
	put_message(&trace, 1, packet);
}

static inline void open_bytes(const void *data, size_t len, char path[64], int *fd)
{
	*fd = memfd_create("trace", MFD_CLOEXEC);
	if (*fd < 0 || write(*fd, data, len) != (ssize_t)len)
		abort();
	snprintf(path, 64, "/proc/self/fd/%d", *fd);
}

/* Read these bytes; the records, but for META and CLOCK, must be those lines. */
static inline void expect_bytes(const void *data, size_t len, const char *const *lines)
{
	const struct fs_header *h;
	struct source *s = NULL;
	struct err e = { 0 };
	unsigned n = 0, wanted = 0;
	char path[64];
	int fd, ret;

	open_bytes(data, len, path, &fd);
	while (lines[wanted])
		wanted++;
	CU_ASSERT_EQUAL_FATAL(source_open(path, &s, &e), 0);
	while ((ret = source_next(s, &h, &e)) == 1) {
		if (h->kind == FS_KIND_META || h->kind == FS_KIND_CLOCK)
			continue;
		if (n < wanted)
			trace_expect(h, lines[n]);
		else
			trace_expect(h, "no more");
		n++;
	}
	CU_ASSERT_EQUAL(ret, 0);
	CU_ASSERT_EQUAL(n, wanted);
	stats = *source_stats(s);
	source_close(s);
	close(fd);
}

static inline void expect(const char *const *lines)
{
	expect_bytes(trace.data, trace.len, lines);
	trace.len = 0;
}

#define EXPECT(...) expect((const char *const[]){ __VA_ARGS__, NULL })

/* Parts of packets, each made before what it is in. */
static struct bytes packet, bundle, event, body;

/* The event in `body` is of that kind, and goes into the bundle. */
static inline void add_event(uint64_t ns, uint32_t pid, uint32_t field)
{
	event.len = 0;
	put_number(&event, 1, ns);
	put_number(&event, 2, pid);
	put_message(&event, field, &body);
	put_message(&bundle, 2, &event);
	body.len = 0;
}

/* The bundle is that CPU's, and goes into the trace. */
static inline void add_bundle(uint32_t cpu)
{
	put_number(&bundle, 1, cpu);
	packet.len = 0;
	put_message(&packet, 1, &bundle);
	put_number(&packet, 10, 3);
	add_packet(&packet);
	bundle.len = 0;
}

static inline void add_print(uint64_t ns, uint32_t pid, const char *text)
{
	put_string(&body, 2, text);
	add_event(ns, pid, 3);
}

static inline void add_switch(uint64_t ns, uint32_t prev, uint64_t state, uint32_t next)
{
	char comm[16];

	snprintf(comm, sizeof(comm), "t%u", prev);
	put_string(&body, 1, comm);
	put_number(&body, 2, prev);
	put_number(&body, 4, state);
	snprintf(comm, sizeof(comm), "t%u", next);
	put_string(&body, 5, comm);
	put_number(&body, 6, next);
	add_event(ns, prev, 4);
}

/* Clocks of one instant: pairs of a clock's number and its time, ended by a 0. */
static inline void add_snapshot(uint32_t sequence, const uint64_t *pairs)
{
	static struct bytes snapshot, clock;

	snapshot.len = packet.len = 0;
	for (; *pairs; pairs += 2) {
		clock.len = 0;
		put_number(&clock, 1, pairs[0]);
		put_number(&clock, 2, pairs[1]);
		put_message(&snapshot, 1, &clock);
	}
	put_message(&packet, 6, &snapshot);
	put_number(&packet, 10, sequence);
	add_packet(&packet);
}

#define SNAPSHOT(...) add_snapshot(1, (const uint64_t[]){ __VA_ARGS__, 0 })

#endif
