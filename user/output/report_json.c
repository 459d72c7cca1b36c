/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A report as one JSON object, schema "framescope.report/1". Times are integer ns; what was not
 * observed has no key.
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "output/figures.h"
#include "output/frames.h"
#include "output/json_values.h"
#include "output/meta.h"
#include "output/output.h"
#include "output/quantiles.h"
#include "output/report_long.h"
#include "output/report_timeline.h"
#include "output/report_trust.h"
#include "output/report_verdicts.h"
#include "stream/record.h"

#define REPORT_SCHEMA "framescope.report/1"

static json_t *capture_object(const struct report *r)
{
	const struct model_stats *m = r->model;
	json_t *capture = meta_parse(r->meta);
	int rc = 0;

	probed_update(r->probed, capture);
	if (m->start_ns)
		rc |= json_set_number(capture, "start_ns", m->start_ns);
	if (m->stop_ns)
		rc |= json_set_number(capture, "stop_ns", m->stop_ns);
	if (m->start_ns && m->stop_ns >= m->start_ns)
		rc |= json_set_number(capture, "duration_ns", m->stop_ns - m->start_ns);
	if (m->realtime_offset_ns)
		rc |= json_set_number(capture, "realtime_offset_ns", m->realtime_offset_ns);
	return json_if(rc, capture);
}

static json_t *input_object(const struct report *r)
{
	const struct source_stats *s = r->input;
	json_t *input = json_object(), *absent = json_array();
	struct source_absence absence;
	unsigned index = 0;
	int rc = 0;

	rc |= json_set_number(input, "bytes", s->bytes);
	rc |= json_set_number(input, "records", s->records);
	rc |= json_set_number(input, "lost_records", s->lost);
	rc |= json_set_number(input, "losses_of_unknown_size", s->lost_unknown);
	rc |= json_set_number(input, "late_records", s->late);
	rc |= json_set_number(input, "stale_records", r->model->stale);
	rc |= json_set_number(input, "unknown_records", s->unknown);
	rc |= json_set_number(input, "malformed_records", s->malformed);
	rc |= json_set_number(input, "implausible_frame_infos", r->model->implausible);
	rc |= json_set_number(input, "damaged_chunks", s->damaged_chunks);
	rc |= json_set_number(input, "damaged_bytes", s->damaged_bytes);
	rc |= json_object_set_new(input, "cut", json_boolean(s->cut));
	while (report_absence(r, &index, &absence))
		rc |= json_array_append_new(absent, json_string(absence.text));
	if (json_array_size(absent))
		rc |= json_object_set(input, "absent", absent);
	json_decref(absent);
	return json_if(rc, input);
}

static int set_budget(json_t *object, const struct producer_summary *p)
{
	json_t *budget = json_object();
	int rc = 0;

	for (unsigned i = 0; i < BUDGET_NR; i++) {
		struct quantile *q = p->parts[i];
		uint64_t frames = quantile_count(q);
		json_t *part = json_object();

		rc |= json_set_number(part, "total_ns", p->total.ns[i]);
		if (frames) {
			rc |= json_set_number(part, "mean_ns", p->total.ns[i] / frames);
			rc |= json_set_number(part, "p95_ns", quantile_at(q, 950));
			rc |= json_object_set_new(part, "exact", json_boolean(quantile_exact(q)));
		}
		rc |= json_object_set_new(budget, budget_part_name(i), part);
	}
	return json_object_set_new(object, "budget", budget) | rc;
}

static json_t *peer_object(const struct blocker *b)
{
	char comm[4 * FS_COMM_LEN + 1];
	json_t *peer = json_object();

	text_escape(comm, sizeof(comm), b->peer_comm, FS_COMM_LEN);
	int rc = json_set_text(peer, "comm", comm);
	rc |= json_set_number(peer, "tid", b->peer_tid);
	if (b->peer_tgid)
		rc |= json_set_number(peer, "pid", b->peer_tgid);
	return json_if(rc, peer);
}

static json_t *blocker_object(const struct blocker *b)
{
	json_t *o = json_object();
	char detail[WORDS_LEN];
	int rc = 0;

	rc |= json_set_text(o, "cause", budget_part_name(b->cause));
	rc |= json_set_text(o, "confidence", confidence_name(b->confidence));
	rc |= json_set_number(o, "total_ns", b->ns);
	rc |= json_set_number(o, "count", b->count);
	words_detail(detail, sizeof(detail), b);
	rc |= json_set_text(o, "detail", detail);
	if (b->call != FS_CALL_UNKNOWN)
		rc |= json_set_text(o, "call", record_call_name(b->call));
	if (b->file != FS_FILE_NONE && b->file != FS_FILE_UNKNOWN)
		rc |= json_set_text(o, "file", record_file_name(b->file));
	if (b->fd >= 0)
		rc |= json_set_number(o, "fd", (uint64_t)b->fd);
	if (b->cause != BUDGET_RUNNABLE && b->context != FS_CTX_UNKNOWN)
		rc |= json_set_text(o, "woken_in", record_context_name(b->context));
	if (b->timed_out)
		rc |= json_object_set_new(o, "timed_out", json_true());
	if (b->peer_tid)
		rc |= json_object_set_new(o,
					  b->cause == BUDGET_RUNNABLE ? "cpu_taken_by" : "woken_by",
					  peer_object(b));
	return json_if(rc, o);
}

/* A frame as NDJSON has it, and its dominant cause in words. */
static json_t *frame_object(const struct frame *f)
{
	const struct frame_row row = { .frame = f };
	json_t *o = json_object();
	char words[2 * WORDS_LEN];
	struct cell cell;
	int rc = 0;

	for (const struct listing_column *c = frames_view.columns; c->name; c++) {
		listing_get(c, &row, &cell);
		rc |= json_set_cell(o, c->name, &cell);
	}
	words_frame(words, sizeof(words), f);
	rc |= json_set_text(o, "words", words);
	return json_if(rc, o);
}

static int set_lists(json_t *o, const struct producer_summary *p)
{
	json_t *blockers = json_array(), *worst = json_array();
	int rc = 0;

	for (unsigned i = 0; i < p->nr_blockers; i++)
		/* Not a wait that was seen. */
		if (p->blockers[i].cause != BUDGET_UNKNOWN || p->blockers[i].blocked)
			rc |= json_array_append_new(blockers, blocker_object(&p->blockers[i]));
	for (unsigned i = 0; i < p->nr_worst; i++)
		rc |= json_array_append_new(worst, frame_object(&p->worst[i]));
	rc |= json_object_set_new(o, "blockers", blockers);
	rc |= json_object_set_new(o, "worst", worst);
	return rc;
}

static int set_identity(json_t *o, const struct producer *p)
{
	char name[4 * sizeof(p->name) + 1], surface[24];
	int rc = 0;

	text_escape(name, sizeof(name), p->name, sizeof(p->name));
	snprintf(surface, sizeof(surface), "0x%" PRIx64, p->surface);
	rc |= json_set_text(o, "name", name);
	if (p->pid)
		rc |= json_set_number(o, "pid", p->pid);
	if (p->ui_tid)
		rc |= json_set_number(o, "ui_tid", p->ui_tid);
	if (p->render_tid)
		rc |= json_set_number(o, "render_tid", p->render_tid);
	return p->render_tid && !p->surface_made_up ? rc | json_set_text(o, "surface", surface)
						    : rc;
}

/* Each stage's length, and its time by cause. */
static int set_stages(json_t *o, const struct stage_summary *s)
{
	json_t *kinds = json_object(), *stages = json_object();
	int rc = 0;

	for (unsigned i = FRAME_PLAIN + 1; i < FRAME_KIND_NR; i++) {
		if (s->kinds[i])
			rc |= json_set_number(kinds, frame_kind_name(i), s->kinds[i]);
	}
	for (unsigned i = 0; i < STAGE_NR; i++) {
		json_t *stage;

		if (!s->lengths[i])
			continue;
		stage = json_object();
		rc |= quantiles_set(stage, "wall_ns", s->lengths[i]);
		rc |= json_set_number(stage, "top_of_frames", s->on_top[i]);
		for (unsigned part = 0; part < BUDGET_NR; part++) {
			char name[32];

			snprintf(name, sizeof(name), "%s_ns", budget_part_name(part));
			rc |= json_set_number(stage, name, s->total[i].ns[part]);
		}
		rc |= json_object_set_new(stages, stage_name(i), stage);
	}
	if (json_object_size(kinds)) {
		rc |= json_object_set(o, "kinds", kinds);
		rc |= json_object_set(o, "stages", stages);
	}
	json_decref(kinds);
	json_decref(stages);
	return rc;
}

static int set_verdicts(json_t *o, const struct report *r, const struct producer_summary *p)
{
	const struct window_verdicts *w = r->verdicts ? verdicts_window(r->verdicts, 0) : NULL;
	json_t *list = json_array();
	int rc = 0;

	for (; w; w = verdicts_next_window(w))
		if (w->producer == p->producer)
			rc |= json_array_append_new(list, verdicts_object(w));
	if (json_array_size(list))
		return json_object_set_new(o, "verdicts", list) | rc;
	json_decref(list);
	return rc;
}

static json_t *producer_object(const struct report *r, const struct producer_summary *p)
{
	json_t *o = json_object(), *frames = json_object();
	double fps = figure_fps(p);
	int rc = set_identity(o, p->producer);

	for (unsigned i = 0; i < FRAME_STATUS_NR; i++)
		rc |= json_set_number(frames, frame_status_name(i), p->counts[i]);
	rc |= json_object_set_new(o, "frames", frames);
	if (fps > 0)
		rc |= json_object_set_new(o, "fps", json_real(fps));
	rc |= quantiles_set(o, "interval_ns", p->interval);
	rc |= quantiles_set(o, "wall_ns", p->wall);
	rc |= quantiles_set(o, "swap_ns", p->swap);
	rc |= quantiles_set(o, "dequeue_ns", p->dequeue);
	rc |= quantiles_set(o, "queue_ns", p->queue);
	rc |= set_stages(o, &p->stages);
	/* Of what was only told of nothing is known of its threads. */
	if (p->producer->render_tid) {
		rc |= set_budget(o, p);
		rc |= json_set_number(o, "waited_ns", figure_waited(p));
	}
	rc |= set_lists(o, p);
	rc |= set_verdicts(o, r, p);
	if (p->timeline.all.frames)
		rc |= json_object_set_new(o, "frame_timeline", timeline_object(&p->timeline));
	return json_if(rc, o);
}

int report_json(FILE *out, const struct report *r, struct err *e)
{
	json_t *root = json_object(), *producers = json_array();
	char path[4096];
	int rc = 0;

	text_escape(path, sizeof(path), r->path, strlen(r->path));
	rc |= json_set_text(root, "schema", REPORT_SCHEMA);
	rc |= json_set_text(root, "file", path);
	rc |= json_object_set_new(root, "capture", capture_object(r));
	rc |= json_object_set_new(root, "input", input_object(r));

	const struct producer_summary *p;
	for (unsigned i = 0; (p = summary_producer(r->summary, i)); i++)
		rc |= json_array_append_new(producers, producer_object(r, p));
	rc |= json_object_set_new(root, "producers", producers);
	if (r->long_messages && r->long_messages->threads.nr)
		rc |= json_object_set_new(root, "long_messages",
					  report_long_json(r->long_messages));
	if (rc) {
		json_decref(root);
		return err_errno(e, -ENOMEM, "cannot make the report on %s", r->path);
	}
	/* What could not be written shows in output_finish(). */
	json_dumpf(root, out, JSON_INDENT(2) | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(6));
	putc('\n', out);
	json_decref(root);
	return 0;
}
