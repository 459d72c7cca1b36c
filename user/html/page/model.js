/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The frames of all inputs as arrays, who made them, and figures of any selection. */
'use strict';

class InputFile {
	constructor(raw) {
		this.info = raw.info;
		this.baseline = raw.info.baseline;
		this.name = raw.info.path ?? 'input';
		this.frames = raw.tables[KIND_FRAMES];
		this.blocks = raw.tables[KIND_BLOCKS];
		this.fences = raw.tables[KIND_FENCES];
		this.losses = raw.tables[KIND_LOSSES];
		this.origin = BigInt(raw.info.origin_ns ?? 0);
		/* What was dumped has no start of a capture: the first frame is as good. */
		if (raw.info.dump)
			this.origin = this.firstStart();
		this.threads = null;
	}

	firstStart() {
		for (const column of ['start_ns', 'desired_present_ns'])
			for (const value of this.frames.numbers(column))
				if (!Number.isNaN(value))
					return BigInt(value);
		return 0n;
	}

	/* The rows of blocks of each thread, by their beginning. */
	blocksOf(tid) {
		if (!this.threads)
			this.indexBlocks();
		return this.threads.get(tid) ?? [];
	}

	indexBlocks() {
		const tids = this.blocks.numbers('tid');

		this.blockOut = this.blocks.numbers('out_ns', this.origin);
		this.blockIn = this.blocks.numbers('in_ns', this.origin);
		this.threads = new Map();
		tids.forEach((tid, row) => {
			if (!this.threads.has(tid))
				this.threads.set(tid, []);
			this.threads.get(tid).push(row);
		});
		for (const rows of this.threads.values())
			rows.sort((a, b) => this.blockOut[a] - this.blockOut[b]);
	}

	/* Can all blocks of a frame be expected to be there? */
	isFull(frames, i) {
		const least = this.info.blocks?.least_ns;

		if (least === undefined)
			return false;
		if (!least)
			return true;
		const until = this.info.blocks.full_until_ns;

		if (until && frames.end[i] > Number(BigInt(until) - this.origin))
			return false;
		return frames.full[i] === 1;
	}
}

/* The frames of some files, by file and then by time. */
class Frames {
	constructor(files) {
		this.files = files;
		this.producers = [];
		this.nr = files.reduce((sum, file) => sum + file.frames.rows, 0);
		for (const name of ['row', 'number', 'start', 'end', 'wall', 'full', 'told',
				    'deadline', 'interval', 'janky', 'file', 'producer', 'status',
				    'cause'])
			this[name] = new Float64Array(this.nr);
		this.skipped = new Uint8Array(this.nr);
		this.stages = STAGES.map(() => new Float64Array(this.nr));
		this.causes = CAUSES.map(() => new Float64Array(this.nr));
		this.staged = new Float64Array(this.nr);
		this.caused = new Float64Array(this.nr);
		let at = 0;

		files.forEach((file, index) => {
			this.fill(file, index, at);
			at += file.frames.rows;
		});
	}

	/* Where each row of the file's goes: in order of time. */
	static order(table, origin) {
		const ends = table.numbers('end_ns', origin);
		const shown = table.numbers('actual_present_ns', origin);
		const key = ends.map((end, row) => (Number.isNaN(end) ? shown[row] : end));

		/* What has no time stays behind the one before it. */
		key.forEach((at, row) => {
			if (Number.isNaN(at))
				key[row] = row ? key[row - 1] : -Infinity;
		});
		return Array.from(key.keys()).sort((a, b) => key[a] - key[b] || a - b);
	}

	fill(file, index, at) {
		const table = file.frames;
		const order = Frames.order(table, file.origin);
		const put = (into, values) =>
			order.forEach((row, i) => { into[at + i] = values[row]; });

		put(this.number, table.numbers('frame'));
		put(this.start, table.numbers('start_ns', file.origin));
		put(this.end, table.numbers('end_ns', file.origin));
		put(this.wall, table.numbers('wall_ns'));
		put(this.full, table.numbers('full'));
		put(this.told, table.numbers('told'));
		put(this.janky, table.numbers('hwui_janky'));
		order.forEach((row, i) => {
			this.row[at + i] = row;
			this.file[at + i] = index;
		});
		this.fillDeadlines(file, put, at);
		this.fillWords(file, index, order, at);
		this.fillStages(table, put, at);
		this.fillCauses(table, put, at);
		this.fillIntervals(at, order.length);
	}

	/* Less the beginning. */
	fillDeadlines(file, put, at) {
		const hwui = file.frames.numbers('frame_deadline_ns', file.origin);
		const timeline = file.frames.numbers('ft_deadline_ns', file.origin);

		put(this.deadline, hwui.map((ns, row) => (Number.isNaN(ns) ? timeline[row] : ns)));
		for (let i = at; i < at + hwui.length; i++) {
			const left = this.deadline[i] - this.start[i];

			/* One that is not to be held against the frame is said to be far off. */
			this.deadline[i] = left > 0 && left < 1e10 ? left : NaN;
		}
	}

	fillWords(file, index, order, at) {
		const table = file.frames;
		const names = table.texts('producer');
		const causes = table.texts('top_cause');
		const statuses = table.texts('status');
		const kinds = table.texts('frame_kind');
		const known = new Map();

		order.forEach((row, i) => {
			const name = names[row] ?? 'a process without a name';

			if (!known.has(name)) {
				known.set(name, this.producers.length);
				this.producers.push({name, file: index, row});
			}
			this.producer[at + i] = known.get(name);
			this.status[at + i] = Math.max(0, STATUSES.indexOf(statuses[row]));
			this.cause[at + i] = CAUSE_BY_KEY.get(causes[row]) ?? -1;
			this.skipped[at + i] = kinds[row] === 'skipped' ? 1 : 0;
			/* Of these the interval is known by their numbers. */
			if (kinds[row] !== undefined && Number.isNaN(this.told[at + i]))
				this.told[at + i] = 0;
		});
	}

	/*
	 * Lengths of stages; the sync's wait for a buffer is not part of the rest of it. What was
	 * dumped has none of that, but FrameMetrics of about the same.
	 */
	fillStages(table, put, at) {
		const told = table.numbers('told');

		STAGES.forEach((stage, s) => {
			const from = table.numbers(`from_${stage.key}`);
			const to = table.numbers(`to_${stage.key}`);
			const metric =
				table.numbers(`${s === SYNC_PREPARE ? 'sync' : stage.key}_ns`);

			put(this.stages[s],
			    from.map((ns, row) => (told[row] === TOLD_ROW && s !== STAGE_GPU
							   ? metric[row]
							   : to[row] - ns)));
		});
		for (let i = at; i < at + table.rows; i++) {
			const within = this.stages[SYNC_DEQUEUE][i];

			if (within > 0)
				this.stages[SYNC_PREPARE][i] -= within;
			for (const lengths of this.stages)
				this.staged[i] += lengths[i] > 0 ? lengths[i] : 0;
		}
	}

	/* Of the frame's way where it has one, else of the thread that makes it. */
	fillCauses(table, put, at) {
		CAUSES.forEach((cause, c) => {
			const way = table.numbers(`way_${cause.key}`);
			const render = table.numbers(`render_${cause.key}_ns`);

			put(this.causes[c],
			    way.map((ns, row) => (Number.isNaN(ns) ? render[row] : ns)));
		});
		for (let i = at; i < at + table.rows; i++)
			for (const lengths of this.causes)
				this.caused[i] += lengths[i] > 0 ? lengths[i] : 0;
	}

	/* From one end to the next, where these are known to follow one another. */
	fillIntervals(at, nr) {
		const before = new Map();

		for (let i = at; i < at + nr; i++) {
			const last = before.get(this.producer[i]);

			this.interval[i] = NaN;
			if (this.skipped[i]) {
				if (last && this.number[i] === last.number + 1)
					last.number++;
				continue;
			}
			if (last && this.end[i] >= last.end && this.follows(i, last))
				this.interval[i] = this.end[i] - last.end;
			before.set(this.producer[i], {number: this.number[i], end: this.end[i]});
		}
	}

	follows(i, last) {
		if (Number.isNaN(this.told[i]))
			return this.start[i] === last.end;
		return this.number[i] === last.number + 1;
	}

	/* How high its bar is. */
	height(i, byStage) {
		const sum = byStage ? this.staged[i] : this.caused[i];

		return Math.max(sum, this.wall[i] || 0);
	}

	/* Is it one that figures are of? */
	counts(i) {
		return this.status[i] === 0 && !this.skipped[i];
	}

	label(i) {
		return `frame ${this.number[i]} of ${this.producerLabel(this.producer[i])}`;
	}

	producerLabel(p) {
		const producer = this.producers[p];

		return this.files.length > 1
			       ? `${producer.name} (${this.files[producer.file].name})`
			       : producer.name;
	}
}

/* Nearest rank, as everywhere in framescope; `sorted` rises and is not empty. */
function quantile(sorted, permille) {
	return sorted[Math.max(0, Math.ceil((sorted.length * permille) / 1000) - 1)];
}

function sortedValues(values, indexes, frames) {
	const taken = new Float64Array(indexes.length);
	let nr = 0;

	for (const i of indexes)
		if (frames.counts(i) && !Number.isNaN(values[i]))
			taken[nr++] = values[i];
	return taken.subarray(0, nr).sort();
}

/* Frames per second between the first and the last swap seen, as the text report has it. */
function framesPerSecond(frames, indexes) {
	let first = NaN;
	let last = 0;
	let swaps = 0;
	const note = (at) => {
		if (Number.isNaN(first)) {
			first = at;
		} else if (at > last) {
			swaps++;
		}
		last = at;
	};

	for (const i of indexes) {
		if (frames.skipped[i] || Number.isNaN(frames.end[i]))
			continue;
		if (frames.number[i] > 1 && Number.isNaN(frames.told[i]))
			note(frames.start[i]);
		if (frames.status[i] !== 2)
			note(frames.end[i]);
	}
	return swaps && last > first ? (swaps * 1e9) / (last - first) : NaN;
}
