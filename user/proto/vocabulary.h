/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The words by which a Perfetto trace holds framescope's own records: what the export writes and
 * the reader looks for.
 *
 * A trace of framescope's has a track of the name VOCABULARY_RECORDS, whose descriptor comes before
 * all events and bundles; then its records are in the track events of sequence VOCABULARY_SEQUENCE
 * with a category that begins with VOCABULARY_CATEGORY. What follows behind that is the kind's name
 * in the text form of a dump ("framescope.fence_ref"). All else in such a trace - sched, frames,
 * fences, blocks, flows, counters, packets of other sequences - was worked out from the records.
 *
 * A span or an off-CPU interval is mostly a slice: its begin is entry_ns or out_ns, its end
 * time_ns. Everything else, and the few of them that would not nest or lie side by side, is an
 * instant at time_ns. All annotations are at the begin or at the instant.
 *
 * An annotation is a field of the dump's text form, by its name there. One that is absent is 0, of
 * a signed number -1, of a string empty, of a list all 0, of cpu "none". Types:
 *  - numbers and flags: uint_value; signed ones: int_value; those that a dump prints in
 * hexadecimal: pointer_value;
 *  - enumerators and letters: string_value_iid of the dump's name, or uint_value if it has none;
 *  - strings: string_value_iid or string_value, its bytes as recorded;
 *  - a list: string_value, as in the dump, without the zeros at its end.
 * Of the header, VOCABULARY_TID, VOCABULARY_TGID and VOCABULARY_CPU are annotations too, where they
 * are not 0 or, the CPU, not "none": of a slice on a track whose descriptor, or whose parent's, is
 * that of a thread, the first two only if they differ from it. VOCABULARY_TIME, and entry_ns or
 * out_ns at a slice, are there if the time of the event is not theirs.
 *
 * FS_KIND_TIMELINE and FS_KIND_BUFFER are FrameTimelineEvents and GraphicsFrameEvents of that
 * sequence. The GraphicsFrameEvents of VOCABULARY_SEQUENCE_DERIVED are worked out from the records.
 * A FS_KIND_CLOCK is a ClockSnapshot, too.
 */
#ifndef PROTO_VOCABULARY_H
#define PROTO_VOCABULARY_H

#define VOCABULARY_SEQUENCE 1
#define VOCABULARY_SEQUENCE_DERIVED 2

#define VOCABULARY_RECORDS "framescope records"
#define VOCABULARY_CATEGORY "framescope."

#define VOCABULARY_TIME "time_ns"
#define VOCABULARY_TID "tid"
#define VOCABULARY_TGID "tgid"
#define VOCABULARY_CPU "cpu"

#endif
