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

/* What the table has of a message from the frames on, with a heading and without the line's end. */
#define MESSAGE_HEAD "frames    wall ms   running  runnable   blocked mostly   woken by"
void message_print(FILE *out, const struct message *m);

extern const struct listing_view messages_view; /* of struct message_row */

#endif
