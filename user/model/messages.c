/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Makes messages of the time between two polls. */
#include "model/messages.h"

#include "model/builder.h"
#include "model/hwui.h"
#include "model/outbox.h"

/* A frame may be posted outside of a doFrame(): what it has of one is then an earlier message's. */
static void take_frame(struct message *msg, const struct frame_slots *ui)
{
	uint64_t input = (uint64_t)ui->ns[SLOT_HANDLE_INPUT_START];

	if (!slot_known(ui, SLOT_HANDLE_INPUT_START) || input < msg->from_ns || input > msg->to_ns)
		return;
	/* The UI thread's part is believed only if all of these are known. */
	msg->intended_vsync_ns = (uint64_t)ui->ns[SLOT_INTENDED_VSYNC];
	msg->input_ns = input;
	msg->animation_ns = (uint64_t)ui->ns[SLOT_ANIMATION_START];
	msg->traversals_ns = (uint64_t)ui->ns[SLOT_PERFORM_TRAVERSALS_START];
	if (slot_known(ui, SLOT_FRAME_INTERVAL))
		msg->interval_ns = (uint64_t)ui->ns[SLOT_FRAME_INTERVAL];
}

static void add_frames(const struct hwui *h, struct message *msg)
{
	for (unsigned i = 1; i <= TIMES_NR; i++) {
		const struct time_mark *post = &h->posts[(h->next_post - i) & (TIMES_NR - 1)];
		const struct work *w;

		if (post->tid != msg->tid || post->from_ns < msg->from_ns ||
		    post->to_ns > msg->to_ns)
			continue;
		w = hwui_posted(h, post->from_ns, post->to_ns);
		msg->frames++;
		/* They have the same doFrame(), if any. */
		if (w && !msg->input_ns)
			take_frame(msg, &w->ui);
		if (!msg->vsync_id && w && slot_known(&w->ui, SLOT_VSYNC_ID))
			msg->vsync_id = w->ui.ns[SLOT_VSYNC_ID];
	}
}

static void send(struct model *m, const struct thread *t, uint64_t from, uint64_t to)
{
	struct tally tally = { .itemize = true };
	char name[FS_COMM_LEN + 8];
	struct message msg = {
		.pid = t->tgid,
		.tid = t->tid,
		.process = thread_process_name(t, name, sizeof(name)),
		.from_ns = from,
		.to_ns = to,
	};

	thread_tally(t, from, to, &tally);
	blockers_sort(tally.blockers, tally.nr);
	msg.budget = tally.budget;
	msg.unknown_wait_ns = tally.unknown_wait_ns;
	msg.lossy = tally.lossy;
	if (tally.nr)
		msg.blocker = tally.blockers[0];
	if (t->process && t->process->hwui)
		add_frames(t->process->hwui, &msg);
	tally_free(&tally);
	m->sink.message(m->sink.ctx, &msg);
}

void message_poll(struct model *m, struct thread *t, const struct call *poll)
{
	struct builder *b = t->builder;
	uint64_t from = b->poll_exit_ns;

	b->poll_exit_ns = poll->open ? 0 : poll->exit_ns;
	if (!from || poll->entry_ns < from)
		return;
	if (t->process && t->process->hwui)
		hwui_message(t->process->hwui, from, poll->entry_ns, t->tid);
	outbox_changed(m);
	if (m->sink.message && poll->entry_ns > from)
		send(m, t, from, poll->entry_ns);
}
