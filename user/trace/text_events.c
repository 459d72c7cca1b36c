// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * What the kernel's events print, and trace-cmd's plugins in their place. Names of threads, drivers
 * and timelines may hold anything, so the keys are looked for from the right.
 */
#include <linux/sched.h>
#include <string.h>

#include "trace/text_parts.h"

/* An event's name, and how to read it. */
struct reader {
	const char *name;
	int (*read)(struct text_state *st, struct intake *in, struct text_event *ev);
};

char *text_find_last(char *s, char *end, const char *key, size_t len)
{
	char *p = end;

	while (p - s >= (ptrdiff_t)len && (p = memrchr(s, '=', (size_t)(p - s)))) {
		if (p + 1 - s >= (ptrdiff_t)len && !memcmp(p + 1 - len, key, len))
			return p + 1 - len;
	}
	return NULL;
}

/* The number behind the key, which must be there. Other text may follow the number. */
static bool number_at(const char *key_at, const char *end, size_t key_len, uint64_t max,
		      uint64_t *out)
{
	key_at += key_len;
	return text_number(&key_at, end, max, out);
}

/* The last " key=NUMBER" before *end; moves *end to where it begins. */
bool text_take_number(char *s, char **end, const char *key, uint64_t max, uint64_t *out)
{
	char *at = text_find_last(s, *end, key, strlen(key));

	if (!at || !number_at(at, *end, strlen(key), max, out))
		return false;
	*end = at;
	return true;
}

bool text_begins(const char *s, const char *end, const char *with)
{
	size_t len = strlen(with);

	return end - s >= (ptrdiff_t)len && !memcmp(s, with, len);
}

/*
 * From letters such as "S", "R+" or "D|K" to bits as kernels since 4.14 have them. trace-cmd's own
 * table is that of old kernels: it has W for I.
 */
static bool parse_state(const char *s, const char *end, uint64_t *state)
{
	bool waking = false;

	*state = 0;
	for (; s < end; s++) {
		switch (*s) {
		case 'R':
		case '|':
			break;
		case '+': /* preempted: whatever it was about to wait for */
			*state = 0;
			return s + 1 == end;
		case 'S':
			*state |= 0x1;
			break;
		case 'D':
			*state |= 0x2;
			break;
		case 'T':
			*state |= 0x4;
			break;
		case 't':
			*state |= 0x8;
			break;
		case 'X':
			*state |= 0x10;
			break;
		case 'Z':
			*state |= 0x20;
			break;
		case 'P':
			*state |= 0x40;
			break;
		case 'x':
			*state |= 0x80;
			break;
		case 'K':
			*state |= 0x100;
			break;
		case 'W':
			waking = true;
			break;
		case 'N':
			*state |= 0x400;
			break;
		case 'I': /* a kernel thread that waits for work */
			*state |= INTAKE_STATE_IDLE;
			break;
		default:
			return false;
		}
	}
	/* In "D|W" the bit that old kernels had for "may be killed". */
	if (waking)
		*state |= *state ? 0x100 : INTAKE_STATE_IDLE;
	return true;
}

/* Set what a line says of the thread that leaves its CPU. */
static int feed_switch(struct intake *in, struct text_event *ev, uint64_t prev, const char *comm,
		       uint64_t state, uint64_t next, const char *next_comm)
{
	/* The head is of the same thread, unless it was made of another source. */
	if (ev->at.tid != (uint32_t)prev)
		ev->at.tgid = 0;
	ev->at.tid = (uint32_t)prev;
	ev->at.comm = comm;
	return intake_switch(in, &ev->at, state, (uint32_t)next, next_comm);
}

/* "comm:pid [prio] S ==> comm:pid [prio]": the name's end is NUL, *end moves to its begin. */
static bool take_short(char *s, char *end, char **comm, uint64_t *pid)
{
	char *open = memrchr(s, '[', (size_t)(end - s)), *colon;
	const char *digits;

	if (!open || open - s < 2 || open[-1] != ' ')
		return false;
	colon = memrchr(s, ':', (size_t)(open - s));
	if (!colon)
		return false;
	digits = colon + 1;
	if (!text_number(&digits, open, INT32_MAX, pid) || digits != open - 1)
		return false;
	*colon = '\0';
	*comm = s;
	return true;
}

static int short_switch(struct intake *in, struct text_event *ev)
{
	static const char arrow[] = " ==> ";
	uint64_t prev, next, state;
	char *comm, *next_comm, *p = ev->end, *state_at;

	while ((p = memrchr(ev->s, '>', (size_t)(p - ev->s)))) {
		if (p - ev->s >= 4 && p + 1 < ev->end && !memcmp(p - 3, arrow, 5))
			break;
	}
	if (!p)
		return TEXT_MALFORMED;
	p -= 3;
	state_at = memrchr(ev->s, ' ', (size_t)(p - ev->s));
	if (!state_at || !parse_state(state_at + 1, p, &state) ||
	    !take_short(ev->s, state_at, &comm, &prev) ||
	    !take_short(p + 5, ev->end, &next_comm, &next))
		return TEXT_MALFORMED;
	return feed_switch(in, ev, prev, comm, state, next, next_comm);
}

static int read_switch(struct text_state *st, struct intake *in, struct text_event *ev)
{
	static const char arrow[] = " ==> next_comm=", first[] = "prev_comm=";
	char *s = ev->s, *end = ev->end, *next_at, *state_at, *left;
	uint64_t next, prio, prev, state;

	(void)st;
	if (!text_begins(s, end, first))
		return short_switch(in, ev);
	if (!text_take_number(s, &end, " next_prio=", INT32_MAX, &prio) ||
	    !text_take_number(s, &end, " next_pid=", INT32_MAX, &next))
		return TEXT_MALFORMED;
	/* A name may hold the arrow, too: the true one follows a state. */
	next_at = end;
	do {
		next_at = text_find_last(s, next_at, arrow, strlen(arrow));
		state_at = next_at ? TEXT_FIND_LAST(s, next_at, " prev_state=") : NULL;
		if (!state_at)
			return TEXT_MALFORMED;
	} while (!parse_state(state_at + strlen(" prev_state="), next_at, &state));
	left = state_at;
	if (!text_take_number(s, &left, " prev_prio=", INT32_MAX, &prio) ||
	    !text_take_number(s, &left, " prev_pid=", INT32_MAX, &prev) ||
	    left - s < (ptrdiff_t)strlen(first))
		return TEXT_MALFORMED;
	*left = '\0';
	*end = '\0';
	return feed_switch(in, ev, prev, s + strlen(first), state, next, next_at + strlen(arrow));
}

/* "comm=x pid=1 prio=1 [success=1] target_cpu=000", or "x:1 [1] ..." */
static bool take_wakee(struct text_event *ev, char **comm, uint64_t *tid, bool *woken)
{
	static const char first[] = "comm=";
	char *end = ev->end, *p;
	uint64_t ignored, success = 1;

	if (!text_begins(ev->s, end, first)) {
		p = memrchr(ev->s, ']', (size_t)(end - ev->s));
		*woken = true;
		return p && take_short(ev->s, p, comm, tid);
	}
	text_take_number(ev->s, &end, " target_cpu=", INT32_MAX, &ignored);
	text_take_number(ev->s, &end, " success=", INT32_MAX, &success);
	*woken = success;
	if (!text_take_number(ev->s, &end, " prio=", INT32_MAX, &ignored) ||
	    !text_take_number(ev->s, &end, " pid=", INT32_MAX, tid) ||
	    end - ev->s < (ptrdiff_t)strlen(first))
		return false;
	*end = '\0';
	*comm = ev->s + strlen(first);
	return true;
}

static int feed_waking(struct intake *in, struct text_event *ev)
{
	uint64_t tid;
	char *comm;
	bool woken;

	if (!take_wakee(ev, &comm, &tid, &woken))
		return TEXT_MALFORMED;
	return woken ? intake_waking(in, &ev->at, (uint32_t)tid, comm) : 0;
}

static int read_waking(struct text_state *st, struct intake *in, struct text_event *ev)
{
	st->wakings = true;
	return feed_waking(in, ev);
}

static int read_wakeup(struct text_state *st, struct intake *in, struct text_event *ev)
{
	return st->wakings ? 0 : feed_waking(in, ev);
}

static int read_wakeup_new(struct text_state *st, struct intake *in, struct text_event *ev)
{
	uint64_t tid;
	char *comm;
	bool woken;

	(void)st;
	if (!take_wakee(ev, &comm, &tid, &woken))
		return TEXT_MALFORMED;
	return intake_task(in, &ev->at, FS_TASK_NEW, (uint32_t)tid, comm);
}

static int read_fork(struct text_state *st, struct intake *in, struct text_event *ev)
{
	char *end = ev->end, *comm;
	uint64_t tid;

	(void)st;
	if (!text_take_number(ev->s, &end, " child_pid=", INT32_MAX, &tid) ||
	    !(comm = TEXT_FIND_LAST(ev->s, end, " child_comm=")))
		return TEXT_MALFORMED;
	*end = '\0';
	return intake_task(in, &ev->at, FS_TASK_NEW, (uint32_t)tid, comm + strlen(" child_comm="));
}

bool text_hex(const char *s, const char *end, uint64_t *out)
{
	const char *p = s;

	*out = 0;
	for (; p < end && p - s < 16; p++) {
		if (*p >= '0' && *p <= '9')
			*out = *out * 16 + (uint64_t)(*p - '0');
		else if (*p >= 'a' && *p <= 'f')
			*out = *out * 16 + (uint64_t)(*p - 'a' + 10);
		else
			break;
	}
	return p > s;
}

/* "pid=1 comm=x clone_flags=1200011 oom_score_adj=0" */
static int read_newtask(struct text_state *st, struct intake *in, struct text_event *ev)
{
	static const char flags_key[] = " clone_flags=", comm_key[] = " comm=";
	char *at = TEXT_FIND_LAST(ev->s, ev->end, flags_key);
	const char *p = ev->s + strlen("pid=");
	uint64_t tid, flags;
	uint32_t tgid;
	int err;

	(void)st;
	if (!at || !text_hex(at + strlen(flags_key), ev->end, &flags) ||
	    !text_begins(ev->s, ev->end, "pid=") || !text_number(&p, at, INT32_MAX, &tid) ||
	    !text_begins(p, at, comm_key))
		return TEXT_MALFORMED;
	*at = '\0';
	p += strlen(comm_key);
	tgid = flags & CLONE_THREAD ? ev->at.tgid : (uint32_t)tid;
	err = intake_task(in, &ev->at, FS_TASK_NEW, (uint32_t)tid, p);
	return err || !tgid ? err : intake_thread(in, ev->at.ns, (uint32_t)tid, tgid, p);
}

/* "comm=x pid=1 prio=120" and what newer kernels add. */
static int read_exit(struct text_state *st, struct intake *in, struct text_event *ev)
{
	char *end = ev->end;
	uint64_t tid, prio;

	(void)st;
	if (!text_begins(ev->s, end, "comm=") ||
	    !text_take_number(ev->s, &end, " prio=", INT32_MAX, &prio) ||
	    !text_take_number(ev->s, &end, " pid=", INT32_MAX, &tid) || end - ev->s < 5)
		return TEXT_MALFORMED;
	*end = '\0';
	return intake_task(in, &ev->at, FS_TASK_EXIT, (uint32_t)tid, ev->s + 5);
}

/* The new name is not said here. A thread that was not its process's first takes that one's id. */
static int read_exec(struct text_state *st, struct intake *in, struct text_event *ev)
{
	char *end = ev->end;
	uint64_t tid, old;
	int err = 0;

	(void)st;
	if (!text_take_number(ev->s, &end, " old_pid=", INT32_MAX, &old) ||
	    !text_take_number(ev->s, &end, " pid=", INT32_MAX, &tid))
		return TEXT_MALFORMED;
	if (old != tid)
		err = intake_task(in, &ev->at, FS_TASK_EXIT, (uint32_t)old, NULL);
	return err ? err : intake_task(in, &ev->at, FS_TASK_EXEC, (uint32_t)tid, NULL);
}

/* "pid=1 oldcomm=a newcomm=b oom_score_adj=0" */
static int read_rename(struct text_state *st, struct intake *in, struct text_event *ev)
{
	char *end = TEXT_FIND_LAST(ev->s, ev->end, " oom_score_adj="), *comm;
	const char *p = ev->s + strlen("pid=");
	uint64_t tid;

	(void)st;
	if (!end || !text_begins(ev->s, end, "pid=") || !text_number(&p, end, INT32_MAX, &tid) ||
	    !(comm = TEXT_FIND_LAST(ev->s, end, " newcomm=")))
		return TEXT_MALFORMED;
	*end = '\0';
	return intake_task(in, &ev->at, FS_TASK_RENAME, (uint32_t)tid, comm + strlen(" newcomm="));
}

/* Behind a kernel function's name or address, which is where the text came from. */
static void skip_address(struct text_event *ev)
{
	static const char writer[] = "tracing_mark_write: ";
	const char *p = ev->s;
	uint64_t address;

	if (text_begins(p, ev->end, writer)) {
		ev->s += strlen(writer);
		return;
	}
	if (text_begins(p, ev->end, "0x"))
		p += 2;
	if (!text_hex(p, ev->end, &address))
		return;
	while (p < ev->end && *p != ':' && *p != ' ')
		p++;
	if (text_begins(p, ev->end, ": "))
		ev->s = (char *)p + 2;
}

/* In tracing_mark_write, print and bprint. */
static int read_mark(struct text_state *st, struct intake *in, struct text_event *ev)
{
	(void)st;
	if (ev->end - ev->s >= 2 && ev->s[1] != '|')
		skip_address(ev);
	return intake_mark(in, &ev->at, ev->s, (size_t)(ev->end - ev->s));
}

static const struct reader by_sched[] = {
	{ "sched_switch", read_switch },     { "sched_waking", read_waking },
	{ "sched_wakeup", read_wakeup },     { "sched_wakeup_new", read_wakeup_new },
	{ "sched_process_fork", read_fork }, { "sched_process_exit", read_exit },
	{ "sched_process_exec", read_exec }, { NULL, NULL },
};

static const struct reader by_task[] = {
	{ "tracing_mark_write", read_mark },
	{ "task_newtask", read_newtask },
	{ "task_rename", read_rename },
	{ NULL, NULL },
};

static const struct reader by_drm[] = {
	{ "drm_sched_job", text_read_job_queue },
	{ "drm_sched_job_queue", text_read_job_queue },
	{ "drm_run_job", text_read_job_run },
	{ "drm_sched_job_run", text_read_job_run },
	{ "drm_sched_job_done", text_read_job_done },
	{ "drm_sched_process_job", text_read_job_done },
	{ "drm_sched_job_wait_dep", text_read_job_wait },
	{ NULL, NULL },
};

static const struct reader by_print[] = {
	{ "print", read_mark },
	{ NULL, NULL },
};

static const struct reader by_bprint[] = {
	{ "bprint", read_mark },
	{ NULL, NULL },
};

static const struct reader by_sync[] = {
	{ "sync_wait", text_read_sync_wait },
	{ NULL, NULL },
};

static int pick(const struct reader *r, struct text_state *st, struct intake *in,
		struct text_event *ev)
{
	for (; r->name; r++) {
		if (strlen(r->name) == ev->name_len && !memcmp(r->name, ev->name, ev->name_len))
			return r->read(st, in, ev);
	}
	return 0;
}

int text_event_feed(struct text_state *st, struct intake *in, struct text_event *ev)
{
	const char *name = ev->name, *end = name + ev->name_len;

	switch (ev->name_len ? *name : 0) {
	case 's':
		return pick(text_begins(name, end, "sched_") ? by_sched : by_sync, st, in, ev);
	case 't':
		return pick(by_task, st, in, ev);
	case 'p':
		return pick(by_print, st, in, ev);
	case 'b':
		return pick(by_bprint, st, in, ev);
	case 'd':
		if (text_begins(name, end, "dma_fence_"))
			return text_read_fence(st, in, ev);
		return pick(by_drm, st, in, ev);
	case 'f':
		return text_begins(name, end, "fence_") ? text_read_fence(st, in, ev) : 0;
	case '0': /* an address, where the kernel could not name the function */
		return read_mark(st, in, ev);
	default:
		return 0;
	}
}
