/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Screens by hand: widths, colours, names that want to be obeyed, terminals of any size. */
#include <linux/types.h>
#include <string.h>

#include "check.h"
#include "output/words.h"
#include "top/screen.h"

#define SEC UINT64_C(1000000000)
#define MS UINT64_C(1000000)

static const struct producer player = { .id = 1, .pid = 77, .render_tid = 78, .name = "player" };
static const struct producer app = { .id = 2, .pid = 90, .name = "com.example.app" };
static const struct producer evil = { .id = 3,
				      .pid = 91,
				      .name = "\033[31mevil\nname\x9b\x7f\"#2" };

static struct figures figures[3];
static struct snapshot two;

/* What the tests below look at: nothing here is computed. */
static void fill(void)
{
	figures[0] = (struct figures){
		.producer = &player,
		.frames = 60,
		.has_rate = true,
		.rate_mhz = 60000,
		.has_interval = true,
		.p50_ns = 16667000,
		.p95_ns = 17200000,
		.p99_ns = 133100000,
		.budget.ns = { [BUDGET_RUNNING] = 250 * MS, [BUDGET_LOCK] = 750 * MS },
		.has_blocker = true,
		.blocker = { .cause = BUDGET_LOCK,
			     .confidence = CONF_EXACT,
			     .call = FS_CALL_FUTEX,
			     .fd = -1,
			     .peer_tid = 79,
			     .peer_comm = "helper",
			     .ns = 700 * MS },
		.in_flight = 3,
		.last_end_ns = 7 * SEC,
		.nr_slow = 1,
		.slow[0] = { .number = 40,
			     .end_ns = 6600 * MS,
			     .wall_ns = 133 * MS,
			     .why = "100.000 of 133.100 ms blocked on a lock (futex), woken by "
				    "helper/79" },
	};
	figures[1] = (struct figures){
		.producer = &app,
		.frames = 59,
		.left_out = 2,
		.has_rate = true,
		.rate_mhz = 59940,
		.has_interval = true,
		.p50_ns = 16666000,
		.p95_ns = 1500 * MS,
		.p99_ns = 12345 * MS,
		.judged = 59,
		.janky = 3,
		.budget.ns = { [BUDGET_RUNNING] = 50 * MS,
			       [BUDGET_FENCE] = 30 * MS,
			       [BUDGET_GPU] = 15 * MS,
			       [BUDGET_UNKNOWN] = 5 * MS },
		.has_blocker = true,
		.blocker = { .cause = BUDGET_FENCE,
			     .confidence = CONF_PROBABLE,
			     .call = FS_CALL_POLL,
			     .file = FS_FILE_SYNC_FILE,
			     .fd = 9,
			     .context = FS_CTX_HARDIRQ,
			     .ns = 30 * MS },
		.fence = { .driver = "vgem", .timeline = "one" },
		.last_end_ns = 7 * SEC,
	};
	figures[2] = (struct figures){
		.producer = &evil,
		.has_rate = true,
		.last_end_ns = 4 * SEC,
	};
	two = (struct snapshot){
		.from_ns = 6 * SEC,
		.to_ns = 7 * SEC,
		.has_fences = true,
		.fences_in_flight = 3,
		.figures = figures,
		.nr = 2,
	};
}

static char *print(const struct screen *screen, const struct view *v, const struct snapshot *s)
{
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	CU_ASSERT_EQUAL_FATAL(screen_print(out, screen, v, s), 0);
	fclose(out);
	return text;
}

static void expect(const struct screen *screen, const struct view *v, const struct snapshot *s,
		   const char *wanted)
{
	char *text = print(screen, v, s);

	CU_ASSERT_STRING_EQUAL(text, wanted);
	if (strcmp(text, wanted) != 0)
		printf("# got:\n%s# wanted:\n%s", text, wanted);
	free(text);
}

/* The columns are those that the help of top describes. */
static void eighty(void)
{
	const struct screen screen = {
		.columns = 80, .rows = 24, .keys = true, .origin_ns = 5 * SEC
	};
	struct view v = { .picked = 2 };

	fill();
	expect(&screen, &v, &two,
	       "framescope top: 1.000 to 2.000 s, 2 producers, 3 fences in flight, 0 lost\n"
	       "by fps: s sort  r reverse  up/down pick  enter open  p pause  h help  q quit\n"
	       "  R running  F fence  G gpu  L lock  ? unknown\n"
	       "  producer              fps  p50ms  p95ms  p99ms   jank fences  budget\n"
	       "  player               60.0  16.67  17.20 133.10      -      3  RRRRLLLLLLLLLLLL\n"
	       "    70.0 % blocked on a lock (futex), woken by helper/79\n"
	       "> com.example.app      59.9  16.67 1500.0  12.3s   5.1%      0  RRRRRRRRFFFFFGG?\n"
	       "    2 of 59 frames lossy or cut; 30.0 % blocked on a fence (poll sync_file fd "
	       "9~\n");
	v.sort = SORT_NAME;
	v.reverse = true;
	v.paused = true;
	two.lost = 5;
	two.lost_before = 1;
	two.has_fences = false;
	two.nr = 1;
	expect(&screen, &v, &two,
	       "framescope top (paused): 1.000 to 2.000 s, 1 producer, - fences in flight, 5 lo~\n"
	       "by name, reversed: s sort  r reverse  up/down pick  enter open  p pause  h help~\n"
	       "  R running  L lock\n"
	       "  producer              fps  p50ms  p95ms  p99ms   jank fences  budget\n"
	       "  player               60.0  16.67  17.20 133.10      -      -  RRRRLLLLLLLLLLLL\n"
	       "    70.0 % blocked on a lock (futex), woken by helper/79\n");
}

static void hundred_and_twenty(void)
{
	const struct screen screen = { .columns = 120, .rows = 24, .origin_ns = 5 * SEC };
	const struct view v = { 0 };

	fill();
	figures[2].frames = 1;
	figures[2].has_rate = false;
	figures[2].producer = &app;
	two.nr = 3;
	/* 48 columns: 12 and 36; 24, 14.4, 7.2 and 2.4, from where the ones before end. */
	expect(&screen, &v, &two,
	       "framescope top: 1.000 to 2.000 s, 3 producers, 3 fences in flight, 0 lost\n"
	       "  R running  F fence  G gpu  L lock  ? unknown\n"
	       "  producer                      fps  p50ms  p95ms  p99ms   jank fences  budget\n"
	       "  player                       60.0  16.67  17.20 133.10      -      3  "
	       "RRRRRRRRRRRRLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLL\n"
	       "    70.0 % blocked on a lock (futex), woken by helper/79\n"
	       "  com.example.app              59.9  16.67 1500.0  12.3s   5.1%      0  "
	       "RRRRRRRRRRRRRRRRRRRRRRRRFFFFFFFFFFFFFFGGGGGGGG??\n"
	       "    2 of 59 frames lossy or cut; 30.0 % blocked on a fence (poll sync_file fd 9) "
	       "of vgem/one, woken by hard irq (probab~\n"
	       "  com.example.app                 -      -      -      -      -      0  "
	       "                                                \n"
	       "    no whole frame\n");
}

static void colours(void)
{
	const struct screen screen = {
		.columns = 80, .rows = 24, .colour = true, .origin_ns = 5 * SEC
	};
	const struct view v = { .picked = 1 };

	fill();
	two.nr = 1;
	two.lost = 1;
	expect(&screen, &v, &two,
	       "\033[33mframescope top: 1.000 to 2.000 s, 1 producer, 3 fences in flight, 1 lost"
	       "\033[0m\n"
	       "  \033[42m \033[0m running  \033[41m \033[0m lock\n"
	       "\033[1m  producer              fps  p50ms  p95ms  p99ms   jank fences  budget"
	       "\033[0m\n"
	       "\033[7m> player               60.0  16.67  17.20 133.10      -      3\033[0m  "
	       "\033[42m    \033[0m\033[41m            \033[0m\n"
	       "\033[2m    70.0 % blocked on a lock (futex), woken by helper/79\033[0m\n");
}

/* What of the time was not observed has its letter in colours, too. */
static void unknown_is_seen(void)
{
	const struct screen screen = { .columns = 60, .colour = true };
	const struct view v = { 0 };
	char *text;

	fill();
	two.nr = 1;
	figures[0].budget = (struct budget){ .ns = { [BUDGET_UNKNOWN] = MS } };
	text = print(&screen, &v, &two);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "  ??????????????????????\n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "  ? unknown\n"));
	free(text);
}

static void opened(void)
{
	const struct screen screen = {
		.columns = 80, .rows = 24, .keys = true, .origin_ns = 5 * SEC
	};
	const struct view v = { .picked = 1, .opened = true };

	fill();
	expect(&screen, &v, &two,
	       "framescope top: 1.000 to 2.000 s, 2 producers, 3 fences in flight, 0 lost\n"
	       "esc back  up/down another  p pause  h help  q quit\n"
	       "player  process 77, drawn by thread 78\n"
	       "  60.0 fps, 60 frames, interval 16.67 / 17.20 / 133.10 ms (p50 / p95 / p99),\n"
	       "  jank -, fences in flight 3\n"
	       "  RRRRRRRRRRRRRRRRRRRRLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLL\n"
	       "  R running  L lock\n"
	       "  running 25.0 %, lock 75.0 %\n"
	       "    70.0 % blocked on a lock (futex), woken by helper/79\n"
	       "Its last slow frames: longer than 1.5 times the median\n"
	       "  0.4 s ago, frame 40: 100.000 of 133.100 ms blocked on a lock (futex), woken by\n"
	       "  helper/79\n");
}

static void nobody(void)
{
	struct screen screen = { .columns = 80, .rows = 24, .origin_ns = 5 * SEC };
	const struct view v = { 0 };
	const struct snapshot nothing = { 0 };

	expect(&screen, &v, &nothing, "framescope top: the first interval is not over yet\n");
	fill();
	two.nr = 0;
	two.has_fences = false;
	expect(&screen, &v, &two,
	       "framescope top: 1.000 to 2.000 s, 0 producers, - fences in flight, 0 lost\n"
	       "No frame has ended.\n"
	       "  No function that ends frames was found in what the watched processes have\n"
	       "  mapped: name the process that draws (-p PID, or -- CMD), or add its swap\n"
	       "  function (--uprobe LIB:SYMBOL=swap).\n");
	screen.full = true;
	two.dropped = 12;
	expect(&screen, &v, &two,
	       "framescope top: 1.000 to 2.000 s, 0 producers, - fences in flight, 0 lost\n"
	       "New producers are not seen: there were too many. Start top again.\n"
	       "12 frames are in no figure: there were too many at once\n"
	       "No frame has ended.\n"
	       "  No function that ends frames was found in what the watched processes have\n"
	       "  mapped: name the process that draws (-p PID, or -- CMD), or add its swap\n"
	       "  function (--uprobe LIB:SYMBOL=swap).\n");
	screen.full = false;
	two.dropped = 0;
	screen.ends_probed = true;
	screen.message = "recording process 5, x";
	expect(&screen, &v, &two,
	       "framescope top: 1.000 to 2.000 s, 0 producers, - fences in flight, 0 lost\n"
	       "recording process 5, x\n"
	       "No frame has ended.\n"
	       "  The functions that end frames are probed, and none has returned: nothing may\n"
	       "  have changed on the screen, or what is watched does not draw with EGL or\n"
	       "  Vulkan.\n");
}

static void hostile(void)
{
	const struct screen screen = { .columns = 100, .origin_ns = 5 * SEC };
	struct view v = { .picked = 3, .sort = SORT_NAME };
	char *text;

	fill();
	two.nr = 3;
	strcpy(figures[0].blocker.peer_comm, "\033]0;x\a\xff");
	strcpy(figures[1].fence.timeline, "\033c\n");
	for (unsigned i = 0; i < 2; i++) {
		v.opened = i;
		text = print(&screen, &v, &two);
		for (const char *c = text; *c; c++) {
			CU_ASSERT_TRUE((unsigned char)*c >= ' ' || *c == '\n');
			CU_ASSERT_NOT_EQUAL(*c, 0x7f);
			CU_ASSERT_NOT_EQUAL((unsigned char)*c, 0x9b);
		}
		CU_ASSERT_PTR_NOT_NULL(strstr(text, "\\x1b[31mevil"));
		CU_ASSERT_PTR_NOT_NULL(strstr(text, "no frame for 3.0 s"));
		free(text);
	}
}

static void tiny(void)
{
	const struct screen screen = { .columns = 20, .rows = 5, .keys = true, .colour = true };
	const struct view v = { 0 };

	fill();
	two.nr = 3;
	expect(&screen, &v, &two,
	       "\033[1mframescope top: 6.0~\033[0m\n"
	       "\033[1m  producer       fps\033[0m\n"
	       "  player        60.0\n"
	       "  com.exampl~   59.9\n"
	       "  \\x1b[31m~#2    0.0\n");
	expect(&(struct screen){ .columns = 20, .rows = 4, .keys = true }, &v, &two,
	       "framescope top: 6.0~\n"
	       "  producer       fps\n"
	       "  player        60.0\n"
	       "  2 more\n");
	/* The one that is picked is among those that are seen. */
	expect(&(struct screen){ .columns = 30, .rows = 5 }, &(struct view){ .picked = 3 },
	       &(struct snapshot){ .to_ns = 1,
				   .figures = (struct figures[]){ figures[0], figures[1],
								  figures[2], figures[0] },
				   .nr = 4 },
	       "framescope top: 0.000 to 0.00~\n"
	       "  producer          fps  p95ms\n"
	       "  com.example.a~   59.9 1500.0\n"
	       "> \\x1b[31mevi~#2    0.0      -\n"
	       "  2 more\n");
}

/* The width as a terminal sees it: sequences have none. */
static unsigned shown(const char *line, size_t len)
{
	char text[8192];
	size_t n = 0;

	CU_ASSERT_TRUE_FATAL(len < sizeof(text));
	for (size_t i = 0; i < len; i++) {
		if (line[i] != '\033') {
			text[n++] = line[i];
			continue;
		}
		while (i < len && line[i] != 'm')
			i++;
	}
	text[n] = '\0';
	return words_width(text);
}

/* Whatever the size, no line is too wide, and there are no more than fit. */
static void any_size(void)
{
	struct view views[] = { { 0 }, { .opened = true, .picked = 2 }, { .help = true } };

	fill();
	two.nr = 3;
	two.dropped = 7;
	two.lost = 100000;
	for (unsigned columns = 1; columns < 160; columns++) {
		for (unsigned i = 0; i < 3 * 12; i++) {
			struct screen screen = { .columns = columns,
						 .rows = 1 + i % 12,
						 .keys = true,
						 .message =
							 "a message of some length, for the user",
						 .colour = columns % 2 };
			char *text = print(&screen, &views[i / 12], &two);
			unsigned lines = 0;

			for (const char *at = text, *end; (end = strchr(at, '\n')); at = end + 1) {
				CU_ASSERT_TRUE(shown(at, (size_t)(end - at)) <= columns);
				lines++;
			}
			CU_ASSERT_TRUE(lines <= screen.rows);
			CU_ASSERT_TRUE(lines > 0);
			free(text);
		}
	}
}

int main(void)
{
	static const struct check_case cases[] = {
		{ "eighty", eighty },     { "hundred_and_twenty", hundred_and_twenty },
		{ "colours", colours },   { "unknown_is_seen", unknown_is_seen },
		{ "opened", opened },     { "nobody", nobody },
		{ "hostile", hostile },   { "tiny", tiny },
		{ "any_size", any_size }, { NULL, NULL },
	};

	return check_main("top_screen", cases);
}
