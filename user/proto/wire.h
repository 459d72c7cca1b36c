/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The wire types of protocol buffers: the low three bits of a field's key. Groups (3, 4) are not
 * here, as Perfetto has none.
 */
#ifndef PROTO_WIRE_H
#define PROTO_WIRE_H

enum wire_type { WIRE_VARINT = 0, WIRE_FIXED64 = 1, WIRE_BYTES = 2, WIRE_FIXED32 = 5 };

#endif
