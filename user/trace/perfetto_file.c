/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A trace is a series of fields, nearly all of them packets: 0x0a, the length as a varint, and the
 * packet. As protobuf has no frame around all of it, where a length is wrong nothing behind it can
 * be told from noise.
 */
#include "trace/perfetto_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "trace/input.h"

#define BUFFER_BYTES (512u << 10)
#define PACKET_TAG 0x0a
#define KEY_MAX 20 /* a key and a length, both at their longest */

struct pf_file {
	const struct source *s;
	struct input *in;
	uint8_t *buf;
	size_t room;
	size_t start; /* what is in it and not read yet: [start, len) */
	size_t len;
	uint64_t at; /* where in the file buf[start] is from */
	bool eof;
	bool cut;
	uint64_t damaged;
	uint64_t too_long;
};

/* Fields of a packet are messages, but for a few. */
static bool plausible(const struct wire_field *f)
{
	switch (f->number) {
	case 3: /* trusted_uid */
	case 8: /* timestamp */
	case 10: /* trusted_packet_sequence_id */
	case 13: /* sequence_flags */
	case 41: /* incremental_state_cleared */
	case 42: /* previous_packet_dropped */
	case 58: /* timestamp_clock_id */
	case 79: /* trusted_pid */
	case 87: /* first_packet_on_sequence */
	case 98: /* machine_id */
		return f->type == WIRE_VARINT;
	default: /* extensions end at 1999 */
		return f->type == WIRE_BYTES && f->number < 2000;
	}
}

/*
 * A first packet that begins with a field of TracePacket, all of which is sound as far as the head
 * goes. A text may begin with a newline, which is 0x0a, but what follows it is then the length of a
 * packet whose fields had to fit.
 */
bool pf_file_detect(const unsigned char *head, size_t len)
{
	unsigned char room[SOURCE_HEAD_LEN];
	const unsigned char *at = input_head(head, &len, room);
	uint64_t size;

	if (!at || len < 4 || at[0] != PACKET_TAG)
		return false;

	struct wire w = wire_of(at + 1, len - 1);

	if (!wire_varint(&w, &size) || size < 2 || size > PF_PACKET_MAX)
		return false;

	bool whole = size <= (size_t)(w.end - w.at);
	struct wire packet = { w.at, whole ? w.at + size : w.end, false };
	struct wire_field f;
	unsigned fields = 0;

	/* A short packet is all there, and what is an ASCII text has no other. */
	if (!whole && size < 0x80)
		return false;
	for (; wire_next(&packet, &f); fields++) {
		if (!plausible(&f))
			return false;
	}
	if (whole && (packet.bad || fields == 0))
		return false;
	/* Of a packet that is longer than the head, the first field may be, too. */
	if (!whole && fields == 0) {
		packet = wire_of(w.at, (size_t)(w.end - w.at));
		f.type = WIRE_BYTES;
		f.number = wire_varint(&packet, &size) && (size & 7) == WIRE_BYTES
				   ? (uint32_t)(size >> 3)
				   : 0;
		return f.number && plausible(&f) && wire_varint(&packet, &size) &&
		       size <= PF_PACKET_MAX;
	}
	return true;
}

int pf_file_open(struct source *s, struct pf_file **out, struct err *e)
{
	struct pf_file *f = calloc(1, sizeof(*f));

	if (!f)
		return source_no_memory(s, e);
	f->s = s;
	f->room = BUFFER_BYTES;
	f->buf = malloc(f->room);

	int ret = f->buf ? input_open(s, &f->in, e) : source_no_memory(s, e);

	if (ret) {
		pf_file_free(f);
		return ret;
	}
	*out = f;
	return 0;
}

void pf_file_free(struct pf_file *f)
{
	if (!f)
		return;
	input_free(f->in);
	free(f->buf);
	free(f);
}

uint64_t pf_file_at(const struct pf_file *f)
{
	return f->at;
}

bool pf_file_seekable(const struct pf_file *f)
{
	return !input_compressed(f->in);
}

bool pf_file_cut(const struct pf_file *f)
{
	return f->cut || input_cut(f->in);
}

uint64_t pf_file_damaged(const struct pf_file *f)
{
	return f->damaged + input_damaged(f->in);
}

uint64_t pf_file_too_long(const struct pf_file *f)
{
	return f->too_long;
}

int pf_file_seek(struct pf_file *f, uint64_t at, struct err *e)
{
	if (at >= f->at && at - f->at <= f->len - f->start) {
		f->start += (size_t)(at - f->at);
		f->at = at;
		return 0;
	}
	f->start = f->len = 0;
	f->at = at;
	f->eof = false;
	return input_seek(f->in, at, e);
}

int pf_file_rewind(struct pf_file *f, struct err *e)
{
	f->cut = false;
	f->damaged = f->too_long = 0;
	return pf_file_seek(f, 0, e);
}

static void skip(struct pf_file *f, size_t n)
{
	f->start += n;
	f->at += n;
}

/* Have `want` bytes in the buffer, or all there are. */
static int fill(struct pf_file *f, size_t want, struct err *e)
{
	if (f->len - f->start >= want || f->eof)
		return 0;
	memmove(f->buf, f->buf + f->start, f->len - f->start);
	f->len -= f->start;
	f->start = 0;
	if (want > f->room) {
		uint8_t *buf = realloc(f->buf, want);

		if (!buf)
			return source_no_memory(f->s, e);
		f->buf = buf;
		f->room = want;
	}
	while (f->len < want && !f->eof) {
		ssize_t n = input_read(f->in, f->buf + f->len, f->room - f->len, e);

		if (n < 0)
			return (int)n;
		f->eof = n == 0;
		f->len += (size_t)n;
	}
	return 0;
}

/* Pass over `n` bytes that are no packet, or too many for one. */
static int pass_over(struct pf_file *f, uint64_t n, struct err *e)
{
	while (n) {
		int ret = fill(f, 1, e);
		size_t have = f->len - f->start;

		if (ret)
			return ret;
		if (!have) {
			f->cut = true;
			return 0;
		}
		if (have > n)
			have = (size_t)n;
		f->damaged += have;
		skip(f, have);
		n -= have;
	}
	return 0;
}

/* What stands at buf[start] is no field: whatever follows is not understood. */
static int give_up(struct pf_file *f, struct err *e)
{
	int ret;

	do {
		f->damaged += f->len - f->start;
		skip(f, f->len - f->start);
		ret = fill(f, 1, e);
	} while (!ret && f->len > f->start);
	return ret;
}

/* One field: 1 if it is a packet, 0 if it was passed over, or a negative errno. */
static int take_field(struct pf_file *f, struct wire *packet, struct err *e)
{
	struct wire w = wire_of(f->buf + f->start, f->len - f->start);
	uint64_t key, size = 0;
	size_t head;
	bool whole = wire_varint(&w, &key);
	unsigned type = whole ? key & 7 : 0;

	if (whole && (key >> 3 == 0 || key > UINT32_MAX || type == 3 || type == 4 || type > 5))
		return give_up(f, e);
	if (whole && type == WIRE_FIXED64)
		size = 8;
	else if (whole && type == WIRE_FIXED32)
		size = 4;
	else if (whole)
		whole = wire_varint(&w, &size);
	if (!whole && f->len - f->start >= KEY_MAX)
		return give_up(f, e);
	if (!whole) {
		f->cut = true;
		f->damaged += f->len - f->start;
		skip(f, f->len - f->start);
		return 0;
	}
	head = (size_t)(w.at - (f->buf + f->start));
	/* A trace has nothing but packets. */
	if (key != PACKET_TAG)
		f->damaged += head;
	skip(f, head);
	if (type == WIRE_VARINT)
		return 0;
	if (key != PACKET_TAG)
		return pass_over(f, size, e);
	if (size > PF_PACKET_MAX) {
		f->too_long++;
		return pass_over(f, size, e);
	}

	int ret = fill(f, (size_t)size, e);

	if (ret)
		return ret;
	if (f->len - f->start < size) {
		f->cut = true;
		f->damaged += head + f->len - f->start;
		skip(f, f->len - f->start);
		return 0;
	}
	*packet = wire_of(f->buf + f->start, (size_t)size);
	skip(f, (size_t)size);
	return 1;
}

int pf_file_packet(struct pf_file *f, uint64_t limit, struct wire *packet, struct err *e)
{
	int ret = 0;

	while (!ret && f->at < limit) {
		ret = fill(f, KEY_MAX, e);
		if (ret || f->len == f->start)
			break;
		ret = take_field(f, packet, e);
	}
	return ret;
}
