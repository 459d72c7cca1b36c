/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Causes, wakers and times in words. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "output/frame_timeline_words.h"
#include "output/words.h"
#include "stream/record.h"

void words_ms(char *dst, size_t len, uint64_t ns)
{
	uint64_t us = ns / 1000 + (ns % 1000 >= 500);

	snprintf(dst, len, "%" PRIu64 ".%03" PRIu64, us / 1000, us % 1000);
}

const char *words_part(enum budget_part part)
{
	static const char *const words[BUDGET_NR] = {
		[BUDGET_RUNNING] = "running",
		[BUDGET_RUNNABLE] = "ready, but waiting for a CPU",
		[BUDGET_FENCE] = "blocked on a fence",
		[BUDGET_SLOT] = "blocked for a free buffer",
		[BUDGET_GPU] = "blocked in the GPU driver",
		[BUDGET_LOCK] = "blocked on a lock",
		[BUDGET_BINDER] = "blocked on a binder reply",
		[BUDGET_IPC] = "blocked on a message",
		[BUDGET_IO] = "blocked on I/O or a page fault",
		[BUDGET_SLEEP] = "asleep by its own wish",
		[BUDGET_OTHER] = "blocked otherwise",
		[BUDGET_UNKNOWN] = "not observed",
	};

	return (unsigned)part < BUDGET_NR ? words[part] : "?";
}

unsigned words_width(const char *text)
{
	unsigned width = 0;

	for (; *text; text++)
		width += ((unsigned char)*text & 0xc0) != 0x80; /* not a continuation byte */
	return width;
}

void words_fit(char *dst, size_t len, const char *text, unsigned width)
{
	if (words_width(text) <= width) {
		snprintf(dst, len, "%s", text);
		return;
	}

	const char *end = text;
	for (unsigned shown = 0; *end; end++) {
		if (((unsigned char)*end & 0xc0) != 0x80 && ++shown == width)
			break;
	}
	snprintf(dst, len, "%.*s~", (int)(end - text), text);
}

void words_fit_producer(char *dst, size_t len, const char *text, unsigned width)
{
	const char *number = strrchr(text, '#');
	unsigned kept = number ? words_width(number) : 0;
	char name[WORDS_LEN];

	if (!kept || kept + 2 > width) {
		words_fit(dst, len, text, width);
		return;
	}
	snprintf(name, sizeof(name), "%.*s", (int)(number - text), text);
	words_fit(dst, len, name, width - kept);
	snprintf(dst + strlen(dst), len - strlen(dst), "%s", number);
}

void words_detail(char *dst, size_t len, const struct blocker *b)
{
	const char *call = NULL;
	const char *file = NULL;

	switch (b->call) {
	case FS_CALL_UNKNOWN:
		break;
	case FS_CALL_NONE:
		call = "no system call";
		break;
	case FS_CALL_OTHER:
		call = "another system call";
		break;
	case FS_CALL_COMPAT:
		call = "32-bit system call";
		break;
	default:
		call = record_call_name(b->call);
	}
	if (b->file != FS_FILE_NONE && b->file != FS_FILE_UNKNOWN)
		file = record_file_name(b->file);

	if (call && file && !strcmp(call, file))
		file = NULL; /* "epoll" says it all */

	snprintf(dst, len, "%s%s%s", call ? call : "", call && file ? " " : "", file ? file : "");
	size_t used = strlen(dst);
	if (b->fd >= 0)
		snprintf(dst + used, len - used, "%sfd %d", used ? " " : "", b->fd);
}

static void peer_words(char *dst, size_t len, const struct blocker *b, unsigned width)
{
	char comm[4 * FS_COMM_LEN + 1];
	char tid[16];

	text_escape(comm, sizeof(comm), b->peer_comm, FS_COMM_LEN);
	if (!*comm)
		snprintf(comm, sizeof(comm), "thread");
	int tid_len = snprintf(tid, sizeof(tid), "/%" PRIu32, b->peer_tid);

	if (width != WORDS_NO_LIMIT && width > (unsigned)tid_len) {
		char cut[sizeof(comm) + 1];

		words_fit(cut, sizeof(cut), comm, width - (unsigned)tid_len);
		snprintf(dst, len, "%s%s", cut, tid);
	} else {
		snprintf(dst, len, "%s%s", comm, tid);
	}
}

void words_waker(char *dst, size_t len, const struct blocker *b, unsigned width)
{
	*dst = '\0';
	if (b->cause == BUDGET_RUNNABLE)
		return;
	if (b->timed_out)
		snprintf(dst, len, "its time-out");
	else if (b->context == FS_CTX_HARDIRQ)
		snprintf(dst, len, "hard irq");
	else if (b->context == FS_CTX_SOFTIRQ)
		snprintf(dst, len, "soft irq");
	else if (b->peer_tid)
		peer_words(dst, len, b, width);
}

void words_taker(char *dst, size_t len, const struct blocker *b, unsigned width)
{
	*dst = '\0';
	if (b->cause == BUDGET_RUNNABLE && b->peer_tid)
		peer_words(dst, len, b, width);
}

void words_timeline(char *dst, size_t len, const struct fence_name *name)
{
	char driver[WORDS_LEN], timeline[WORDS_LEN];

	text_escape(driver, sizeof(driver), name->driver, sizeof(name->driver));
	text_escape(timeline, sizeof(timeline), name->timeline, sizeof(name->timeline));
	*dst = '\0';
	if (*driver || *timeline)
		snprintf(dst, len, "%s/%s", *driver ? driver : "-", *timeline ? timeline : "-");
}

/* Append to a text that may already fill dst. */
void words_append(char *dst, size_t len, const char *fmt, ...)
{
	size_t used = strlen(dst);
	va_list args;

	va_start(args, fmt);
	vsnprintf(dst + used, len - used, fmt, args);
	va_end(args);
}

void words_why(char *dst, size_t len, const struct frame *f)
{
	uint64_t ns;
	enum budget_part part = frame_top_cause(f, &ns);
	const struct blocker *b = frame_top_blocker(f, part);
	char ms[32], detail[WORDS_LEN], waker[WORDS_LEN], taker[WORDS_LEN];

	if (frame_is_told(f)) {
		words_ft_jank(dst, len, f->ft.jank);
		return;
	}
	if (f->hwui.top_ns && f->hwui.top_stage == STAGE_GPU) {
		snprintf(dst, len, "drawn by the GPU, most of it after the buffer was queued");
		return;
	}
	*dst = '\0';
	if (f->hwui.top_ns)
		snprintf(dst, len, "in %s: ", stage_name(f->hwui.top_stage));
	if (b && b->blocked)
		words_append(dst, len, "%s",
			     b->ns < ns ? "not observed, or blocked"
					: "blocked in what is not known");
	else
		words_append(dst, len, "%s", words_part(part));
	if (!b)
		return;

	words_detail(detail, sizeof(detail), b);
	words_waker(waker, sizeof(waker), b, WORDS_NO_LIMIT);
	words_taker(taker, sizeof(taker), b, WORDS_NO_LIMIT);
	if (b->ns < ns && (*detail || *waker || *taker)) {
		words_ms(ms, sizeof(ms), b->ns);
		words_append(dst, len, "; %s ms of it%s%s", ms, *detail ? " in " : "", detail);
	} else if (*detail) {
		words_append(dst, len, " (%s)", detail);
	}
	if (*waker)
		words_append(dst, len, ", woken by %s", waker);
	if (*taker)
		words_append(dst, len, ", the CPU taken by %s", taker);
	if (b->confidence == CONF_PROBABLE)
		words_append(dst, len, " (probable)");
}

void words_frame(char *dst, size_t len, const struct frame *f)
{
	uint64_t ns;
	char ms[32], wall_ms[32], why[2 * WORDS_LEN];

	frame_top_cause(f, &ns);
	words_ms(ms, sizeof(ms), ns);
	words_ms(wall_ms, sizeof(wall_ms), f->end_ns - f->start_ns);
	words_why(why, sizeof(why), f);
	if (f->dumped)
		snprintf(dst, len, "%s ms%s%s", wall_ms, *why ? ": " : "", why);
	else if (ns > f->end_ns - f->start_ns)
		snprintf(dst, len, "%s ms %s; until then it was %s ms long", ms, why, wall_ms);
	else
		snprintf(dst, len, "%s of %s ms %s", ms, wall_ms, why);
}
