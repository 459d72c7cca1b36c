/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A packet's parts. Packets that were compressed together are inflated, one level deep. */
#include <errno.h>
#include <stdlib.h>
#include <zlib.h>

#include "trace/perfetto_parts.h"

#define INFLATED_MIN (512u << 10) /* Perfetto's own are shorter */

void pf_reader_free(struct pf_reader *r)
{
	pf_file_free(r->file);
	free(r->inflated);
	*r = (struct pf_reader){ 0 };
}

void pf_reader_malformed(struct pf_reader *r, size_t bytes)
{
	r->malformed++;
	r->damaged += bytes;
}

int pf_reader_seek(struct pf_reader *r, uint64_t at, struct err *e)
{
	r->inner = (struct wire){ 0 };
	return pf_file_seek(r->file, at, e);
}

int pf_reader_rewind(struct pf_reader *r, struct err *e)
{
	r->inner = (struct wire){ 0 };
	r->malformed = r->zstd = r->unpacked = r->damaged = 0;
	return pf_file_rewind(r->file, e);
}

/* A packet is of one kind: one of several has swallowed others, by a length that is wrong. */
static bool take_content(struct pf_packet *p, const struct wire_field *f)
{
	bool second = p->content.number || p->snapshot.number;

	p->content = *f;
	return !second && f->type == WIRE_BYTES;
}

/* False: no packet has such a field. */
static bool take_field(struct pf_packet *p, const struct wire_field *f)
{
	switch (f->number) {
	case 8:
		p->timestamp = wire_number(f);
		p->timed = true;
		break;
	case 10:
		p->sequence = (uint32_t)wire_number(f);
		break;
	case 12:
		p->interned = *f;
		break;
	case 13:
		p->flags |= (uint32_t)wire_number(f);
		break;
	case 41:
		p->flags |= wire_number(f) ? PF_SEQUENCE_CLEARED : 0;
		break;
	case 42:
		p->dropped = wire_number(f) != 0;
		break;
	case 58:
		p->clock = (uint32_t)wire_number(f);
		break;
	case 59:
		p->defaults = *f;
		break;
	case 87:
		p->first = wire_number(f) != 0;
		break;
	case 98:
		p->machine = (uint32_t)wire_number(f);
		break;
	case PF_SNAPSHOT:
		p->snapshot = *f;
		break;
	case PF_FTRACE:
	case PF_PROCESS_TREE:
	case PF_TRACK_EVENT:
	case PF_SYSTEM_INFO:
	case PF_COMPRESSED:
	case PF_GRAPHICS_FRAME:
	case PF_TRACK:
	case PF_FRAME_TIMELINE:
	case PF_ZSTD:
		return take_content(p, f);
	default:
		break;
	}
	return true;
}

static bool parse(struct wire packet, struct pf_packet *p)
{
	struct wire_field f;

	*p = (struct pf_packet){ 0 };
	while (wire_next(&packet, &f))
		if (!take_field(p, &f))
			return false;
	return !packet.bad;
}

/* Inflate a series of packets. What is not sound counts, and what is before that is read. */
static int unpack(struct pf_reader *r, const struct wire_field *packed)
{
	z_stream z = { .next_in = (unsigned char *)packed->data,
		       .avail_in = (unsigned)packed->len };
	int ret = inflateInit(&z);

	if (ret != Z_OK)
		return -ENOMEM;
	do {
		if (z.total_out == r->room) {
			size_t room = r->room ? 2 * r->room : INFLATED_MIN;
			uint8_t *inflated =
				room <= PF_PACKET_MAX ? realloc(r->inflated, room) : NULL;

			if (!inflated)
				break;
			r->inflated = inflated;
			r->room = room;
		}
		z.next_out = r->inflated + z.total_out;
		z.avail_out = (unsigned)(r->room - z.total_out);
		ret = inflate(&z, Z_NO_FLUSH);
	} while (ret == Z_OK);
	r->unpacked += ret != Z_STREAM_END;
	r->inner = wire_of(r->inflated, z.total_out);
	inflateEnd(&z);
	return 0;
}

/* The next packet of an inflated series: whether there is one. */
static bool next_inner(struct pf_reader *r, struct wire *packet)
{
	struct wire_field f;

	while (wire_next(&r->inner, &f)) {
		if (f.number != 1 || f.type != WIRE_BYTES)
			continue;
		*packet = wire_in(&f);
		return true;
	}
	if (r->inner.bad)
		r->malformed++;
	r->inner = (struct wire){ 0 };
	return false;
}

int pf_reader_next(struct pf_reader *r, uint64_t limit, struct pf_packet *p, struct err *e)
{
	struct wire packet;
	int ret;

	for (;;) {
		bool inner = next_inner(r, &packet);

		if (!inner) {
			r->outer = pf_file_at(r->file);
			ret = pf_file_packet(r->file, limit, &packet, e);
			if (ret != 1)
				return ret;
		}
		if (!parse(packet, p))
			pf_reader_malformed(r, inner ? 0 : (size_t)(packet.end - packet.at));
		else if (p->content.number == PF_ZSTD)
			r->zstd++;
		else if (p->content.number != PF_COMPRESSED)
			return 1;
		else if (inner)
			r->unpacked++; /* a second level, which nobody writes */
		else if (unpack(r, &p->content))
			return err_set(e, -ENOMEM, "cannot inflate a part of the trace: no memory");
	}
}
