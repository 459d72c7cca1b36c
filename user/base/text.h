/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Text helpers: near names, patterns, safe printing of strings that came from elsewhere. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Edits (insert, delete, replace, swap of neighbours) between two strings, ASCII case ignored. */
unsigned text_distance(const char *a, const char *b);

/*
 * The nearest of `names` (NULL-terminated) to `word`, or NULL if none is near enough to be meant.
 * A name that `word` is a prefix of is near.
 */
const char *text_nearest(const char *word, const char *const *names);

/*
 * Copy src (at most src_len bytes, ending early at NUL) into dst, with control characters and bytes
 * that are not valid UTF-8 as \xNN, '"' and '\' with a backslash. Always terminates; cuts to fit,
 * never inside an escape. Returns strlen(dst). Safe for terminals, CSV quoting and the text dump.
 */
size_t text_escape(char *dst, size_t dst_len, const char *src, size_t src_len);

/* The same, but '"' and '\\' stay as they are: for a line that is to be the one it was made from.
 */
size_t text_escape_controls(char *dst, size_t dst_len, const char *src, size_t src_len);

/*
 * Undo text_escape(). Does not terminate. Returns the byte count, or -1 on a bad escape or if dst
 * is too small.
 */
long text_unescape(char *dst, size_t dst_len, const char *src, size_t src_len);

/*
 * The length of text that text_escape() would leave as it is: ASCII, as most names are. Of any
 * other text -1.
 */
long text_plain(const char *src, size_t src_len);

#define TEXT_DIGITS 21

/*
 * A decimal number; the same with three decimals, so that 1500 is 1.500; one as 0x5dc. At most
 * TEXT_DIGITS bytes, and no NUL after them. Returns their end.
 */
char *text_digits(char *dst, uint64_t n);
char *text_thousandths(char *dst, uint64_t n);
char *text_hex_digits(char *dst, uint64_t n);

/*
 * Is this the text, or a pattern of fnmatch(3) that it matches? A backslash is a character, for
 * names are printed with them, and '~' stands for any characters, as where a table cuts a name.
 */
bool text_matches(const char *pattern, const char *text);

/*
 * Replace control characters (newlines too) by '?', in place: for a message in which a name or path
 * may stand that a watched program chose.
 */
void text_printable(char *text);

#endif
