/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The page as a whole: what is chosen, and what follows from that. */
'use strict';

/* Rows of [name, text] beside the pointer; null hides them. A row without a name is a title. */
function showTip(rows, event) {
	const tip = byId('tip');

	tip.hidden = !rows;
	if (!rows)
		return;
	tip.replaceChildren(...rows.map(([name, text]) => {
		if (name === '-')
			return make('div', {class: 'rule'});
		if (name === '')
			return make('div', {class: 'title'}, String(text));
		return make('div', {class: 'row'}, make('span', {}, name),
			    make('span', {}, String(text)));
	}));
	const {width, height} = tip.getBoundingClientRect();
	const left = event.clientX + 16 + width > innerWidth ? event.clientX - width - 12
							     : event.clientX + 16;
	const top = Math.max(4, Math.min(event.clientY + 14, innerHeight - height - 4));

	tip.style.left = `${Math.max(4, left)}px`;
	tip.style.top = `${top}px`;
}

/* What is said of a frame beside the pointer. */
function frameTip(frames, i) {
	const figures = new Map(frames.files[frames.file[i]].frames.row(frames.row[i]));
	const rows = [
		['', frames.label(i)], ['wall', `${ms(frames.wall[i])} ms`],
		['starts at', seconds(frames.start[i])]
	];
	const time = (name, value) => Number.isNaN(value) || rows.push([name, `${ms(value)} ms`]);
	const parts = (list, lengths) => {
		rows.push(['-']);
		list.forEach((one, p) => lengths[p][i] > 0 &&
					 rows.push([one.key, `${ms(lengths[p][i])} ms`]));
	};

	time('interval', frames.interval[i]);
	time('deadline after', frames.deadline[i]);
	if (frames.status[i])
		rows.push(['status', `${STATUSES[frames.status[i]]}: not in any figure`]);
	if (frames.staged[i] > 0)
		parts(STAGES, frames.stages);
	if (frames.caused[i] > 0)
		parts(CAUSES, frames.causes);
	rows.push(['-']);
	for (const [name, words] of [['acquire_fence', 'acquire fence'],
				     ['release_fence', 'release fence'],
				     ['queue_depth', 'buffers in flight'], ['frame_kind', 'kind'],
				     ['skip_reason', 'skipped'], ['top_detail', 'blocked in'],
				     ['top_waker', 'woken by'], ['hwui_jank_types', 'HWUI jank'],
				     ['ft_jank', 'FrameTimeline'], ['matrix_level', 'Matrix']])
		if (figures.has(name))
			rows.push([words, figures.get(name)]);
	time('GPU', Number(figures.get('gpu_ns') ?? NaN));
	time('waited for release', Number(figures.get('release_wait_ns') ?? NaN));
	return rows.at(-1)[0] === '-' ? rows.slice(0, -1) : rows;
}

class Page {
	constructor(files) {
		this.files = files.filter((file) => !file.baseline);
		this.frames = new Frames(this.files);
		const baseline = files.filter((file) => file.baseline);

		this.base = baseline.length ? new Frames(baseline) : null;
		this.filter = {producer: -1, cause: '', status: ''};
		this.opened = null;
		this.frames.staged.some((ns) => ns > 0) || (this.causeFirst = true);
		this.byProducer = this.frames.producers.map(() => []);
		for (let i = 0; i < this.frames.nr; i++)
			this.byProducer[this.frames.producer[i]].push(i);
	}

	build(allFiles) {
		byId('inputs').replaceChildren(...describeInputs(allFiles));
		byId('trust').replaceChildren(...allFiles.map(trustOf));
		byId('wait').remove();
		byId('main').hidden = false;
		this.bars = new Bars(byId('bars'), byId('strip'), this.frames, {
			moved: () => this.later(() => this.moved()),
			hovered: (place, event) => this.hovered(place, event),
			selected: (i) => this.selected(i),
			opened: (i) => this.open(i),
		});
		this.bars.byStage = !this.causeFirst;
		listenToBars(this.bars);
		this.timeline = new Lanes(byId('timeline'), showTip);
		this.plots = new Plots(byId('histogram'), byId('ecdf'), showTip);
		this.buildFilters();
		this.listen();
		this.fences = new FenceSection(this);
		this.apply();
	}

	/* At most once for each picture that the browser shows. */
	later(what) {
		if (this.pending)
			return;
		this.pending = requestAnimationFrame(() => {
			this.pending = 0;
			what();
		});
	}

	buildFilters() {
		const {frames} = this;
		const option = (value, text) => make('option', {value}, text);
		const causes = new Set(frames.cause);
		const has = (test) => frames.deadline.some((_, i) => test(i));

		byId('filter-producer')
			.append(option('-1', 'all'),
				...frames.producers.map(
					(_, p) => option(
						p, `${frames.producerLabel(p)} (${
							   count(this.byProducer[p].length)})`)));
		byId('filter-cause')
			.append(option('', 'any cause'),
				...CAUSES
					.map((cause, c) =>
						     causes.has(c) &&
						     option(c, `${cause.key}: ${cause.words}`))
					.filter(Boolean));
		byId('filter-status')
			.append(option('', 'any'),
				...STATUSES.map((status) => option(status, status)));
		if (has((i) => frames.janky[i] === 1))
			byId('filter-status').append(option('janky', 'janky for HWUI'));
		if (has((i) => frames.deadline[i] > 0))
			byId('filter-status').append(option('late', 'behind its deadline'));
		byId('guide').append(
			option('', 'none'),
			...[120, 90, 60, 30].map(
				(hz) => option(1e9 / hz, `${ms(1e9 / hz)} ms (${hz} Hz)`)));
		byId('guide').value = String(1e9 / 60);
		this.bars.guide = 1e9 / 60;
		byId('guide-label').hidden = has((i) => frames.deadline[i] > 0);
		byId('by-stage').disabled = this.causeFirst === true;
		byId(this.causeFirst ? 'by-cause' : 'by-stage').checked = true;
		byId('metric').append(
			...usableMetrics(frames).map(([key, words]) => option(key, words)));
	}

	matches(i) {
		const {frames, filter} = this;

		if (filter.producer >= 0 && frames.producer[i] !== filter.producer)
			return false;
		if (filter.cause !== '' && frames.cause[i] !== Number(filter.cause))
			return false;
		if (filter.status === 'janky')
			return frames.janky[i] === 1;
		if (filter.status === 'late')
			return frames.height(i, true) > frames.deadline[i];
		return filter.status === '' || STATUSES[frames.status[i]] === filter.status;
	}

	/* The filters have changed. */
	apply() {
		const view = [];

		for (let i = 0; i < this.frames.nr; i++)
			if (this.matches(i))
				view.push(i);
		this.view = Int32Array.from(view);
		this.bars.show(this.view, this.placeLosses());
		this.showCount();
		this.showLegend();
		this.showProducers();
		this.showLongest();
		this.showDistribution();
	}

	/* Behind which frames of the view records were lost. */
	placeLosses() {
		const places = [];

		this.files.forEach((file, f) => {
			const first = this.view.findIndex((i) => this.frames.file[i] === f);
			const mine = this.view.filter((i) => this.frames.file[i] === f);
			const ends = Float64Array.from(mine, (i) => this.frames.end[i]);

			for (const at of file.losses.numbers('time_ns', file.origin))
				if (first >= 0)
					places.push(first + lastAtMost(ends, at) + 1);
		});
		return places.sort((a, b) => a - b);
	}

	showCount() {
		const all = this.frames.nr;
		const some = this.view.length;
		const outs = [1, 2].map(
			(status) => this.view.reduce(
				(sum, i) => sum + (this.frames.status[i] === status), 0));
		const losses = this.files.reduce((sum, file) => sum + file.losses.rows, 0);

		byId('shown').textContent =
			(some === all ? plural(all, 'frame')
				      : `${count(some)} of ${plural(all, 'frame')}`) +
			(outs[0] ? `, ${count(outs[0])} lossy` : '') +
			(outs[1] ? `, ${count(outs[1])} truncated` : '');
		byId('bars-note').textContent = [
			outs[0] + outs[1]
				? 'Hatched frames are lossy or truncated: they are in no figure.'
				: '',
			some > this.bars.width / 2
				? 'Where there are more frames than pixels, a column is the ' +
					  'longest of several, solid up to the shortest.'
				: '',
			losses ? `Dashed red lines: ${
					 plural(losses, 'place')} where records were lost.`
			       : '',
		].filter(Boolean).join(' ');
	}

	/* Each stage or cause, with its share of what is shown. */
	showLegend() {
		const {byStage} = this.bars;
		const list = byStage ? STAGES : CAUSES;
		const lengths = byStage ? this.frames.stages : this.frames.causes;
		const colours = byStage ? theme.stages : theme.causes;
		const sums = lengths.map(
			(of) => this.view.reduce(
				(sum, i) => sum + (this.frames.counts(i) && of[i] > 0 ? of[i] : 0),
				0));
		const all = sums.reduce((a, b) => a + b, 0);

		byId('legend').replaceChildren(
			...list.map((one, p) => sums[p] > 0 ? make('span', {title: one.words},
								   swatch(colours[p]),
								   make('b', {}, one.key),
								   ` ${percent(sums[p], all)}`)
							    : null)
				.filter(Boolean));
	}

	showProducers() {
		byId('producer-table')
			.replaceChildren(producerTable(
				this.frames, this.byProducer, this.filter.producer, (p) => {
					this.filter.producer = this.filter.producer === p ? -1 : p;
					byId('filter-producer').value =
						String(this.filter.producer);
					this.apply();
				}));
	}

	showLongest() {
		byId('worst').replaceChildren(
			this.view.length ? longestTable(this.frames, this.view,
							this.opened?.i ?? -1, (i) => this.jump(i))
					 : make('p', {class: 'note'}, 'No frames.'));
	}

	showDistribution() {
		const metric = METRICS.find(([key]) => key === byId('metric').value);

		if (!metric)
			return;
		const values = sortedValues(metric[2](this.frames), this.view, this.frames);
		const base =
			this.base && sortedValues(metric[2](this.base), this.baseView(), this.base);

		this.plots.show(values, base);
		byId('quantiles').replaceChildren(quantileTable(values, base));
	}

	/* Of the producer of that name, if one is chosen. */
	baseView() {
		const chosen = this.frames.producers[this.filter.producer]?.name;
		const wanted =
			this.base.producers.findIndex((producer) => producer.name === chosen);

		return Array.from({length: this.base.nr}, (_, i) => i)
			.filter((i) => wanted < 0 || this.base.producer[i] === wanted);
	}

	moved() {
		this.bars.draw();
		this.fences.look();
	}

	hovered(place, event) {
		this.later(() => this.bars.draw());
		showTip(place < 0 ? null : frameTip(this.frames, this.view[place]), event);
	}

	selected(i) {
		byId('live').textContent = `${this.frames.label(i)}, ${ms(this.frames.wall[i])} ` +
					   `milliseconds, ${STATUSES[this.frames.status[i]]}`;
		if (this.opened)
			this.open(i);
	}

	/* Show the frame among the others, and open it. */
	jump(i) {
		let place = this.view.indexOf(i);

		if (place < 0) {
			this.clearFilters();
			place = this.view.indexOf(i);
		}
		if (this.bars.seen > 400)
			this.bars.seen = 120;
		this.bars.from = place - this.bars.seen / 2;
		this.opened = null;
		this.bars.select(place);
		this.open(i);
		byId('frame').scrollIntoView({block: 'nearest'});
	}

	clearFilters() {
		this.filter = {producer: -1, cause: '', status: ''};
		byId('filter-producer').value = '-1';
		byId('filter-cause').value = byId('filter-status').value = '';
		this.apply();
	}

	open(i) {
		const open = new OpenFrame(this.frames, i);

		this.opened = open;
		byId('frame').hidden = false;
		byId('frame-title').textContent =
			`Frame ${this.frames.number[i]} of ` +
			this.frames.producerLabel(this.frames.producer[i]);
		byId('frame-facts').textContent = frameFacts(open);
		byId('frame-why').textContent = whyText(this.frames, i);
		byId('frame-note').textContent = detailNote(open);
		byId('frame-stages').replaceChildren(stageTable(open));
		byId('frame-causes').replaceChildren(causeTable(open));
		byId('frame-fences').replaceChildren(fenceTable(open));
		byId('frame-blocks').replaceChildren(blockTable(open));
		byId('frame-figures').replaceChildren(...figureList(open));
		const lanes = Number.isNaN(open.start) ? [] : timelineOf(open);

		byId('timeline').hidden = !lanes.length;
		if (lanes.length)
			this.timeline.show(lanes, timelineMarks(open), open.range(), open.start);
		this.showLongest();
	}

	close() {
		if (!this.opened)
			return;
		this.opened = null;
		byId('frame').hidden = true;
		this.showLongest();
		byId('bars').focus({preventScroll: true});
	}

	/* Colours are other ones. */
	redraw() {
		this.fences.redraw();
		this.showLegend();
		this.showDistribution();
		if (this.opened)
			this.open(this.opened.i);
		this.moved();
	}

	listen() {
		const on = (id, event, what) => byId(id).addEventListener(event, what);
		const choose = (key, value) => {
			this.filter[key] = value;
			this.apply();
		};

		on('filter-producer', 'change', (e) => choose('producer', Number(e.target.value)));
		on('filter-cause', 'change', (e) => choose('cause', e.target.value));
		on('filter-status', 'change', (e) => choose('status', e.target.value));
		on('filters', 'submit', (e) => e.preventDefault());
		on('metric', 'change', () => this.showDistribution());
		on('guide', 'change', (e) => {
			this.bars.guide = e.target.value ? Number(e.target.value) : NaN;
			this.bars.draw();
		});
		for (const id of ['by-stage', 'by-cause'])
			on(id, 'change', () => {
				this.bars.byStage = byId('by-stage').checked;
				this.showLegend();
				this.bars.draw();
			});
		/* It comes late, when the field is left, also if Enter has searched already. */
		on('search', 'change',
		   (e) => e.target.value !== this.searched && this.search(e.target.value));
		on('zoom-in', 'click', () => this.bars.zoom(0.6));
		on('zoom-out', 'click', () => this.bars.zoom(1.6));
		on('zoom-fit', 'click', () => this.bars.fit());
		on('frame-close', 'click', () => this.close());
		on('frame-before', 'click', () => this.step(-1));
		on('frame-after', 'click', () => this.step(1));
		on('keys', 'click', () => byId('help').showModal());
		listenToKeys(this);
		new ResizeObserver(() => this.later(() => {
			this.bars.draw();
			this.plots.draw();
			this.fences.lanes.draw();
			if (this.opened)
				this.timeline.draw();
		})).observe(byId('main'));
	}

	step(by) {
		const place = this.bars.selected;

		this.bars.select(place < 0 ? Math.floor(this.bars.from) : place + by);
	}

	openSelected() {
		if (this.bars.selected < 0)
			this.step(0);
		if (this.bars.selected < 0)
			return;
		this.open(this.view[this.bars.selected]);
		byId('frame').scrollIntoView({block: 'nearest'});
		byId('frame-title').focus({preventScroll: true});
	}

	/* The number of a frame: of the producer that is chosen, or the first that has it. */
	search(text) {
		this.searched = text;
		const number = Number(text.trim());
		const found = text.trim() === ''
				      ? undefined
				      : this.view.find((i) => this.frames.number[i] === number);

		byId('search').setAttribute('aria-invalid',
					    String(text.trim() !== '' && found === undefined));
		if (found !== undefined)
			this.jump(found);
		else if (text.trim() !== '')
			byId('live').textContent =
				`There is no frame ${text.trim()} among those shown.`;
	}
}

function problem(text) {
	const wait = byId('wait');

	wait.textContent = text;
	wait.classList.add('problem');
}

async function start() {
	if (typeof DecompressionStream === 'undefined') {
		problem('This browser is too old for the page: it has no DecompressionStream. Chrome 92, ' +
			'Firefox 113, Safari 16.4 and later have it.');
		return;
	}
	const files = (await readChunks()).map((raw) => new InputFile(raw));

	if (!files.length) {
		problem('The file is not whole: what it should show is missing. Make it once more.');
		return;
	}
	const page = new Page(files);

	document.title = `${page.files.map((file) => file.name).join(', ')} – framescope report`;
	initTheme(() => page.redraw());
	page.build(files);
	performance.mark('shown');
	globalThis.framescopePage = page;
}

start().catch((error) => {
	problem(`The page cannot be shown: ${error.message}`);
	throw error;
});
