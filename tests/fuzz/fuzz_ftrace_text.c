/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Damaged texts of ftrace against user/trace and the model behind it: put together of lines of all
 * dialects, changed, and some compressed or in a page. Meant to run under ASan and UBSan:
 *
 *     fuzz_ftrace_text [SECONDS [FIRST-INPUT]]
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "fuzz/fuzz_file.h"
#include "fuzz/random.h"
#include "model/model.h"
#include "stream/record.h"
#include "stream/source.h"

#define IMAGE_SIZE (1u << 20)
#define TEXT_SIZE (600u << 10)
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static unsigned char text[TEXT_SIZE];
static size_t len;

static const char *const heads[] = {
	"    RenderThread-112     (    100) [000] d..2. ",
	"    my - app [x]-100     (    100) [001] d.h3. ",
	"          <idle>-0       (-----) [001] dNs5. ",
	"           <...>-2301  [001] ",
	"kworker/u16:3-events-88    [000] d..2 ",
	"   RenderThread-113   [002] ...1 ",
};

static const char *const events[] = {
	"sched_switch: prev_comm=RenderThread prev_pid=112 prev_prio=110 prev_state=S ==> "
	"next_comm=swapper/0 next_pid=0 next_prio=120",
	"sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> "
	"next_comm=RenderThread next_pid=112 next_prio=110",
	"sched_switch: prev_comm=a prev_pid=1 x prev_pid=100 prev_prio=120 prev_state=R+ ==> "
	"next_comm= ==> next_comm= next_pid=112 next_prio=1",
	"sched_switch: prev_comm=x prev_pid=113 prev_prio=120 prev_state=D|K ==> next_comm=y "
	"next_pid=100 next_prio=1",
	"sched_switch: prev_comm=x prev_pid=112 prev_prio=120 prev_state=X ==> next_comm=y "
	"next_pid=100 next_prio=1",
	"sched_switch:         glmark2:4000 [120] S ==> swapper/0:0 [120]",
	"sched_switch:         swapper/0:0 [120] R ==> glmark2:4000 [120]",
	"sched_waking: comm=RenderThread pid=112 prio=110 target_cpu=000",
	"sched_wakeup: comm=my - app [x] pid=100 prio=110 success=1 target_cpu=000",
	"sched_wakeup:         glmark2:4000 [120] CPU:000",
	"sched_wakeup_new: comm=b pid=8 prio=120 target_cpu=001",
	"sched_process_fork: comm=a pid=100 child_comm=b child_pid=8",
	"sched_process_exit: comm=b pid=8 prio=120 group_dead=true",
	"sched_process_exec: filename=/bin/x pid=8 old_pid=9",
	"task_newtask: pid=8 comm=b clone_flags=3d0f00 oom_score_adj=0",
	"task_rename: pid=8 oldcomm=b newcomm=c oom_score_adj=0",
	"tracing_mark_write: B|100|Choreographer#doFrame 77",
	"tracing_mark_write: B|100|DrawFrames 77",
	"tracing_mark_write: B|100|dequeueBuffer - VRI[a]#0(BLAST Consumer)0",
	"tracing_mark_write: B|100|queueBuffer",
	"tracing_mark_write: B|100|eglSwapBuffersWithDamageKHR",
	"tracing_mark_write: E|100",
	"tracing_mark_write: E",
	"tracing_mark_write: E|100|vendor",
	"print:                tracing_mark_write: C|100|jitterNanos|5",
	"print: ffffff80081a1b2c: S|100|async|7",
	"0xffffffff: F|100|async|7",
	"tracing_mark_write: G|100|track|name|7",
	"tracing_mark_write: H|100|track|7",
	"tracing_mark_write: I|100|instant",
	"tracing_mark_write: trace_event_clock_sync: parent_ts=4492.069824",
	"dma_fence_init: driver=mali timeline=gpu0-q1 context=7 seqno=41",
	"dma_fence_signaled: driver=mali timeline=gpu0-q1 context=7 seqno=41",
	"dma_fence_wait_start: driver=mali timeline=gpu0-q1 context=7 seqno=41",
	"fence_wait_end: driver= timeline= context=7 seqno=41",
	"drm_sched_job_run: dev=x, fence=21:2, ring=gfx, job count:0, hw job count:1, client_id:5",
	"drm_sched_job_done: fence=21:2 signaled",
	"drm_run_job: entity=00000000aa, id=1, fence=00000000deadbeef, ring=gfx, job count:1, hw",
	"drm_sched_job_wait_dep: job ring=a, id=9, depends fence=00000000deadbeef, context=21, "
	"seq=2",
	"sync_wait: begin name=SurfaceView:6 state=1",
	"sync_wait: end name=SurfaceView:6 state=1",
	"cpu_idle: state=1 cpu_id=0",
};

static const char *const others[] = {
	"# tracer: nop\n",
	"#\n",
	"CPU:1 [LOST 48 EVENTS]\n",
	"[LOST 3 EVENTS]\n",
	"##### CPU 1 buffer started ####\n",
	"cpus=8\n",
	"TRACE:\n",
	"capturing trace... done\n",
	"nonsense\n",
	"\n",
	"<script class=\"trace-data\" type=\"application/text\">\n",
	"</script>\n",
};

static const char *const tokens[] = {
	"prev_pid=",  " next_comm=", " ==> ",    "=",         "-",
	"[000]",      "(",           "]",        "|",         "18446744073709551616",
	"4294967295", "0",           "\n",       "\r\n",      ":",
	" seqno=",    "fence=",      "\x78\x9c", "</script>", "-1",
};

static void insert(size_t at, const void *piece, size_t n)
{
	if (n > TEXT_SIZE - len)
		return;
	memmove(text + at + n, text + at, len - at);
	memcpy(text + at, piece, n);
	len += n;
}

static void add(const char *s)
{
	insert(len, s, strlen(s));
}

static void add_event(uint64_t *us)
{
	char head[64], time[32];

	/* Now and then back, or far ahead. */
	*us += below(64) ? below(3000) : below(1000) - 500;
	snprintf(head, sizeof(head), "%s", heads[below(COUNT(heads))]);
	snprintf(time, sizeof(time), "%llu.%06llu: ", (unsigned long long)(*us / 1000000),
		 (unsigned long long)(*us % 1000000));
	add(head);
	add(time);
	add(events[below(COUNT(events))]);
	add("\n");
}

static void damage(void)
{
	size_t at = below(len + 1), n = below(64);
	unsigned char piece[64];
	const char *token;

	n = n < len - at ? n : len - at;
	switch (below(5)) {
	case 0:
		memmove(text + at, text + at + n, len - at - n);
		len -= n;
		break;
	case 1: /* again elsewhere */
		memcpy(piece, text + at, n);
		insert(below(len + 1), piece, n);
		break;
	case 2:
		if (at < len)
			text[at] ^= (unsigned char)(1u << below(8));
		break;
	case 3: /* a line that may be too long */
		memset(piece, "0=- [\n"[below(6)], sizeof(piece));
		for (n = below(64) ? 1 : below(8000); n; n--)
			insert(at, piece, sizeof(piece));
		break;
	default:
		token = tokens[below(COUNT(tokens))];
		insert(at, token, strlen(token));
	}
}

static size_t deflated(unsigned char *image, int window_bits)
{
	z_stream z = { 0 };

	if (deflateInit2(&z, 1, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY) != Z_OK)
		abort();
	z.next_in = text;
	z.avail_in = (uInt)len;
	z.next_out = image;
	z.avail_out = IMAGE_SIZE - 64;
	if (deflate(&z, Z_FINISH) != Z_STREAM_END)
		abort();
	deflateEnd(&z);
	return z.total_out;
}

static size_t make(unsigned char *image, uint64_t input)
{
	static const char banner[] = "capturing trace... done\nTRACE:\n";
	uint64_t us = 0;
	size_t size, at = 0;

	state = input * 0x9e3779b97f4a7c15ull;
	us = below(4) ? 4492000000 : 0;
	len = 0;
	bool page = below(4) == 0;
	if (page)
		add("<!DOCTYPE html>\n<script class=\"trace-data\" type=\"application/text\">\n");
	add("# tracer: nop\n");
	for (size_t n = 1 + below(120); n; n--) {
		if (below(12))
			add_event(&us);
		else
			add(others[below(COUNT(others))]);
	}
	if (page)
		add("</script>\n");
	for (size_t n = below(8); n; n--)
		damage();
	switch (below(4)) {
	case 0:
		size = deflated(image, 31);
		break;
	case 1:
		at = strlen(banner);
		memcpy(image, banner, at);
		size = at + deflated(image + at, 15);
		break;
	default:
		memcpy(image, text, len);
		return len;
	}
	/* What is not compressed data. */
	for (size_t n = below(8) ? 0 : below(4); n; n--)
		image[at + below(size - at)] ^= (unsigned char)(1u << below(8));
	return below(8) ? size : at + below(size - at);
}

static void on_frame(void *ctx, struct frame *f)
{
	*(bool *)ctx |= budget_total(&f->render) != f->end_ns - f->render_start_ns;
}

static const char *check_record(const struct fs_header *rec)
{
	const struct fs_offcpu *off = (const void *)rec;

	if (!record_known(rec->kind) || rec->size < record_full_size(rec->kind) ||
	    rec->size > FS_RECORD_MAX)
		return "a record of no kind or size";
	if (rec->kind == FS_KIND_OFFCPU && (!off->seq || !rec->tid))
		return "an interval without a number, or of nobody";
	return NULL;
}

static const char *use(const char *path, size_t size)
{
	bool wrong_budget = false;
	const struct model_sink sink = { .frame = on_frame, .ctx = &wrong_budget };
	struct model *m = model_new(&sink);
	const struct fs_header *rec;
	const char *wrong = NULL;
	struct source *s = NULL;
	struct err e = { 0 };
	int ret = source_open(path, &s, &e);

	if (!m)
		abort();
	while (!ret && !wrong && (ret = source_next(s, &rec, &e)) == 1) {
		wrong = check_record(rec);
		ret = wrong ? 0 : model_feed(m, rec);
		if (ret)
			wrong = "a record that the model does not take";
	}
	if (!wrong && ret && (ret != -EINVAL || !e.what[0] || !e.hint[0]))
		wrong = "an error without its text";
	if (!wrong && !ret && source_stats(s)->bytes > size)
		wrong = "more than there is";
	if (!wrong && model_finish(m))
		wrong = "what the model can't finish";
	if (!wrong && wrong_budget)
		wrong = "a budget that does not add up";
	model_free(m);
	source_close(s);
	return wrong;
}

int main(int argc, char **argv)
{
	static unsigned char image[IMAGE_SIZE];
	const struct fuzz_file f = {
		.name = "ftrace_text", .image = image, .make = make, .use = use
	};

	return fuzz_file(&f, argc, argv);
}
