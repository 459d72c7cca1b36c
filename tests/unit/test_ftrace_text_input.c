/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What ftrace's text may be wrapped in, how it is found, and which clock it has. */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "check.h"
#include "image.h"
#include "trace_records.h"

static struct reading r;
static char text[4u << 20];
static size_t len;

#define TRACER "# tracer: nop\n#\n"

/* Fence number `n` at n seconds; names are left out, so that each line is one record. */
#define FENCE(n)                                                                                   \
	"          <idle>-0     [001] d.h2 " #n ".000000: dma_fence_signaled: context=1 seqno=" #n \
	"\n"

static void begin(void)
{
	len = 0;
}

static void add_bytes(const void *data, size_t size)
{
	if (size > sizeof(text) - len)
		abort();
	memcpy(text + len, data, size);
	len += size;
}

static void add(const char *s)
{
	add_bytes(s, strlen(s));
}

/* Compressed: window_bits 15 for zlib, 31 for gzip. */
static void add_deflated(const char *s, size_t size, int window_bits)
{
	static unsigned char out[2u << 20];
	z_stream z = { 0 };

	if (deflateInit2(&z, 6, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY) != Z_OK)
		abort();
	z.next_in = (unsigned char *)s;
	z.avail_in = (uInt)size;
	z.next_out = out;
	z.avail_out = sizeof(out);
	if (deflate(&z, Z_FINISH) != Z_STREAM_END)
		abort();
	add_bytes(out, z.total_out);
	deflateEnd(&z);
}

static void take(void)
{
	struct image_file f;

	image_open(&f, text, len);
	read_all(f.path, &r);
	image_close(&f);
}

static const char *meta(void)
{
	return ((const struct fs_meta *)reading_at(&r, 0))->text;
}

/* META, START, fences 1 to n, STOP. */
static void expect_fences(unsigned n)
{
	CU_ASSERT_EQUAL(r.ret, 0);
	CU_ASSERT_EQUAL(r.n, n + 3);
	for (unsigned i = 1; i <= n && i + 2 < r.n; i++) {
		char line[TRACE_LINE];

		snprintf(line, sizeof(line), "%u000000000 1 0/0 fence 4 1:%u irq=3", i, i);
		trace_expect(reading_at(&r, i + 1), line);
	}
	CU_ASSERT_EQUAL(r.stats.malformed, 0);
	CU_ASSERT_EQUAL(r.stats.bytes, len);
}

static void expect_dialect(const char *dialect)
{
	char json[256];

	snprintf(json, sizeof(json),
		 "{\"source\": \"ftrace text\", \"dialect\": \"%s\", \"clock\": \"the trace's "
		 "own\"}",
		 dialect);
	CU_ASSERT_STRING_EQUAL(meta(), json);
}

static void plain(void)
{
	begin();
	add(TRACER FENCE(1) FENCE(2));
	take();
	expect_fences(2);
	expect_dialect("ftrace");
	CU_ASSERT_FALSE(r.stats.cut);

	/* Line ends of another world. */
	begin();
	add("# tracer: nop\r\n#\r\n          <idle>-0     [001] d.h2 1.000000: dma_fence_signaled: "
	    "context=1 seqno=1\r\n");
	take();
	expect_fences(1);

	/* Without a header, as trace_pipe gives it; and of trace-cmd. */
	begin();
	add(FENCE(1) FENCE(2));
	take();
	expect_fences(2);
	begin();
	add("version = 6\nCPU 0 is empty\ncpus=8\n          <idle>-0     [001] d.h2     1.000000: "
	    "dma_fence_signaled:   context=1 seqno=1\n");
	take();
	expect_fences(1);
	expect_dialect("trace-cmd report");

	/* Nothing but a header. */
	begin();
	add(TRACER);
	take();
	CU_ASSERT_EQUAL(r.ret, 0);
	CU_ASSERT_EQUAL(r.n, 1);
}

static void banner(void)
{
	begin();
	add("capturing trace... done\nTRACE:\n" TRACER FENCE(1) FENCE(2));
	take();
	expect_fences(2);
	expect_dialect("atrace");

	/* atrace -z, and what adb may print behind it. */
	for (size_t cut = 0; cut < 2; cut++) {
		static const char trace[] = TRACER FENCE(1) FENCE(2) FENCE(3);

		begin();
		add("capturing trace... done\nTRACE:\n");
		add_deflated(trace, strlen(trace), 15);
		if (cut)
			len -= 4; /* the checksum */
		else
			add("\n");
		take();
		CU_ASSERT_EQUAL(r.stats.cut, cut);
		expect_fences(3);
		expect_dialect("atrace");
	}
}

/* The banner's end, and the two bytes that tell, on either side of the end of a block. */
static void banner_at_block_end(void)
{
	static const char trace[] = TRACER FENCE(1);
	const size_t block = 256u << 10;

	for (size_t shift = 0; shift < 6; shift++) {
		begin();
		add("capturing\n");
		while (len < block - shift - strlen("TRACE:\n") - 100)
			add("a line that is of no interest to anyone\n");
		while (len < block - shift - strlen("TRACE:\n") - 1)
			add("x");
		add("\nTRACE:\n");
		/* The file has to look like a trace, too. */
		memcpy(text, "TRACE:\nxx\n", 10);
		add_deflated(trace, strlen(trace), 15);
		take();
		expect_fences(1);
	}
}

static void gzip(void)
{
	static char big[1u << 20];
	size_t size = 0;
	uint64_t records = 0;

	begin();
	add_deflated(TRACER FENCE(1), strlen(TRACER FENCE(1)), 31);
	add_deflated(FENCE(2), strlen(FENCE(2)), 31);
	take();
	expect_fences(2);
	CU_ASSERT_FALSE(r.stats.cut);

	/* Padded; cut; and a page in it. */
	add_bytes("\0\0\0\0", 4);
	take();
	expect_fences(2);
	CU_ASSERT_FALSE(r.stats.cut);
	len -= 10;
	take();
	CU_ASSERT_TRUE(r.stats.cut);
	expect_fences(2);
	begin();
	static const char page[] =
		"<html>\n<script class=\"trace-data\" type=\"application/text\">\n" TRACER FENCE(
			1) "</script>";
	add_deflated(page, strlen(page), 31);
	take();
	expect_fences(1);
	expect_dialect("systrace");

	/* More than a block, with lines at every place of its ends. */
	size = (size_t)snprintf(big, sizeof(big), TRACER);
	for (unsigned i = 0; size < sizeof(big) - 200; i++, records++)
		size += (size_t)snprintf(
			big + size, sizeof(big) - size,
			"    kworker/%u:1-%u     [001] d.h2 1.%06u: dma_fence_signaled: "
			"context=1 seqno=1\n",
			i % 1000, 7u, i);
	begin();
	add_deflated(big, size, 31);
	take();
	CU_ASSERT_EQUAL(r.ret, 0);
	CU_ASSERT_EQUAL(r.stats.malformed, 0);
	/* Beside the fences: a name each time, META, two of the clock, no LAST. */
	CU_ASSERT_EQUAL(r.n, 2 * records + 3);
}

static void html(void)
{
	begin();
	add("<!DOCTYPE html>\n<html>\n<head>\n<script>");
	/* A program in one line that is longer than any block. */
	while (len < 1u << 20)
		add("var a = 'trace-data'; ");
	add("</script>\n<!-- BEGIN TRACE -->\n"
	    "  <script class=\"trace-data\" type=\"application/text\">\n"
	    "{\"traceEvents\": []}\nnot a trace\n</script>\n"
	    "  <script class=\"trace-data\" type=\"application/text\">\n" TRACER FENCE(1)
		    FENCE(2) "  </script>\n"
			     "  <script class=\"trace-data\" type=\"application/text\">\n"
			     "USER PID TID CMD\nroot 1 1 init\n</script></body></html>\n");
	take();
	expect_fences(2);
	expect_dialect("systrace");
	CU_ASSERT_FALSE(r.stats.cut);

	/* Its end is missing. */
	begin();
	add("<!doctype HTML><script class=\"trace-data\" type=\"application/text\">\n" TRACER FENCE(
		1));
	take();
	expect_fences(1);
	CU_ASSERT_TRUE(r.stats.cut);

	/* As before 2013: a string of a program. */
	begin();
	add("<html>\n<script>\n  var linuxPerfData = \"\\\n# tracer: nop\\n\\\n"
	    "          <idle>-0     [001] d.h2 1.000000: dma_fence_signaled: context=1 "
	    "seqno=1\\n\\\n"
	    "\";\n</script></html>\n");
	take();
	expect_fences(1);
	CU_ASSERT_FALSE(r.stats.cut);

	/* What atrace -z made, as it came. */
	begin();
	add("<html>\n<script class=\"trace-data\" type=\"application/text\">\nTRACE:\n");
	add_deflated(TRACER FENCE(1) FENCE(2), strlen(TRACER FENCE(1) FENCE(2)), 15);
	add("\n</script>\n</html>\n");
	take();
	expect_fences(2);
	CU_ASSERT_FALSE(r.stats.cut);

	begin();
	add("<html>\n<body>Hello</body>\n</html>\n");
	take();
	CU_ASSERT_EQUAL(r.ret, -EINVAL);
	CU_ASSERT_PTR_NOT_NULL(strstr(r.err.what, "a web page without a trace"));
}

/* A tag on either side of the end of a block. */
static void html_block_end(void)
{
	for (size_t shift = 0; shift < 60; shift++) {
		begin();
		add("<html>\n");
		while (len < (256u << 10) - shift)
			add("-");
		add("<script class=\"trace-data\" type=\"application/text\">\n" TRACER FENCE(
			1) "</script>\n");
		take();
		expect_fences(1);
	}
}

static void long_lines(void)
{
	begin();
	add(TRACER FENCE(1));
	for (size_t i = 0; i < 600000; i++)
		add("y");
	add("\n" FENCE(2));
	take();
	CU_ASSERT_EQUAL(r.stats.malformed, 1);
	r.stats.malformed = 0;
	expect_fences(2);
}

static void others(void)
{
	static const char *const texts[] = {
		"Applications Graphics Acceleration Info:\nUptime: 1 Realtime: 2\n\n"
		"** Graphics info for pid 1 [x] **\n",
		"{\"traceEvents\": []}\n",
		"a text\nabout nothing\n",
		"gears-7 [001] 1.0 no colon: x\n",
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		begin();
		add(texts[i]);
		take();
		CU_ASSERT_EQUAL(r.ret, -EINVAL);
		begin();
		add_deflated(texts[i], strlen(texts[i]), 31);
		take();
		CU_ASSERT_EQUAL(r.ret, -EINVAL);
	}
	/* framescope's own dump, though it tells of one. */
	begin();
	add("# framescope dump 1\n# tracer: nop\n1 cpu=0 0/0 clock mark=tick\nend\n");
	take();
	CU_ASSERT_EQUAL(r.ret, 0);
	CU_ASSERT_EQUAL(r.n, 1);
}

#define SYNC(time, parent)                                                                         \
	"           <...>-99    [000] ...1 " time ": tracing_mark_write: "                         \
	"trace_event_clock_sync: parent_ts=" parent "\n"

static void expect_clock(const char *first, const char *sync, uint64_t first_ns, const char *clock)
{
	char json[256];

	begin();
	add(TRACER);
	add(first);
	add(sync);
	take();
	CU_ASSERT_EQUAL(r.ret, 0);
	CU_ASSERT_EQUAL(reading_at(&r, 1)->time_ns, first_ns);
	snprintf(json, sizeof(json), "{\"source\": \"ftrace text\", \"dialect\": \"ftrace\", %s}",
		 clock);
	CU_ASSERT_STRING_EQUAL(meta(), json);
}

static void clocks(void)
{
	/*
	 * At 4492 s neighbouring floats are 2^-11 s apart: 488281 ns, here 119 * 4096; with 1 us of
	 * the digits and 20 ms for the writing.
	 */
	expect_clock(FENCE(1), "", 1000000000, "\"clock\": \"the trace's own\"");
	expect_clock(FENCE(1), SYNC("4492.070824", "4492.069824"), 1000000000,
		     "\"clock\": \"monotonic\", \"clock_error_ns\": 20488424");
	/* Of BOOTTIME, 1000 s after it: 4492.069824 - 5492.070824 = -1000.001. */
	expect_clock("          <idle>-0     [001] d.h2 5000.500000: dma_fence_signaled: context=1 "
		     "seqno=1\n",
		     SYNC("5492.070824", "4492.069824"), 4000499000000,
		     "\"clock\": \"monotonic\", \"clock_error_ns\": 20488424");
	/* The mark itself is the first event; times before 0 are 0. */
	expect_clock(SYNC("10.0", "11.5"), FENCE(20), 11500000000,
		     "\"clock\": \"monotonic\", \"clock_error_ns\": 20001952");
	expect_clock(FENCE(1), SYNC("10.0", "2.0"), 0,
		     "\"clock\": \"monotonic\", \"clock_error_ns\": 20001238");
	/* In a unit that is not known. */
	expect_clock(FENCE(1), SYNC("10.0", "19581477508"), 1000000000,
		     "\"clock\": \"the trace's own\"");
}

int main(void)
{
	static const struct check_case cases[] = {
		{ "plain", plain },
		{ "banner", banner },
		{ "banner_at_block_end", banner_at_block_end },
		{ "gzip", gzip },
		{ "html", html },
		{ "html_block_end", html_block_end },
		{ "long_lines", long_lines },
		{ "others", others },
		{ "clocks", clocks },
		{ NULL, NULL },
	};

	return check_main("ftrace_text_input", cases);
}
