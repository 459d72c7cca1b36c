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

/* Opens a regular ELF file of this machine's class. -ENOEXEC if it is none. */
int elf_file_open(const char *path, struct elf_file **out, struct err *e);
void elf_file_close(struct elf_file *f); /* NULL is fine */

/*
 * The file offset of the defined function `symbol`, from .dynsym, then .symtab. -ENOENT if there is
 * none (e is not touched: being without a symbol is no error of the file's).
 */
int elf_file_function(struct elf_file *f, const char *symbol, uint64_t *offset);

/* Does `offset` lie in an executable segment of the file? */
bool elf_file_executable(struct elf_file *f, uint64_t offset);

/*
 * Up to `max` names of functions nearest to `symbol`, nearest first, each malloc'ed for the caller
 * to free. Returns how many.
 */
int elf_file_near(struct elf_file *f, const char *symbol, char **names, int max);

#endif
