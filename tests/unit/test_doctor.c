/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What doctor prints and how it exits, on a made-up kernel that lacks most things. */
#include <fcntl.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "cmd/cmd.h"
#include "probe/kernel.h"
#include "probe/kernel_facts.h"

static char root[64];
static char output[65536];

/* Run the command with standard output in a file; its exit code. The text is in `output`. */
static int run_doctor(char *option)
{
	char *argv[] = { "doctor", option, NULL };
	int saved, code;
	FILE *text = tmpfile();

	CU_ASSERT_PTR_NOT_NULL_FATAL(text);
	fflush(stdout);
	saved = dup(STDOUT_FILENO);
	dup2(fileno(text), STDOUT_FILENO);
	optind = 0; /* getopt starts anew */
	code = cmd_doctor.run(&cmd_doctor, option ? 2 : 1, argv);
	fflush(stdout);
	dup2(saved, STDOUT_FILENO);
	close(saved);
	rewind(text);
	output[fread(output, 1, sizeof(output) - 1, text)] = '\0';
	fclose(text);
	return code;
}

static json_t *check_named(json_t *checks, const char *name)
{
	json_t *check;
	size_t i;

	json_array_foreach(checks, i, check)
	{
		if (!strcmp(json_string_value(json_object_get(check, "name")), name))
			return check;
	}
	return NULL;
}

static void test_json(void)
{
	static const char *const keys[] = { "name", "state", "detail", "required", "loss", "fix" };

	kernel_set_root(root);
	CU_ASSERT_EQUAL(run_doctor("--json"), EXIT_RUNTIME);
	json_t *doc = json_loads(output, JSON_REJECT_DUPLICATES, NULL);
	CU_ASSERT_PTR_NOT_NULL_FATAL(doc);
	CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(doc, "schema")),
			       "framescope.doctor/1");
	CU_ASSERT_TRUE(json_is_false(json_object_get(doc, "ready")));
	CU_ASSERT_EQUAL(json_object_size(doc), 3);

	json_t *old = check_named(json_object_get(doc, "checks"), "kernel");
	CU_ASSERT_PTR_NOT_NULL_FATAL(old);
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		CU_ASSERT_PTR_NOT_NULL(json_object_get(old, keys[i]));
	CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(old, "state")), "missing");
	CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(old, "detail")),
			       "5.4.1 is older than 5.10");
	CU_ASSERT_TRUE(json_is_true(json_object_get(old, "required")));

	json_t *fine = check_named(json_object_get(doc, "checks"), "pid_max");
	CU_ASSERT_PTR_NOT_NULL_FATAL(fine);
	CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(fine, "state")), "ok");
	CU_ASSERT_PTR_NULL(json_object_get(fine, "loss"));
	CU_ASSERT_PTR_NULL(json_object_get(fine, "fix"));
	json_decref(doc);
}

static void test_text(void)
{
	size_t widest = 0;

	kernel_set_root(root);
	CU_ASSERT_EQUAL(run_doctor(NULL), EXIT_RUNTIME);
	CU_ASSERT_PTR_NOT_NULL(
		strstr(output, "missing   kernel                   5.4.1 is older than"));
	CU_ASSERT_PTR_NOT_NULL(strstr(output, "          lost: recording (reading captures"));
	CU_ASSERT_PTR_NOT_NULL(strstr(output, "          try:  Linux 5.10 or later"));
	CU_ASSERT_PTR_NOT_NULL(strstr(output, "\nrecording can't work: "));
	CU_ASSERT_PTR_NULL(strchr(output, '\033')); /* a file gets no colours */
	for (const char *line = output; *line; line += strcspn(line, "\n") + 1) {
		size_t len = strcspn(line, "\n");

		widest = len > widest ? len : widest;
		CU_ASSERT(len == 0 || line[len - 1] != ' ');
	}
	CU_ASSERT(widest <= 80);
	CU_ASSERT(widest > 60); /* and there was something to wrap */
}

/* The verdict is the real kernel's; exit code, JSON and text must agree on it. */
static void test_agreement(void)
{
	kernel_set_root("");
	int code = run_doctor("--json");
	json_t *doc = json_loads(output, 0, NULL);

	CU_ASSERT_PTR_NOT_NULL_FATAL(doc);
	bool ready = json_is_true(json_object_get(doc, "ready"));
	CU_ASSERT_EQUAL(code, ready ? EXIT_OK : EXIT_RUNTIME);
	json_decref(doc);
	CU_ASSERT_EQUAL(run_doctor(NULL), code);
	CU_ASSERT_EQUAL(strstr(output, "\nrecording can work: ") != NULL, ready);

	struct err e = { 0 };
	CU_ASSERT_EQUAL(kernel_ready(&e) == 0, ready);
}

/* Write one file of the made-up kernel. */
static bool put(const char *path, const char *text)
{
	char full[256];

	snprintf(full, sizeof(full), "%s%s", root, path);
	for (char *slash = full + strlen(root) + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(full, 0700);
		*slash = '/';
	}
	FILE *f = fopen(full, "we");
	return f && fputs(text, f) >= 0 && !fclose(f);
}

static void take_away(const char *path)
{
	char full[256];

	snprintf(full, sizeof(full), "%s%s", root, path);
	remove(full);
}

int main(void)
{
	static const struct check_case cases[] = {
		{ "json", test_json },
		{ "text", test_text },
		{ "agreement", test_agreement },
		{ NULL, NULL },
	};

	snprintf(root, sizeof(root), "/tmp/test_doctor.XXXXXX");
	if (!mkdtemp(root) || !put("/proc/sys/kernel/osrelease", "5.4.1\n") ||
	    !put("/proc/sys/kernel/pid_max", "32768\n")) {
		perror(root);
		return 1;
	}
	int ret = check_main("doctor", cases);
	take_away("/proc/sys/kernel/osrelease");
	take_away("/proc/sys/kernel/pid_max");
	take_away("/proc/sys/kernel");
	take_away("/proc/sys");
	take_away("/proc");
	take_away("");
	return ret;
}
