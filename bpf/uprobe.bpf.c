// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Calls of probed functions by watched threads, one record each, sent at the return. The same two
 * programs serve every probed function; the attachment's cookie says which one it is, and its role.
 * Where kernels have no cookies, each function has a copy of the programs (user/capture/attach.c).
 */
#include "compat.bpf.h"
#include "identity.bpf.h"

const volatile bool has_attach_cookie = false;

/* How many slots HWUI's FrameInfo has on this platform; 0 = not known. */
const volatile __u16 frame_info_layout = 0;

/* FS_COOKIE_... of the probed function. */
static __always_inline __u64 point_cookie(void *ctx)
{
	__u64 cookie;

	if (has_attach_cookie &&
	    bpf_core_enum_value_exists(enum bpf_func_id, BPF_FUNC_get_attach_cookie))
		return bpf_get_attach_cookie(ctx);
	asm volatile("%0 = 0x66735f706f696e74 ll" : "=r"(cookie)); /* ATTACH_PLACEHOLDER */
	return cookie;
}

#define NO_FENCE (-1) /* in place of a descriptor: what was passed has signalled */

/*
 * Which fence a call passes; at the edge of the call, so that its record sorts before the call's.
 * That time and the object are in t->ref already. Its stack by itself: see struct fs_thread.
 */
static __noinline int record_fence(void *ctx, struct fs_thread *t, __u32 role, __s32 fd)
{
	struct task_struct *task = (void *)bpf_get_current_task();

	if (fd == NO_FENCE)
		return 0;
	fill_header(&t->ref.h, 0, 0, t->ref.h.time_ns, t->tid, t->tgid);
	t->ref.role = role;
	t->ref.timeout_ns = -1;
	t->ref.off_seq = t->off.seq;
	name_fences(ctx, false, &t->ref, task, fd);
	return 0;
}

static __always_inline __u32 role_of(__u64 cookie)
{
	return cookie >> FS_COOKIE_ROLE_SHIFT & FS_COOKIE_ROLE_MASK;
}

static __always_inline __u64 read_pointer(__u64 from)
{
	__u64 pointer = 0;

	bpf_probe_read_user(&pointer, sizeof(pointer), (void *)(unsigned long)from);
	return pointer;
}

static __always_inline __u32 detail_of(__u64 cookie)
{
	return cookie >> FS_COOKIE_DETAIL_SHIFT & FS_COOKIE_DETAIL_MASK;
}

/* What is behind its end is left as it was: another record's. */
static __always_inline void read_string(char *to, __u32 size, __u64 from)
{
	if (!from || bpf_probe_read_user_str(to, size, (void *)(unsigned long)from) < 0)
		to[0] = '\0';
}

/* Put what the arguments point to in the place of those that the record has no use for. */
static __noinline int follow_args(__u64 cookie, struct fs_open_span *span)
{
	bool numbered = cookie & FS_COOKIE_NUMBERED;
	__u64 *args = span->args, at;

	switch (role_of(cookie)) {
	case FS_ROLE_QUEUE:
	case FS_ROLE_CANCEL:
		args[3] = cookie & FS_COOKIE_BY_REFERENCE ? read_pointer(args[1]) : args[1];
		break;
	case FS_ROLE_DEQUEUE:
		args[3] = 0;
		break;
	case FS_ROLE_FRAME_TIMELINE:
		at = numbered ? args[2] : args[1];
		args[3] = read_pointer(at + detail_of(cookie));
		if (!numbered)
			args[1] = 0;
		break;
	case FS_ROLE_RELEASED:
		at = args[1] + detail_of(cookie);
		args[2] = read_pointer(at);
		args[3] = read_pointer(at + 8);
		break;
	}
	return 0;
}

/* Is a FrameInfo to be looked at again when the call returns? */
static __always_inline bool followed(__u64 cookie)
{
	return role_of(cookie) == FS_ROLE_FRAME_INFO && !(cookie & FS_COOKIE_BEFORE_ONLY);
}

#define FRAME_SLOTS_SHORTEST 16 /* of the FrameInfos known */

/*
 * Send what the call was given, as it is now. A FrameInfo shorter than the longest may end where
 * its page ends.
 */
static __noinline int frame_info(void *ctx, struct fs_thread *t, __u64 cookie,
				 const struct fs_open_span *span, __u32 part)
{
	struct fs_frame_info *info = &t->info;
	bool ui = part == FS_INFO_UI;
	const void *slots = (void *)(unsigned long)(ui ? span->args[2] : span->args[1]);
	__u64 now = part == FS_INFO_AFTER ? bpf_ktime_get_ns() : span->entry_ns;

	fill_header(&info->h, FS_KIND_FRAME_INFO, sizeof(*info), now, t->tid, t->tgid);
	info->object = span->args[0];
	info->frame_number = !ui && cookie & FS_COOKIE_NUMBERED ? span->args[3] : 0;
	info->sync_queued_ns = ui ? span->args[3] : 0;
	info->point = span->point;
	info->part = part;
	info->layout = frame_info_layout;
	info->flags = part == FS_INFO_WHOLE && followed(cookie) ? FS_INFO_FOLLOWED : 0;
	info->count = FS_FRAME_SLOTS;
	if (bpf_probe_read_user(info->slots, sizeof(info->slots), slots)) {
		/* The failed read has left zeroes. */
		info->count = FRAME_SLOTS_SHORTEST;
		if (bpf_probe_read_user(info->slots, FRAME_SLOTS_SHORTEST * sizeof(__s64), slots))
			return 0;
	}
	emit(ctx, info, sizeof(*info));
	return 0;
}

/*
 * An android::Fence begins with the count of references to it and the descriptor; from Android 13
 * on there is a pointer to functions before them. The low half of that is no small number.
 */
#define REFERENCES_MAX 0x10000

static __always_inline __s32 object_descriptor(__u64 object)
{
	__u32 references = 0;
	__s32 fd = NO_FENCE;

	bpf_probe_read_user(&references, sizeof(references), (void *)(unsigned long)object);
	bpf_probe_read_user(
		&fd, sizeof(fd),
		(void *)(unsigned long)(object + (references < REFERENCES_MAX ? 4 : 12)));
	return fd;
}

/* Its stack by itself: see struct fs_thread. */
static __noinline int send_name(void *ctx, struct fs_thread *t, const struct fs_open_span *span)
{
	struct fs_text *text = &t->text;

	if (bpf_probe_read_user_str(text->text, sizeof(text->text),
				    (void *)(unsigned long)span->args[1]) <= 1)
		return 0;
	text->point = span->point;
	text->pad = 0;
	text->text[FS_TEXT_LEN - 1] = '\0'; /* what was here is another record's */
	fill_header(&text->h, FS_KIND_TEXT, sizeof(*text), span->entry_ns, t->tid, t->tgid);
	emit(ctx, text, sizeof(*text));
	return 0;
}

/* What is sent at the entry, before the call's own record: a FrameInfo, or which fence it passes.
 */
static __noinline int on_entry(void *ctx, struct fs_thread *t, __u64 cookie,
			       const struct fs_open_span *span)
{
	const __u64 *args = span->args;
	__u32 role;
	__s32 fd;

	t->ref.object = args[0];
	t->ref.h.time_ns = span->entry_ns;
	switch (role_of(cookie)) {
	case FS_ROLE_QUEUE:
		role = FS_REF_ACQUIRE;
		fd = (__s32)args[2];
		break;
	case FS_ROLE_CANCEL:
		role = FS_REF_CANCEL;
		fd = (__s32)args[2];
		break;
	case FS_ROLE_FENCE_WAIT:
		role = FS_REF_WAIT_CALL;
		fd = cookie & FS_COOKIE_BY_REFERENCE ? object_descriptor(args[0]) : (__s32)args[0];
		t->ref.object = 0;
		break;
	case FS_ROLE_FRAME_INFO:
		return frame_info(ctx, t, cookie, span, FS_INFO_WHOLE);
	case FS_ROLE_FRAME_UI:
		return frame_info(ctx, t, cookie, span, FS_INFO_UI);
	default:
		return 0;
	}
	record_fence(ctx, t, role, fd);
	if (fd != NO_FENCE && cookie & FS_COOKIE_NAMED)
		send_name(ctx, t, span);
	return 0;
}

/* A dequeue that succeeded has stored the buffer and its fence's descriptor where it was told. */
static __always_inline void return_buffer(void *ctx, struct fs_thread *t, struct fs_span *span)
{
	__s32 fd = NO_FENCE;

	if ((__s32)span->ret)
		return;
	span->args[3] = read_pointer(span->args[1]);
	if (bpf_probe_read_user(&fd, sizeof(fd), (void *)(unsigned long)span->args[2]))
		return;
	t->ref.object = span->args[0];
	t->ref.h.time_ns = span->h.time_ns;
	record_fence(ctx, t, FS_REF_RELEASE, fd);
}

/* What became known by the return. */
static __noinline int on_return(void *ctx, struct fs_thread *t, __u64 cookie)
{
	struct fs_span *span = &t->span;

	switch (role_of(cookie)) {
	case FS_ROLE_DEQUEUE:
		return_buffer(ctx, t, span);
		break;
	case FS_ROLE_VSYNC:
		if (cookie & FS_COOKIE_BY_REFERENCE)
			span->args[1] = read_pointer(span->args[1]);
		break;
	}
	return 0;
}

/* The barrier keeps the compiler from proving the mask needless, which the verifier could not. */
static __always_inline struct fs_open_span *span_at(struct fs_thread *t, __u64 index)
{
	barrier_var(index);
	return &t->spans[index & (FS_SPAN_DEPTH - 1)];
}

/*
 * Calls that were left by longjmp(), or that were too deep for the kernel to catch their returns,
 * never return here. A call that is still open has its stack above that of any call inside it, so
 * what lies below `sp` is over. (The kernel takes its own return probes for over by the same rule.)
 */
static __always_inline void drop_left(struct fs_thread *t, __u64 sp)
{
	for (int i = 0; i < FS_SPAN_DEPTH; i++) {
		__u32 depth = t->depth;

		if (!depth || depth > FS_SPAN_DEPTH || span_at(t, depth - 1)->sp >= sp)
			return;
		t->depth = depth - 1;
		t->too_deep = 0;
	}
}

/* Of all loopers only the UI thread's is asked for. */
static __always_inline bool passed_over(__u64 cookie, const struct fs_thread *t)
{
	return role_of(cookie) == FS_ROLE_POLL && t->tid != t->tgid;
}

SEC("?uprobe")
int BPF_KPROBE(span_entry)
{
	__u64 id = bpf_get_current_pid_tgid();
	__u64 sp = PT_REGS_SP(ctx);
	__u32 tid = (__u32)id;
	struct fs_thread *t = thread_of(slot_of(tid));
	struct fs_open_span *s;
	__u64 cookie;
	__u32 point;

	if (!t)
		return 0;
	end_unseen(ctx, t, bpf_ktime_get_ns());
	cookie = point_cookie(ctx);
	if (passed_over(cookie, t))
		return 0;
	point = (__u32)cookie;
	drop_left(t, sp);
	/* Another function at the same place called this one as its last act; this one did not. */
	s = span_at(t, t->depth - 1);
	if (t->depth && s->sp == sp && s->point == point)
		t->depth--;
	if (t->depth >= FS_SPAN_DEPTH) {
		t->too_deep++;
		emit_lost(ctx, &t->lost, FS_LOST_DEPTH, tid, id >> 32);
		return 0;
	}
	s = span_at(t, t->depth);
	s->sp = sp;
	s->point = point;
	s->args[0] = PT_REGS_PARM1(ctx);
	s->args[1] = PT_REGS_PARM2(ctx);
	s->args[2] = PT_REGS_PARM3(ctx);
	s->args[3] = PT_REGS_PARM4(ctx);
	follow_args(cookie, s);
	t->depth++;
	s->entry_ns = bpf_ktime_get_ns();
	on_entry(ctx, t, cookie, s);
	return 0;
}

SEC("?uretprobe")
int BPF_KRETPROBE(span_return)
{
	__u64 id = bpf_get_current_pid_tgid();
	__u64 sp = PT_REGS_SP(ctx) - RETURN_ADDRESS_BYTES;
	__u32 tid = (__u32)id;
	struct fs_thread *t = thread_of(slot_of(tid));
	struct fs_open_span *s;
	struct fs_span *rec;
	__u32 depth, off_seq;
	__u64 cookie, now;

	if (!t)
		return 0;
	end_unseen(ctx, t, bpf_ktime_get_ns());
	/* Before the time: an interval that comes between the two must not look like a lost one. */
	off_seq = t->off.seq;
	now = bpf_ktime_get_ns();
	drop_left(t, sp);
	depth = t->depth;
	if (!depth || depth > FS_SPAN_DEPTH)
		return 0; /* entered before the watch began */
	s = span_at(t, depth - 1);
	cookie = point_cookie(ctx);
	if (s->sp != sp || s->point != (__u32)cookie) {
		/* Too deep: its entry was not kept. The gap in the sequence shows it. */
		if (t->too_deep) {
			t->too_deep--;
			t->span_seq++;
		}
		return 0;
	}
	t->depth = depth - 1;
	rec = &t->span;
	fill_header(&rec->h, FS_KIND_SPAN, sizeof(*rec), now, tid, id >> 32);
	rec->point = s->point;
	rec->entry_ns = s->entry_ns;
	rec->off_seq = off_seq;
	rec->flags = 0;
	rec->pad = 0;
	rec->seq = ++t->span_seq;
	rec->depth = depth - 1;
	__builtin_memcpy(rec->args, s->args, sizeof(rec->args));
	rec->ret = PT_REGS_RC(ctx);
	on_return(ctx, t, cookie);
	emit(ctx, rec, sizeof(*rec));
	if (followed(cookie))
		frame_info(ctx, t, cookie, s, FS_INFO_AFTER);
	return 0;
}

/* An argument that is 32 bits wide may have anything above them. */
static __always_inline __s64 counter_value(__u64 cookie, __u64 arg)
{
	return cookie & FS_COOKIE_NUMBERED ? (__s64)arg : (__s32)arg;
}

/* Only its entry matters, so it has a program of its own, and no return probe. */
SEC("?uprobe")
int BPF_KPROBE(mark_entry)
{
	__u64 id = bpf_get_current_pid_tgid();
	struct fs_thread *t = thread_of(slot_of((__u32)id));
	/* Behind a category, all arguments are one further. */
	__u64 cookie = point_cookie(ctx), first = PT_REGS_PARM1(ctx), second = PT_REGS_PARM2(ctx);
	__u64 name = cookie & FS_COOKIE_NAMED ? second : first, track = 0;
	struct fs_marker *m;

	if (!t)
		return 0;
	m = &t->marker;
	m->phase = detail_of(cookie);
	m->pad = 0;
	m->cookie = 0;
	m->value = 0;
	switch (m->phase) {
	case 'E':
		name = 0;
		break;
	case 'S':
	case 'F':
		m->cookie = (__u32)second;
		break;
	case 'G':
		track = first;
		name = second;
		m->cookie = (__u32)PT_REGS_PARM3(ctx);
		break;
	case 'H':
		track = first;
		name = 0;
		m->cookie = (__u32)second;
		break;
	case 'N':
		track = first;
		name = second;
		break;
	case 'C':
		m->value = counter_value(cookie, second);
		break;
	}
	read_string(m->track, sizeof(m->track), track);
	read_string(m->text, sizeof(m->text), name);
	fill_header(&m->h, FS_KIND_MARKER, sizeof(*m), bpf_ktime_get_ns(), t->tid, t->tgid);
	emit(ctx, m, sizeof(*m));
	return 0;
}
