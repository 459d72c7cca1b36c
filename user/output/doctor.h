/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What doctor found, for people and for scripts. */
#ifndef OUTPUT_DOCTOR_H
#define OUTPUT_DOCTOR_H

#include <stdbool.h>
#include <stdio.h>

#include "base/err.h"
#include "output/output.h"
#include "probe/kernel.h"

/* `ready`: recording can work. In 80 columns. */
void doctor_text(FILE *out, const struct style *style, const struct kernel_check *checks, int n,
		 bool ready);

/* One JSON object, schema "framescope.doctor/1". 0 or -ENOMEM. */
int doctor_json(FILE *out, const struct kernel_check *checks, int n, bool ready, struct err *e);

#endif
