/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The bytes that dumps come as: encodings, joined and cut files, lines of any length, pipes. */
#include <errno.h>
#include <fcntl.h>
#include <sys/wait.h>

#include "check.h"
#include "unit/gfxinfo_text.h"

static struct gfxinfo_text t, u;
static struct gfxinfo_reading r, whole;

#define ROWS "---PROFILEDATA---\n"

/* Characters of one to four bytes of UTF-8, and of four in UTF-16. */
#define TITLE "a\xc3\xa4\xe6\xbc\xa2\xf0\x9f\x98\x80z"

static const char dump[] = "Applications Graphics Acceleration Info:\n"
			   "Uptime: 5 Realtime: 6\n"
			   "\n"
			   "** Graphics info for pid 12 [org.x] **\n"
			   "\n"
			   "Stats since: 7ns\n"
			   "Total frames rendered: 23\n"
			   "Janky frames: 12 (52.17%)\n"
			   "50th percentile: 15ms\n"
			   "Number Missed Vsync: 34\n"
			   "HISTOGRAM: 5ms=11 6ms=12\n"
			   "\n"
			   "Profile data in ms:\n"
			   "\n"
			   "\t" TITLE "/android.view.ViewRootImpl@1720d3b (visibility=0)\n"
			   "\tDraw\tProcess\tExecute\n"
			   "\t1.25\t22.50\t3.00\n"
			   "\t1.50\t2.50\t3.75\n"
			   "\n"
			   "Window: " TITLE "\n"
			   "Total frames rendered: 56\n"
			   "Number Missed Vsync: 78\n"
			   "\n" ROWS "IntendedVsync,FrameCompleted,\n"
			   "10,20,\n"
			   "11,0,\n"
			   "12,22,13,23,\n" ROWS "\n"
			   "View hierarchy:\n";

enum form { PLAIN, BOM_8, LE, BE, FORMS };

static const char *const names[FORMS] = { "UTF-8", "UTF-8 with BOM", "UTF-16LE", "UTF-16BE" };

static void add_unit(struct gfxinfo_text *to, enum form form, uint32_t unit)
{
	unsigned char high = (unsigned char)(unit >> 8), low = (unsigned char)unit;

	text_bytes(to, form == LE ? &low : &high, 1);
	text_bytes(to, form == LE ? &high : &low, 1);
}

/* UTF-8 in another form, without its mark; `crlf` with such ends of lines. */
static void add_chars(struct gfxinfo_text *to, enum form form, const char *s, bool crlf)
{
	while (*s) {
		unsigned char c = (unsigned char)*s;
		unsigned len = c < 0x80 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
		uint32_t code = len == 1 ? c : c & (0x7fu >> len);

		if (c == '\n' && crlf)
			form >= LE ? add_unit(to, form, '\r') : text_bytes(to, "\r", 1);
		if (form < LE) {
			text_bytes(to, s, len);
			s += len;
			continue;
		}
		for (unsigned i = 1; i < len; i++)
			code = code << 6 | (s[i] & 0x3f);
		s += len;
		if (code >= 0x10000) {
			add_unit(to, form, 0xd800 + ((code - 0x10000) >> 10));
			code = 0xdc00 + (code & 0x3ff);
		}
		add_unit(to, form, code);
	}
}

static void add_form(struct gfxinfo_text *to, enum form form, const char *s, bool crlf)
{
	if (form == BOM_8)
		text_bytes(to, "\xef\xbb\xbf", 3);
	if (form >= LE)
		add_unit(to, form, 0xfeff);
	add_chars(to, form, s, crlf);
}

static bool same_reading(const struct gfxinfo_reading *a, unsigned from,
			 const struct gfxinfo_reading *b)
{
	for (unsigned i = 0; i < b->n; i++) {
		if (from + i >= a->n || !same_item(&a->items[from + i], &b->items[i]))
			return false;
	}
	return true;
}

static void test_forms(void)
{
	read_gfxinfo_bytes(dump, strlen(dump), &whole);
	CU_ASSERT_EQUAL(whole.ret, 0);
	CU_ASSERT_EQUAL_FATAL(whole.n, 10);
	CU_ASSERT_STRING_EQUAL(nth_item(&whole, GFXINFO_ROW, 3)->window, TITLE);
	CU_ASSERT_EQUAL(nth_item(&whole, GFXINFO_ROW, 3)->i.slots.ns[SLOT_FRAME_COMPLETED], 23);

	for (unsigned form = 0; form < FORMS; form++) {
		for (unsigned crlf = 0; crlf < 2; crlf++) {
			t.len = 0;
			add_form(&t, form, dump, crlf);
			read_gfxinfo_text(&t, &r);
			CU_ASSERT_EQUAL(r.n, whole.n);
			CU_ASSERT_TRUE(same_reading(&r, 0, &whole));
			CU_ASSERT_EQUAL(r.input.lines, whole.input.lines);
			CU_ASSERT_EQUAL(r.input.bytes, t.len);
			CU_ASSERT_FALSE(r.input.cut);
			CU_ASSERT_STRING_EQUAL(r.input.encoding, names[form]);
			for (unsigned i = 0; i < r.n; i++)
				CU_ASSERT_EQUAL(r.items[i].i.line, whole.items[i].i.line);
		}
	}
}

/* A file of one form behind one of another, with and without a newline between. */
static void test_joined(void)
{
	static const char second[] =
		"Applications Graphics Acceleration Info:\nUptime: 8 Realtime: 9\n";

	read_gfxinfo_bytes(dump, strlen(dump), &whole);
	for (unsigned i = 0; i < FORMS * FORMS * 2; i++) {
		enum form a = i / 2 / FORMS, b = i / 2 % FORMS;
		bool newline = i % 2;

		/* nothing says that it changes */
		if (a >= LE && b == PLAIN)
			continue;
		t.len = 0;
		add_form(&t, a, dump, false);
		if (newline && a != PLAIN)
			add_chars(&t, a, "\n", false);
		else if (!newline)
			add_chars(&t, a, "Total RenderNode: 3", false);
		/* a BOM of UTF-8 within a line of UTF-16 may be two of its characters */
		if (a >= LE && b == BOM_8 && !newline)
			continue;
		add_form(&t, b, second, false);
		read_gfxinfo_text(&t, &r);
		CU_ASSERT_TRUE(same_reading(&r, 0, &whole));
		CU_ASSERT_EQUAL_FATAL(r.n, whole.n + 1);
		CU_ASSERT_EQUAL(r.items[whole.n].i.kind, GFXINFO_DUMP);
		CU_ASSERT_EQUAL(r.items[whole.n].i.uptime_ms, 8);
		CU_ASSERT_EQUAL(r.input.dumps, 2);
		CU_ASSERT_FALSE(r.input.cut);
		CU_ASSERT_STRING_EQUAL(r.input.encoding, names[a]);
	}

	/* a mark breaks no line's number */
	t.len = 0;
	add_form(&t, PLAIN, "Profile data in ms:", false);
	add_form(&t, BOM_8, "x\n** Graphics info for pid 1 [a] **\n", false);
	read_gfxinfo_text(&t, &r);
	CU_ASSERT_EQUAL(nth_item(&r, GFXINFO_PROCESS, 0)->i.line, 2);
	CU_ASSERT_EQUAL(r.input.lines, 2);
}

/* Bytes that look like marks of UTF-16 within UTF-8, halves of characters, an odd byte. */
static void test_odd_bytes(void)
{
	t.len = 0;
	text_add(
		&t,
		"\xff\xfe\n\xfe\xff ab\xef\xbb\n\xff\n** Graphics info for pid 1 [a\xff] **\n\xef");
	/* not at the very beginning */
	memmove(t.s + 1, t.s, t.len++);
	t.s[0] = 'x';
	read_gfxinfo_text(&t, &r);
	CU_ASSERT_STRING_EQUAL(nth_item(&r, GFXINFO_PROCESS, 0)->process, "a\xff");

	t.len = 0;
	add_form(&t, LE, "** Graphics info for pid 1 [", false);
	add_unit(&t, LE, 0xd83d); /* without its other half */
	add_unit(&t, LE, 'a');
	add_unit(&t, LE, 0xde00);
	add_chars(&t, LE, "] **\n", false);
	text_bytes(&t, "x", 1);
	read_gfxinfo_text(&t, &r);
	CU_ASSERT_EQUAL(r.ret, 0);
	CU_ASSERT_STRING_EQUAL(nth_item(&r, GFXINFO_PROCESS, 0)->process, "\xef\xbf\xbd"
									  "a\xef\xbf\xbd");
}

/* Everything before a cut is as without it, in whatever byte it is. */
static void test_cut_anywhere(void)
{
	for (unsigned form = 0; form < FORMS; form++) {
		t.len = 0;
		add_form(&t, form, dump, false);
		read_gfxinfo_text(&t, &whole);
		for (size_t len = 0; len < t.len; len++) {
			read_gfxinfo_bytes(t.s, len, &r);
			if (r.ret) {
				CU_ASSERT_EQUAL(r.ret, -EINVAL);
				CU_ASSERT_TRUE(len < 84); /* the first line of UTF-16 */
				continue;
			}
			CU_ASSERT_TRUE_FATAL(r.n <= whole.n);
			for (unsigned i = 0; i < r.n; i++) {
				const struct gfxinfo_read_item *is = &r.items[i];
				const struct gfxinfo_read_item *was = &whole.items[i];

				CU_ASSERT_EQUAL(is->i.kind, was->i.kind);
				CU_ASSERT_EQUAL(is->i.line, was->i.line);
				bool partly = is->i.fault == FAULT_CUT ||
					      is->i.kind == GFXINFO_DUMP ||
					      is->i.kind == GFXINFO_STATS;

				CU_ASSERT_TRUE(same_item(is, was) || (partly && i == r.n - 1));
				if (is->i.fault == FAULT_CUT)
					CU_ASSERT_TRUE(r.input.cut);
			}
		}
	}
}

/* How much of the dump there must be for something to be in it, and that it then is. */
static void test_whole_before_cut(void)
{
	static const struct {
		const char *until;
		unsigned n; /* items */
		bool cut;
	} cuts[] = {
		{ "Info:\n", 1, false },
		{ "Realtime: 6", 1, false },
		{ "[org.x] *", 1, false },
		{ "[org.x] **", 2, false },
		{ "7n", 2, true },
		{ "7ns", 3, true },
		{ "34\n", 3, false },
		{ "HISTOGRAM: 5m", 3, true },
		{ "6ms=12\n", 3, false },
		{ "\t1.25\t22.50\t3.0", 4, true },
		{ "\t1.25\t22.50\t3.00\n", 4, false },
		{ "10,20", 7, true },
		{ "10,20,", 7, true },
		{ "12,22,13,23,", 10, true },
		{ ROWS "\n", 10, false },
	};
	struct gfxinfo_stats *s = &r.items[2].stats;

	for (unsigned i = 0; i < sizeof(cuts) / sizeof(*cuts); i++) {
		const char *at = strstr(dump, cuts[i].until);
		size_t len = (size_t)(at - dump) + strlen(cuts[i].until);

		read_gfxinfo_bytes(dump, len, &r);
		CU_ASSERT_EQUAL(r.n, cuts[i].n);
		CU_ASSERT_EQUAL(r.input.cut, cuts[i].cut);
		if (r.n != cuts[i].n || r.input.cut != cuts[i].cut)
			printf("# until %s: %u, cut %d\n", cuts[i].until, r.n, r.input.cut);
	}

	/* a number at the end may go on, in the totals too */
	read_gfxinfo_bytes(dump, (size_t)(strstr(dump, "23\nJanky") - dump) + 2, &r);
	CU_ASSERT_EQUAL(s->printed, 1u << FIGURE_SINCE);
	CU_ASSERT_EQUAL(s->total, 0);
	read_gfxinfo_bytes(dump, (size_t)(strstr(dump, " 6ms=12") - dump) + 7, &r);
	CU_ASSERT_EQUAL(s->printed >> FIGURE_HISTOGRAM & 1, 0);
	CU_ASSERT_EQUAL(s->nr_bars, 0);
	CU_ASSERT_EQUAL(s->total, 23);
	/* what a bracket or a unit ends is whole */
	read_gfxinfo_bytes(dump, (size_t)(strstr(dump, "(52.17%)") - dump) + 8, &r);
	CU_ASSERT_EQUAL(s->janky_centipercent, 5217);
	CU_ASSERT_EQUAL(s->printed >> FIGURE_JANKY & 1, 1);
}

/* A line of the longest length, and of one byte more: it is skipped, and what follows is read. */
static void test_long_lines(void)
{
	for (unsigned form = 0; form < FORMS; form += LE) {
		for (unsigned more = 0; more < 3; more++) {
			/* 65536, 65537, and several buffers */
			unsigned fill = more == 2 ? 200000 : 65536 - 29 + more;

			u.len = 0;
			text_add(&u, "** Graphics info for pid 1 [");
			for (unsigned i = 0; i < fill; i++)
				text_bytes(&u, i + 5 == fill ? "]" : i + 4 == fill ? " " : "*", 1);
			text_bytes(&u, "x\n** Graphics info for pid 2 [b] **\n\0", 37);
			t.len = 0;
			add_form(&t, form, u.s, false);
			read_gfxinfo_text(&t, &r);
			CU_ASSERT_EQUAL(count_items(&r, GFXINFO_PROCESS), more ? 1 : 2);
			CU_ASSERT_EQUAL(r.input.unreadable, more ? 1 : 0);
			CU_ASSERT_EQUAL(r.input.lines, 2);
			CU_ASSERT_EQUAL(r.items[r.n - 1].i.pid, 2);
			CU_ASSERT_EQUAL(r.items[r.n - 1].i.line, 2);
		}
	}

	/* a line without an end */
	t.len = 0;
	text_add(&t, ROWS);
	for (unsigned i = 0; i < 100000; i++)
		text_bytes(&t, "1,", 2);
	read_gfxinfo_text(&t, &r);
	CU_ASSERT_EQUAL(r.ret, 0);
	CU_ASSERT_EQUAL(r.input.unreadable, 1);
	CU_ASSERT_EQUAL(r.input.lines, 2);
}

/* Rows over many blocks of the buffers, in lines of many lengths. */
static void test_many_blocks(void)
{
	for (unsigned form = 0; form < FORMS; form++) {
		unsigned n = 0;

		u.len = 0;
		text_add(&u, ROWS "IntendedVsync,FrameCompleted,\n");
		for (uint64_t x = 1; u.len < 200000; x = x * 3 % 1000000007, n++)
			text_add(&u, "%llu,%llu,\n", (unsigned long long)x,
				 (unsigned long long)x + 5);
		text_bytes(&u, "", 1);
		t.len = 0;
		add_form(&t, form, u.s, form % 2);
		read_gfxinfo_text(&t, &r);
		CU_ASSERT_EQUAL(r.input.rows, n);
		CU_ASSERT_EQUAL(r.n, n + 1);
		for (unsigned i = 1; i < READING_ITEMS; i++)
			CU_ASSERT_EQUAL(r.items[i].i.slots.ns[SLOT_FRAME_COMPLETED] -
						r.items[i].i.slots.ns[SLOT_INTENDED_VSYNC],
					5);
		CU_ASSERT_EQUAL(r.input.faults[FAULT_CUT], 0);
	}
}

/* Standard input is a pipe that is written byte by byte. */
static void test_pipe(void)
{
	int fds[2], saved = dup(STDIN_FILENO), status;

	for (unsigned form = PLAIN; form < FORMS; form += LE) {
		t.len = 0;
		add_form(&t, form, dump, false);
		read_gfxinfo_text(&t, &whole);
		CU_ASSERT_EQUAL_FATAL(pipe2(fds, O_CLOEXEC), 0);
		fflush(stdout);
		pid_t pid = fork();
		if (pid == 0) {
			for (size_t i = 0; i < t.len; i++) {
				if (write(fds[1], t.s + i, 1) != 1)
					_exit(1);
			}
			_exit(0);
		}
		close(fds[1]);
		dup2(fds[0], STDIN_FILENO);
		close(fds[0]);
		read_gfxinfo("-", &r);
		CU_ASSERT_EQUAL(waitpid(pid, &status, 0), pid);
		CU_ASSERT_EQUAL(r.n, whole.n);
		CU_ASSERT_TRUE(same_reading(&r, 0, &whole));
	}
	dup2(saved, STDIN_FILENO);
	close(saved);
}

static bool detects(const char *text)
{
	return gfxinfo_detect((const unsigned char *)text, strlen(text));
}

static void test_detect(void)
{
	static const char *const yes[] = {
		"Applications Graphics Acceleration Info:\n",
		"\xef\xbb\xbf"
		"Applications Graphics Acceleration Info:",
		"Mon Jan 1\r\n* daemon started *\r\n** Graphics info for pid 1 [a] **\r\n",
		ROWS,
		"Profile data in ms:\n",
		"Stats since: 5ns\n",
		"Janky frames: 0 (0.00%)\n",
		"Flags,IntendedVsync,Vsync,",
		"\tDraw\tPrepare\tProcess\tExecute\n",
		"16666666\n0\t0\t0\n",
		"16666666\n1\t2\t3\n",
	};
	static const char *const no[] = {
		"",
		"\n\n",
		"# framescope dump 1 x86_64\n100 cpu=0 1/1 clock mark=tick realtime_ns=5\n",
		"FRAMESCP",
		"No process found for: org.x\n",
		"50th percentile: 5ms\nNumber of CPUs: 3\n",
		"Total frames rendered: many\n",
		"16666666\n",
		"0\t0\t0\n",
		"5\n1\t2\t3\n",
		"16666666\n1\t2\n",
		"16666666\nx\n1\t2\t3\n",
		"# tracer: nop\n",
	};

	for (unsigned i = 0; i < sizeof(yes) / sizeof(*yes); i++)
		CU_ASSERT_TRUE(detects(yes[i]));
	for (unsigned i = 0; i < sizeof(no) / sizeof(*no); i++)
		CU_ASSERT_FALSE(detects(no[i]));

	/* it may come late, within 64 KiB */
	for (unsigned more = 0; more < 2; more++) {
		t.len = 0;
		while (t.len < 65536 - 6 - strlen(ROWS) + 2 * more)
			text_bytes(&t, "\n", 1);
		text_add(&t, "12345\n" ROWS);
		CU_ASSERT_EQUAL(gfxinfo_detect((unsigned char *)t.s, t.len), !more);
		read_gfxinfo_text(&t, &r);
		CU_ASSERT_EQUAL(r.ret, more ? -EINVAL : 0);
	}
}

static void expect_error(const char *path, int code, const char *what)
{
	read_gfxinfo(path, &r);
	CU_ASSERT_EQUAL(r.ret, code);
	CU_ASSERT_EQUAL(r.err.code, code);
	CU_ASSERT_PTR_NOT_NULL(strstr(r.err.what, what));
	CU_ASSERT_NOT_EQUAL(r.err.hint[0], '\0');
}

static void test_errors(void)
{
	expect_error("/no/such/file", -ENOENT, "cannot open '/no/such/file'");
	expect_error("/", -EISDIR, "cannot read '/'");
	expect_error("/dev/null", -EINVAL, "is empty");
	expect_error("/proc/self/comm", -EINVAL, "no text of dumpsys gfxinfo");

	int fd = memfd_create("none", MFD_CLOEXEC);
	char path[64];
	static const char none[] = "No process found for: org.x\n";
	CU_ASSERT_EQUAL(write(fd, none, strlen(none)), (ssize_t)strlen(none));
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	expect_error(path, -EINVAL, "found no process");
	close(fd);
	gfxinfo_close(NULL);
}

int main(void)
{
	static const struct check_case cases[] = {
		{ "forms", test_forms },
		{ "joined", test_joined },
		{ "odd_bytes", test_odd_bytes },
		{ "cut_anywhere", test_cut_anywhere },
		{ "whole_before_cut", test_whole_before_cut },
		{ "long_lines", test_long_lines },
		{ "many_blocks", test_many_blocks },
		{ "pipe", test_pipe },
		{ "detect", test_detect },
		{ "errors", test_errors },
		{ NULL, NULL },
	};

	return check_main("gfxinfo_text", cases);
}
