// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Calls of probed functions by watched threads, one record each, sent at the return. The same two
 * programs serve every probed function; the attachment's cookie says which one it is.
 */
#include "compat.bpf.h"
#include "framescope.bpf.h"

SEC("?uprobe")
int BPF_KPROBE(span_entry)
{
	__u64 id = bpf_get_current_pid_tgid();
	__u32 tid = (__u32)id;
	struct fs_open_span *s;
	struct fs_thread *t;

	if (!is_watched(tid))
		return 0;
	t = get_thread(ctx, tid, id >> 32);
	if (!t)
		return 0;
	end_unseen(ctx, t, tid, id >> 32, bpf_ktime_get_ns());
	if (t->depth >= FS_SPAN_DEPTH) {
		t->too_deep++;
		emit_lost(ctx, FS_LOST_DEPTH, tid, id >> 32);
		return 0;
	}
	s = &t->spans[t->depth & (FS_SPAN_DEPTH - 1)];
	s->point = bpf_get_attach_cookie(ctx);
	s->args[0] = PT_REGS_PARM1(ctx);
	s->args[1] = PT_REGS_PARM2(ctx);
	s->args[2] = PT_REGS_PARM3(ctx);
	s->args[3] = PT_REGS_PARM4(ctx);
	t->depth++;
	s->entry_ns = bpf_ktime_get_ns();
	return 0;
}

SEC("?uretprobe")
int BPF_KRETPROBE(span_return)
{
	__u64 id = bpf_get_current_pid_tgid();
	__u32 tid = (__u32)id;
	struct fs_open_span *s = NULL;
	struct fs_span rec = {};
	struct fs_thread *t;
	__u32 depth;
	__u64 now;

	if (!is_watched(tid))
		return 0;
	t = bpf_map_lookup_elem(&threads, &tid);
	if (!t)
		return 0;
	end_unseen(ctx, t, tid, id >> 32, bpf_ktime_get_ns());
	/* Before the time: an interval that comes between the two must not look like a lost one. */
	rec.off_seq = t->off.seq;
	now = bpf_ktime_get_ns();
	if (t->too_deep) {
		/* Its entry was not kept. The gap in the sequence shows that a span is missing. */
		t->too_deep--;
		t->span_seq++;
		return 0;
	}
	rec.point = bpf_get_attach_cookie(ctx);
	/* Calls above it that never returned were left by longjmp() or an exception. */
	for (__u32 i = 0; i < FS_SPAN_DEPTH; i++) {
		depth = t->depth - i;
		if (!depth || depth > FS_SPAN_DEPTH)
			return 0; /* entered before the watch began */
		s = &t->spans[(depth - 1) & (FS_SPAN_DEPTH - 1)];
		if (s->point == rec.point)
			break;
		s = NULL;
	}
	if (!s)
		return 0;
	t->depth = depth - 1;
	fill_header(&rec.h, FS_KIND_SPAN, sizeof(rec), now, tid, id >> 32);
	rec.entry_ns = s->entry_ns;
	rec.seq = ++t->span_seq;
	rec.depth = depth - 1;
	__builtin_memcpy(rec.args, s->args, sizeof(rec.args));
	rec.ret = PT_REGS_RC(ctx);
	emit(ctx, &rec, sizeof(rec));
	return 0;
}
