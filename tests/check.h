/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The way every test program reports: one line per test on standard output, "PASS name",
 * "FAIL name: why" or "SKIP name: reason". tests/run counts them.
 */
#ifndef TESTS_CHECK_H
#define TESTS_CHECK_H

#include <CUnit/Basic.h>
#include <CUnit/CUnit.h>
#include <CUnit/TestRun.h>
#include <stdio.h>
#include <stdlib.h>

struct check_case {
	const char *name;
	void (*fn)(void);
};

static inline void check_report(const CU_pTest test, const CU_pSuite suite,
				const CU_pFailureRecord failures)
{
	if (!failures) {
		printf("PASS %s/%s\n", suite->pName, test->pName);
		return;
	}
	printf("FAIL %s/%s: %s:%u: %s\n", suite->pName, test->pName, failures->strFileName,
	       failures->uiLineNumber, failures->strCondition);
	for (CU_pFailureRecord f = failures->pNext; f; f = f->pNext)
		printf("# also %s:%u: %s\n", f->strFileName, f->uiLineNumber, f->strCondition);
}

/* Run all cases (ended by a NULL name) as suite `name`; the exit code for main(). */
static inline int check_main(const char *name, const struct check_case *cases)
{
	if (CU_initialize_registry() != CUE_SUCCESS)
		return 1;
	CU_pSuite suite = CU_add_suite(name, NULL, NULL);
	for (; cases->name; cases++)
		CU_add_test(suite, cases->name, cases->fn);
	CU_set_test_complete_handler(check_report);
	CU_run_all_tests();
	int failed = CU_get_number_of_failures() != 0;
	CU_cleanup_registry();
	return failed;
}

#endif
