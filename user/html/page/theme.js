/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Colours for canvases, from the page's style, in the light and the dark. */
'use strict';

const theme = {
	dark: false,
	stages: [],
	causes: [],
	ink: '',
	faint: '',
	line: '',
	card: '',
	accent: '',
	warn: '',
};

/* Hatches by colour, made once for each theme. */
const hatches = new Map();

function readTheme() {
	const style = getComputedStyle(document.documentElement);
	const colour = (name) => style.getPropertyValue(`--${name}`).trim();

	theme.stages = STAGES.map((stage) => colour(`stage-${stage.key.replaceAll('_', '-')}`));
	theme.causes = CAUSES.map((cause) => colour(`cause-${cause.key}`));
	for (const name of ['ink', 'faint', 'line', 'card', 'accent', 'warn', 'plain', 'base'])
		theme[name] = colour(name);
	hatches.clear();
}

/* What the system wants, until the reader has chosen. */
function initTheme(changed) {
	const system = matchMedia('(prefers-color-scheme: dark)');
	const apply = (dark) => {
		theme.dark = dark;
		document.documentElement.dataset.theme = dark ? 'dark' : 'light';
		readTheme();
		changed();
	};
	let chosen = false;

	system.addEventListener('change', () => chosen || apply(system.matches));
	byId('theme').addEventListener('click', () => {
		chosen = true;
		apply(!theme.dark);
	});
	theme.dark = system.matches;
	document.documentElement.dataset.theme = theme.dark ? 'dark' : 'light';
	readTheme();
}

/* Stripes of a colour, for what is not whole or not known. */
function hatch(context, colour) {
	const known = hatches.get(colour);

	if (known)
		return known;
	const tile = document.createElement('canvas');
	tile.width = tile.height = 8;
	const c = tile.getContext('2d');

	c.strokeStyle = colour;
	c.lineWidth = 2;
	c.beginPath();
	for (const x of [-8, 0, 8]) {
		c.moveTo(x - 1, 9);
		c.lineTo(x + 9, -1);
	}
	c.stroke();
	const pattern = context.createPattern(tile, 'repeat');

	hatches.set(colour, pattern);
	return pattern;
}

/* A canvas of the size that it has on the page, in pixels of the device. */
function sizeCanvas(canvas, height) {
	const scale = devicePixelRatio || 1;
	const width = canvas.clientWidth;

	if (height !== undefined)
		canvas.style.height = `${height}px`;
	const tall = height ?? canvas.clientHeight;

	if (canvas.width !== Math.round(width * scale) ||
	    canvas.height !== Math.round(tall * scale)) {
		canvas.width = Math.round(width * scale);
		canvas.height = Math.round(tall * scale);
	}
	const c = canvas.getContext('2d');

	c.setTransform(scale, 0, 0, scale, 0, 0);
	c.clearRect(0, 0, width, tall);
	c.font = '11px system-ui, sans-serif';
	return {c, width, height: tall};
}
