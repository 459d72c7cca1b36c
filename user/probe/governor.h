/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* How fast the CPUs are let run. */
#ifndef PROBE_GOVERNOR_H
#define PROBE_GOVERNOR_H

#include <stddef.h>

/* "schedutil", "performance, schedutil": each of the CPUs' governors once. Empty: not known. */
void governor_read(char *text, size_t len);

/* The same of the CPUs of a directory like /sys/devices/system/cpu. */
void governor_read_in(const char *dir, char *text, size_t len);

#endif
