/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The page around the data, and what is said of each input as a whole. */
#include "html/html.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/text.h"
#include "html/page.h"
#include "judge/verdicts.h"
#include "output/json_values.h"
#include "output/meta.h"
#include "output/report_trust.h"

void html_begin(FILE *out)
{
	fputs(html_page_head, out);
}

void html_end(FILE *out)
{
	fputs(html_page_tail, out);
}

/* A time that no double has exactly goes as text. */
static int set_time(json_t *object, const char *key, uint64_t ns)
{
	char text[TEXT_DIGITS + 1];

	*text_digits(text, ns) = '\0';
	return json_object_set_new(object, key, json_string(text));
}

static int set_kind(json_t *object, const char *key, const struct detail_kind *k)
{
	json_t *kind = json_object();
	int rc = json_set_number(kind, "least_ns", k->least_ns);

	rc |= json_set_number(kind, "left_out", k->left_out);
	if (k->full_until_ns)
		rc |= set_time(kind, "full_until_ns", k->full_until_ns);
	return json_object_set_new(object, key, kind) | rc;
}

/* What the text report says at its end: a bullet each, with lines that are broken. */
static int set_trust(json_t *object, const struct report *r)
{
	static const struct style plain = { "", "", "", "" };
	const struct producer_summary *p;
	uint64_t lossy = 0, truncated = 0;
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);
	int rc;

	if (!out)
		return -1;
	for (unsigned i = 0; (p = summary_producer(r->summary, i)); i++) {
		lossy += p->counts[FRAME_LOSSY];
		truncated += p->counts[FRAME_TRUNCATED];
	}
	if (!summary_producer(r->summary, 0))
		report_no_frames(out, &plain, r);
	report_trust(out, &plain, r, lossy, truncated);
	rc = fclose(out) ? -1 : json_object_set_new(object, "trust", json_string(text));
	free(text);
	return rc;
}

static int set_capture(json_t *object, const struct html_file *f, const struct report *r)
{
	const struct model_stats *m = r->model;
	json_t *meta = meta_parse(r->meta);
	int rc = 0;

	probed_update(r->probed, meta);
	rc |= json_object_set_new(object, "meta", meta);
	rc |= json_object_set_new(object, "trace", json_boolean(r->trace));
	rc |= set_time(object, "origin_ns", r->origin_ns);
	if (m->start_ns && m->stop_ns >= m->start_ns)
		rc |= json_set_number(object, "length_ns", m->stop_ns - m->start_ns);
	rc |= json_set_number(object, "records", r->input->records);
	rc |= json_set_number(object, "lost", r->input->lost);
	rc |= json_set_number(object, "losses", f->nr_losses);
	rc |= set_kind(object, "blocks", &f->detail->blocks);
	rc |= set_kind(object, "fences", &f->detail->fences);
	rc |= json_object_set_new(object, "detail_frames", json_integer(DETAIL_FRAMES));
	return rc | set_trust(object, r);
}

int html_info(FILE *out, const struct html_file *f, const struct report *r, bool dump)
{
	json_t *object = json_object();
	char *text;
	int rc = json_object_set_new(object, "schema", json_string("framescope.html/1"));

	rc |= json_object_set_new(object, "framescope", json_string(FRAMESCOPE_VERSION));
	rc |= json_set_name(object, "path", r->path);
	rc |= json_object_set_new(object, "baseline", json_boolean(f->baseline));
	rc |= json_object_set_new(object, "dump", json_boolean(dump));
	if (!dump)
		rc |= set_capture(object, f, r);
	text = rc ? NULL : json_dumps(object, JSON_COMPACT);
	json_decref(object);
	if (!text)
		return -ENOMEM;
	rc = pack_info(out, f->index, text);
	free(text);
	return rc;
}
