/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Damaged budgets, and files of them, against user/gate/budget.c and budgets_file.c. Meant to run
 * under ASan and UBSan:
 *
 *     fuzz_budgets [SECONDS [FIRST-INPUT]]
 */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz_file.h"
#include "fuzz/random.h"
#include "gate/budget.h"

#define IMAGE_MAX 2048

static const char *const budgets[] = {
	"wall.p95<=16.6ms",
	"jank.hwui<=1%",
	"com.example.app:remote:release_wait.p99<=4ms",
	"fps>=58",
	"lossy<=1%",
	"stage.sync.p99.9<2ms",
	"jank.hwui.slow_ui_thread.rate<=0.5Hz",
	"jankstats_overrun.max<=-1.5ms",
};

#define NR_BUDGETS (sizeof(budgets) / sizeof(*budgets))

/* Characters that mean something somewhere. */
static const char special[] = ":.<=>%-\"\\{}[],0123456789pms \n\xff";

/* A budget, or with an even number a file of some; a few bytes of it are others. */
static size_t make(unsigned char *image, uint64_t input)
{
	char *text = (char *)image;
	size_t len;

	state = (input + 1) * 0x9e3779b97f4a7c15ull;
	if (input % 2)
		len = (size_t)snprintf(text, IMAGE_MAX, "%s", budgets[below(NR_BUDGETS)]);
	else
		len = (size_t)snprintf(text, IMAGE_MAX,
				       "{\"schema\": \"" GATE_BUDGETS_SCHEMA "\", \"budgets\": "
				       "[\"%s\", {\"budget\": \"%s\", \"producer\": \"a:b\"}]}",
				       budgets[below(NR_BUDGETS)], budgets[below(NR_BUDGETS)]);
	for (size_t n = below(5); n; n--) {
		size_t at = below(len);

		if (below(2))
			text[at] = special[below(sizeof(special) - 1)];
		else
			text[at] = (char)next();
	}
	return below(8) ? len : below(len);
}

static const char *check(const struct gate_budgets *b)
{
	for (unsigned i = 0; i < b->nr; i++) {
		const struct gate_budget *one = &b->all[i];

		if (one->metric >= gate_metrics() || !isfinite(one->limit))
			return "a budget of no metric, or without a limit";
		if (strchr(one->text, ':') || (one->producer && !*one->producer))
			return "a producer that is not where it belongs";
		if (one->stat == GATE_PERCENTILE && (one->permille < 500 || one->permille > 999))
			return "a percentile that is not had";
	}
	return NULL;
}

static const char *use(const char *path, size_t size)
{
	struct gate_budgets b = { 0 };
	struct err e = { 0 };
	char text[IMAGE_MAX + 1];
	const char *wrong;
	FILE *f = fopen(path, "re");

	if (!f)
		return "the input is not there";
	size = fread(text, 1, size < IMAGE_MAX ? size : IMAGE_MAX, f);
	fclose(f);
	text[size] = '\0';
	if (gate_budgets_add(&b, text, &e) && (!e.code || !*e.what))
		return "an error without a text";
	e = (struct err){ 0 };
	if (gate_budgets_read(&b, path, &e) && (!e.code || !*e.what))
		return "an error without a text";
	wrong = check(&b);
	gate_budgets_free(&b);
	return wrong;
}

int main(int argc, char **argv)
{
	static unsigned char image[IMAGE_MAX + 1];
	const struct fuzz_file f = {
		.name = "budgets",
		.image = image,
		.make = make,
		.use = use,
	};

	return fuzz_file(&f, argc, argv);
}
