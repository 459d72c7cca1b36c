/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The fences of what is seen in the bars: a lane for each timeline. */
'use strict';

const FENCE_LANES = 16; /* at first; those with the most fences */
const FENCE_LANES_MAX = 200;

class FenceSection {
	/* A lane for each timeline; those that are on none share one. */
	constructor(page) {
		this.page = page;
		this.lanes = new Lanes(byId('fence-lanes'), showTip);
		this.most = FENCE_LANES;
		this.file = -1;
		this.sets = this.page.files.map((file) => {
			const contexts = file.fences.exacts('context');
			const drivers = file.fences.texts('driver');
			const timelines = file.fences.texts('timeline');
			const lanes = new Map();

			contexts.forEach((context, row) => {
				const line = timelines[row] ?? '';
				const name = [drivers[row], line].filter(Boolean).join('/');
				const shared = line.startsWith('unbound') || line.startsWith('of ');
				const key = shared ? name : String(context);

				if (!lanes.has(key))
					lanes.set(key,
						  {name, context: shared ? '' : context, rows: []});
				lanes.get(key).rows.push(row);
			});
			return [...lanes.values()].sort((a, b) => b.rows.length - a.rows.length);
		});
		byId('fences').hidden = this.sets.every((set) => !set.length);
	}

	/* The time that is seen in the bars, of the file that they are of there. */
	look() {
		const [first, end] = this.page.bars.range();

		if (byId('fences').hidden)
			return;
		if (end <= first) {
			this.fill(this.sets.findIndex((set) => set.length));
			return;
		}
		const file = this.page.frames.file[this.page.view[first]];
		let last = end - 1;

		while (last > first && this.page.frames.file[this.page.view[last]] !== file)
			last--;
		/* Of one that has none, that of another is better than nothing. */
		if (!this.sets[file].length) {
			this.fill(this.sets.findIndex((set) => set.length));
			return;
		}
		this.fill(file);
		const from = this.page.frames.start[this.page.view[first]];
		const to = this.page.frames.end[this.page.view[last]];

		if (to > from)
			this.lanes.look(from, to);
	}

	fill(f) {
		if (this.file === f)
			return;
		const file = this.page.files[f];
		const set = this.sets[f].slice(0, this.most);
		const colour = theme.causes[CAUSE_BY_KEY.get('fence')];
		const lanes = set.map((lane) => {
			const items = lane.rows.map((row) => fenceItem(file, row, colour))
					      .sort((a, b) => a.from - b.from);
			const context = lane.context && `context ${lane.context}`;

			return {
				label: lane.name ? `${lane.name} ${lane.context}` : context,
				title: `${[lane.name, context].filter(Boolean).join(', ')}: ` +
					       plural(items.length, 'fence'),
				rows: stackItems(items, 3),
				items
			};
		});
		const ends = lanes.flatMap(
			(lane) => [lane.items[0].from,
				   lane.items.reduce((most, item) => Math.max(most, item.to), 0)]);
		const marks = Array.from(file.losses.numbers('time_ns', file.origin),
					 (at) => ({
						 at,
						 label: 'records were lost',
						 colour: theme.warn,
						 dash: [3, 3]
					 }));

		this.file = f;
		this.lanes.show(lanes, marks, lanes.length
			? [Math.min(0, ...ends), Math.max(file.info.length_ns ?? 0, ...ends)] : [0, 1]);
		this.say(f, set.length);
	}

	say(f, shown) {
		const all = this.sets[f].length;
		const hidden = Math.min(all, FENCE_LANES_MAX) - shown;
		const note = byId('fences-note');

		byId('fences-shown').textContent =
			`${plural(this.page.files[f].fences.rows, 'fence')} on ` +
			`${plural(all, 'timeline')}${
				this.page.files.length > 1 ? ` of ${this.page.files[f].name}`
							   : ''}`;
		note.textContent =
			'From submission to signal; a light line is where the hardware began. ' +
			'Hatched: never signalled. The time is that of the bars above.';
		if (hidden > 0)
			note.append(' ', make('button', {
					    type: 'button',
					    click: () => {
						    this.most = FENCE_LANES_MAX;
						    this.file = -1;
						    this.look();
					    }
				    },
					      `${count(hidden)} more`));
		if (all > FENCE_LANES_MAX)
			note.append(` Of ${count(all)} timelines at most ${
				FENCE_LANES_MAX} are drawn.`);
	}

	redraw() {
		this.file = -1;
	}
}
