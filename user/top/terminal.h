/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The terminal of a live view: its modes, its second screen, its size, its keys. There is one, that
 * of standard output; standard input's modes are changed too if that is a terminal. Only ANSI
 * sequences are used, no terminfo.
 */
#ifndef TOP_TERMINAL_H
#define TOP_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

#define TERMINAL_COLUMNS 80 /* where a size is not known */
#define TERMINAL_ROWS 24

/* Is standard output one? */
bool terminal_is_there(void);

/* Can keys be read, too? */
bool terminal_has_keys(void);

/*
 * Take the terminal, unless this process is in the background of its shell; watch its signals:
 * SIGWINCH, SIGTSTP and SIGCONT.
 */
void terminal_open(void);

/*
 * To be called often: stops the process if it was told to (SIGTSTP), the terminal as it was before,
 * and takes it again when the process is in the foreground again. True: what is shown is gone or
 * has another size, draw it anew.
 */
bool terminal_attend(void);

void terminal_size(unsigned *columns, unsigned *rows);

/*
 * Show these lines, each with its newline, in place of what is there. What the terminal does not
 * take at once is left for the next call, which then shows nothing of its own and returns false.
 * True also if the terminal is not ours at the moment. -1 if it is gone: errno says why.
 */
int terminal_draw(const char *text, size_t len);

/* The bytes of keys that were pressed, without waiting: how many, or -1: the terminal is gone. */
int terminal_read(unsigned char *bytes, size_t len);

/* Everything as it was before. Nothing if it is. */
void terminal_close(void);

/* The same, for a signal handler. */
void terminal_last_words(void);

#endif
