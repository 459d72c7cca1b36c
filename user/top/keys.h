/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* From the bytes that a terminal sends to keys. */
#ifndef TOP_KEYS_H
#define TOP_KEYS_H

#include <stddef.h>

/* A printable key is its character. */
enum key {
	KEY_NONE = 0,
	KEY_ENTER = 0x100,
	KEY_ESCAPE,
	KEY_UP,
	KEY_DOWN,
	KEY_OTHER, /* one that means nothing here */
};

/* Within a sequence that a key sends; all zero is between two keys. */
struct keys {
	enum { KEYS_PLAIN, KEYS_ESCAPE, KEYS_SEQUENCE, KEYS_SINGLE } state;
};

/* The key that ends with this byte, or KEY_NONE: more is to come. */
int keys_byte(struct keys *k, unsigned char byte);

/* Nothing came for a while: the key that has begun is Escape itself, or KEY_NONE. */
int keys_pause(struct keys *k);

#endif
