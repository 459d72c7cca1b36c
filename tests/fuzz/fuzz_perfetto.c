/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Damaged Perfetto traces against user/trace/perfetto*.c. Meant to run under ASan and UBSan:
 *
 *     fuzz_perfetto [SECONDS [FIRST-INPUT]]
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "fuzz/fuzz_file.h"
#include "fuzz/random.h"
#include "perfetto_bytes.h"
#include "proto/vocabulary.h"
#include "stream/record.h"
#include "stream/source.h"

#define IMAGE_MAX (1u << 20)

static struct bytes trace, packet, bundle, event, body, inner;

static void add_packet(void)
{
	if (below(3))
		put_number(&packet, 10, 1 + below(3));
	if (below(3) == 0)
		put_number(&packet, 13, below(4));
	put_message(&trace, 1, &packet);
	packet.len = 0;
}

/* A time that is near others, or not. */
static uint64_t some_time(void)
{
	return below(30) ? 1000000 + below(100000) : next() >> below(64);
}

static void put_event(uint32_t field)
{
	event.len = 0;
	put_number(&event, 1, some_time());
	put_number(&event, 2, below(6));
	if (below(2))
		put_number(&event, 5, below(256));
	put_message(&event, field, &body);
	put_message(&bundle, 2, &event);
	body.len = 0;
}

static void add_compact(void)
{
	uint64_t column[8];

	inner.len = 0;
	for (uint32_t field = 1; field <= 12; field++) {
		size_t nr = below(9);

		for (size_t i = 0; i < nr; i++)
			column[i] =
				below(10) ? below(field == 1 || field == 7 ? 100000 : 6) : next();
		if (field == 5)
			put_string(&inner, 5, "a thread");
		else
			put_column(&inner, field, column, nr);
	}
	put_message(&bundle, 4, &inner);
}

static void add_bundle(void)
{
	static const uint32_t fields[] = { 4,   17,  20,  114, 235, 236, 237, 238, 239, 316,
					   317, 318, 319, 414, 415, 416, 592, 593, 594, 600 };
	static const char *const marks[] = { "B|3|Choreographer#doFrame 7\n",
					     "E|3\n",
					     "S|3|async|5",
					     "F|3|async|5",
					     "C|3|count|12",
					     "I|3|x" };

	bundle.len = body.len = 0;
	for (size_t n = below(12); n > 0; n--) {
		if (below(2)) {
			put_string(&body, 2, marks[below(sizeof(marks) / sizeof(marks[0]))]);
			put_event(3);
			continue;
		}
		for (uint32_t i = 1; i <= 7; i++) {
			if (below(2))
				put_number(&body, i, below(8));
			else
				put_string(&body, i, "a string");
		}
		put_event(fields[below(sizeof(fields) / sizeof(fields[0]))]);
	}
	if (below(2))
		add_compact();
	put_number(&bundle, 1, below(20) ? below(4) : next());
	if (below(8) == 0)
		put_number(&bundle, 3, 1);
	for (uint32_t field = 5; below(4) == 0 && field <= 7; field++)
		put_number(&bundle, field, below(5000));
	put_message(&packet, 1, &bundle);
	if (below(8) == 0)
		put_number(&packet, 42, 1);
	add_packet();
}

static void add_clocks(void)
{
	inner.len = 0;
	for (uint32_t id = 1; id <= 6; id++) {
		body.len = 0;
		put_number(&body, 1, below(6) ? id : 64 + below(3));
		put_number(&body, 2, some_time());
		if (below(3) == 0)
			put_number(&body, 3, 1);
		if (below(3) == 0)
			put_number(&body, 4, below(2000));
		put_message(&inner, 1, &body);
	}
	put_message(&packet, 6, &inner);
	add_packet();
}

static void add_frame(void)
{
	inner.len = body.len = 0;
	for (uint32_t i = 1; i <= 12; i++) {
		if (i == 5 && below(2))
			put_string(&body, 5, "layer");
		else if (below(3))
			put_number(&body, i, below(10) ? below(20) : next());
	}
	put_message(&inner, 1 + (uint32_t)below(5), &body);
	put_number(&packet, 8, some_time());
	put_number(&packet, 58, below(8) ? 6 : below(70));
	put_message(&packet, below(4) ? 76 : 57, &inner);
	add_packet();
}

static void add_track(bool own)
{
	inner.len = body.len = 0;
	put_number(&inner, 1, below(5));
	if (own)
		put_string(&inner, 2, VOCABULARY_RECORDS);
	put_number(&body, 1, below(6));
	put_number(&body, 2, below(6));
	put_string(&body, 5, "thread");
	put_message(&inner, below(3) ? 4 : 3, &body);
	put_number(&inner, 5, below(5));
	put_message(&packet, 60, &inner);
	add_packet();
}

/* Names by number: categories, events, annotations and their values. */
static void add_names(void)
{
	static const char *const names[] = { "framescope.span",
					     "framescope.offcpu",
					     "framescope.meta",
					     "framescope.frame_info",
					     "framescope.point",
					     "entry_ns",
					     "time_ns",
					     "text",
					     "slots",
					     "flags",
					     "call",
					     "futex",
					     "peer_comm",
					     "tid" };
	static const uint32_t fields[] = { 1, 2, 3, 29 };

	inner.len = 0;
	for (size_t n = below(20); n > 0; n--) {
		body.len = 0;
		put_number(&body, 1, below(8));
		put_string(&body, 2, names[below(sizeof(names) / sizeof(names[0]))]);
		put_message(&inner, fields[below(4)], &body);
	}
	put_message(&packet, 12, &inner);
	put_number(&packet, 13, 1 + below(2));
	put_number(&packet, 10, VOCABULARY_SEQUENCE);
	add_packet();
}

static void add_track_event(void)
{
	static const uint32_t values[] = { 2, 3, 4, 7, 17 };

	inner.len = 0;
	for (size_t n = below(6); n > 0; n--) {
		body.len = 0;
		put_number(&body, 1, below(8));
		if (below(3) == 0)
			put_string(&body, 6, "1,-2,3");
		else
			put_number(&body, values[below(5)], below(3) ? below(8) : next());
		put_message(&inner, 4, &body);
	}
	put_number(&inner, 3, below(8));
	put_number(&inner, 9, 1 + below(3));
	put_number(&inner, 10, below(8));
	put_number(&inner, 11, below(5));
	put_message(&packet, 11, &inner);
	put_number(&packet, 8, some_time());
	put_number(&packet, 10, VOCABULARY_SEQUENCE);
	add_packet();
}

static size_t pack(const unsigned char *from, size_t len, unsigned char *to, size_t room, bool gzip)
{
	z_stream z = { .next_in = (unsigned char *)from,
		       .avail_in = (unsigned)len,
		       .next_out = to,
		       .avail_out = (unsigned)room };

	if (deflateInit2(&z, 1, Z_DEFLATED, gzip ? 31 : 15, 8, Z_DEFAULT_STRATEGY) != Z_OK ||
	    deflate(&z, Z_FINISH) != Z_STREAM_END)
		abort();
	deflateEnd(&z);
	return z.total_out;
}

/* What was made so far becomes one packet. */
static void pack_packets(void)
{
	static unsigned char packed[IMAGE_MAX];
	size_t len = pack(trace.data, trace.len, packed, sizeof(packed), false);

	trace.len = 0;
	put_bytes(&packet, 50, packed, len);
	add_packet();
}

static void make_trace(void)
{
	bool own = below(3) == 0;

	trace.len = packet.len = 0;
	if (own)
		add_track(true);
	for (size_t n = 1 + below(30); n > 0; n--) {
		switch (below(own ? 5 : 9)) {
		case 0:
			add_names();
			break;
		case 1:
		case 2:
		case 3:
			add_track_event();
			break;
		case 4:
			add_track(false);
			break;
		case 5:
			add_clocks();
			break;
		case 6:
			add_frame();
			break;
		default:
			add_bundle();
			break;
		}
	}
	if (below(8) == 0)
		pack_packets();
}

static void damage(unsigned char *image, size_t *len)
{
	size_t at = *len ? below(*len) : 0, n = below(64);

	switch (*len ? below(6) : 6) {
	case 0:
		image[at] ^= (unsigned char)(1u << below(8));
		break;
	case 1:
		image[at] = (unsigned char)next();
		break;
	case 2:
		memset(image + at, below(2) ? 0xff : 0, n < *len - at ? n : *len - at);
		break;
	case 3:
		n = n < *len - at ? n : *len - at;
		memmove(image + at, image + at + n, *len - at - n);
		*len -= n;
		break;
	case 4:
		if (*len + n > IMAGE_MAX)
			break;
		memmove(image + at + n, image + at, *len - at);
		*len += n;
		break;
	case 5:
		if (below(3) == 0)
			*len = at;
		break;
	default:
		break;
	}
}

static size_t make(unsigned char *image, uint64_t input)
{
	static unsigned char packed[2 * IMAGE_MAX];
	size_t len;

	state = input * 0x9e3779b97f4a7c15ull + 1;
	make_trace();
	len = trace.len;
	memcpy(image, trace.data, len);
	for (size_t n = below(6); n > 0; n--)
		damage(image, &len);
	if (below(10) == 0) {
		len = pack(image, len, packed, IMAGE_MAX, true);
		memcpy(image, packed, len);
		if (below(2))
			damage(image, &len);
	}
	return len;
}

/* What source_next() promises of a record. */
static const char *check(const struct fs_header *h)
{
	static char back[FS_RECORD_MAX] __attribute__((aligned(8)));
	static char line[5 * FS_RECORD_MAX];
	struct err e = { 0 };
	FILE *f = fmemopen(line, sizeof(line), "w");
	size_t len;

	if ((uintptr_t)h % 8 || !record_known(h->kind) || h->size < record_full_size(h->kind) ||
	    h->size > FS_RECORD_MAX)
		return "a record that is none";
	record_print(f, h);
	if (fclose(f))
		return "a record's line is too long";
	len = strlen(line);
	if (!len || strchr(line, '\n') != line + len - 1)
		return "a record is not one line";
	line[len - 1] = '\0';
	return record_parse(line, back, &e) ? "a record's line can't be parsed" : NULL;
}

static const char *use(const char *path, size_t size)
{
	const struct fs_header *h;
	uint64_t last_ns = 0, backwards = 0, records = 0;
	const char *wrong = NULL;
	struct err e = { 0 };
	struct source *s;
	int ret = source_open(path, &s, &e);

	if (ret)
		return ret == e.code && e.what[0] ? NULL : "an error without a text";
	while (!wrong && (ret = source_next(s, &h, &e)) == 1) {
		wrong = check(h);
		records++;
		backwards += h->time_ns < last_ns;
		if (h->time_ns > last_ns)
			last_ns = h->time_ns;
	}
	if (!wrong && ret < 0)
		wrong = "a trace that opened can't be read";
	if (!wrong && backwards != source_stats(s)->late)
		wrong = "the number of late records is wrong";
	if (!wrong && records != source_stats(s)->records)
		wrong = "the number of records is wrong";
	if (!wrong && source_stats(s)->bytes > size)
		wrong = "more bytes than there are";
	source_close(s);
	return wrong;
}

int main(int argc, char **argv)
{
	static unsigned char image[2 * IMAGE_MAX];
	static const struct fuzz_file fuzz = { "perfetto", image, make, use };

	return fuzz_file(&fuzz, argc, argv);
}
