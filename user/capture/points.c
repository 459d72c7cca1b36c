// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Attaching to functions. A file is looked at once, by its identity, however many processes map it
 * and by whatever path: a uprobe belongs to the file, and the kernel side filters by thread. (A
 * uprobe limited to a process would slow every mmap of that process.)
 */
#include "capture/points.h"

#include <bpf/libbpf.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include <framescope/state.h>

#include "base/clock.h"
#include "base/log.h"
#include "capture/attach.h"
#include "capture/unfound.h"
#include "probe/elf.h"
#include "probe/library.h"
#include "probe/proc.h"

/* The kernel's, which has no place among the C library's. */
#define ENOTSUPP 524

struct process {
	pid_t pid;
	uint64_t lib_kib; /* as it was when its maps were read last */
	UT_hash_handle hh;
};

struct point {
	struct fs_point rec;
	struct library_id file;
	const struct point_spec *spec;
	const struct point_form *form;
	struct attachment entry;
	struct attachment ret;
	struct point *next;
};

struct points {
	struct points_config cfg;
	struct library_set *seen; /* that were looked into */
	struct process *processes;
	struct point *head, *tail;
	unsigned count;
	struct user_state {
		bool found;
		/* one that the spec names, without the function; path and name are our own */
		struct library lacks_it;
	} * user; /* by index of cfg.user */
	struct catalogue_state {
		bool here; /* there is a file of its library */
		bool found; /* and one with the function */
	} * catalogue; /* by index of the catalogue */
	bool told_narrow; /* that there is a 32-bit library */
	bool checked; /* points_check_user() was asked: from now on nothing ends the capture */
};

int points_open(const struct points_config *cfg, struct points **out, struct err *e)
{
	struct points *p = calloc(1, sizeof(*p));

	if (!p)
		return err_errno(e, -ENOMEM, "cannot keep a list of probed functions");
	p->cfg = *cfg;
	p->cfg.markers = cfg->markers && cfg->mark;
	p->user = calloc(cfg->nr_user + 1, sizeof(*p->user));
	p->catalogue = calloc(catalogue_size() + 1, sizeof(*p->catalogue));
	if (!p->user || !p->catalogue) {
		points_close(p);
		return err_errno(e, -ENOMEM, "cannot keep a list of probed functions");
	}
	*out = p;
	return 0;
}

static void detach(struct points *p)
{
	/* Without memory one after the other, as far as they go. */
	struct attachment *one[2],
		**list = calloc(2 * (size_t)p->count + 1, sizeof(struct attachment *));
	size_t nr = 0;

	for (struct point *pt = p->head; pt; pt = pt->next) {
		struct attachment **to = list ? list + nr : one;

		to[0] = &pt->entry;
		to[1] = &pt->ret;
		nr += 2;
		if (!list)
			attach_end_all(one, 2);
	}
	if (list)
		attach_end_all(list, nr);
	free(list);
}

void points_close(struct points *p)
{
	struct process *proc, *next_proc;

	if (!p)
		return;
	detach(p);
	for (struct point *pt = p->head, *next; pt; pt = next) {
		next = pt->next;
		free(pt);
	}
	for (proc = p->processes; proc; proc = next_proc) {
		next_proc = proc->hh.next;
		HASH_DEL(p->processes, proc);
		free(proc);
	}
	library_set_free(&p->seen);
	for (unsigned i = 0; p->user && i < p->cfg.nr_user; i++) {
		free((char *)p->user[i].lacks_it.path);
		free((char *)p->user[i].lacks_it.name);
	}
	free(p->user);
	free(p->catalogue);
	free(p);
}

/* A path that does not fit keeps its end, which says more. */
static void copy_tail(char *dst, size_t len, const char *src)
{
	size_t n = strlen(src);

	snprintf(dst, len, "%s", n < len ? src : src + (n - len + 1));
}

static int attach(const struct points *p, const struct point *pt, const struct bpf_program *prog,
		  const char *path, bool ret, struct attachment *a)
{
	uint64_t cookie =
		pt->rec.id | (uint64_t)pt->rec.role << FS_COOKIE_ROLE_SHIFT | pt->form->how;

	return attach_uprobe(prog, path, pt->rec.offset, cookie, ret, p->cfg.cookies, a);
}

/* The return before the entry: a call that is caught at its entry is then caught at its return. */
static int attach_both(const struct points *p, struct point *pt, const char *path)
{
	int err;

	/* A marker is of one instant, and there may be thousands in a frame. */
	if (pt->rec.role == FS_ROLE_MARKER)
		return attach(p, pt, p->cfg.mark, path, false, &pt->entry);
	err = attach(p, pt, p->cfg.ret, path, true, &pt->ret);
	if (err)
		return err;
	err = attach(p, pt, p->cfg.entry, path, false, &pt->entry);
	if (err)
		attach_end(&pt->ret);
	return err;
}

/* A function in a library, to be probed. */
struct target {
	const struct point_spec *spec;
	const struct point_form *form;
	const char *symbol; /* as the file has it; empty for an offset */
	uint64_t offset;
};

static int add_point(struct points *p, const struct target *t, const struct library *lib,
		     struct err *e)
{
	struct point *pt = calloc(1, sizeof(*pt));
	int err;

	if (!pt)
		return err_errno(e, -ENOMEM, "cannot probe %s", lib->path);
	pt->entry.event_fd = pt->entry.prog_fd = pt->ret.event_fd = pt->ret.prog_fd = -1;
	pt->spec = t->spec;
	pt->form = t->form;
	pt->file = lib->id;
	pt->rec.h.time_ns = clock_monotonic_ns();
	pt->rec.h.kind = FS_KIND_POINT;
	pt->rec.h.size = sizeof(pt->rec);
	pt->rec.h.cpu = FS_CPU_NONE;
	pt->rec.id = ++p->count;
	pt->rec.role = t->spec->role;
	pt->rec.offset = t->offset;
	copy_tail(pt->rec.lib, sizeof(pt->rec.lib), lib->name);
	snprintf(pt->rec.symbol, sizeof(pt->rec.symbol), "%s", t->symbol);
	p->cfg.added(p->cfg.ctx, &pt->rec);

	err = attach_both(p, pt, lib->path);
	if (err)
		goto free;
	log_debug("probing %s in %s at 0x%llx", *t->symbol ? t->symbol : "an offset", lib->name,
		  (unsigned long long)t->offset);
	if (p->tail)
		p->tail->next = pt;
	else
		p->head = pt;
	p->tail = pt;
	return 0;
free:
	free(pt);
	if (err == -ENOTSUPP)
		return err_set(e, err, "the kernel can't probe the instruction at 0x%llx of %s",
			       (unsigned long long)t->offset, lib->path);
	return err_errno(e, err, "cannot probe offset 0x%llx of %s", (unsigned long long)t->offset,
			 lib->path);
}

/* A call is one record, so a place in a file has one point: the first that asked for it. */
static bool taken(const struct points *p, const struct library_id *file, uint64_t offset)
{
	for (const struct point *pt = p->head; pt; pt = pt->next) {
		if (pt->file.dev == file->dev && pt->file.ino == file->ino &&
		    pt->rec.offset == offset)
			return true;
	}
	return false;
}

/* Where the function lies in the file, in this form. Not having it is no error. */
static bool find_function(const struct point_spec *spec, const struct point_form *form,
			  struct elf_file *elf, const struct library *lib, struct target *t)
{
	struct elf_place place = { .offset = lib->id.base + spec->offset, .symbol = "" };

	if (form->symbol ? elf_file_function(elf, form->symbol, &place) != 0
			 : !elf_file_executable(elf, place.offset))
		return false;
	*t = (struct target){
		.spec = spec, .form = form, .symbol = place.symbol, .offset = place.offset
	};
	return true;
}

/* Attach to a point in each form that the file has, or in the first. */
static int look_for_point(struct points *p, const struct point_spec *s, struct elf_file *elf,
			  const struct library *lib, bool *found)
{
	for (const struct point_form *form = s->forms; form->symbol; form++) {
		struct err e = { 0 };
		struct target t;

		if (!find_function(s, form, elf, lib, &t))
			continue;
		*found = true;
		if (!taken(p, &lib->id, t.offset) && add_point(p, &t, lib, &e) == -ENOMEM)
			return -ENOMEM;
		if (e.code)
			log_warn("%s; its calls are not seen", e.what);
		if (s->exclusive)
			break;
	}
	return 0;
}

static int look_for_catalogue(struct points *p, struct elf_file *elf, const struct library *lib)
{
	for (size_t i = 0; catalogue[i].lib; i++) {
		const struct point_spec *s = &catalogue[i];
		int err;

		if (!library_matches(s->lib, lib) || (s->role == FS_ROLE_MARKER && !p->cfg.markers))
			continue;
		bool new = !p->catalogue[i].here;

		p->catalogue[i].here = true;
		err = look_for_point(p, s, elf, lib, &p->catalogue[i].found);
		if (err)
			return err;
		/* What the start could not say, as the library was not there yet. */
		if (new && p->checked && !s->optional && !p->catalogue[i].found)
			log_warn("not known: %s (no %s in %s)", s->loss, s->name, lib->name);
	}
	return 0;
}

static void keep_lacking(struct points *p, unsigned index, const struct library *lib)
{
	struct library *kept = &p->user[index].lacks_it;

	if (kept->path)
		return;
	*kept = *lib;
	kept->path = strdup(lib->path);
	kept->name = strdup(lib->name);
}

/* With a role the user knows better than the catalogue, without one the catalogue does. */
static int look_for_user(struct points *p, struct elf_file *elf, const struct library *lib,
			 bool with_role, struct err *e)
{
	for (unsigned i = 0; i < p->cfg.nr_user; i++) {
		const struct point_spec *s = &p->cfg.user[i];
		struct target t;
		int err;

		if ((s->role != FS_ROLE_SPAN) != with_role || !library_matches(s->lib, lib))
			continue;
		if (!find_function(s, &s->forms[0], elf, lib, &t)) {
			keep_lacking(p, i, lib);
			continue;
		}
		p->user[i].found = true;
		if (taken(p, &lib->id, t.offset))
			continue;
		err = add_point(p, &t, lib, e);
		if (err && !p->checked)
			return err;
		if (err)
			log_warn("%s; its calls are not seen", e->what);
	}
	return 0;
}

static bool wanted(const struct points *p, const struct library *lib)
{
	const char *prev = "";

	for (const struct point_spec *s = catalogue; s->lib; s++) {
		if (!strcmp(s->lib, prev))
			continue;
		prev = s->lib;
		if (library_matches(s->lib, lib))
			return true;
	}
	for (unsigned i = 0; i < p->cfg.nr_user; i++) {
		if (library_matches(p->cfg.user[i].lib, lib))
			return true;
	}
	return false;
}

/*
 * The kernel of arm64 refuses uprobes in 32-bit code, and the arguments of its functions are not in
 * the registers that the programs read.
 */
static void pass_over_narrow(struct points *p, const struct library *lib)
{
	for (unsigned i = 0; i < p->cfg.nr_user; i++) {
		if (library_matches(p->cfg.user[i].lib, lib))
			keep_lacking(p, i, lib);
	}
	log_debug("%s is 32-bit and not probed", lib->name);
	if (!p->told_narrow)
		log_info("%s is 32-bit: calls in 32-bit libraries are not seen (the kernel may "
			 "refuse probes there, and arguments are passed otherwise)",
			 lib->name);
	p->told_narrow = true;
}

static int look_into(struct points *p, const struct library *lib, struct err *e)
{
	struct elf_file *elf;
	int err;

	if (!wanted(p, lib))
		return 0;
	if (library_open(lib, &elf, e)) {
		log_debug("%s", e->what);
		return 0;
	}
	if (elf_file_bits(elf) == 32) {
		pass_over_narrow(p, lib);
		elf_file_close(elf);
		return 0;
	}
	err = look_for_user(p, elf, lib, true, e);
	if (!err && look_for_catalogue(p, elf, lib))
		err = err_errno(e, -ENOMEM, "cannot probe %s", lib->path);
	if (!err)
		err = look_for_user(p, elf, lib, false, e);
	elf_file_close(elf);
	return err;
}

/* A search for libraries to look into. */
struct scan {
	struct points *points;
	struct err *e;
	int failed; /* the looking, not the search */
};

static int on_library(void *ctx, const struct library *lib)
{
	struct scan *scan = ctx;
	int ret = library_set_add(&scan->points->seen, &lib->id);

	if (ret < 0)
		scan->failed = err_errno(scan->e, ret, "cannot keep a list of libraries");
	else if (ret)
		scan->failed = look_into(scan->points, lib, scan->e);
	return scan->failed;
}

static int search_for(struct points *p, const struct point_spec *spec, struct err *e)
{
	struct scan scan = { .points = p, .e = e };
	struct err later = { 0 }; /* for points_check_user() to say */

	if (strchr(spec->lib, '/'))
		library_at(spec->lib, on_library, &scan, &later);
	else
		library_each_usual(spec->lib, on_library, &scan);
	return scan.failed;
}

int points_search(struct points *p, struct err *e)
{
	const char *prev = "";
	int err = 0;

	for (const struct point_spec *s = catalogue; s->lib && !err; s++) {
		if (strcmp(s->lib, prev) != 0)
			err = search_for(p, s, e);
		prev = s->lib;
	}
	for (unsigned i = 0; i < p->cfg.nr_user && !err; i++)
		err = search_for(p, &p->cfg.user[i], e);
	return err;
}

static int scan_process(struct points *p, struct process *proc, struct err *e)
{
	struct scan scan = { .points = p, .e = e };
	int err;

	err = library_each_mapped(proc->pid, on_library, &scan);
	if (!err || err == -ESRCH || scan.failed)
		return scan.failed;
	log_warn("cannot read what process %d has mapped: %s; functions that only it maps are not "
		 "seen",
		 proc->pid, strerror(-err));
	return 0;
}

int points_add_process(struct points *p, pid_t pid, struct err *e)
{
	struct process *proc;
	uint64_t kib;

	HASH_FIND_INT(p->processes, &pid, proc);
	if (proc)
		return 0;
	if (proc_lib_size(pid, &kib)) {
		err_set(e, -ESRCH, "process %d has ended, or is a kernel thread", pid);
		return err_hint(e, "one that draws: 'ps -e' lists the processes");
	}
	proc = calloc(1, sizeof(*proc));
	if (!proc)
		return err_errno(e, -ENOMEM, "cannot follow process %d", pid);
	proc->pid = pid;
	proc->lib_kib = kib;
	HASH_ADD_INT(p->processes, pid, proc);
	return scan_process(p, proc, e);
}

int points_poll(struct points *p, struct err *e)
{
	struct process *proc, *next;

	for (proc = p->processes; proc; proc = next) {
		uint64_t kib;
		int err;

		next = proc->hh.next;
		if (proc_lib_size(proc->pid, &kib)) {
			HASH_DEL(p->processes, proc);
			free(proc);
			continue;
		}
		if (kib == proc->lib_kib)
			continue;
		proc->lib_kib = kib;
		err = scan_process(p, proc, e);
		if (err)
			return err;
	}
	return (int)HASH_COUNT(p->processes);
}

unsigned points_processes(const struct points *p)
{
	return HASH_COUNT(p->processes);
}

/* Why a --uprobe was not found; true if nothing is wrong but that its library is not there yet. */
static bool not_found(const struct points *p, unsigned index, struct err *e)
{
	const struct point_spec *spec = &p->cfg.user[index];
	const struct library *lib = &p->user[index].lacks_it;
	pid_t pids[16];
	size_t nr = 0;

	if (lib->path && lib->name) {
		unfound_function(spec, lib, e);
		return false;
	}
	if (strchr(spec->lib, '/')) {
		unfound_path(spec, e);
		return false;
	}
	for (const struct process *at = p->processes; at && nr < 16; at = at->hh.next)
		pids[nr++] = at->pid;
	unfound_library(spec, pids, nr, e);
	return true;
}

int points_check_user(struct points *p, bool *later, struct err *e)
{
	int err = 0;

	p->checked = true;
	*later = false;
	for (unsigned i = 0; i < p->cfg.nr_user; i++) {
		if (p->user[i].found)
			continue;
		*later = not_found(p, i, e);
		err = e->code;
		if (!*later)
			break;
	}
	return err;
}

void points_each_missing(const struct points *p,
			 void (*fn)(void *ctx, const struct point_spec *spec, bool here), void *ctx)
{
	for (size_t i = 0; catalogue[i].lib; i++) {
		if (!catalogue[i].optional && !p->catalogue[i].found)
			fn(ctx, &catalogue[i], p->catalogue[i].here);
	}
}

void points_each(const struct points *p,
		 void (*fn)(void *ctx, const struct fs_point *rec, const char *name), void *ctx)
{
	for (const struct point *pt = p->head; pt; pt = pt->next)
		fn(ctx, &pt->rec, pt->spec->name);
}
