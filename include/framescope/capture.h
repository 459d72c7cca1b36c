/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The layout of a capture file (.fsc): a file header, then chunks until the end of the file.
 *
 * A chunk holds the records of one CPU in the order its ring gave them, or one of the marks below.
 * Numbers are in the byte order of the writing machine (all supported ones are little-endian). A
 * file that was cut anywhere is readable up to its last whole chunk; without an END chunk it was
 * cut. A chunk whose payload does not match its checksum is skipped; after a damaged chunk header a
 * reader looks for the next FS_CHUNK_MAGIC on an 8-byte boundary.
 */
#ifndef FRAMESCOPE_CAPTURE_H
#define FRAMESCOPE_CAPTURE_H

#include <framescope/event.h>

#define FS_FILE_MAGIC "fscap\r\n\x1a" /* 8 bytes; the CR LF shows a text-mode copy */
#define FS_FILE_MAGIC_LEN 8
#define FS_VERSION_MAJOR 1 /* a reader refuses a higher one */
#define FS_VERSION_MINOR 0 /* a reader takes any: unknown record and chunk types are skipped */
#define FS_CHUNK_MAGIC 0x4b435346u /* "FSCK" */
#define FS_CHUNK_MAX (4u << 20) /* bytes of payload; a longer one is damage */

enum fs_arch {
	FS_ARCH_X86_64 = 1,
	FS_ARCH_ARM64 = 2,
};

struct fs_file_header {
	char magic[FS_FILE_MAGIC_LEN];
	__u16 major;
	__u16 minor;
	__u32 size; /* of this header, a multiple of 8; chunks begin there */
	__u32 arch; /* enum fs_arch, of the recorded machine */
	__u32 crc; /* crc32 of this struct with crc = 0 */
};

enum fs_chunk_type {
	FS_CHUNK_EVENTS = 1, /* records */
	FS_CHUNK_ROUND = 2, /* no payload; all events up to last_ns are before this mark */
	FS_CHUNK_END = 3, /* no payload; the file was closed in order */
};

struct fs_chunk {
	__u32 magic; /* FS_CHUNK_MAGIC */
	__u32 type; /* enum fs_chunk_type */
	__u32 size; /* bytes of payload, a multiple of 8 */
	__u32 records;
	__u64 first_ns; /* lowest and highest time_ns of the records */
	__u64 last_ns;
	__u32 cpu; /* FS_CPU_NONE: records made in user space */
	__u32 lost; /* sum of the counts of its FS_KIND_LOST records, saturated */
	__u32 payload_crc; /* crc32 of the payload */
	__u32 crc; /* crc32 of this struct with crc = 0 */
};

#endif
