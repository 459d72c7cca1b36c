/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the keys do, and the list of them. */
'use strict';

/* [keys in words, what they do, the keys, the work]; those without work are told only. */
const KEYS = [
	[
		'← →', 'the frame before, the next one', ['ArrowLeft', 'ArrowRight'],
		(page, key) => page.step(key === 'ArrowLeft' ? -1 : 1)
	],
	[
		'Page Up, Page Down', 'move by most of what is seen', ['PageUp', 'PageDown'],
		(page, key) => page.bars.pan((key === 'PageUp' ? -0.8 : 0.8) * page.bars.seen)
	],
	[
		'Home, End', 'the first frame, the last one', ['Home', 'End'],
		(page, key) => page.bars.select(key === 'Home' ? 0 : page.view.length - 1)
	],
	['+ −', 'zoom', ['+', '=', '-'], (page, key) => page.bars.zoom(key === '-' ? 1.6 : 0.6)],
	['0', 'all frames', ['0'], (page) => page.bars.fit()],
	['Enter', 'open the frame', ['Enter'], (page) => page.openSelected()],
];

/* Those that work everywhere but where text is typed. */
const KEYS_EVERYWHERE = [
	['Esc', 'close the frame', ['Escape'], (page) => page.close()],
	[
		's, c', 'colours by stage, by cause', ['s', 'c'],
		(page, key) => {
			const radio = byId(key === 's' ? 'by-stage' : 'by-cause');

			if (!radio.disabled)
				radio.click();
		}
	],
	['/', 'search for a frame', ['/'], () => byId('search').focus()],
	['d', 'light or dark', ['d'], () => byId('theme').click()],
	['?', 'these keys', ['?'], () => byId('help').showModal()],
];

function listenToKeys(page) {
	const run = (keys, event) => {
		const found = keys.find(([, , list]) => list.includes(event.key));

		if (!found || event.ctrlKey || event.metaKey || event.altKey)
			return;
		event.preventDefault();
		found[3](page, event.key);
	};

	byId('bars').addEventListener('keydown', (event) => run(KEYS, event));
	document.addEventListener('keydown', (event) => {
		const typing = event.target.closest('input[type="search"], select, dialog');

		if (event.key === 'Enter' && event.target.id === 'search') {
			event.preventDefault();
			page.search(event.target.value);
		}
		if (!typing || (event.key === 'Escape' && typing.tagName !== 'DIALOG'))
			run(KEYS_EVERYWHERE, event);
	});
	byId('help-keys')
		.append(...[...KEYS, ...KEYS_EVERYWHERE].map(
				([keys, words]) => make('div', {}, make('dt', {}, keys),
							make('dd', {}, words))),
			make('div', {}, make('dt', {}, 'Wheel, drag'),
			     make('dd', {}, 'zoom, move; with shift, move')));
}
