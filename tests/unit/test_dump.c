/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The text dump: reading it, and the command that makes it and turns it into a capture again. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "cmd/cmd.h"
#include "image.h"

static struct image im;
static struct reading r;
static char dir[] = "/tmp/test_dump.XXXXXX";

#define CLOCK(time, cpu, id) time " cpu=" cpu " 1/1 clock mark=tick realtime_ns=" id "\n"

static void read_text(const char *text, size_t len)
{
	struct image_file f;

	image_open(&f, text, len);
	read_all(f.path, &r);
	image_close(&f);
}

static void expect_ids(unsigned n, const uint64_t *ids)
{
	CU_ASSERT_EQUAL(r.ret, 0);
	CU_ASSERT_EQUAL_FATAL(r.n, n);
	for (unsigned i = 0; i < n; i++)
		CU_ASSERT_EQUAL(((const struct fs_clock *)reading_at(&r, i))->realtime_ns, ids[i]);
}

static void text(void)
{
	static const char good[] =
		"# framescope dump 1 arm64\n"
		"\n"
		"# a comment\n" CLOCK("30", "0", "1") CLOCK("10", "0", "2")
			CLOCK("20", "1", "3") "  \t\r\n" CLOCK("20", "0", "4") "round\n" CLOCK(
				"15", "0", "5") CLOCK("40", "0", "6") "end\n"
								      "# the end\n";

	read_text(good, strlen(good));
	expect_ids(6, (const uint64_t[]){ 2, 4, 3, 1, 5, 6 });
	CU_ASSERT_EQUAL(r.stats.arch, FS_ARCH_ARM64);
	CU_ASSERT_EQUAL(r.stats.bytes, strlen(good));
	CU_ASSERT_EQUAL(r.stats.late, 1);
	CU_ASSERT_FALSE(r.stats.cut);
}

/* A dump that lost its end: the half line may look whole, and does not count. */
static void text_cut(void)
{
	static const char good[] =
		"# framescope dump 1\n" CLOCK("10", "0", "1") CLOCK("20", "0", "234") "end\n";
	size_t first = strlen("# framescope dump 1\n");
	size_t second = first + strlen(CLOCK("10", "0", "1"));
	size_t third = second + strlen(CLOCK("20", "0", "234"));

	for (size_t len = strlen(good); len-- > first;) {
		read_text(good, len);
		expect_ids((len >= second) + (len >= third), (const uint64_t[]){ 1, 234 });
		CU_ASSERT_TRUE(r.stats.cut);
	}
	for (size_t len = first; len-- > 0;) {
		read_text(good, len);
		CU_ASSERT_EQUAL(r.ret, -EINVAL);
	}
}

static void expect_error(const char *content, size_t len, int code, const char *expected)
{
	read_text(content, len);
	CU_ASSERT_EQUAL(r.ret, code);
	CU_ASSERT_EQUAL(r.err.code, code);
	CU_ASSERT_PTR_NOT_NULL(strstr(r.err.what, expected));
	if (!strstr(r.err.what, expected))
		printf("# got '%s'\n", r.err.what);
}

static void text_wrong(void)
{
	static const struct {
		const char *text;
		int code;
		const char *expected;
	} cases[] = {
		{ "# framescope dump \n", -EINVAL, ":1: " },
		{ "# framescope dump x\n", -EINVAL, ":1: " },
		{ "# framescope dump 0\n", -EINVAL, ":1: " },
		{ "# framescope dump 1x\n", -EINVAL, ":1: " },
		{ "# framescope dump -1\n", -EINVAL, ":1: " },
		{ "# framescope dump 99999999999999999999\n", -EINVAL, ":1: " },
		{ "# framescope dump 2\n", -ENOTSUP, "format 2" },
		{ "# framescope dump 1\n\n1 cpu=0 1/1 lost count=x\n", -EINVAL, ":3: count: 'x'" },
		{ "# framescope dump 1\nend\nround\n", -EINVAL, ":3: " },
		{ "# framescope dump 1\nrounds\n", -EINVAL, ":2: time" },
	};
	static char line[200000] = "# framescope dump 1\n1 cpu=0 1/1 meta text=\"";
	static const char nul[] = "# framescope dump 1\n1 cpu=0 1/1\0 lost\n";

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		expect_error(cases[i].text, strlen(cases[i].text), cases[i].code,
			     cases[i].expected);
	expect_error(nul, sizeof(nul) - 1, -EINVAL, ":2: a NUL byte");
	memset(line + strlen(line), 'x', sizeof(line) - strlen(line));
	expect_error(line, sizeof(line), -EINVAL, ":2: ");
}

/* Run `framescope dump` with these arguments; its standard output goes to `out`. The exit code. */
static int dump(const char *out, const char *input, const char *output)
{
	char *argv[] = { (char *)"dump", (char *)input, (char *)"-o", (char *)output, NULL };

	fflush(stdout);
	pid_t pid = fork();
	if (pid == 0) {
		int fd = open(out, O_WRONLY | O_CREAT | O_TRUNC, 0600);

		dup2(fd, STDOUT_FILENO);
		dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
		if (!output)
			argv[2] = NULL;
		_exit(cmd_dump.run(&cmd_dump, output ? 4 : 2, argv));
	}
	int status;
	CU_ASSERT_EQUAL_FATAL(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static char *load(const char *name, size_t *len)
{
	static char content[2][4u << 20];
	static unsigned next;
	char *to = content[next++ % 2];
	int fd = open(name, O_RDONLY);
	ssize_t n = read(fd, to, sizeof(content[0]));

	CU_ASSERT_FATAL(n >= 0 && (size_t)n < sizeof(content[0]));
	close(fd);
	*len = (size_t)n;
	return to;
}

static int same_content(const char *a, const char *b)
{
	size_t a_len, b_len;
	const char *x = load(a, &a_len), *y = load(b, &b_len);

	return a_len == b_len && memcmp(x, y, a_len) == 0;
}

/* The dump of the image, of that dump, and of the capture made from that dump are one and the same.
 */
static uint64_t check_identity(void)
{
	char from[64], text1[64], text2[64], again[64];
	size_t len;

	snprintf(from, sizeof(from), "%s/from.fsc", dir);
	snprintf(again, sizeof(again), "%s/again.fsc", dir);
	snprintf(text1, sizeof(text1), "%s/1.txt", dir);
	snprintf(text2, sizeof(text2), "%s/2.txt", dir);
	FILE *f = fopen(from, "w");
	CU_ASSERT_EQUAL_FATAL(fwrite(im.data, 1, im.len, f), im.len);
	fclose(f);

	read_all(from, &r);
	unsigned records = r.n;
	struct source_stats stats = r.stats;

	CU_ASSERT_EQUAL_FATAL(dump(text1, from, NULL), 0);
	CU_ASSERT_EQUAL_FATAL(dump(text2, text1, NULL), 0);
	CU_ASSERT_TRUE_FATAL(same_content(text1, text2));
	CU_ASSERT_EQUAL_FATAL(dump("/dev/null", text1, again), 0);
	CU_ASSERT_EQUAL_FATAL(dump(text2, again, NULL), 0);
	CU_ASSERT_TRUE_FATAL(same_content(text1, text2));

	/* Not identical because empty: a line per record, the first, the last, a few marks. */
	const char *content = load(text1, &len);
	unsigned lines = 0, marks = 0;
	for (size_t i = 0; i < len; i++) {
		lines += content[i] == '\n';
		marks += i + 6 < len && !memcmp(content + i, "\nround\n", 7);
	}
	CU_ASSERT_EQUAL_FATAL(lines, records + marks + (stats.cut ? 1 : 2));

	read_all(again, &r);
	CU_ASSERT_EQUAL_FATAL(r.n, records);
	CU_ASSERT_EQUAL_FATAL(r.stats.late, stats.late);
	CU_ASSERT_EQUAL_FATAL(r.stats.lost, stats.lost);
	CU_ASSERT_EQUAL_FATAL(r.stats.cut, stats.cut);
	CU_ASSERT_EQUAL_FATAL(r.stats.arch, stats.arch);
	CU_ASSERT_EQUAL_FATAL(r.stats.damaged_bytes, 0);
	return stats.late;
}

/* Captures of random times, CPUs and marks, some cut, some damaged, many with late records. */
static void identity(void)
{
	uint64_t late = 0;

	srand(5);
	for (int i = 0; i < 150; i++) {
		uint64_t id = 1, base = 0;
		unsigned chunks = 1 + (unsigned)rand() % 30;

		image_begin(&im, 1, 0, 24);
		for (unsigned c = 0; c < chunks; c++) {
			uint64_t times[8];
			unsigned n = 1 + (unsigned)rand() % 8;
			uint32_t cpu = (unsigned)rand() % 4;

			for (unsigned t = 0; t < n; t++)
				times[t] = base + (unsigned)rand() % 6;
			size_t at = im.len;
			image_clocks(&im, cpu == 3 ? FS_CPU_NONE : cpu * 5000, id, times, n);
			id += n;
			if (rand() % 12 == 0)
				im.data[at + (unsigned)rand() % (im.len - at)] ^= 4;
			if (rand() % 3 == 0)
				image_mark(&im, FS_CHUNK_ROUND, base + (unsigned)rand() % 6);
			base += (unsigned)rand() % 3;
		}
		if (i % 3)
			image_mark(&im, FS_CHUNK_END, base);
		late += check_identity();
	}
	CU_ASSERT(late > 100);
}

static void exit_codes(void)
{
	char from[64], out[64];

	snprintf(from, sizeof(from), "%s/from.fsc", dir);
	snprintf(out, sizeof(out), "%s/out.txt", dir);
	image_begin(&im, 1, 0, 24);
	image_clocks(&im, 0, 1, (const uint64_t[]){ 1, 2 }, 2);
	FILE *f = fopen(from, "w");
	CU_ASSERT_EQUAL_FATAL(fwrite(im.data, 1, im.len, f), im.len);
	fclose(f);

	CU_ASSERT_EQUAL(dump(out, from, NULL), 0);
	CU_ASSERT_EQUAL(dump("/dev/full", from, NULL), 1);
	CU_ASSERT_EQUAL(dump(out, from, "/dev/full"), 1);
	CU_ASSERT_EQUAL(dump(out, from, from), 1); /* itself */
	CU_ASSERT_EQUAL(dump(out, from, "/nonexistent/x.fsc"), 1);
	CU_ASSERT_EQUAL(dump(out, "/nonexistent/x.fsc", NULL), 1);

	/* The input was not emptied by the refused output. */
	read_all(from, &r);
	CU_ASSERT_EQUAL(r.n, 2);
}

/* A reader that goes away, like head(1). */
static void reader_gone(void)
{
	char from[64];
	int fds[2];

	snprintf(from, sizeof(from), "%s/from.fsc", dir);
	CU_ASSERT_EQUAL_FATAL(pipe(fds), 0);
	close(fds[0]);
	fflush(stdout);
	pid_t pid = fork();
	if (pid == 0) {
		char *argv[] = { (char *)"dump", from, NULL };

		dup2(fds[1], STDOUT_FILENO);
		dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
		signal(SIGPIPE, SIG_DFL);
		_exit(cmd_dump.run(&cmd_dump, 2, argv));
	}
	close(fds[1]);
	int status;
	CU_ASSERT_EQUAL_FATAL(waitpid(pid, &status, 0), pid);
	CU_ASSERT_TRUE(WIFEXITED(status));
	CU_ASSERT_EQUAL(WEXITSTATUS(status), 0);
}

int main(void)
{
	static const struct check_case cases[] = {
		{ "text", text },
		{ "text_cut", text_cut },
		{ "text_wrong", text_wrong },
		{ "identity", identity },
		{ "exit_codes", exit_codes },
		{ "reader_gone", reader_gone },
		{ NULL, NULL },
	};
	char command[64];

	if (!mkdtemp(dir))
		return 1;
	int ret = check_main("dump", cases);
	snprintf(command, sizeof(command), "rm -rf %s", dir);
	return system(command) == 0 ? ret : 1;
}
