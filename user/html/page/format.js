/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Numbers in words, and elements with text in them. Text from a capture is only ever text. */
'use strict';

/* Milliseconds with three decimals, rounded to the microsecond. */
function ms(ns) {
	return Number.isNaN(ns) ? '–' : (Math.round(ns / 1000) / 1000).toFixed(3);
}

/* A length for a heading: as many digits as can be taken in. */
function shortMs(ns) {
	if (Number.isNaN(ns))
		return '–';
	const value = ns / 1e6;

	return `${value.toFixed(value < 10 ? 2 : 1)} ms`;
}

/* A place in the capture. */
function seconds(ns) {
	return Number.isNaN(ns) ? '–' : `${(ns / 1e9).toFixed(3)} s`;
}

function count(n) {
	return n.toLocaleString('en-US').replaceAll(',', ' ');
}

function percent(part, whole) {
	return whole > 0 ? `${((100 * part) / whole).toFixed(1)} %` : '–';
}

function plural(n, one, many = `${one}s`) {
	return `${count(n)} ${n === 1 ? one : many}`;
}

/* An element with attributes and children, which are elements or text. */
function make(tag, attributes = {}, ...children) {
	const element = document.createElement(tag);

	for (const [name, value] of Object.entries(attributes)) {
		if (name === 'class')
			element.className = value;
		else if (typeof value === 'function')
			element.addEventListener(name, value);
		else if (value !== false && value !== undefined)
			element.setAttribute(name, value === true ? '' : value);
	}
	element.append(...children.filter((child) => child !== null && child !== undefined));
	return element;
}

function byId(id) {
	return document.getElementById(id);
}

/* A square in the colour of a cause or stage, for legends. */
function swatch(colour, hatched = false) {
	const element = make('span', {class: hatched ? 'swatch hatched' : 'swatch'});

	element.style.backgroundColor = colour;
	return element;
}

/* "comm/tid", with what there is of it. */
function thread(comm, tid) {
	if (comm === undefined && tid === undefined)
		return '';
	return `${comm ?? 'thread'}${tid === undefined ? '' : `/${tid}`}`;
}

/* Ticks of an axis from 0 on: about `nr` of them, at 1, 2 or 5 times a power of ten. */
function tickStep(range, nr) {
	const rough = range / Math.max(1, nr);
	const power = 10 ** Math.floor(Math.log10(rough));

	for (const factor of [1, 2, 5])
		if (power * factor >= rough)
			return power * factor;
	return power * 10;
}
