// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Offsets of per-CPU variables: the DATASEC of the per-CPU section lists them, and so may kallsyms,
 * whose addresses of them are offsets, or those of the section's first copy.
 */
#include "probe/percpu.h"

#include <bpf/btf.h>
#include <stdbool.h>
#include <string.h>

#include "probe/kernel.h"
#include "probe/kernel_facts.h"

#define SECTION ".data..percpu"

/* The offset of a variable in the per-CPU section and its type. */
static bool find_variable(const struct btf *btf, const struct btf_type *section, const char *name,
			  int64_t *offset, __u32 *type)
{
	const struct btf_var_secinfo *info = btf_var_secinfos(section);

	for (int i = 0; i < btf_vlen(section); i++) {
		const struct btf_type *var = btf__type_by_id(btf, info[i].type);

		if (!var || strcmp(btf__name_by_offset(btf, var->name_off), name) != 0)
			continue;
		*offset = info[i].offset;
		*type = var->type;
		return true;
	}
	return false;
}

/* The byte offset of a member, also inside the struct's anonymous members. */
static bool find_member(const struct btf *btf, __u32 id, const char *name, int64_t *offset)
{
	const struct btf_type *t = btf__type_by_id(btf, id);

	if (!t || !btf_is_composite(t))
		return false;
	for (__u32 i = 0; i < btf_vlen(t); i++) {
		const struct btf_member *m = &btf_members(t)[i];
		const char *have = btf__name_by_offset(btf, m->name_off);
		int64_t at = btf_member_bit_offset(t, i) / 8;
		int64_t inner = 0;

		if (!strcmp(have, name) || (!*have && find_member(btf, m->type, name, &inner))) {
			*offset = at + inner;
			return true;
		}
	}
	return false;
}

int64_t percpu_preempt_count_distance_in(const struct btf *btf)
{
	int id = btf__find_by_name_kind(btf, SECTION, BTF_KIND_DATASEC);
	const struct btf_type *section = id > 0 ? btf__type_by_id(btf, (__u32)id) : NULL;
	int64_t runqueues, count, member;
	__u32 type;

	if (!section || !find_variable(btf, section, "runqueues", &runqueues, &type))
		return 0;
	if (find_variable(btf, section, "__preempt_count", &count, &type))
		return count - runqueues;
	if (find_variable(btf, section, "pcpu_hot", &count, &type) &&
	    find_member(btf, type, "preempt_count", &member))
		return count + member - runqueues;
	return 0;
}

int64_t percpu_preempt_count_distance_by_symbols(void)
{
	struct kernel_symbol symbols[] = { { .name = "runqueues" }, { .name = "__preempt_count" } };

	kernel_symbols(symbols, 2);
	if (!symbols[0].address || !symbols[1].address)
		return 0;
	return (int64_t)(symbols[1].address - symbols[0].address);
}

int64_t percpu_preempt_count_distance(void)
{
	const struct btf *btf = kernel_btf();
	int64_t distance = btf ? percpu_preempt_count_distance_in(btf) : 0;

#if defined(__x86_64__)
	if (!distance)
		distance = percpu_preempt_count_distance_by_symbols();
#endif
	return distance;
}
