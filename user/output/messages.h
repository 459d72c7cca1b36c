/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* One row per message of a UI thread. */
#ifndef OUTPUT_MESSAGES_H
#define OUTPUT_MESSAGES_H

#include "model/messages.h"
#include "output/listing.h"

struct message_row {
	const struct message *message;
	uint64_t origin_ns; /* what the times in a table count from */
};

extern const struct listing_view messages_view; /* of struct message_row */

#endif
