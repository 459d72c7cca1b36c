/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The tables and lists of the page. */
'use strict';

/* `heads` are [text, numeric]; a row is { cells, link, chosen }, a cell text or an element. */
function makeTable(heads, rows) {
	const body = make('tbody');

	for (const row of rows) {
		const tr = make(
			'tr',
			{class: [row.link ? 'link' : '', row.chosen ? 'chosen' : ''].join(' ')});

		row.cells.forEach((cell, i) => tr.append(make('td', {
			class: heads[i][1]              ? 'n'
			       : heads[i][2] === 'wide' ? 'wide'
							: ''
		},
							      cell)));
		if (row.link)
			tr.addEventListener('click', row.link);
		body.append(tr);
	}
	return make('table', {},
		    make('thead', {},
			 make('tr', {},
			      ...heads.map(([text, numeric]) => make(
						   'th', {scope: 'col', class: numeric ? 'n' : ''},
						   text)))),
		    body);
}

/* A button in a row, for the keyboard; the row's own click does the work. */
function rowButton(text) {
	return make('button', {type: 'button'}, text);
}

function jankShare(frames, indexes) {
	let judged = 0;
	let janky = 0;

	for (const i of indexes) {
		if (Number.isNaN(frames.janky[i]))
			continue;
		judged++;
		janky += frames.janky[i];
	}
	return judged ? percent(janky, judged) : '–';
}

/* What is said of a producer: [heading, numeric, value of it]. */
function producerColumns(frames) {
	const columns = [['producer', 0, (one) => rowButton(one.producer.name)]];

	if (frames.files.length > 1)
		columns.push(['file', 0, (one) => frames.files[one.producer.file].name]);
	columns.push(
		['frames', 1, (one) => count(one.indexes.length)],
		...STATUSES.map((status, s) => [status, 1, (one) => count(one.counts[s])]),
		['fps', 1, (one) => (Number.isNaN(one.fps) ? '–' : one.fps.toFixed(1))],
		...[['wall p50', 500], ['p95', 950], ['p99', 990], ['max ms', 1000]].map(
			([
				head, at
			]) => [head, 1,
			       (one) => (one.walls.length ? ms(quantile(one.walls, at)) : '–')]));
	if (frames.janky.some((value) => !Number.isNaN(value)))
		columns.push(['HWUI janky', 1, (one) => jankShare(frames, one.indexes)]);
	return columns;
}

/* One row for each producer; `choose` is given its number. */
function producerTable(frames, byProducer, chosen, choose) {
	const columns = producerColumns(frames);
	const rows = frames.producers.map((producer, p) => {
		const indexes = byProducer[p];
		const one = {
			producer,
			indexes,
			counts: [0, 0, 0],
			walls: sortedValues(frames.wall, indexes, frames),
			fps: framesPerSecond(frames, indexes)
		};

		for (const i of indexes)
			one.counts[frames.status[i]] += frames.skipped[i] ? 0 : 1;
		return {
			cells: columns.map(([, , get]) => get(one)),
			link: () => choose(p),
			chosen: p === chosen
		};
	});

	return makeTable(columns, rows);
}

/* The longest frames of a selection. */
function longest(frames, view, nr) {
	const top = [];

	for (const i of view) {
		if (!(frames.wall[i] > (top.length < nr ? -1 : frames.wall[top.at(-1)])))
			continue;
		let at = top.length;

		while (at && frames.wall[top[at - 1]] < frames.wall[i])
			at--;
		top.splice(at, 0, i);
		if (top.length > nr)
			top.pop();
	}
	return top;
}

/* What most of a frame went to. */
function whyText(frames, i) {
	const row = new Map(frames.files[frames.file[i]].frames.row(frames.row[i]));
	const jank = row.get('ft_jank');

	if (row.get('top_cause') === undefined && jank !== undefined)
		return `FrameTimeline: ${jank}`;
	if (row.get('top_cause') === undefined)
		return row.has('hwui_jank_types') ? `HWUI: ${row.get('hwui_jank_types')}` : '';
	const cause = CAUSES[CAUSE_BY_KEY.get(row.get('top_cause'))];
	const parts = [`${ms(row.get('top_cause_ns'))} ms`];

	if (row.has('top_stage'))
		parts.push(`in ${row.get('top_stage')}:`);
	parts.push(cause ? cause.words : row.get('top_cause'));
	if (row.has('top_detail'))
		parts.push(`(${row.get('top_detail')})`);
	if (row.has('top_waker'))
		parts.push(`woken by ${row.get('top_waker')}`);
	if (row.get('top_confidence') === 'probable')
		parts.push('(probable)');
	return parts.join(' ');
}

function longestTable(frames, view, chosen, open) {
	const heads =
		[['frame', 1], ['producer'], ['start', 1], ['wall ms', 1], ['why', 0, 'wide']];

	return makeTable(
		heads,
		longest(frames, view, 20)
			.map((i) => ({
				     cells: [
					     rowButton(String(frames.number[i])),
					     frames.producerLabel(frames.producer[i]),
					     seconds(frames.start[i]), ms(frames.wall[i]),
					     (frames.status[i] ? `${STATUSES[frames.status[i]]}; `
							       : '') +
						     whyText(frames, i)
				     ],
				     link: () => open(i),
				     chosen: i === chosen,
			     })));
}

function quantileTable(values, base) {
	const permilles = [500, 900, 950, 990, 1000];
	const heads =
		[['ms'], ['frames', 1], ['p50', 1], ['p90', 1], ['p95', 1], ['p99', 1], ['max', 1]];
	const row = (name, colour, sorted) => ({
		cells: [
			make('span', {}, swatch(colour), name), count(sorted.length),
			...permilles.map((p) => (sorted.length ? ms(quantile(sorted, p)) : '–'))
		],
	});
	const rows = [row('these frames', theme.accent, values)];

	if (base) {
		rows.push(row('baseline', theme.warn, base));
		if (base.length && values.length)
			rows.push({
				cells: [
					'change', '',
					...permilles.map((p) => change(quantile(values, p),
								       quantile(base, p)))
				]
			});
	}
	return makeTable(heads, rows);
}

function change(now, before) {
	if (!before)
		return '–';
	const part = ((now - before) * 100) / before;

	return `${part > 0 ? '+' : part < 0 ? '−' : ''}${Math.abs(part).toFixed(1)} %`;
}

/* What the text report says at its end: paragraphs, and bullets of several lines each. */
function trustList(text) {
	const nodes = [];

	for (const line of text.split('\n')) {
		const last = nodes.at(-1);

		if (line.startsWith('  - ')) {
			const list = last?.tagName === 'UL' ? last : make('ul');

			list.append(make('li', {}, line.slice(4)));
			if (list !== last)
				nodes.push(list);
		} else if (line.startsWith('    ') && last?.tagName === 'UL') {
			last.lastChild.append(` ${line.trim()}`);
		} else if (last?.tagName === 'P' && line) {
			last.append(` ${line.trim()}`);
		} else if (line && line !== 'What not to trust') {
			nodes.push(make('p', {}, line.trim()));
		}
	}
	return nodes;
}

/* What of the capture is not in this page. */
function omissions(file) {
	const {blocks, fences} = file.info;
	const said = [];
	const say = (kind, what) => {
		if (!kind || !kind.left_out)
			return;
		said.push(`${plural(kind.left_out, what)} shorter than ${ms(kind.least_ns)} ms ` +
			  `${
				  kind.left_out === 1
					  ? 'is'
					  : 'are'} not in this page, but for those in the ` +
			  `${file.info.detail_frames} longest frames of each producer` +
			  (kind.full_until_ns
				   ? ', of which there were too many from ' +
					     `${
						     seconds(Number(BigInt(kind.full_until_ns) -
								    file.origin))} on`
				   : '') +
			  '. framescope export has all of them.');
	};

	say(blocks, 'block');
	say(fences, 'fence');
	if (file.info.losses > file.losses.rows)
		said.push(
			`${count(file.info.losses - file.losses.rows)} places where records were ` +
			'lost are not marked.');
	return said;
}

function trustOf(file) {
	const box = make('div', {}, make('h3', {}, file.name));

	if (file.info.dump)
		box.append(make(
			'p', {},
			'This is a text of dumpsys: it has what the platform says of ' +
				'its frames, and nothing of what threads did. framescope report checks its totals.'));
	else
		box.append(...trustList(file.info.trust ?? ''));
	const more = omissions(file);

	if (more.length)
		box.append(make('ul', {class: 'omissions'},
				...more.map((text) => make('li', {}, text))));
	return box;
}

/* What the inputs are, on top of the page. */
function describeInputs(files) {
	return files.map((file) => {
		const meta = file.info.meta ?? {};
		const android =
			meta.android_release ?? (meta.android_sdk ? `SDK ${meta.android_sdk}` : '');
		const facts = [
			file.baseline ? 'baseline' : '',
			meta.source ?? (file.info.dump ? 'dumpsys' : ''),
			android ? `Android ${android}` : '',
			meta.model ?? '',
			meta.kernel ? `Linux ${meta.kernel}` : '',
			meta.machine ?? '',
			meta.started ?? '',
			file.info.length_ns ? `${(file.info.length_ns / 1e9).toFixed(3)} s` : '',
			file.info.records ? plural(file.info.records, 'record') : '',
			file.info.lost ? `${count(file.info.lost)} lost` : '',
		];

		return make('div', {}, make('b', {}, file.name), ' ',
			    facts.filter(Boolean).join(' · '));
	});
}
