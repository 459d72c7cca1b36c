/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Functions of an ELF file and where they lie in it. The file is hostile input: nothing in it is
 * believed unchecked.
 */
#ifndef PROBE_ELF_H
#define PROBE_ELF_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct elf_file;

/* The symbol tables, in the order in which they are searched. */
enum elf_table {
	ELF_DYNSYM,
	ELF_SYMTAB,
	ELF_DEBUGDATA, /* the .symtab inside .gnu_debugdata */
	ELF_TABLES
};

/* Where a function is. */
struct elf_place {
	uint64_t offset; /* of its first instruction, from the start of the file on disk */
	enum elf_table table;
	const char *symbol; /* as it is called there; belongs to the elf_file */
};

/*
 * Opens a regular ELF file: a library or an executable for this machine's 64-bit processes, or a
 * 32-bit one for x86 or arm, in which functions can be found but not probed. -ENOEXEC if it is none
 * of these.
 */
int elf_file_open(const char *path, struct elf_file **out, struct err *e);

/*
 * The same for one that lies in a file from byte `base` on and has `size` bytes, as in an APK.
 * -EFBIG if it is too large to be read whole.
 */
int elf_file_open_part(const char *path, uint64_t base, uint64_t size, struct elf_file **out,
		       struct err *e);

void elf_file_close(struct elf_file *f); /* NULL is fine */

/* 64, or 32: a uprobe can't be attached there, or its arguments not be read. */
unsigned elf_file_bits(const struct elf_file *f);

/*
 * Find the defined function `symbol` in .dynsym, .symtab, then .gnu_debugdata. A name that ends
 * with '*' stands for all that begin like it; of several the first in alphabetical order of the
 * first table that has one is taken. The endings that a compiler adds to the name of the same
 * function (".llvm.1234", ".cfi") need not be given. -ENOENT if there is none.
 */
int elf_file_function(struct elf_file *f, const char *symbol, struct elf_place *place);

/* ".dynsym" and so on. */
const char *elf_table_name(enum elf_table table);

/* Does `offset`, from the start of the file on disk, lie in an executable segment? */
bool elf_file_executable(const struct elf_file *f, uint64_t offset);

/*
 * Up to `max` names of functions nearest to `symbol`, nearest first, each malloc'ed for the caller
 * to free. Returns how many.
 */
int elf_file_near(struct elf_file *f, const char *symbol, char **names, int max);

/* Why the file's .gnu_debugdata could not be used, or NULL. Known once a function was not found. */
const char *elf_file_debugdata_problem(const struct elf_file *f);

#endif
