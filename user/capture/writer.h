/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Writes a capture file: records are copied once into the buffer of their CPU, buffers become
 * checksummed chunks. Knows nothing of BPF.
 */
#ifndef CAPTURE_WRITER_H
#define CAPTURE_WRITER_H

#include <linux/types.h>
#include <stdbool.h>
#include <stdint.h>

#include <framescope/capture.h>

#include "base/err.h"
#include "capture/sink.h"

struct writer;

/*
 * Open `path`, or create it. What it held stays until the first chunk is written, so that a capture
 * that fails to start costs nobody an older one. `cpus` is the number of possible CPUs;
 * arch an enum fs_arch. *out is the caller's, ended with writer_close().
 */
int writer_open(const char *path, unsigned cpus, uint32_t arch, struct writer **out, struct err *e);

/* Give up before anything was recorded; a file that did not exist before is removed. NULL is fine.
 */
void writer_discard(struct writer *w);

/* The writer as what a capture gives its records to, whose end closes or discards it. */
struct sink *writer_sink(struct writer *w);

/*
 * Append one record: rec->size bytes. Its CPU's chunk buffer is rec->cpu's, or the user-space one
 * for FS_CPU_NONE or a CPU beyond `cpus`. Errors are those of write(2), and stick: after the first
 * one nothing more is written and every call returns it.
 */
int writer_add(struct writer *w, const struct fs_header *rec, struct err *e);

/*
 * Write out every buffer that has records, then the mark that all records up to watermark_ns are in
 * the file.
 */
int writer_round(struct writer *w, uint64_t watermark_ns, struct err *e);

/* Bytes written to the file so far. */
uint64_t writer_bytes(const struct writer *w);

/*
 * Write what is buffered, the last round and the end mark, and close. Frees w in every case; what
 * had been written before an error stays readable. NULL is fine.
 */
int writer_close(struct writer *w, uint64_t watermark_ns, struct err *e);

/* The same without the end mark, for a copy of a capture that has none. */
int writer_close_cut(struct writer *w, uint64_t watermark_ns, struct err *e);

#endif
