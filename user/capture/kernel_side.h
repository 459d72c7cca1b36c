/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The skeleton, with the types that its data sections use. */
#ifndef CAPTURE_KERNEL_SIDE_H
#define CAPTURE_KERNEL_SIDE_H

#include <framescope/state.h>

#include "framescope.skel.h"

#endif
