/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The table of kinds: names, checks, the text form both ways. */
#include <stdint.h>
#include <string.h>

#include "check.h"
#include "stream/record.h"

static char buf[FS_RECORD_MAX] __attribute__((aligned(8)));

static const struct fs_header *parse(const char *line)
{
	struct err e = { 0 };
	int ret = record_parse(line, buf, &e);

	if (ret)
		printf("# %s: %s\n", line, e.what);
	return ret ? NULL : (const struct fs_header *)buf;
}

/* The record's line without its newline; valid until the next call. */
static const char *print(const struct fs_header *rec)
{
	static char *text;
	size_t len;

	free(text);
	FILE *f = open_memstream(&text, &len);
	record_print(f, rec);
	fclose(f);
	CU_ASSERT_FATAL(len > 0 && text[len - 1] == '\n');
	text[len - 1] = '\0';
	CU_ASSERT_PTR_NULL_FATAL(strchr(text, '\n'));
	return text;
}

static void names(void)
{
	CU_ASSERT_STRING_EQUAL(record_call_name(FS_CALL_EPOLL), "epoll");
	CU_ASSERT_STRING_EQUAL(record_file_name(FS_FILE_SYNC_FILE), "sync_file");
	CU_ASSERT_STRING_EQUAL(record_context_name(FS_CTX_SOFTIRQ), "softirq");
	CU_ASSERT_PTR_NULL(record_call_name(FS_CALL_NR));
	CU_ASSERT_PTR_NULL(record_file_name(FS_FILE_NR));
	CU_ASSERT_PTR_NULL(record_context_name(FS_CTX_NR));
	CU_ASSERT_FALSE(record_known(0));
	CU_ASSERT_FALSE(record_known(65535));
	CU_ASSERT_FALSE(record_known(FS_KIND_BUFFER + 1));
	CU_ASSERT_TRUE(record_known(FS_KIND_POINT));
	CU_ASSERT_EQUAL(record_full_size(FS_KIND_OFFCPU), 104);
	CU_ASSERT_EQUAL(record_full_size(999), 0);
}

/* One line per kind as documented, with every field set; each prints back as it was. */
static void lines(void)
{
	static const char *const texts[] = {
		"11 cpu=- 0/7 timeline kind=actual_surface start_ns=5 token=-3 display_token=4 "
		"flags=open|on_time|gpu|is_buffer jank=0x140 present=2 prediction=1 severity=3 "
		"layer=\"TX - a.b#7\"",
		"12 cpu=- 0/0 buffer type=4 frame_number=9 buffer_id=3 duration_ns=8 "
		"layer=\"Surface 1\"",
		"10 cpu=1 7/6 frame_info object=0xb4000070 frame_number=12 sync_queued_ns=9 "
		"point=3 "
		"part=whole layout=23 count=25 flags=followed slots=1,-1,9223372036854775807,"
		"-9223372036854775808,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25",
		"11 cpu=1 7/6 frame_info object=0x0 frame_number=0 sync_queued_ns=10 point=3 "
		"part=9 "
		"layout=0 count=0 flags=0 slots=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0",
		"12 cpu=1 7/6 marker phase=C cookie=1 value=-5 track=\"t\" text=\"a|b\"",
		"13 cpu=1 7/6 marker phase=7 cookie=9 value=0 track=\"\" text=\"\"",
		"100 cpu=3 12/10 span entry_ns=90 point=2 flags=open seq=5 depth=1 off_seq=4 "
		"arg0=0x1 arg1=0xb400007fffffffff arg2=0x0 arg3=0xffffffffffffffff ret=0x1",
		"200 cpu=0 12/10 offcpu out_ns=150 waking_ns=180 seq=9 flags=preempted|woken_early "
		"state=0x2 syscall=202 fd=-1 nfds=0 cpu_out=7 call=futex file=none context=task "
		"peer_tid=13 peer_tgid=10 peer_comm=\"RenderThread\" cpu_waking=2",
		"300 cpu=1 0/0 fence context=7 seqno=18446744073709551615 op=signaled irq=hardirq "
		"error=110",
		"301 cpu=1 0/0 fence_name context=7 driver=\"vgem\" timeline=\"a \\\"b\\\" \\\\ "
		"\\x1b\"",
		"302 cpu=- 14/10 task op=seen parent=1 comm=\"gears\" off_seq=0 span_seq=0",
		"303 cpu=2 14/10 task op=last parent=0 comm=\"\" off_seq=77 span_seq=8",
		"304 cpu=5 0/0 lost count=12 where=ring",
		"305 cpu=- 0/0 clock boottime_ns=400 realtime_ns=1700000000000000000 mark=start",
		"306 cpu=- 0/0 meta text=\"{\\\"kernel\\\": \\\"6.18\\\"}\"",
		"307 cpu=- 0/0 meta text=\"\"",
		"308 cpu=- 0/0 point id=1 role=swap offset=0x1f20 lib=\"/usr/lib/libEGL.so.1\" "
		"symbol=\"eglSwapBuffers\"",
		"309 cpu=1 14/10 text point=1 text=\"acquireFence \\\\ \\x1b\"",
		/* values that have no name here */
		"18446744073709551615 cpu=4294967294 4294967295/4294967295 fence context=0 seqno=0 "
		"op=0 irq=77 error=0",
		"1 cpu=0 1/1 offcpu out_ns=0 waking_ns=0 seq=0 flags=open|0x80000040 state=0x402 "
		"syscall=-2147483648 fd=2147483647 nfds=1 cpu_out=- call=255 file=18 context=4 "
		"peer_tid=0 peer_tgid=0 peer_comm=\"\" cpu_waking=-1",
		"309 cpu=2 12/10 fence_ref role=waited fd=5 context=9 seqno=1 index=1 count=2 "
		"container=8 container_seqno=3 signal_ns=290 object=0xb400007fffffff00 "
		"timeout_ns=-9223372036854775808 off_seq=4 flags=signaled|dma_buf|more",
		"310 cpu=2 12/10 fence_ref role=acquire fd=-1 context=18446744073709551615 "
		"seqno=1 index=0 count=0 container=0 container_seqno=0 signal_ns=0 object=0x0 "
		"timeout_ns=9223372036854775807 off_seq=0 flags=0",
		"1 cpu=0 1/1 span entry_ns=0 point=0 flags=0 seq=0 depth=0 off_seq=0 arg0=0x0 "
		"arg1=0x0 arg2=0x0 arg3=0x0 ret=0x0",
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		const struct fs_header *rec = parse(texts[i]);

		CU_ASSERT_PTR_NOT_NULL_FATAL(rec);
		CU_ASSERT_STRING_EQUAL(print(rec), texts[i]);
	}
}

/* The values themselves, so that printer and parser can't be wrong alike. */
static void values(void)
{
	parse("200 cpu=4 12/10 offcpu out_ns=150 waking_ns=180 seq=9 flags=preempted|no_start "
	      "state=0x2 syscall=202 fd=5 nfds=3 cpu_out=- call=poll file=sync_file "
	      "context=softirq peer_tid=13 peer_tgid=11 peer_comm=\"x\\x01y\"");
	const struct fs_offcpu *o = (const struct fs_offcpu *)buf;
	CU_ASSERT_EQUAL(o->h.time_ns, 200);
	CU_ASSERT_EQUAL(o->h.cpu, 4);
	CU_ASSERT_EQUAL(o->h.tid, 12);
	CU_ASSERT_EQUAL(o->h.tgid, 10);
	CU_ASSERT_EQUAL(o->h.kind, FS_KIND_OFFCPU);
	CU_ASSERT_EQUAL(o->h.size, sizeof(*o));
	CU_ASSERT_EQUAL(o->out_ns, 150);
	CU_ASSERT_EQUAL(o->waking_ns, 180);
	CU_ASSERT_EQUAL(o->seq, 9);
	CU_ASSERT_EQUAL(o->flags, FS_OFF_PREEMPTED | FS_OFF_NO_START);
	CU_ASSERT_EQUAL(o->state, 2);
	CU_ASSERT_EQUAL(o->syscall, 202);
	CU_ASSERT_EQUAL(o->fd, 5);
	CU_ASSERT_EQUAL(o->nfds, 3);
	CU_ASSERT_EQUAL(o->cpu_out, FS_CPU_NONE);
	CU_ASSERT_EQUAL(o->call, FS_CALL_POLL);
	CU_ASSERT_EQUAL(o->file, FS_FILE_SYNC_FILE);
	CU_ASSERT_EQUAL(o->context, FS_CTX_SOFTIRQ);
	CU_ASSERT_EQUAL(o->peer_tid, 13);
	CU_ASSERT_EQUAL(o->peer_tgid, 11);
	CU_ASSERT_EQUAL(memcmp(o->peer_comm, "x\x01y\0\0\0\0\0\0\0\0\0\0\0\0\0", 16), 0);

	parse("1 cpu=0 1/1 span ret=0x10 arg3=16 point=0x11");
	const struct fs_span *s = (const struct fs_span *)buf;
	CU_ASSERT_EQUAL(s->ret, 16);
	CU_ASSERT_EQUAL(s->args[3], 16);
	CU_ASSERT_EQUAL(s->args[0], 0);
	CU_ASSERT_EQUAL(s->point, 17);

	parse("1 cpu=- 0/0 meta text=\"123456789\"");
	const struct fs_meta *m = (const struct fs_meta *)buf;
	CU_ASSERT_EQUAL(m->h.size, 24 + 16);
	CU_ASSERT_EQUAL(memcmp(m->text, "123456789\0\0\0\0\0\0\0", 16), 0);
}

/* What a hand-written line leaves out: numbers are 0, signed ones -1, for "none". */
static void left_out(void)
{
	CU_ASSERT_PTR_NOT_NULL_FATAL(parse("  7   cpu=-  1/1  offcpu   call=sleep  "));
	const struct fs_offcpu *o = (const struct fs_offcpu *)buf;
	CU_ASSERT_EQUAL(o->fd, -1);
	CU_ASSERT_EQUAL(o->syscall, -1);
	CU_ASSERT_EQUAL(o->nfds, 0);
	CU_ASSERT_EQUAL(o->cpu_waking, -1);
	CU_ASSERT_EQUAL(o->call, FS_CALL_SLEEP);
	parse("7 cpu=- 1/1 fence_ref role=release");
	CU_ASSERT_EQUAL(((const struct fs_fence_ref *)buf)->timeout_ns, -1);
	CU_ASSERT_EQUAL(((const struct fs_fence_ref *)buf)->role, FS_REF_RELEASE);
}

/* Every wrong line is refused with a text that names the field. */
static void wrong(void)
{
	static const struct {
		const char *line, *expected;
	} cases[] = {
		{ "1 cpu=0 1/1 frame_info slots=1,x", "slots: 'x'" },
		{ "1 cpu=0 1/1 frame_info slots=,", "slots: ''" },
		{ "1 cpu=0 1/1 frame_info slots=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,"
		  "20,21,22,23,24,25",
		  "slots: more than 25" },
		{ "1 cpu=0 1/1 frame_info part=65536", "part: " },
		{ "1 cpu=0 1/1 marker phase=BE", "phase: 'BE'" },
		{ "", "time" },
		{ "x cpu=0 1/1 lost", "time" },
		{ "-1 cpu=0 1/1 lost", "time" },
		{ "18446744073709551616 cpu=0 1/1 lost", "time" },
		{ "99999999999999999999999 cpu=0 1/1 lost", "time" },
		{ "1", "cpu" },
		{ "1 cpu= 1/1 lost", "cpu" },
		{ "1 cpu=4294967295 1/1 lost", "cpu" },
		{ "1 cpu=a 1/1 lost", "cpu" },
		{ "1 1/1 lost", "cpu" },
		{ "1 cpu=0", "tid/tgid" },
		{ "1 cpu=0 1 lost", "tid/tgid" },
		{ "1 cpu=0 1/ lost", "tid/tgid" },
		{ "1 cpu=0 /1 lost", "tid/tgid" },
		{ "1 cpu=0 1/1/1 lost", "tid/tgid" },
		{ "1 cpu=0 4294967296/1 lost", "tid/tgid" },
		{ "1 cpu=0 1/1", "kind" },
		{ "1 cpu=0 1/1 loss", "kind" },
		{ "1 cpu=0 1/1 9", "kind" },
		{ "1 cpu=0 1/1 lost count", "count" },
		{ "1 cpu=0 1/1 lost count=", "count" },
		{ "1 cpu=0 1/1 lost count=1 count=1", "count: given twice" },
		{ "1 cpu=0 1/1 lost cuont=1", "no field 'cuont'" },
		{ "1 cpu=0 1/1 lost =1", "no field ''" },
		{ "1 cpu=0 1/1 lost count=18446744073709551616", "count" },
		{ "1 cpu=0 1/1 lost count=0x10000000000000000", "count" },
		{ "1 cpu=0 1/1 lost count=0x", "count" },
		{ "1 cpu=0 1/1 lost count=1f", "count" },
		{ "1 cpu=0 1/1 lost count=+1", "count" },
		{ "1 cpu=0 1/1 lost where=rings", "where" },
		{ "1 cpu=0 1/1 lost where=4294967296", "where" },
		{ "1 cpu=0 1/1 lost pad=1", "no field 'pad'" },
		{ "1 cpu=0 1/1 span seq=4294967296", "seq" },
		{ "1 cpu=0 1/1 span flags=open|", "flags" },
		{ "1 cpu=0 1/1 span flags=|open", "flags" },
		{ "1 cpu=0 1/1 span flags=preempted", "flags" },
		{ "1 cpu=0 1/1 span flags=0x100000000", "flags" },
		{ "1 cpu=0 1/1 offcpu fd=2147483648", "fd" },
		{ "1 cpu=0 1/1 offcpu fd=-2147483649", "fd" },
		{ "1 cpu=0 1/1 offcpu fd=-", "fd" },
		{ "1 cpu=0 1/1 offcpu fd=--1", "fd" },
		{ "1 cpu=0 1/1 offcpu call=256", "call" },
		{ "1 cpu=0 1/1 fence_ref timeout_ns=9223372036854775808", "timeout_ns" },
		{ "1 cpu=0 1/1 fence_ref timeout_ns=-9223372036854775809", "timeout_ns" },
		{ "1 cpu=0 1/1 fence_ref timeout_ns=-", "timeout_ns" },
		{ "1 cpu=0 1/1 offcpu cpu_out=none", "cpu_out" },
		{ "1 cpu=0 1/1 offcpu peer_comm=x", "peer_comm: not in double quotes" },
		{ "1 cpu=0 1/1 offcpu peer_comm=\"x", "peer_comm: the closing quote" },
		{ "1 cpu=0 1/1 offcpu peer_comm=\"x\\\"", "peer_comm: the closing quote" },
		{ "1 cpu=0 1/1 offcpu peer_comm=\"x\\", "peer_comm: the closing quote" },
		{ "1 cpu=0 1/1 offcpu peer_comm=\"x\"y", "peer_comm: 'y' after" },
		{ "1 cpu=0 1/1 offcpu peer_comm=\"\\q\"", "peer_comm" },
		{ "1 cpu=0 1/1 offcpu peer_comm=\"a\\x00b\"", "peer_comm" },
		{ "1 cpu=0 1/1 offcpu peer_comm=\"0123456789abcdef\"", "peer_comm" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct err e = { 0 };
		int ret = record_parse(cases[i].line, buf, &e);

		CU_ASSERT_EQUAL(ret, -22);
		CU_ASSERT_EQUAL(e.code, -22);
		CU_ASSERT_PTR_NOT_NULL(strstr(e.what, cases[i].expected));
		if (!strstr(e.what, cases[i].expected))
			printf("# %s: got '%s', expected '%s' in it\n", cases[i].line, e.what,
			       cases[i].expected);
	}

	struct err e = { 0 };
	record_parse("1 cpu=0 1/1 lost cuont=1", buf, &e);
	CU_ASSERT_STRING_EQUAL(e.hint, "count");
}

/* A META text fills a record to its limit, and no further. */
static void meta_limit(void)
{
	static char line[20000];
	struct err e = { 0 };
	int at = snprintf(line, sizeof(line), "1 cpu=- 0/0 meta text=\"");

	for (int i = 0; i < 4072; i++)
		at += snprintf(line + at, sizeof(line) - (size_t)at, "\\x%02x", 0x80 + i % 64);
	strcpy(line + at, "\"");
	const struct fs_header *rec = parse(line);
	CU_ASSERT_PTR_NOT_NULL_FATAL(rec);
	CU_ASSERT_EQUAL(rec->size, FS_RECORD_MAX);
	CU_ASSERT_STRING_EQUAL(print(rec), line);
	strcpy(line + at, "z\"");
	CU_ASSERT_EQUAL(record_parse(line, buf, &e), -22);
	CU_ASSERT_PTR_NOT_NULL(strstr(e.what, "text"));
}

static void random_string(char *dst, size_t len)
{
	size_t n = (size_t)rand() % len;

	memset(dst, 0, len);
	for (size_t i = 0; i < n; i++)
		dst[i] = (char)(1 + rand() % 255);
}

/* Random bytes in a record of `kind`, but for what the text form has no place for: padding. */
static void random_record(unsigned kind, struct fs_header *rec)
{
	size_t size = record_full_size(kind);

	memset(rec, 0, FS_RECORD_MAX);
	for (size_t i = 0; i < size; i++)
		((unsigned char *)rec)[i] = (unsigned char)(rand() >> 7);
	switch (kind) {
	case FS_KIND_SPAN:
		((struct fs_span *)rec)->pad = 0;
		break;
	case FS_KIND_OFFCPU:
		((struct fs_offcpu *)rec)->pad = 0;
		((struct fs_offcpu *)rec)->pad2 = 0;
		random_string(((struct fs_offcpu *)rec)->peer_comm, FS_COMM_LEN);
		break;
	case FS_KIND_FENCE:
		((struct fs_fence *)rec)->pad = 0;
		break;
	case FS_KIND_FENCE_NAME:
		random_string(((struct fs_fence_name *)rec)->driver, FS_DRIVER_LEN);
		random_string(((struct fs_fence_name *)rec)->timeline, FS_TIMELINE_LEN);
		break;
	case FS_KIND_TASK:
		random_string(((struct fs_task *)rec)->comm, FS_COMM_LEN);
		break;
	case FS_KIND_LOST:
		((struct fs_lost *)rec)->pad = 0;
		break;
	case FS_KIND_CLOCK:
		((struct fs_clock *)rec)->pad = 0;
		break;
	case FS_KIND_POINT:
		random_string(((struct fs_point *)rec)->lib, FS_LIB_LEN);
		random_string(((struct fs_point *)rec)->symbol, FS_SYMBOL_LEN);
		break;
	case FS_KIND_TEXT:
		((struct fs_text *)rec)->pad = 0;
		random_string(((struct fs_text *)rec)->text, FS_TEXT_LEN);
		break;
	case FS_KIND_MARKER:
		((struct fs_marker *)rec)->pad = 0;
		random_string(((struct fs_marker *)rec)->track, FS_TRACK_LEN);
		random_string(((struct fs_marker *)rec)->text, FS_MARKER_LEN);
		break;
	case FS_KIND_TIMELINE:
		random_string(((struct fs_timeline *)rec)->layer, FS_LAYER_LEN);
		break;
	case FS_KIND_BUFFER:
		((struct fs_buffer *)rec)->pad = 0;
		random_string(((struct fs_buffer *)rec)->layer, FS_LAYER_LEN);
		break;
	case FS_KIND_META:
		random_string(((struct fs_meta *)rec)->text, FS_RECORD_MAX - sizeof(*rec));
		size += (strlen(((struct fs_meta *)rec)->text) + 7) & ~7ul;
		break;
	}
	rec->kind = (__u16)kind;
	rec->size = (__u16)size;
}

static void round_trip(void)
{
	static char random[FS_RECORD_MAX] __attribute__((aligned(8)));
	struct fs_header *rec = (struct fs_header *)random;

	srand(2);
	for (unsigned kind = 0; kind < 20; kind++) {
		if (!record_known(kind))
			continue;
		for (int i = 0; i < 500; i++) {
			random_record(kind, rec);
			const char *text = print(rec);
			CU_ASSERT_PTR_NOT_NULL_FATAL(parse(text));
			CU_ASSERT_EQUAL_FATAL(memcmp(buf, random, FS_RECORD_MAX), 0);
			for (; *text; text++)
				CU_ASSERT_FATAL((unsigned char)*text >= 0x20 && *text != 0x7f);
		}
	}
}

static void check(void)
{
	struct fs_offcpu o = { .h = { .kind = FS_KIND_OFFCPU, .size = sizeof(o) } };

	memset(o.peer_comm, 'x', sizeof(o.peer_comm));
	CU_ASSERT_EQUAL(record_check(&o.h), RECORD_FITS);
	CU_ASSERT_EQUAL(memcmp(o.peer_comm, "xxxxxxxxxxxxxxx", 16), 0);
	o.h.size = 72;
	CU_ASSERT_EQUAL(record_check(&o.h), RECORD_FITS);
	o.h.size = 64;
	CU_ASSERT_EQUAL(record_check(&o.h), RECORD_MALFORMED);
	o.h.kind = FS_KIND_BUFFER + 1;
	CU_ASSERT_EQUAL(record_check(&o.h), RECORD_UNKNOWN);
	o.h.kind = 0xffff;
	CU_ASSERT_EQUAL(record_check(&o.h), RECORD_UNKNOWN);
}

int main(void)
{
	static const struct check_case cases[] = {
		{ "names", names },           { "lines", lines }, { "values", values },
		{ "left_out", left_out },     { "wrong", wrong }, { "meta_limit", meta_limit },
		{ "round_trip", round_trip }, { "check", check }, { NULL, NULL },
	};

	return check_main("record", cases);
}
