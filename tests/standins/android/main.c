// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * An Android app: a UI thread with a looper, RenderThread, and what is behind it, on stand-ins for
 * Android's libraries. It plays scenarios, each of which makes one thing of its frames slow, and
 * writes down what it knows of every frame and message (see record.h).
 *
 * androidapp [-L LAYOUT] [-n FRAMES] [-a MS] [-k MS] [-p PROCESSES] [-vf] [-t TRUTH] [-g TEXT]
 *     SCENARIO...
 * androidapp -l
 *
 * -L: the slots of its FrameInfo: 16 (Android 10), 17 (11), 22 (12), 23 (13), 24 (16), 25 (17).
 * -n: frames of each scenario.
 * -a: how long it waits after it loaded the libraries.
 * -k: after how long a recorder must have found them; half a second.
 * -p: it is started so many times, one after the other ended.
 * -v: HWUI draws with Vulkan.
 * -f: with fences of vgem; it needs root.
 * -g: at its end it appends what `dumpsys gfxinfo` would print to that file.
 * -l: list the scenarios.
 *
 * A scenario that the layout can't have is passed over. Exit code: 0, 1 failed.
 */
#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "standins/android/api.h"
#include "standins/android/backend.h"
#include "standins/android/layout.h"
#include "standins/android/record.h"
#include "standins/android/render.h"
#include "standins/android/ui.h"
#include "standins/truth.h"

static const struct scenario *played[64];
static unsigned nr_played;

static void usage(void)
{
	die(0, "usage: androidapp [-L LAYOUT] [-n FRAMES] [-a MS] [-k MS] [-p PROCESSES] [-vf] "
	       "[-t TRUTH] [-g TEXT] SCENARIO..., or androidapp -l");
}

static void list(void)
{
	for (unsigned i = 0; i < nr_scenarios; i++)
		puts(scenarios[i].name);
	exit(0);
}

static unsigned number(const char *text)
{
	char *end;
	unsigned long n = strtoul(text, &end, 10);

	if (end == text || *end || n > UINT_MAX)
		die(0, "%s is no number", text);
	return (unsigned)n;
}

static void options(int argc, char **argv)
{
	unsigned slots = 23;
	int opt;

	while ((opt = getopt(argc, argv, "L:n:a:k:p:vft:g:l")) != -1) {
		switch (opt) {
		case 'L':
			slots = number(optarg);
			break;
		case 'n':
			plan.frames = number(optarg);
			break;
		case 'a':
			plan.after_ms = number(optarg);
			break;
		case 'k':
			plan.settle_ms = number(optarg);
			break;
		case 'p':
			plan.processes = number(optarg);
			break;
		case 'v':
			plan.vulkan = true;
			break;
		case 'f':
			plan.fences = true;
			break;
		case 't':
			plan.truth = strdup(optarg);
			break;
		case 'g':
			plan.gfxinfo = strdup(optarg);
			break;
		case 'l':
			list();
			break;
		default:
			usage();
		}
	}
	if (layout_choose(slots))
		die(0, "there is no layout of %u slots", slots);
	if (optind == argc || argc - optind > (int)(sizeof(played) / sizeof(played[0])))
		usage();
	for (; optind < argc; optind++) {
		const struct scenario *s = scenario_find(argv[optind]);

		if (!s)
			die(0, "unknown scenario %s", argv[optind]);
		if (!scenario_is_for_others(s))
			played[nr_played++] = s;
	}
}

/* As the zygote does: the command line becomes the package's name, the rest of it is cleared. */
static void rename_to_package(int argc, char **argv)
{
	size_t size = (size_t)(argv[argc - 1] + strlen(argv[argc - 1]) - argv[0]);

	if (size < sizeof(PACKAGE))
		die(0, "the command line is too short for %s", PACKAGE);
	memset(argv[0], 0, size);
	memcpy(argv[0], PACKAGE, sizeof(PACKAGE));
	prctl(PR_SET_NAME, PACKAGE);
}

static void save(const char *path, int (*to)(const char *path))
{
	int err = path ? to(path) : 0;

	if (err)
		die(err, "can't write %s", path);
}

static void play(void)
{
	char path[PATH_MAX], folder[PATH_MAX + 32];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);

	if (n <= 0)
		die(-errno, "can't read /proc/self/exe");
	path[n] = '\0';
	snprintf(folder, sizeof(folder), "%s/android/%u", dirname(path), layout);
	record_open();
	api_load(folder);
	plan.settled_ns = now_ns() + plan.settle_ms * MS;
	ui_open();
	render_open();
	backend_open();
	usleep(plan.after_ms * 1000);
	for (unsigned i = 0; i < nr_played; i++)
		ui_play(played[i]);
	render_close();
	backend_close();
	save(plan.truth, record_save);
	save(plan.gfxinfo, jank_dump);
}

int main(int argc, char **argv)
{
	options(argc, argv);
	rename_to_package(argc, argv);
	for (; plan.processes > 1; plan.processes--) {
		pid_t child = fork();
		int status;

		if (child < 0)
			die(-errno, "can't fork");
		if (!child) {
			play();
			return 0;
		}
		if (waitpid(child, &status, 0) != child || status)
			die(0, "an app failed");
	}
	play();
	return 0;
}
