/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Tracks and what is on them: apps mark what they do with atrace, which on newer Android may come
 * as track events of their threads instead of prints. They go in as the marks that they would have
 * been. Also the trees of processes and threads.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/perfetto.pb-c.h"
#include "trace/perfetto_parts.h"

static void drop_track(void *value)
{
	pf_own_drop(value);
	free(value);
}

void pf_tracks_free(struct pf *pf)
{
	map64_clear(&pf->tracks, drop_track);
}

static int add_thread(struct pf *pf, uint64_t ns, uint32_t tid, uint32_t pid, const char *name,
		      bool guessed)
{
	struct pf_event *ev;

	if (!tid || pf->own)
		return 0;
	if (pf->looking)
		return pf_process_learn(pf, tid, pid);
	ev = pf_event_new(pf, PF_EVENT_THREAD, ns, FS_CPU_NONE, sizeof(ev->thread));
	if (!ev)
		return -ENOMEM;
	memset(&ev->thread, 0, sizeof(ev->thread));
	ev->thread.tid = tid;
	ev->thread.tgid = pid;
	ev->thread.guessed = guessed;
	if (name)
		memcpy(ev->thread.comm, name, strnlen(name, FS_COMM_LEN - 1));
	return pf_event_add(pf, ev);
}

/*
 * The tree does not name a process's first thread as the others: what that is called follows from
 * the command. A program's is its file, cut; of longer names of apps Android leaves the end.
 */
static const char *first_thread_name(const Perfetto__ProcessTree__Process *process)
{
	const char *name = process->n_cmdline ? process->cmdline[0] : "";
	const char *slash = strrchr(name, '/');
	size_t len = strlen(name);

	if (slash)
		return slash + 1;
	if (len < FS_COMM_LEN || !strchr(name, '.') || strchr(name, '@'))
		return name;
	return name + len - (FS_COMM_LEN - 1);
}

int pf_process_tree(struct pf *pf, const struct wire_field *tree, uint64_t ns)
{
	Perfetto__ProcessTree *pt =
		perfetto__process_tree__unpack(pf_arena_reset(&pf->arena), tree->len, tree->data);
	int ret = 0;

	if (!pt) {
		pf->reader.malformed++;
		return 0;
	}
	for (size_t i = 0; !ret && i < pt->n_threads; i++)
		ret = add_thread(pf, ns, (uint32_t)pt->threads[i]->tid,
				 (uint32_t)pt->threads[i]->tgid, pt->threads[i]->name, false);
	for (size_t i = 0; !ret && i < pt->n_processes; i++)
		ret = add_thread(pf, ns, (uint32_t)pt->processes[i]->pid,
				 (uint32_t)pt->processes[i]->pid,
				 first_thread_name(pt->processes[i]), true);
	return ret;
}

static int get_track(struct pf *pf, uint64_t uuid, struct pf_track **track)
{
	*track = map64_get(&pf->tracks, uuid);
	if (*track)
		return 0;
	if (pf->tracks.nr == PF_TRACKS_MAX) {
		pf->unfollowed++;
		return 0;
	}
	*track = calloc(1, sizeof(**track));
	if (!*track)
		return -ENOMEM;
	if (map64_put(&pf->tracks, uuid, *track)) {
		free(*track);
		return -ENOMEM;
	}
	return 0;
}

int pf_track_descriptor(struct pf *pf, const struct wire_field *descriptor, uint64_t ns)
{
	Perfetto__TrackDescriptor *td = perfetto__track_descriptor__unpack(
		pf_arena_reset(&pf->arena), descriptor->len, descriptor->data);
	struct pf_track *track;
	int ret;

	if (!td) {
		pf->reader.malformed++;
		return 0;
	}
	ret = get_track(pf, td->uuid, &track);
	if (ret || !track)
		return ret;
	track->parent = td->parent_uuid;
	if (td->process)
		track->pid = (uint32_t)td->process->pid;
	if (!td->thread)
		return 0;
	track->pid = (uint32_t)td->thread->pid;
	track->tid = (uint32_t)td->thread->tid;
	return add_thread(pf, ns, track->tid, track->pid, td->thread->thread_name, false);
}

/* Of a track event, what a mark has. */
struct marked {
	uint32_t type;
	uint64_t track;
	bool on_track;
	uint64_t name_iid;
	struct wire_field name;
};

static struct marked read_event(const struct wire_field *event)
{
	struct marked m = { 0 };
	struct wire w = wire_in(event);
	struct wire_field f;

	while (wire_next(&w, &f)) {
		switch (f.number) {
		case 9:
			m.type = (uint32_t)wire_number(&f);
			break;
		case 10:
			m.name_iid = wire_number(&f);
			break;
		case 11:
			m.track = wire_number(&f);
			m.on_track = true;
			break;
		case 23:
			m.name = f;
			break;
		default:
			break;
		}
	}
	return m;
}

static int add_mark(struct pf *pf, const struct pf_track *t, uint64_t ns, char phase,
		    const char *name, size_t len)
{
	struct pf_event *ev;
	char head[24];
	int head_len;

	if (phase == 'E')
		len = 0;
	if (len > PF_MARK_MAX)
		len = PF_MARK_MAX;
	head_len = snprintf(head, sizeof(head), phase == 'E' ? "%c|%u" : "%c|%u|", phase, t->pid);
	ev = pf_event_new(pf, PF_EVENT_MARK, ns, FS_CPU_NONE,
			  sizeof(ev->mark) + (size_t)head_len + len);
	if (!ev)
		return -ENOMEM;
	ev->h.tid = t->tid;
	ev->h.tgid = t->pid;
	ev->mark.context = FS_CTX_TASK;
	ev->mark.len = (uint32_t)((size_t)head_len + len);
	memcpy(ev->mark.text, head, (size_t)head_len);
	if (len)
		memcpy(ev->mark.text + head_len, name, len);
	return pf_event_add(pf, ev);
}

int pf_track_event(struct pf *pf, const struct pf_sequence *seq, const struct wire_field *event,
		   uint64_t ns)
{
	static const char phases[] = { 0, 'B', 'E', 'I' }; /* by type */
	struct marked m = read_event(event);
	const struct pf_track *track = map64_get(&pf->tracks, m.on_track ? m.track : seq->track);
	const struct pf_string *name;

	if (!track || !track->tid || !m.type || m.type >= sizeof(phases))
		return 0;
	if (m.name.data)
		return add_mark(pf, track, ns, phases[m.type], (const char *)m.name.data,
				m.name.len);
	name = m.name_iid ? pf_sequence_string(seq, PF_INTERN_EVENT, m.name_iid) : NULL;
	return add_mark(pf, track, ns, phases[m.type], name ? name->text : NULL,
			name ? name->len : 0);
}
