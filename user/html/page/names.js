/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The stages and causes that frames have, in order, and what they are called. */
'use strict';

/* As model/hwui_frame.h has them; the colours are those of page.css. */
const STAGES = [
	{key: 'unknown_delay', of: 'ui', words: 'from the vsync until the UI thread began'},
	{key: 'input_handling', of: 'ui', words: 'input callbacks'},
	{key: 'animation', of: 'ui', words: 'animation callbacks'},
	{key: 'layout_measure', of: 'ui', words: 'measure and layout'},
	{key: 'draw', of: 'ui', words: 'recording of what is drawn'},
	{key: 'render_queue', of: 'render', words: 'waiting for the RenderThread'},
	{key: 'sync_prepare', of: 'render', words: 'sync of state, upload of bitmaps'},
	{key: 'sync_dequeue', of: 'render', words: 'waiting for a buffer in the sync'},
	{key: 'command_issue', of: 'render', words: 'commands to the GPU driver'},
	{key: 'swap_buffers', of: 'render', words: 'queueing the buffer'},
	{key: 'gpu', of: 'gpu', words: 'the GPU, after the buffer was queued'},
];

/* As model/budget.h has them. */
const CAUSES = [
	{key: 'running', words: 'running'},
	{key: 'runnable', words: 'ready, but waiting for a CPU'},
	{key: 'fence', words: 'blocked on a fence'},
	{key: 'slot', words: 'blocked for a free buffer'},
	{key: 'gpu', words: 'blocked in the GPU driver'},
	{key: 'lock', words: 'blocked on a lock'},
	{key: 'binder', words: 'blocked on a binder reply'},
	{key: 'ipc', words: 'blocked on a message'},
	{key: 'io', words: 'blocked on I/O or a page fault'},
	{key: 'sleep', words: 'asleep by its own wish'},
	{key: 'other', words: 'blocked otherwise'},
	{key: 'unknown', words: 'not observed, or blocked in what was not'},
];

const CAUSE_RUNNING = 0;
const CAUSE_RUNNABLE = 1;
const CAUSE_UNKNOWN = 11;
const SYNC_PREPARE = 6;
const SYNC_DEQUEUE = 7;
const STAGE_GPU = 10;

/* Of the column `told`, enum dump_kind: a row of framestats. */
const TOLD_ROW = 1;

const CAUSE_BY_KEY = new Map(CAUSES.map((cause, i) => [cause.key, i]));

const STATUSES = ['complete', 'lossy', 'truncated'];

/* The columns that are the page's own, and in no other output. */
const PAGE_COLUMNS = /^(full|told|way_.*|from_.*|to_.*)$/;
