/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The signals that ask a recording to stop: the first one in order, one of an impatient user at
 * once. */
#ifndef CMD_INTERRUPT_H
#define CMD_INTERRUPT_H

#include <stdbool.h>

/* SIGINT, SIGTERM and SIGHUP interrupt; writes that fail do so by their system calls only. */
void interrupt_catch(void);

/* Has one come? */
bool interrupt_came(void);

/*
 * Be called before a signal that is not caught in order ends the process, such as that of an
 * impatient user, a crash or SIGQUIT: from a signal handler. NULL: nobody.
 */
void interrupt_last_words(void (*fn)(void));

#endif
