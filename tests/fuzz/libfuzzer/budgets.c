/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A libFuzzer target: files of budgets, and each as a budget of its own. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/libfuzzer/input.h"
#include "gate/budget.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct gate_budgets b = { 0 };
	struct err e = { 0 };
	char text[GATE_BUDGET_LEN + 8];
	size_t len = size < sizeof(text) ? size : sizeof(text) - 1;

	memcpy(text, data, len);
	text[len] = '\0';
	if (gate_budgets_add(&b, text, &e) && !e.code)
		abort();
	e = (struct err){ 0 };
	if (gate_budgets_read(&b, fuzz_input(data, size), &e) && !e.code)
		abort();
	gate_budgets_free(&b);
	return 0;
}
