/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* One frame, opened: its threads' timeline, stages, fences, blocks, and all its figures. */
'use strict';

/* What of a frame its timeline and tables are made of. */
class OpenFrame {
	constructor(frames, i) {
		this.frames = frames;
		this.i = i;
		this.file = frames.files[frames.file[i]];
		this.figures = new Map(this.file.frames.row(frames.row[i]));
		this.start = frames.start[i];
		this.end = frames.end[i];
		this.full = this.file.isFull(frames, i);
		this.uiTid = this.figures.get('ui_tid');
		this.renderTid = this.figures.get('render_tid');
		this.stages = this.listStages();
		this.fences = this.listFences();
		this.blocks = this.listBlocks();
	}

	/* A time of a column, since the capture's start. */
	time(name) {
		const value = this.figures.get(name);

		return value === undefined ? NaN : Number(BigInt(value) - this.file.origin);
	}

	number(name) {
		return Number(this.figures.get(name) ?? NaN);
	}

	listStages() {
		return STAGES
			.map((stage, s) => ({
				     stage,
				     colour: theme.stages[s],
				     from: this.time(`from_${stage.key}`),
				     to: this.time(`to_${stage.key}`),
				     length: this.frames.stages[s][this.i]
			     }))
			.filter((one) => one.to >= one.from || one.length > 0);
	}

	/* Its own two, and those that its threads waited for come with the blocks. */
	listFences() {
		const list = [];

		for (const role of ['acquire', 'release']) {
			const id = this.figures.get(`${role}_fence`);

			if (id !== undefined)
				list.push({
					role,
					id,
					signal: this.time(`${role}_signal_ns`),
					row: fenceRow(this.file, id)
				});
		}
		return list;
	}

	/* Of its threads, within it. */
	listBlocks() {
		const rows = [];

		for (const tid of new Set([this.uiTid, this.renderTid])) {
			if (tid === undefined)
				continue;
			const [from, to] = this.window(tid);

			for (const row of this.file.blocksOf(Number(tid)))
				if (this.file.blockIn[row] > from && this.file.blockOut[row] < to)
					rows.push(row);
		}
		return rows.map((row) => new Block(this.file, row)).sort((a, b) => a.out - b.out);
	}

	/* The part of the frame that is the thread's. */
	window(tid) {
		const posted = this.time('render_start_ns');
		const released = this.time('ui_end_ns');

		if (tid === this.renderTid)
			return [Number.isNaN(posted) ? this.start : posted, this.end];
		return [this.start, Number.isNaN(released) ? this.end : released];
	}

	/* How much of a thread's part was not observed, ns. */
	unknown(tid) {
		return this.number(tid === this.renderTid ? 'render_unknown_ns'
							  : 'ui_unknown_ns') ||
		       0;
	}

	/* From a little before it to a little after all that belongs to it. */
	range() {
		const ends = [
			this.end, this.frames.deadline[this.i] + this.start,
			...this.stages.map((one) => one.to),
			...this.fences.map((fence) => fence.signal)
		];
		const until = Math.max(
			...ends.filter((ns) => ns < this.end + 4 * (this.end - this.start)),
			this.start + 1000);
		const around = (until - this.start) * 0.03;

		return [this.start - around, until + around];
	}
}

/* A stretch in which a thread did not run. */
class Block {
	constructor(file, row) {
		this.figures = new Map(file.blocks.row(row));
		this.out = file.blockOut[row];
		this.in = file.blockIn[row];
		this.cause = CAUSE_BY_KEY.get(this.figures.get('cause')) ?? CAUSE_UNKNOWN;
		const wake = this.figures.get('wake_ns');

		this.preempted = this.cause === CAUSE_RUNNABLE;
		this.wake = wake === undefined ? (this.preempted ? this.out : this.in)
					       : Number(BigInt(wake) - file.origin);
	}

	get waker() {
		const f = this.figures;

		if (this.preempted)
			return thread(f.get('taker_comm'), f.get('taker_tid'));
		if (f.has('timed_out'))
			return 'its time-out';
		if (f.get('waker_context') === 'hardirq' || f.get('waker_context') === 'softirq')
			return f.get('waker_context') === 'hardirq' ? 'hard irq' : 'soft irq';
		return thread(f.get('waker_comm'), f.get('waker_tid'));
	}

	get fence() {
		const f = this.figures;

		return f.has('fence_context') ? `${f.get('fence_context')}:${f.get('fence_seqno')}`
					      : '';
	}

	get fenceName() {
		return [this.figures.get('driver'), this.figures.get('timeline')]
			.filter(Boolean)
			.join('/');
	}

	get where() {
		const f = this.figures;
		const file = f.get('file') === f.get('call') ? '' : f.get('file');

		return [f.get('call'), file, f.has('fd') ? `fd ${f.get('fd')}` : '']
			.filter(Boolean)
			.join(' ');
	}

	/* `zero`: what its time is told from. */
	tip(zero) {
		const f = this.figures;
		const rows = [
			['', CAUSES[this.cause].words],
			['thread', thread(f.get('comm'), f.get('tid'))],
			['at', `${ms(this.out - zero)} ms`]
		];

		if (!this.preempted)
			rows.push(['blocked', `${ms(this.wake - this.out)} ms`]);
		if (f.has('runnable_ns'))
			rows.push(['then ready, no CPU', `${ms(Number(f.get('runnable_ns')))} ms`]);
		rows.push(['in', this.where],
			  [this.preempted ? 'CPU taken by' : 'woken by', this.waker],
			  ['fence', this.fence], ['of', this.fenceName],
			  ['certainty', f.get('confidence')]);
		return rows.filter(([, text]) => text);
	}
}

/* Where the file has the fence; -1: it has not. */
function fenceRow(file, id) {
	if (!file.fenceIds) {
		const contexts = file.fences.exacts('context');
		const seqnos = file.fences.exacts('seqno');

		file.fenceIds = new Map();
		contexts.forEach((context, row) =>
					 file.fenceIds.set(`${context}:${seqnos[row]}`, row));
	}
	return file.fenceIds.get(id) ?? -1;
}

function fenceTip(file, row, head = '') {
	const f = new Map(file.fences.row(row));
	const since = (name) => `${ms(Number(BigInt(f.get(name)) - file.origin))} ms`;
	const rows = [
		['', `${head}fence ${f.get('context')}:${f.get('seqno')}`],
		['timeline', [f.get('driver'), f.get('timeline')].filter(Boolean).join('/')]
	];

	if (f.has('submitted_ns'))
		rows.push(['submitted', since('submitted_ns')],
			  ['by', thread(f.get('submitter_comm'), f.get('submitter_tid'))]);
	if (f.has('hardware_ns'))
		rows.push(['hardware at work', `${ms(Number(f.get('hardware_ns')))} ms`]);
	if (f.has('signal_ns'))
		rows.push(['signalled', since('signal_ns')]);
	if (f.has('latency_ns'))
		rows.push(['submission to signal', `${ms(Number(f.get('latency_ns')))} ms`]);
	rows.push(
		[
			'signalled by', f.has('signaller_tid') ? thread(f.get('signaller_comm'),
									f.get('signaller_tid'))
							       : f.get('signal_context')
		],
		['end', f.get('end') ?? 'still in flight'], ['error', f.get('error')]);
	return rows.filter(([, text]) => text !== undefined && text !== '');
}

/* Where it lies: { from, to, start } since the capture's start. */
function fenceItem(file, row, colour) {
	const at = (name) => file.fenceTimes[name][row];

	if (!file.fenceTimes) {
		file.fenceTimes = {};
		for (const name of ['submitted_ns', 'signal_ns'])
			file.fenceTimes[name] = file.fences.numbers(name, file.origin);
		file.fenceTimes.hardware_ns = file.fences.numbers('hardware_ns');
	}
	const from = at('submitted_ns');
	const signal = at('signal_ns');
	const open = Number.isNaN(signal);
	const to = open ? Math.max(from, file.info.length_ns ?? from) : signal;

	return {
		from,
		to,
		start: open ? NaN : to - at('hardware_ns'),
		fill: colour,
		hatched: open,
		row: 0,
		text: '',
		tip: () => fenceTip(file, row)
	};
}

/* Running, as far as that is known, and what the thread was blocked for. */
function threadLane(open, tid, name) {
	const [from, to] = open.window(tid);
	const blocks = open.blocks.filter((block) => block.figures.get('tid') === tid);
	const items = [];
	const known = open.full && !open.unknown(tid);
	let at = from;
	const run = (until) => {
		if (until > at)
			items.push({
				from: at,
				to: until,
				row: 0,
				hatched: !known,
				fill: known ? theme.causes[CAUSE_RUNNING] : theme.plain,
				text: known ? 'running' : '',
				tip: runTip(open, name, tid, at, until, known)
			});
	};

	for (const block of blocks) {
		run(Math.min(to, block.out));
		items.push(...blockItems(open, block, from, to));
		at = Math.max(at, block.in);
	}
	run(to);
	const comm = blocks[0]?.figures.get('comm');

	return {label: `${name} ${comm ?? ''}/${tid}`, rows: 1, items};
}

function runTip(open, name, tid, from, to, known) {
	return () => [[
		       '', known       ? 'running'
			   : open.full ? 'running, or not observed'
				       : 'running, or blocked for less than this page has'
	       ],
		      ['thread', `${name} ${tid}`], ['at', `${ms(from - open.start)} ms`],
		      ['length', `${ms(to - from)} ms`]];
}

/* Blocked, and then ready; a part of it that is not of the frame is not shown. */
function blockItems(open, block, from, to) {
	const parts =
		[[block.out, block.wake, block.cause], [block.wake, block.in, CAUSE_RUNNABLE]];

	return parts
		.map(([begin, end, cause]) => ({
			     from: Math.max(from, begin),
			     to: Math.min(to, end),
			     row: 0,
			     fill: theme.causes[cause],
			     hatched: cause === CAUSE_UNKNOWN,
			     text: CAUSES[cause].key,
			     tip: () => block.tip(open.start)
		     }))
		.filter((item) => item.to > item.from);
}

function stageLane(open, of, label) {
	const items = open.stages.filter((one) => one.stage.of === of && one.to > one.from)
			      .sort((a, b) => a.from - b.from || b.to - a.to)
			      .map((one) => ({
					   from: one.from,
					   to: one.to,
					   row: 0,
					   fill: one.colour,
					   text: one.stage.key,
					   tip: () => [['', one.stage.key], ['', one.stage.words],
						       ['length', `${ms(one.to - one.from)} ms`]]
				   }));

	return {label, rows: stackItems(items, 3), items};
}

/* Its fences, and those of its blocks that the page has. */
function fenceLanes(open) {
	const lanes = [];
	const seen = new Set();
	const add = (row, id, role) => {
		if (row < 0 || seen.has(id))
			return;
		seen.add(id);
		const item = fenceItem(open.file, row, theme.causes[CAUSE_BY_KEY.get('fence')]);

		item.tip = () => fenceTip(open.file, row, `${role} `);
		item.text = id;
		lanes.push({
			label: `${role} fence`,
			title: `${role} fence ${id}`,
			rows: 1,
			items: [item]
		});
	};

	for (const fence of open.fences)
		add(fence.row, fence.id, fence.role);
	for (const block of open.blocks)
		if (block.fence)
			add(fenceRow(open.file, block.fence), block.fence, 'awaited');
	return lanes.slice(0, 12);
}

function timelineOf(open) {
	const lanes = [];
	const two = open.uiTid !== undefined && open.uiTid !== open.renderTid;

	for (const [of, label] of [['ui', 'stages: UI'], ['render', 'stages: render'],
				   ['gpu', 'stage: GPU']]) {
		const lane = stageLane(open, of, label);

		if (lane.items.length)
			lanes.push(lane);
	}
	if (two)
		lanes.push(threadLane(open, open.uiTid, 'UI'));
	if (open.renderTid !== undefined)
		lanes.push(threadLane(open, open.renderTid, two ? 'render' : 'thread'));
	lanes.push(...fenceLanes(open));
	return lanes;
}

function timelineMarks(open) {
	const marks = [
		{at: open.start, label: 'begins', colour: theme.faint, dash: [2, 3]},
		{at: open.end, label: 'ends', colour: theme.faint, dash: [2, 3]}
	];
	const deadline = open.frames.deadline[open.i] + open.start;

	if (!Number.isNaN(deadline))
		marks.push({at: deadline, label: 'deadline', colour: theme.warn});
	for (const fence of open.fences)
		if (!Number.isNaN(fence.signal))
			marks.push({
				at: fence.signal,
				label: `${fence.role} fence ${fence.id} signals`,
				colour: theme.causes[CAUSE_BY_KEY.get('fence')],
				dash: [4, 2]
			});
	return marks;
}

function meter(length, most, colour) {
	const bar = make('span', {class: 'meter'});

	bar.style.width = `${Math.max(1, Math.round((90 * length) / most))}px`;
	bar.style.backgroundColor = colour;
	return bar;
}

/* Rows of lengths, longest as wide as it gets. */
function lengthTable(head, rows, empty) {
	const most = rows.reduce((a, row) => Math.max(a, row.length), 1);

	if (!rows.length)
		return make('p', {class: 'note'}, empty);
	return makeTable(
		[[head], ['ms', 1], ['', 0, 'wide']],
		rows.map((row) => ({
				 cells: [
					 make('span', {title: row.words},
					      swatch(row.colour, row.hatched), row.name),
					 ms(row.length), meter(row.length, most, row.colour)
				 ]
			 })));
}

function stageTable(open) {
	return lengthTable('stage', open.stages.map((one) => ({
							    name: one.stage.key,
							    words: one.stage.words,
							    colour: one.colour,
							    length: Math.max(0, one.length)
						    })),
			   'None is known: only frames of HWUI have stages.');
}

function causeTable(open) {
	const rows = CAUSES.map((cause, c) => ({
					name: cause.key,
					words: cause.words,
					colour: theme.causes[c],
					hatched: c === CAUSE_UNKNOWN,
					length: open.frames.causes[c][open.i]
				}))
			     .filter((row) => row.length > 0);

	return lengthTable('cause', rows.sort((a, b) => b.length - a.length),
			   'Nothing of its threads was recorded.');
}

function fenceTable(open) {
	if (!open.fences.length)
		return make('p', {class: 'note'}, 'None was seen with this frame.');
	return makeTable(
		[['fence'], ['signalled, ms into the frame', 1], ['waited ms', 1]],
		open.fences.map(
			(fence) => ({
				cells: [
					`${fence.role} ${fence.id}`,
					Number.isNaN(fence.signal) ? 'not seen'
								   : ms(fence.signal - open.start),
					fence.role === 'release'
						? ms(open.number('release_wait_ns'))
						: '–'
				]
			})));
}

function blockTable(open) {
	const heads = [
		['at ms', 1], ['thread'], ['blocked ms', 1], ['ready ms', 1], ['cause'],
		['waiting in'], ['woken by'], ['fence', 0, 'wide'], ['certainty']
	];

	if (!open.blocks.length)
		return make('p', {class: 'note'},
			    open.full ? 'They ran all the time.'
				      : 'Nothing of that is in this page.');
	return makeTable(
		heads,
		open.blocks.map(
			(block) => ({
				cells: [
					ms(block.out - open.start),
					thread(block.figures.get('comm'), block.figures.get('tid')),
					block.preempted ? '–' : ms(block.wake - block.out),
					block.figures.has('runnable_ns')
						? ms(Number(block.figures.get('runnable_ns')))
						: '–',
					make('span', {}, swatch(theme.causes[block.cause]),
					     CAUSES[block.cause].key),
					block.where || '–',
					block.preempted && block.waker ? `CPU to ${block.waker}`
								       : block.waker || '–',
					[block.fence, block.fenceName].filter(Boolean).join(' ') ||
						'–',
					String(block.figures.get('confidence') ?? '–')
				]
			})));
}

/* As NDJSON has them; the value as it is there is kept in the element. */
function figureList(open) {
	return [...open.figures]
		.filter(([name]) => !PAGE_COLUMNS.test(name))
		.map(([name, value]) => make('div', {}, make('dt', {}, name),
					     make('dd', {'data-name': name}, String(value))));
}

function frameFacts(open) {
	const {frames, i} = open;
	const facts = [
		`${shortMs(frames.wall[i])}`, `starts at ${seconds(open.start)}`,
		STATUSES[frames.status[i]]
	];
	const late = frames.height(i, true) - frames.deadline[i];

	if (open.figures.has('frame_kind'))
		facts.push(String(open.figures.get('frame_kind')));
	if (late > 0)
		facts.push(`${shortMs(late)} behind its deadline`);
	if (frames.janky[i] === 1)
		facts.push(`janky for HWUI: ${open.figures.get('hwui_jank_types') ?? ''}`);
	return facts.join(' · ');
}

function detailNote(open) {
	const {file} = open;

	if (open.frames.status[open.i])
		return open.frames.status[open.i] === 1
			       ? 'Records of its thread were lost within it: what is shown may be wrong.'
			       : 'It is cut by an edge of the capture, or by the end of its thread.';
	if (open.full || file.info.dump)
		return '';
	return `Of this frame only what lasted ${
		       ms(file.info.blocks.least_ns)} ms or longer is in ` +
	       `this page. The ${
		       file.info.detail_frames} longest frames of each producer have all.`;
}
