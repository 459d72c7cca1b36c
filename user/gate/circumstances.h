/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Under which circumstances a run was recorded: what makes two of them no longer comparable. */
#ifndef GATE_CIRCUMSTANCES_H
#define GATE_CIRCUMSTANCES_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

/*
 * What is known of them, by a capture's JSON text (or NULL) and the display's interval (ns, or 0):
 * a new object; NULL: out of memory.
 */
json_t *circumstances_of(const char *meta_text, uint64_t display_ns);

/* The same from a summary, where they are checked. An empty object if it is none. */
json_t *circumstances_copy(const json_t *from);

#define CIRCUMSTANCES_NR 10

/* Their names: "model", "kernel", ... */
const char *circumstance_name(unsigned index);

/* One in words; empty if it is not known. */
void circumstance_words(char *dst, size_t len, const json_t *circumstances, unsigned index);

#endif
