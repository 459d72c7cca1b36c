// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The perf ring transport: libbpf's perf buffer, woken by a watermark, drained as a whole. */
#include "capture/transport.h"

#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct transport {
	struct perf_buffer *rings;
	struct transport_sink sink;
};

/* PERF_RECORD_SAMPLE with PERF_SAMPLE_RAW alone: a length, then that many bytes. */
struct raw_sample {
	struct perf_event_header header;
	__u32 size;
	char data[];
};

struct lost_sample {
	struct perf_event_header header;
	__u64 id;
	__u64 lost;
};

/* One record, or several that were sent together. */
static void deliver(struct transport *t, const char *data, size_t size)
{
	while (size >= sizeof(struct fs_header)) {
		const struct fs_header *rec = (const void *)data;

		if (rec->size < sizeof(*rec) || rec->size > size)
			return;
		t->sink.record(t->sink.ctx, rec);
		data += rec->size;
		size -= rec->size;
	}
}

/*
 * The kernel pads a sample so that length and data together fill whole words: data is 4 bytes off
 * an 8-byte boundary in the ring, so it is copied before it is looked at.
 */
static enum bpf_perf_event_ret on_event(void *ctx, int cpu, struct perf_event_header *event)
{
	struct transport *t = ctx;

	if (event->type == PERF_RECORD_LOST) {
		const struct lost_sample *lost = (const void *)event;

		t->sink.lost(t->sink.ctx, (uint32_t)cpu, lost->lost);
	} else if (event->type == PERF_RECORD_SAMPLE) {
		const struct raw_sample *sample = (const void *)event;
		size_t room = event->size - sizeof(*sample);
		union {
			struct fs_header header;
			char bytes[FS_RECORD_MAX];
		} rec;

		if (sample->size > room || sample->size > sizeof(rec))
			return LIBBPF_PERF_EVENT_CONT;
		memcpy(rec.bytes, sample->data, sample->size);
		deliver(t, rec.bytes, sample->size);
	}
	return LIBBPF_PERF_EVENT_CONT;
}

static size_t ring_pages(size_t bytes)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t pages = 1;

	while (pages * page < bytes)
		pages *= 2;
	return pages;
}

int transport_open(int map_fd, size_t ring_bytes, const struct transport_sink *sink,
		   struct transport **out, struct err *e)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_BPF_OUTPUT,
		.sample_type = PERF_SAMPLE_RAW,
		.sample_period = 1,
		.watermark = 1,
		.wakeup_watermark = (__u32)(ring_bytes / 4),
	};
	struct transport *t = calloc(1, sizeof(*t));
	int err;

	if (!t)
		return err_errno(e, -ENOMEM, "cannot set up the rings");
	t->sink = *sink;
	t->rings = perf_buffer__new_raw(map_fd, ring_pages(ring_bytes), &attr, on_event, t, NULL);
	if (!t->rings) {
		err = -errno;
		free(t);
		err_errno(e, err, "cannot set up rings of %zu KiB per CPU", ring_bytes / 1024);
		return err_hint(e, "use a smaller --buffer, or raise "
				   "/proc/sys/kernel/perf_event_mlock_kb");
	}
	*out = t;
	return 0;
}

int transport_wait(struct transport *t, int timeout_ms)
{
	int n = perf_buffer__poll(t->rings, timeout_ms);

	return n < 0 ? n : 0;
}

int transport_drain(struct transport *t)
{
	return perf_buffer__consume(t->rings);
}

void transport_close(struct transport *t)
{
	if (!t)
		return;
	perf_buffer__free(t->rings);
	free(t);
}
