/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A bar for each frame, as the device's own "Profile HWUI rendering" has them, and below it all of
 * them in a strip. Where there are more frames than pixels, a column stands for several: it is the
 * longest of them, solid up to the shortest.
 */
'use strict';

const BARS_TOP = 18;
const BARS_BOTTOM = 22;
const BARS_LEFT = 48;
const BARS_RIGHT = 12;
const BAR_WIDEST = 40;

/* The top of a scale: the longest, unless few are far longer than the others. */
function outliersApart(heights, most = Math.max(1, ...heights)) {
	const usual = heights.length ? quantile([...heights].sort((a, b) => a - b), 950) : 0;

	return heights.length > 20 ? Math.min(most, 4 * usual) : most;
}

class Bars {
	constructor(canvas, strip, frames, events) {
		this.canvas = canvas;
		this.strip = strip;
		this.frames = frames;
		this.events = events;
		this.view = new Int32Array(0); /* indexes of the frames that are shown */
		this.lost = []; /* places in the view where records were lost */
		this.from = 0; /* the first that is seen, maybe a fraction of it */
		this.seen = 1; /* how many are */
		this.selected = -1; /* a place in the view, like the next */
		this.hovered = -1;
		this.byStage = false;
		this.guide = NaN;
		this.top = 1;
		this.columns = [];
	}

	show(view, lost) {
		const kept = this.selected >= 0 ? this.view[this.selected] : -1;

		this.view = view;
		this.lost = lost;
		this.selected = view.indexOf(kept);
		this.hovered = -1;
		this.fit();
	}

	fit() {
		this.from = 0;
		this.seen = Math.max(1, this.view.length);
		this.moved();
	}

	get width() {
		return Math.max(1, this.canvas.clientWidth - BARS_LEFT - BARS_RIGHT);
	}

	/* Few frames don't become as broad as the page. */
	get step() {
		return Math.min(BAR_WIDEST, this.width / this.seen);
	}

	placeAt(x) {
		const place = Math.floor(this.from + (x - BARS_LEFT) / this.step);

		return place >= 0 && place < this.view.length && x >= BARS_LEFT ? place : -1;
	}

	zoom(factor, x = BARS_LEFT + this.width / 2) {
		const step = this.step;
		const at = this.from + (x - BARS_LEFT) / step;
		const least = Math.min(this.view.length, 8);

		this.seen = Math.max(least, Math.min(this.view.length || 1, this.seen * factor));
		this.from = at - (x - BARS_LEFT) / this.step;
		this.moved();
	}

	pan(places) {
		this.from += places;
		this.moved();
	}

	moved() {
		this.from = Math.max(0, Math.min(this.view.length - this.seen, this.from));
		this.events.moved();
	}

	/* Have it in sight, with some around it. */
	select(place) {
		if (!this.view.length)
			return;
		this.selected = Math.max(0, Math.min(this.view.length - 1, place));
		if (this.selected < this.from || this.selected >= this.from + this.seen)
			this.from = this.selected - this.seen / 2;
		this.moved();
		this.events.selected(this.view[this.selected]);
	}

	range() {
		return [
			Math.max(0, Math.floor(this.from)),
			Math.min(this.view.length, Math.ceil(this.from + this.seen)),
		];
	}

	/* What each pixel or bar stands for: { x, width, longest, least, nr, hatched }. */
	gather() {
		const [first, end] = this.range();
		const step = this.step;
		const columns = [];
		let last = null;

		for (let place = first; place < end; place++) {
			const i = this.view[place];
			const height = this.frames.height(i, this.byStage);
			const x = BARS_LEFT + (place - this.from) * step;
			const pixel = step < 2 ? Math.floor(x) : x;

			if (step >= 2 || !last || last.x !== pixel) {
				last = {
					x: pixel,
					width: step < 2 ? 1 : step,
					longest: i,
					most: height,
					least: height,
					nr: 1,
					status: this.frames.status[i],
					place
				};
				columns.push(last);
				continue;
			}
			last.nr++;
			last.least = Math.min(last.least, height);
			last.status = Math.max(last.status, this.frames.status[i]);
			if (height > last.most) {
				last.most = height;
				last.longest = i;
			}
		}
		return columns;
	}

	/* The scale: all that is seen, unless few are far longer than the others. */
	scale(columns) {
		const heights = columns.map((column) => column.most);
		const most = columns.reduce(
			(top, column) => Math.max(top, this.frames.deadline[column.longest] || 0),
			Math.max(0, ...heights));
		let top = outliersApart(heights, most);

		if (this.guide > top && this.guide < 3 * top)
			top = this.guide;
		this.top = Math.max(top * 1.06, 1e3);
	}

	draw() {
		const {c, width, height} = sizeCanvas(this.canvas);

		this.bottom = height - BARS_BOTTOM;
		this.columns = this.gather();
		this.scale(this.columns);
		this.drawGrid(c, width);
		c.save();
		c.beginPath();
		c.rect(BARS_LEFT - 2, 0, width - BARS_LEFT - BARS_RIGHT + 4, height);
		c.clip();
		this.columns.forEach((column) => this.drawColumn(c, column));
		this.drawDeadlines(c);
		this.drawLost(c);
		this.drawChosen(c);
		c.restore();
		this.drawTimes(c, width, height);
		if (!this.view.length)
			this.drawNothing(c, width, height);
		this.drawStrip();
	}

	y(ns) {
		return this.bottom - (Math.min(ns, this.top) / this.top) * (this.bottom - BARS_TOP);
	}

	drawGrid(c, width) {
		const step = tickStep(this.top / 1e6, 5);

		c.textAlign = 'right';
		c.textBaseline = 'middle';
		c.lineWidth = 1;
		for (let value = 0; value * 1e6 <= this.top; value += step) {
			const y = Math.round(this.y(value * 1e6)) + 0.5;

			c.strokeStyle = theme.line;
			c.beginPath();
			c.moveTo(BARS_LEFT, y);
			c.lineTo(width - BARS_RIGHT, y);
			c.stroke();
			c.fillStyle = theme.faint;
			c.fillText(String(Number(value.toPrecision(6))), BARS_LEFT - 6, y);
		}
		c.fillText('ms', BARS_LEFT - 6, BARS_TOP - 10);
	}

	drawColumn(c, column) {
		const i = column.longest;
		const parts = this.byStage ? this.frames.stages : this.frames.causes;
		const colours = this.byStage ? theme.stages : theme.causes;
		const gap = column.width >= 4 ? 1 : 0;
		const wide = column.width - gap;
		let sum = 0;

		for (let p = 0; p < parts.length; p++) {
			const length = parts[p][i];

			if (!(length > 0))
				continue;
			this.fill(c, column.x, wide, sum, sum + length, colours[p]);
			sum += length;
		}
		/* What no part is known of. */
		if (column.most > sum)
			this.fill(c, column.x, wide, sum, column.most, theme.plain);
		if (column.nr > 1) {
			c.globalAlpha = 0.55;
			this.fill(c, column.x, wide, column.least, column.most, theme.card);
			c.globalAlpha = 1;
		}
		if (column.status)
			this.fill(c, column.x, wide, 0, column.most, hatch(c, theme.card));
		if (column.most > this.top)
			this.drawCut(c, column, wide);
	}

	fill(c, x, wide, from, to, style) {
		const high = this.y(to);

		c.fillStyle = style;
		c.fillRect(x, high, wide, this.y(from) - high);
	}

	/* Its bar goes on above. */
	drawCut(c, column, wide) {
		const x = column.x + wide / 2;

		c.fillStyle = theme.ink;
		c.beginPath();
		c.moveTo(x - 3, BARS_TOP - 2);
		c.lineTo(x + 3, BARS_TOP - 2);
		c.lineTo(x, BARS_TOP - 7);
		c.fill();
	}

	drawDeadlines(c) {
		let label = null;

		c.strokeStyle = theme.ink;
		c.lineWidth = 1.5;
		c.beginPath();
		for (const column of this.columns) {
			const deadline = this.frames.deadline[column.longest];

			if (!(deadline <= this.top))
				continue;
			c.moveTo(column.x, this.y(deadline));
			c.lineTo(column.x + column.width, this.y(deadline));
			label = {x: column.x + column.width, y: this.y(deadline), text: 'deadline'};
		}
		c.stroke();
		if (!label && this.guide <= this.top) {
			label = {
				x: Infinity,
				y: this.y(this.guide),
				text: `guide ${ms(this.guide)} ms`
			};
			c.setLineDash([5, 4]);
			c.beginPath();
			c.moveTo(BARS_LEFT, label.y);
			c.lineTo(BARS_LEFT + this.width, label.y);
			c.stroke();
			c.setLineDash([]);
		}
		if (label)
			this.drawLabel(c, label);
	}

	/* Behind the last frame that has one, or over it if there is no room. */
	drawLabel(c, {x: end, y: at, text}) {
		const wide = c.measureText(text).width;
		const right = BARS_LEFT + this.width - 4;
		const x = Math.min(right, end + 6 + wide);
		const y = x < right ? at : at - 8;

		c.textAlign = 'right';
		c.textBaseline = 'middle';
		c.fillStyle = theme.card;
		c.globalAlpha = 0.85;
		c.fillRect(x - wide - 4, y - 7, wide + 8, 14);
		c.globalAlpha = 1;
		c.fillStyle = theme.ink;
		c.fillText(text, x, y);
	}

	drawLost(c) {
		let last = -Infinity;

		c.strokeStyle = c.fillStyle = theme.warn;
		c.lineWidth = 1.5;
		for (const place of this.lost) {
			const x = BARS_LEFT + (place - this.from) * this.step;

			if (x - last < 3 || x < BARS_LEFT || x > BARS_LEFT + this.width)
				continue;
			last = x;
			c.setLineDash([3, 3]);
			c.beginPath();
			c.moveTo(x, BARS_TOP);
			c.lineTo(x, this.bottom);
			c.stroke();
			c.setLineDash([]);
			c.fillRect(x - 3, this.bottom + 1, 6, 4);
		}
	}

	drawChosen(c) {
		const draw = (place, style, line) => {
			const x = BARS_LEFT + (place - this.from) * this.step;
			const wide = Math.max(this.step, 3);

			c.strokeStyle = style;
			c.lineWidth = line;
			c.strokeRect(x - 1, BARS_TOP - 10, wide + 1, this.bottom - BARS_TOP + 12);
		};

		if (this.hovered >= 0)
			draw(this.hovered, theme.faint, 1);
		if (this.selected >= 0)
			draw(this.selected, theme.accent, 2);
	}

	drawTimes(c, width, height) {
		const apart = 110;
		let last = -Infinity;
		let file = this.columns.length ? this.frames.file[this.columns[0].longest] : 0;

		c.textAlign = 'left';
		c.textBaseline = 'alphabetic';
		c.fillStyle = theme.faint;
		for (const column of this.columns) {
			/* Time begins anew with each file. */
			if (this.frames.file[column.longest] !== file) {
				file = this.frames.file[column.longest];
				c.fillRect(column.x - 1, BARS_TOP - 10, 1, height - BARS_TOP);
				last = -Infinity;
			}
			if (column.x - last < apart || column.x > width - 70)
				continue;
			last = column.x;
			const start = this.frames.start[column.longest];

			c.fillRect(column.x, this.bottom + 2, 1, 4);
			c.fillText(Number.isNaN(start) ? `#${this.frames.number[column.longest]}`
						       : seconds(start),
				   column.x + 3, height - 7);
		}
	}

	drawNothing(c, width, height) {
		c.textAlign = 'center';
		c.textBaseline = 'middle';
		c.fillStyle = theme.faint;
		c.fillText('No frame is like that. Choose other filters.', width / 2, height / 2);
	}

	/* All frames of the view, the longest of each column, and what part of them is seen above.
	 */
	drawStrip() {
		const {c, width, height} = sizeCanvas(this.strip);
		const wide = width - BARS_LEFT - BARS_RIGHT;
		const nr = this.view.length;
		const most = new Float64Array(Math.max(1, Math.ceil(wide)));

		for (let place = 0; place < nr; place++) {
			const column = Math.floor((place * wide) / nr);

			most[column] = Math.max(most[column],
						this.frames.height(this.view[place], this.byStage));
		}
		const top = outliersApart(most.filter((height) => height > 0));
		const cell = Math.max(1, wide / Math.max(1, nr));

		c.fillStyle = theme.faint;
		for (let x = 0; x < most.length; x++)
			if (most[x]) {
				const tall = Math.min(1, most[x] / top) * (height - 4);

				c.fillRect(BARS_LEFT + x, height - tall, Math.max(1, cell - 1),
					   tall);
			}
		const left = BARS_LEFT + (this.from / Math.max(1, nr)) * wide;
		const right =
			BARS_LEFT + (Math.min(nr, this.from + this.seen) / Math.max(1, nr)) * wide;

		c.fillStyle = theme.card;
		c.globalAlpha = 0.6;
		c.fillRect(BARS_LEFT, 0, left - BARS_LEFT, height);
		c.fillRect(right, 0, BARS_LEFT + wide - right, height);
		c.globalAlpha = 1;
		c.strokeStyle = theme.accent;
		c.lineWidth = 1;
		c.strokeRect(left + 0.5, 0.5, Math.max(4, right - left - 1), height - 1);
	}
}

/* The pointer and the keys on the bars and their strip. */
function listenToBars(bars) {
	const {canvas, strip, events} = bars;
	let held = null;

	canvas.addEventListener('wheel', (event) => {
		event.preventDefault();
		if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY))
			bars.pan(((event.deltaX || event.deltaY) / 100) *
				 Math.max(1, bars.seen / 12));
		else
			bars.zoom(Math.exp(event.deltaY / 400), event.offsetX);
	}, {passive: false});
	canvas.addEventListener('pointerdown', (event) => {
		if (event.button !== 0)
			return;
		held = {x: event.offsetX, from: bars.from, moved: false};
		canvas.setPointerCapture(event.pointerId);
	});
	canvas.addEventListener('pointermove', (event) => {
		if (held && (held.moved || Math.abs(event.offsetX - held.x) > 3)) {
			held.moved = true;
			bars.from = held.from - (event.offsetX - held.x) / bars.step;
			bars.moved();
		}
		bars.hovered = bars.placeAt(event.offsetX);
		events.hovered(held?.moved ? -1 : bars.hovered, event);
	});
	canvas.addEventListener('pointerup', (event) => {
		const place = bars.placeAt(event.offsetX);

		if (held && !held.moved && place >= 0) {
			bars.select(place);
			events.opened(bars.view[place]);
		}
		held = null;
	});
	canvas.addEventListener('lostpointercapture', () => { held = null; });
	canvas.addEventListener('pointerleave', () => {
		bars.hovered = -1;
		events.hovered(-1);
	});
	listenToStrip(bars, strip);
}

function listenToStrip(bars, strip) {
	let held = false;
	const go = (event) => {
		const wide = strip.clientWidth - BARS_LEFT - BARS_RIGHT;

		bars.from = ((event.offsetX - BARS_LEFT) / wide) * bars.view.length - bars.seen / 2;
		bars.moved();
	};

	strip.addEventListener('pointerdown', (event) => {
		if (event.button !== 0)
			return;
		held = true;
		strip.setPointerCapture(event.pointerId);
		go(event);
	});
	strip.addEventListener('pointermove', (event) => held && go(event));
	strip.addEventListener('lostpointercapture', () => { held = false; });
}
