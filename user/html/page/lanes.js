/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Stretches of time on lanes, one below the other: for the timeline of a frame, and for fences. A
 * lane is { label, title, rows, items }, an item { from, to, row, fill, hatched, tip, start },
 * sorted by its beginning; times in ns since the capture's start.
 */
'use strict';

const LANE_HIGH = 24;
const LANE_ROW = 18;
const LANES_LEFT = 190;
const LANES_TOP = 22;

/* Put stretches that overlap into rows of their own, at most `most`. Returns how many are used. */
function stackItems(items, most) {
	const ends = [];

	for (const item of items) {
		let row = ends.findIndex((end) => end <= item.from);

		if (row < 0)
			row = ends.length < most ? ends.length : most - 1;
		item.row = row;
		ends[row] = Math.max(ends[row] ?? 0, item.to);
	}
	return Math.max(1, ends.length);
}

class Lanes {
	constructor(canvas, showTip) {
		this.canvas = canvas;
		this.showTip = showTip;
		this.lanes = [];
		this.marks = []; /* { at, label, colour, dash } */
		this.whole = [0, 1];
		this.zero = 0; /* what the times on the axis count from */
		this.from = 0;
		this.to = 1;
		this.changed = () => this.draw();
		this.listen();
	}

	show(lanes, marks, whole, zero = 0) {
		this.lanes = lanes;
		this.marks = marks;
		this.whole = whole;
		this.zero = zero;
		[this.from, this.to] = whole;
		for (const lane of lanes)
			lane.longest = lane.items.reduce(
				(most, item) => Math.max(most, item.to - item.from), 0);
		this.draw();
	}

	get width() {
		return Math.max(1, this.canvas.clientWidth - LANES_LEFT - 12);
	}

	x(ns) {
		return LANES_LEFT + ((ns - this.from) / (this.to - this.from)) * this.width;
	}

	time(x) {
		return this.from + ((x - LANES_LEFT) / this.width) * (this.to - this.from);
	}

	look(from, to) {
		const most = this.whole[1] - this.whole[0];
		const range = Math.min(most, Math.max(1000, to - from));

		this.from = Math.max(this.whole[0], Math.min(this.whole[1] - range, from));
		this.to = this.from + range;
		this.changed();
	}

	zoom(factor, at = (this.from + this.to) / 2) {
		this.look(at - (at - this.from) * factor, at + (this.to - at) * factor);
	}

	pan(part) {
		const by = part * (this.to - this.from);

		this.look(this.from + by, this.to + by);
	}

	high(lane) {
		return LANE_HIGH + (lane.rows - 1) * LANE_ROW;
	}

	draw() {
		const tall =
			LANES_TOP + this.lanes.reduce((sum, lane) => sum + this.high(lane), 0) + 6;
		const {c, width, height} = sizeCanvas(this.canvas, tall);
		let y = LANES_TOP;

		this.drawTimes(c, width, height);
		for (const lane of this.lanes) {
			lane.y = y;
			this.drawLane(c, lane, width);
			y += this.high(lane);
		}
		this.drawMarks(c, height);
	}

	drawTimes(c, width, height) {
		const step = tickStep((this.to - this.from) / 1e6, this.width / 110) * 1e6;

		c.textAlign = 'left';
		c.textBaseline = 'middle';
		const unit = step < 1e8 ? 1e6 : 1e9;
		const digits = Math.max(0, Math.ceil(-Math.log10(step / unit)));

		for (let n = Math.ceil((this.from - this.zero) / step);
		     this.zero + n * step <= this.to; n++) {
			const x = Math.round(this.x(this.zero + n * step)) + 0.5;

			c.strokeStyle = theme.line;
			c.lineWidth = 1;
			c.beginPath();
			c.moveTo(x, 14);
			c.lineTo(x, height);
			c.stroke();
			c.fillStyle = theme.faint;
			if (x < width - 60)
				c.fillText(`${((n * step) / unit).toFixed(digits)} ${
						   unit === 1e6 ? 'ms' : 's'}`,
					   x + 3, 8);
		}
	}

	drawLane(c, lane, width) {
		c.save();
		c.beginPath();
		c.rect(0, lane.y, LANES_LEFT - 10, this.high(lane));
		c.clip();
		c.textAlign = 'left';
		c.textBaseline = 'middle';
		c.fillStyle = theme.ink;
		c.fillText(fitText(c, lane.label, LANES_LEFT - 22), 8, lane.y + LANE_HIGH / 2);
		c.restore();
		c.strokeStyle = theme.line;
		c.lineWidth = 1;
		c.beginPath();
		c.moveTo(8, lane.y + this.high(lane) + 0.5);
		c.lineTo(width - 12, lane.y + this.high(lane) + 0.5);
		c.stroke();
		c.save();
		c.beginPath();
		c.rect(LANES_LEFT, lane.y, this.width, this.high(lane));
		c.clip();
		this.drawItems(c, lane);
		c.restore();
	}

	/* Where the first item lies that can reach into what is seen. */
	first(lane) {
		let low = 0;
		let high = lane.items.length;

		while (low < high) {
			const middle = (low + high) >> 1;

			if (lane.items[middle].from < this.from - lane.longest)
				low = middle + 1;
			else
				high = middle;
		}
		return low;
	}

	/* Of those that are less than a pixel, one in each pixel is enough. */
	drawItems(c, lane) {
		const drawn = [];

		for (let i = this.first(lane); i < lane.items.length; i++) {
			const item = lane.items[i];
			const left = this.x(item.from);
			const right = this.x(item.to);

			if (item.from > this.to)
				break;
			if (item.to < this.from ||
			    (right - left < 1 && Math.floor(right) === drawn[item.row]))
				continue;
			drawn[item.row] = Math.floor(right);
			this.drawItem(c, lane, item, left, right);
		}
	}

	drawItem(c, lane, item, left, right) {
		const y = lane.y + 4 + item.row * LANE_ROW;
		const wide = Math.max(1, right - left - (right - left > 3 ? 1 : 0));

		c.fillStyle = item.hatched ? hatch(c, item.fill) : item.fill;
		c.fillRect(left, y, wide, LANE_ROW - 3);
		if (item.hatched && wide > 3) {
			c.strokeStyle = item.fill;
			c.lineWidth = 1;
			c.strokeRect(left + 0.5, y + 0.5, wide - 1, LANE_ROW - 4);
		}
		if (item.start > item.from && item.start < item.to) {
			c.fillStyle = theme.card;
			c.fillRect(this.x(item.start) - 1, y, 2, LANE_ROW - 3);
		}
		if (item.text && wide > c.measureText(item.text).width + 8 && !item.hatched) {
			c.fillStyle = textOn(item.fill);
			c.textAlign = 'left';
			c.textBaseline = 'middle';
			c.fillText(item.text, Math.max(left, LANES_LEFT) + 4, y + 8);
		}
	}

	drawMarks(c, height) {
		for (const mark of this.marks) {
			const x = Math.round(this.x(mark.at)) + 0.5;

			if (x < LANES_LEFT || x > LANES_LEFT + this.width)
				continue;
			c.strokeStyle = mark.colour ?? theme.ink;
			c.lineWidth = 1.5;
			c.setLineDash(mark.dash ?? []);
			c.beginPath();
			c.moveTo(x, LANES_TOP - 6);
			c.lineTo(x, height);
			c.stroke();
			c.setLineDash([]);
		}
	}

	/* What is under the pointer: the shortest, if there are several. */
	itemAt(x, y) {
		const lane = this.lanes.find((one) => y >= one.y && y < one.y + this.high(one));
		const at = this.time(x);
		const near = (2 / this.width) * (this.to - this.from);
		let best = null;

		if (!lane || x < LANES_LEFT)
			return null;
		for (let i = this.first(lane); i < lane.items.length; i++) {
			const item = lane.items[i];

			if (item.from > at + near)
				break;
			if (item.to < at - near ||
			    Math.floor((y - lane.y - 4) / LANE_ROW) !== item.row)
				continue;
			if (!best || item.to - item.from < best.to - best.from)
				best = item;
		}
		return best;
	}

	hover(event) {
		const item = this.itemAt(event.offsetX, event.offsetY);
		const near = this.marks.find(
			(mark) => mark.label && Math.abs(this.x(mark.at) - event.offsetX) < 4);
		const lane = event.offsetX < LANES_LEFT &&
			     this.lanes.find((one) => event.offsetY >= one.y &&
						      event.offsetY < one.y + this.high(one));

		if (item)
			this.showTip(item.tip(), event);
		else if (near)
			this.showTip([[near.label, `${ms(near.at - this.zero)} ms`]], event);
		else
			this.showTip(lane ? [['', lane.title ?? lane.label]] : null, event);
	}

	listen() {
		const {canvas} = this;
		let held = null;

		canvas.addEventListener('wheel', (event) => {
			event.preventDefault();
			if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY))
				this.pan((event.deltaX || event.deltaY) / 800);
			else
				this.zoom(Math.exp(event.deltaY / 400), this.time(event.offsetX));
		}, {passive: false});
		canvas.addEventListener('pointerdown', (event) => {
			if (event.button !== 0)
				return;
			held = {x: event.offsetX, from: this.from, to: this.to};
			canvas.setPointerCapture(event.pointerId);
		});
		canvas.addEventListener('pointermove', (event) => {
			if (!held) {
				this.hover(event);
				return;
			}
			const by = ((event.offsetX - held.x) / this.width) * (held.to - held.from);

			this.look(held.from - by, held.to - by);
		});
		canvas.addEventListener('lostpointercapture', () => { held = null; });
		canvas.addEventListener('pointerleave', () => this.showTip(null));
		canvas.addEventListener('keydown', (event) => this.key(event));
	}

	key(event) {
		const actions = {
			ArrowLeft: () => this.pan(-0.2),
			ArrowRight: () => this.pan(0.2),
			'+': () => this.zoom(0.7),
			'=': () => this.zoom(0.7),
			'-': () => this.zoom(1.4),
			0: () => this.look(...this.whole),
		};

		if (!actions[event.key] || event.ctrlKey || event.metaKey || event.altKey)
			return;
		event.preventDefault();
		event.stopPropagation();
		actions[event.key]();
	}
}

/* Cut in its middle, for both ends tell names apart. */
function fitText(c, text, width) {
	let kept = text.length;
	let fitted = text;

	while (kept > 4 && c.measureText(fitted).width > width) {
		kept -= 1;
		fitted = `${text.slice(0, Math.ceil(kept / 2))}…${
			text.slice(text.length - Math.floor(kept / 2))}`;
	}
	return fitted;
}

/* Black or white, whichever is read more easily on the colour (#rrggbb). */
function textOn(colour) {
	const part = (at) => parseInt(colour.slice(at, at + 2), 16) || 0;

	return 0.3 * part(1) + 0.59 * part(3) + 0.11 * part(5) > 140 ? '#111111' : '#ffffff';
}
