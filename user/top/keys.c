/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Keys, and the sequences of ECMA-48 that arrows and others send. */
#include "top/keys.h"

#include <stdbool.h>

#define ESCAPE 0x1b
#define BACKSPACE 0x08
#define DELETE 0x7f

static int plain(struct keys *k, unsigned char byte)
{
	switch (byte) {
	case ESCAPE:
		k->state = KEYS_ESCAPE;
		return KEY_NONE;
	case '\r':
	case '\n':
		return KEY_ENTER;
	case BACKSPACE:
	case DELETE:
		return KEY_ESCAPE;
	default:
		return byte >= ' ' && byte < DELETE ? byte : KEY_OTHER;
	}
}

static int final(struct keys *k, unsigned char byte)
{
	k->state = KEYS_PLAIN;
	return byte == 'A' ? KEY_UP : byte == 'B' ? KEY_DOWN : KEY_OTHER;
}

int keys_byte(struct keys *k, unsigned char byte)
{
	switch (k->state) {
	case KEYS_PLAIN:
		return plain(k, byte);
	case KEYS_ESCAPE:
		if (byte == '[') {
			k->state = KEYS_SEQUENCE;
			return KEY_NONE;
		}
		if (byte == 'O') {
			k->state = KEYS_SINGLE;
			return KEY_NONE;
		}
		/* A key together with Alt, or Escape twice. */
		k->state = KEYS_PLAIN;
		return byte == ESCAPE ? KEY_ESCAPE : KEY_OTHER;
	case KEYS_SEQUENCE:
		/* Parameters, until a letter or the like. */
		if (byte >= 0x20 && byte < 0x40)
			return KEY_NONE;
		return final(k, byte);
	case KEYS_SINGLE:
		return final(k, byte);
	}
	return KEY_NONE;
}

int keys_pause(struct keys *k)
{
	bool escape = k->state == KEYS_ESCAPE;

	k->state = KEYS_PLAIN;
	return escape ? KEY_ESCAPE : KEY_NONE;
}
