/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Tests the distance of a CPU's preempt_count from its run queue on small BTFs, laid out as kernels
 * of different ages lay theirs out, and from lists of symbols.
 */
#include <bpf/btf.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "probe/kernel_facts.h"
#include "probe/percpu.h"

#define RUNQUEUES_AT 0x2c340u
#define COUNT_AT 0x1fe08u
#define HOT_AT 0x20980u
#define MEMBER_AT 8u /* of preempt_count in struct pcpu_hot, as in 6.2 */

/* The steps of making a BTF; each must give a type id or 0. */
static int made(int id)
{
	CU_ASSERT_FATAL(id >= 0);
	return id;
}

static struct btf *new_btf(void)
{
	struct btf *btf = btf__new_empty();

	CU_ASSERT_PTR_NOT_NULL_FATAL(btf);
	return btf;
}

static int add_int(struct btf *btf)
{
	return made(btf__add_int(btf, "int", 4, BTF_INT_SIGNED));
}

static int add_variable(struct btf *btf, const char *name, int type)
{
	return made(btf__add_var(btf, name, BTF_VAR_GLOBAL_ALLOCATED, type));
}

static int add_runqueues(struct btf *btf)
{
	return add_variable(btf, "runqueues", made(btf__add_struct(btf, "rq", 64)));
}

static void add_section(struct btf *btf, const char *name)
{
	made(btf__add_datasec(btf, name, 0x40000));
}

static void add_to_section(struct btf *btf, int var, unsigned at, unsigned size)
{
	made(btf__add_datasec_var_info(btf, var, at, size));
}

/* struct pcpu_hot of 6.2: all its members in an anonymous struct in an anonymous union. */
static int add_pcpu_hot(struct btf *btf, const char *member)
{
	int word = add_int(btf);
	int inner, outer, hot;

	inner = made(btf__add_struct(btf, NULL, 16));
	made(btf__add_field(btf, "current_task", word, 0, 0));
	made(btf__add_field(btf, member, word, MEMBER_AT * 8, 0));
	outer = made(btf__add_union(btf, NULL, 64));
	made(btf__add_field(btf, NULL, inner, 0, 0));
	made(btf__add_field(btf, "pad", word, 0, 0));
	hot = made(btf__add_struct(btf, "pcpu_hot", 64));
	made(btf__add_field(btf, NULL, outer, 0, 0));
	return hot;
}

static void expect(struct btf *btf, int64_t distance)
{
	CU_ASSERT_EQUAL(percpu_preempt_count_distance_in(btf), distance);
	btf__free(btf);
}

/* Up to 6.1 and from 6.15 on. */
static void variable(void)
{
	struct btf *btf = new_btf();
	int count = add_variable(btf, "__preempt_count", add_int(btf));
	int runqueues = add_runqueues(btf);

	add_section(btf, ".data..percpu");
	add_to_section(btf, count, COUNT_AT, 4);
	add_to_section(btf, runqueues, RUNQUEUES_AT, 64);
	expect(btf, -0xc538); /* 0x1fe08 - 0x2c340 */
}

static void variable_behind(void)
{
	struct btf *btf = new_btf();
	int runqueues = add_runqueues(btf);
	int count = add_variable(btf, "__preempt_count", add_int(btf));

	add_section(btf, ".data..percpu");
	add_to_section(btf, runqueues, 0x1000, 64);
	add_to_section(btf, count, 0x1040, 4);
	expect(btf, 0x40);
}

static void pcpu_hot_nested(void)
{
	struct btf *btf = new_btf();
	int hot = add_variable(btf, "pcpu_hot", add_pcpu_hot(btf, "preempt_count"));
	int runqueues = add_runqueues(btf);

	add_section(btf, ".data..percpu");
	add_to_section(btf, hot, HOT_AT, 64);
	add_to_section(btf, runqueues, RUNQUEUES_AT, 64);
	expect(btf, -0xb9b8); /* 0x20980 + 8 - 0x2c340 */
}

static void pcpu_hot_flat(void)
{
	struct btf *btf = new_btf();
	int word = add_int(btf);
	int type, hot, runqueues;

	type = made(btf__add_struct(btf, "pcpu_hot", 16));
	made(btf__add_field(btf, "current_task", word, 0, 0));
	made(btf__add_field(btf, "preempt_count", word, 12 * 8, 0));
	hot = add_variable(btf, "pcpu_hot", type);
	runqueues = add_runqueues(btf);
	add_section(btf, ".data..percpu");
	add_to_section(btf, runqueues, 0x100, 64);
	add_to_section(btf, hot, 0x200, 16);
	expect(btf, 0x10c);
}

/* A member of an inner struct that has a name is another thing. */
static void named_inner(void)
{
	struct btf *btf = new_btf();
	int word = add_int(btf);
	int inner, type, hot, runqueues;

	inner = made(btf__add_struct(btf, "other", 4));
	made(btf__add_field(btf, "preempt_count", word, 0, 0));
	type = made(btf__add_struct(btf, "pcpu_hot", 8));
	made(btf__add_field(btf, "other", inner, 0, 0));
	hot = add_variable(btf, "pcpu_hot", type);
	runqueues = add_runqueues(btf);
	add_section(btf, ".data..percpu");
	add_to_section(btf, runqueues, 0x100, 64);
	add_to_section(btf, hot, 0x200, 8);
	expect(btf, 0);
}

static void hot_without_count(void)
{
	struct btf *btf = new_btf();
	int hot = add_variable(btf, "pcpu_hot", add_pcpu_hot(btf, "call_depth"));
	int runqueues = add_runqueues(btf);

	add_section(btf, ".data..percpu");
	add_to_section(btf, hot, HOT_AT, 64);
	add_to_section(btf, runqueues, RUNQUEUES_AT, 64);
	expect(btf, 0);
}

static void hot_is_no_struct(void)
{
	struct btf *btf = new_btf();
	int hot = add_variable(btf, "pcpu_hot", add_int(btf));
	int runqueues = add_runqueues(btf);

	add_section(btf, ".data..percpu");
	add_to_section(btf, hot, HOT_AT, 4);
	add_to_section(btf, runqueues, RUNQUEUES_AT, 64);
	expect(btf, 0);
}

/* As on arm64. */
static void no_count(void)
{
	struct btf *btf = new_btf();
	int runqueues = add_runqueues(btf);

	add_section(btf, ".data..percpu");
	add_to_section(btf, runqueues, RUNQUEUES_AT, 64);
	expect(btf, 0);
}

static void no_runqueues(void)
{
	struct btf *btf = new_btf();
	int count = add_variable(btf, "__preempt_count", add_int(btf));

	add_section(btf, ".data..percpu");
	add_to_section(btf, count, COUNT_AT, 4);
	expect(btf, 0);
}

/* The variables are there, but not per CPU. */
static void other_section(void)
{
	struct btf *btf = new_btf();
	int count = add_variable(btf, "__preempt_count", add_int(btf));
	int runqueues = add_runqueues(btf);

	add_section(btf, ".data");
	add_to_section(btf, count, COUNT_AT, 4);
	add_to_section(btf, runqueues, RUNQUEUES_AT, 64);
	expect(btf, 0);
}

static void no_section(void)
{
	struct btf *btf = new_btf();

	add_variable(btf, "__preempt_count", add_int(btf));
	add_runqueues(btf);
	expect(btf, 0);
}

static void empty(void)
{
	expect(new_btf(), 0);
}

/* What the two symbols give, of those that kallsyms lists. */
static int64_t by_symbols(const char *kallsyms)
{
	char root[] = "/tmp/percpu.XXXXXX", proc[64], path[80];
	int64_t distance;
	FILE *f;

	CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(root));
	snprintf(proc, sizeof(proc), "%s/proc", root);
	snprintf(path, sizeof(path), "%s/kallsyms", proc);
	CU_ASSERT_EQUAL_FATAL(mkdir(proc, 0755), 0);
	f = fopen(path, "we");
	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	fputs(kallsyms, f);
	fclose(f);
	kernel_set_root(root);
	distance = percpu_preempt_count_distance_by_symbols();
#if defined(__x86_64__)
	/* There is no BTF below that root. */
	CU_ASSERT_EQUAL(percpu_preempt_count_distance(), distance);
#else
	CU_ASSERT_EQUAL(percpu_preempt_count_distance(), 0);
#endif
	kernel_set_root("");
	unlink(path);
	rmdir(proc);
	rmdir(root);
	return distance;
}

/* As a 5.10 with CONFIG_KALLSYMS_ALL lists them, and as kernels from 6.15 on do. */
static void symbols(void)
{
	CU_ASSERT_EQUAL(by_symbols("0000000000000000 A __per_cpu_start\n"
				   "000000000001fb80 A __preempt_count\n"
				   "0000000000033c40 A runqueues\n"),
			-0x140c0);
	CU_ASSERT_EQUAL(by_symbols("ffffffff84f67780 D runqueues\n"
				   "ffffffff84f6b028 D __preempt_count\n"),
			0x38a8);
}

/* Without CONFIG_KALLSYMS_ALL there are functions only; kptr_restrict hides the addresses. */
static void no_symbols(void)
{
	CU_ASSERT_EQUAL(by_symbols(""), 0);
	CU_ASSERT_EQUAL(by_symbols("ffffffff81000000 T _stext\n"
				   "ffffffff81001000 T preempt_count_add\n"),
			0);
	CU_ASSERT_EQUAL(by_symbols("0000000000033c40 A runqueues\n"), 0);
	CU_ASSERT_EQUAL(by_symbols("000000000001fb80 A __preempt_count\n"), 0);
	CU_ASSERT_EQUAL(by_symbols("0000000000000000 A __preempt_count\n"
				   "0000000000000000 A runqueues\n"),
			0);
}

int main(void)
{
	static const struct check_case cases[] = {
		{ "variable", variable },
		{ "variable_behind", variable_behind },
		{ "pcpu_hot_nested", pcpu_hot_nested },
		{ "pcpu_hot_flat", pcpu_hot_flat },
		{ "named_inner", named_inner },
		{ "hot_without_count", hot_without_count },
		{ "hot_is_no_struct", hot_is_no_struct },
		{ "no_count", no_count },
		{ "no_runqueues", no_runqueues },
		{ "other_section", other_section },
		{ "no_section", no_section },
		{ "empty", empty },
		{ "symbols", symbols },
		{ "no_symbols", no_symbols },
		{ NULL, NULL },
	};

	return check_main("percpu", cases);
}
