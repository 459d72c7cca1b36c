/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Packets of Android's own kinds. FrameTimelineEvents only of what the input had as such. Of
 * buffers, what was seen of them by calls and fences, on a sequence of its own, unless the input
 * already has GraphicsFrameEvents.
 */
#include <string.h>

#include "export/perfetto.h"
#include "proto/vocabulary.h"

/* Perfetto's BufferEventType. */
enum { EVENT_DEQUEUE = 1, EVENT_QUEUE = 2, EVENT_ACQUIRE_FENCE = 4, EVENT_RELEASE_FENCE = 9 };

#define NEEDS_STATE 2

static void put_buffer(struct perfetto *o, uint64_t ns, bool derived,
		       Perfetto__GraphicsFrameEvent__BufferEvent *body)
{
	Perfetto__GraphicsFrameEvent event = PERFETTO__GRAPHICS_FRAME_EVENT__INIT;
	Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;

	event.buffer_event = body;
	packet.graphics_frame_event = &event;
	packet.has_timestamp = 1;
	packet.timestamp = ns;
	packet.has_trusted_packet_sequence_id = 1;
	packet.trusted_packet_sequence_id =
		derived ? VOCABULARY_SEQUENCE_DERIVED : VOCABULARY_SEQUENCE;
	packet.has_sequence_flags = 1;
	packet.sequence_flags = NEEDS_STATE;
	packets_put(o->packets, &packet);
}

/* A small number for the address; the buffer used least lately gives its place to a new one. */
static uint32_t buffer_id(struct perfetto *o, struct out_producer *producer, uint64_t address)
{
	struct out_buffer *oldest = &producer->buffers[0];

	producer->uses++;
	for (unsigned i = 0; i < BUFFERS_MAX; i++) {
		struct out_buffer *b = &producer->buffers[i];

		if (b->address == address) {
			b->used = producer->uses;
			return b->id;
		}
		if (b->used < oldest->used)
			oldest = b;
	}
	*oldest = (struct out_buffer){ address, ++o->last_buffer, producer->uses };
	return oldest->id;
}

void perfetto_buffers_frame(struct perfetto *o, struct out_producer *producer,
			    const struct frame *f)
{
	const struct {
		uint64_t ns; /* 0: not observed */
		int32_t type;
		bool numbered; /* it is about the frame, not about the one before in the buffer */
	} events[] = {
		{ f->release_signal_ns, EVENT_RELEASE_FENCE, false },
		{ f->dequeued_ns, EVENT_DEQUEUE, true },
		{ f->queued_ns, EVENT_QUEUE, true },
		{ f->acquire_signal_ns, EVENT_ACQUIRE_FENCE, true },
	};
	uint64_t number = f->hwui.frame_number ? f->hwui.frame_number : f->number;
	Perfetto__GraphicsFrameEvent__BufferEvent body =
		PERFETTO__GRAPHICS_FRAME_EVENT__BUFFER_EVENT__INIT;

	if (!f->buffer || o->others_buffers)
		return;
	body.has_type = body.has_buffer_id = 1;
	body.buffer_id = buffer_id(o, producer, f->buffer);
	body.layer_name = (char *)f->producer->name;
	for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++) {
		if (!events[i].ns)
			continue;
		body.type = events[i].type;
		body.has_frame_number = events[i].numbered;
		body.frame_number = (uint32_t)number;
		put_buffer(o, events[i].ns, true, &body);
	}
}

void perfetto_buffer(struct perfetto *o, const struct fs_buffer *rec)
{
	Perfetto__GraphicsFrameEvent__BufferEvent body =
		PERFETTO__GRAPHICS_FRAME_EVENT__BUFFER_EVENT__INIT;

	o->others_buffers = true;
	body.has_frame_number = rec->frame_number != 0;
	body.frame_number = rec->frame_number;
	body.has_type = 1;
	body.type = (int32_t)rec->type;
	body.layer_name = *rec->layer ? (char *)rec->layer : NULL;
	body.has_duration_ns = rec->duration_ns != 0;
	body.duration_ns = rec->duration_ns;
	body.has_buffer_id = 1;
	body.buffer_id = rec->buffer_id;
	put_buffer(o, rec->h.time_ns, false, &body);
}

static void put_timeline(struct perfetto *o, uint64_t ns, Perfetto__FrameTimelineEvent *event)
{
	Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;

	packet.frame_timeline_event = event;
	packet.has_timestamp = 1;
	packet.timestamp = ns;
	packet.has_sequence_flags = 1;
	packet.sequence_flags = NEEDS_STATE;
	packets_put(o->packets, &packet);
}

/* -1 is what a dump makes of a token that is left out. */
static bool is_token(int64_t token)
{
	return token != 0 && token != -1;
}

static void put_surface(struct perfetto *o, const struct fs_timeline *rec, bool actual)
{
	Perfetto__FrameTimelineEvent event = PERFETTO__FRAME_TIMELINE_EVENT__INIT;
	Perfetto__FrameTimelineEvent__Surface s = PERFETTO__FRAME_TIMELINE_EVENT__SURFACE__INIT;

	s.has_cookie = s.has_pid = 1;
	s.cookie = o->last_cookie;
	s.has_token = is_token(rec->token);
	s.token = rec->token;
	s.has_display_frame_token = is_token(rec->display_token);
	s.display_frame_token = rec->display_token;
	s.pid = (int32_t)rec->h.tgid;
	s.layer_name = *rec->layer ? (char *)rec->layer : NULL;
	if (actual) {
		s.has_present_type = rec->present != 0;
		s.present_type = (int32_t)rec->present;
		s.has_on_time_finish = s.has_gpu_composition = s.has_is_buffer = 1;
		s.on_time_finish = (rec->flags & FS_TIMELINE_ON_TIME) != 0;
		s.gpu_composition = (rec->flags & FS_TIMELINE_GPU) != 0;
		s.is_buffer = (rec->flags & FS_TIMELINE_IS_BUFFER) != 0;
		s.has_jank_type = rec->jank != 0;
		s.jank_type = (int32_t)rec->jank;
		s.has_prediction_type = rec->prediction != 0;
		s.prediction_type = (int32_t)rec->prediction;
		s.has_jank_severity_type = rec->severity != 0;
		s.jank_severity_type = (int32_t)rec->severity;
		event.actual_surface = &s;
	} else {
		event.expected_surface = &s;
	}
	put_timeline(o, rec->start_ns, &event);
}

static void put_display(struct perfetto *o, const struct fs_timeline *rec, bool actual)
{
	Perfetto__FrameTimelineEvent event = PERFETTO__FRAME_TIMELINE_EVENT__INIT;
	Perfetto__FrameTimelineEvent__Display d = PERFETTO__FRAME_TIMELINE_EVENT__DISPLAY__INIT;

	d.has_cookie = d.has_pid = 1;
	d.cookie = o->last_cookie;
	d.has_token = is_token(rec->token);
	d.token = rec->token;
	d.pid = (int32_t)rec->h.tgid;
	if (actual) {
		d.has_present_type = rec->present != 0;
		d.present_type = (int32_t)rec->present;
		d.has_on_time_finish = d.has_gpu_composition = 1;
		d.on_time_finish = (rec->flags & FS_TIMELINE_ON_TIME) != 0;
		d.gpu_composition = (rec->flags & FS_TIMELINE_GPU) != 0;
		d.has_jank_type = rec->jank != 0;
		d.jank_type = (int32_t)rec->jank;
		d.has_prediction_type = rec->prediction != 0;
		d.prediction_type = (int32_t)rec->prediction;
		d.has_jank_severity_type = rec->severity != 0;
		d.jank_severity_type = (int32_t)rec->severity;
		event.actual_display = &d;
	} else {
		event.expected_display = &d;
	}
	put_timeline(o, rec->start_ns, &event);
}

void perfetto_timeline_record(struct perfetto *o, const struct fs_timeline *rec)
{
	Perfetto__FrameTimelineEvent event = PERFETTO__FRAME_TIMELINE_EVENT__INIT;
	Perfetto__FrameTimelineEvent__FrameEnd end =
		PERFETTO__FRAME_TIMELINE_EVENT__FRAME_END__INIT;

	o->last_cookie++;
	switch (rec->kind) {
	case FS_TIMELINE_EXPECTED_DISPLAY:
	case FS_TIMELINE_ACTUAL_DISPLAY:
		put_display(o, rec, rec->kind == FS_TIMELINE_ACTUAL_DISPLAY);
		break;
	case FS_TIMELINE_EXPECTED_SURFACE:
	case FS_TIMELINE_ACTUAL_SURFACE:
		put_surface(o, rec, rec->kind == FS_TIMELINE_ACTUAL_SURFACE);
		break;
	default:
		return;
	}
	if (rec->flags & FS_OPEN)
		return;
	end.has_cookie = 1;
	end.cookie = o->last_cookie;
	event.frame_end = &end;
	put_timeline(o, rec->h.time_ns, &event);
}
