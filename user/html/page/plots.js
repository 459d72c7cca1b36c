/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* How lengths are distributed: a histogram and its sum, over those of a baseline if there is one.
 */
'use strict';

const PLOT_LEFT = 48;
const PLOT_BOTTOM = 20;
const BINS = 60;

/* What a distribution can be of: [key, words, values of frames]. */
const METRICS = [
	['wall', 'wall time', (frames) => frames.wall],
	['interval', 'interval between ends', (frames) => frames.interval],
	...[['swap_ns', 'swap'], ['dequeue_ns', 'dequeue'], ['queue_ns', 'queue'],
	    ['gpu_ns', 'GPU (fence)'], ['gpu_duration_ns', 'GPU (FrameInfo)'],
	    ['release_wait_ns', 'wait for the release fence'], ['hwui_total_ns', "HWUI's total"]]
		.map(([column, words]) => [column, words, (frames) => columnOf(frames, column)]),
	...STAGES.map(
		(stage,
		 s) => [`stage_${stage.key}`, `stage ${stage.key}`, (frames) => frames.stages[s]]),
	...CAUSES.map(
		(cause, c) => [`cause_${cause.key}`, cause.words, (frames) => frames.causes[c]]),
];

/* A column of the files in the order of the frames. */
function columnOf(frames, name) {
	frames.columns ??= new Map();
	if (!frames.columns.has(name)) {
		const byFile = frames.files.map((file) => file.frames.numbers(name));
		const all = new Float64Array(frames.nr);

		for (let i = 0; i < frames.nr; i++)
			all[i] = byFile[frames.file[i]][frames.row[i]];
		frames.columns.set(name, all);
	}
	return frames.columns.get(name);
}

/* Those that the frames have; all that is 0 in every frame says nothing. */
function usableMetrics(frames) {
	return METRICS.filter(([, , get]) => get(frames).some((value) => value > 0));
}

/* How many of the sorted values are at most `value`. */
function countAtMost(sorted, value) {
	return lastAtMost(sorted, value) + 1;
}

class Plots {
	constructor(histogram, ecdf, showTip) {
		this.histogram = histogram;
		this.ecdf = ecdf;
		this.showTip = showTip;
		this.values = new Float64Array(0);
		this.base = null;
		for (const canvas of [histogram, ecdf]) {
			canvas.addEventListener('pointermove', (event) => this.hover(event));
			canvas.addEventListener('pointerleave', () => showTip(null));
		}
	}

	/* Sorted; `base` may be null. */
	show(values, base) {
		this.values = values;
		this.base = base && base.length ? base : null;
		this.draw();
	}

	/* Both have the same axis, which a few that are far off don't stretch. */
	get most() {
		const ends = [this.values, this.base]
				     .filter((v) => v && v.length)
				     .map((v) => Math.min(v.at(-1) * 1.02, quantile(v, 990) * 1.6));

		return Math.max(1000, ...ends);
	}

	/* The share of the values in each bin; the last one has all that are longer. */
	bins(sorted) {
		const shares = [];
		let before = 0;

		for (let bin = 1; bin <= BINS; bin++) {
			const upTo = bin === BINS ? sorted.length
						  : countAtMost(sorted, (this.most * bin) / BINS);

			shares.push((upTo - before) / sorted.length);
			before = upTo;
		}
		return shares;
	}

	draw() {
		this.drawHistogram();
		this.drawEcdf();
	}

	frame(canvas, top, label) {
		const {c, width, height} = sizeCanvas(canvas);
		const plot = {
			c,
			left: PLOT_LEFT,
			right: width - 10,
			top: 14,
			bottom: height - PLOT_BOTTOM
		};
		const step = tickStep(this.most / 1e6, width / 90);

		c.strokeStyle = theme.line;
		c.lineWidth = 1;
		c.fillStyle = theme.faint;
		c.textAlign = 'center';
		c.textBaseline = 'alphabetic';
		for (let value = 0; value * 1e6 <= this.most; value += step)
			c.fillText(`${Number(value.toPrecision(6))} ms`, this.x(plot, value * 1e6),
				   height - 5);
		c.textAlign = 'right';
		c.textBaseline = 'middle';
		for (const part of [0, 0.5, 1]) {
			const y = Math.round(plot.bottom - part * (plot.bottom - plot.top)) + 0.5;

			c.beginPath();
			c.moveTo(plot.left, y);
			c.lineTo(plot.right, y);
			c.stroke();
			c.fillText(label(part * top), plot.left - 6, y);
		}
		return plot;
	}

	x(plot, ns) {
		return plot.left + Math.min(1, ns / this.most) * (plot.right - plot.left);
	}

	drawHistogram() {
		const shares = this.values.length ? this.bins(this.values) : [];
		const base = this.base ? this.bins(this.base) : [];
		const top = Math.max(0.01, ...shares, ...base);
		const plot = this.frame(this.histogram, top,
					(part) => `${(part * 100).toFixed(top < 0.1 ? 1 : 0)} %`);
		const {c} = plot;
		const wide = (plot.right - plot.left) / BINS;
		const high = (share) => (share / top) * (plot.bottom - plot.top);

		c.fillStyle = theme.accent;
		c.globalAlpha = 0.8;
		shares.forEach((share, bin) => c.fillRect(plot.left + bin * wide + 0.5,
							  plot.bottom - high(share), wide - 1,
							  high(share)));
		c.globalAlpha = 1;
		if (!base.length)
			return;
		c.strokeStyle = theme.warn;
		c.lineWidth = 1.5;
		c.beginPath();
		c.moveTo(plot.left, plot.bottom);
		base.forEach((share, bin) => {
			c.lineTo(plot.left + bin * wide, plot.bottom - high(share));
			c.lineTo(plot.left + (bin + 1) * wide, plot.bottom - high(share));
		});
		c.stroke();
	}

	drawEcdf() {
		const plot = this.frame(this.ecdf, 1, (part) => `${(part * 100).toFixed(0)} %`);

		if (this.base)
			this.drawSteps(plot, this.base, theme.warn);
		if (this.values.length)
			this.drawSteps(plot, this.values, theme.accent);
	}

	drawSteps(plot, sorted, colour) {
		const {c} = plot;

		c.strokeStyle = colour;
		c.lineWidth = 1.8;
		c.beginPath();
		for (let x = plot.left; x <= plot.right; x++) {
			const ns = ((x - plot.left) / (plot.right - plot.left)) * this.most;
			const share = countAtMost(sorted, ns) / sorted.length;
			const y = plot.bottom - share * (plot.bottom - plot.top);

			if (x === plot.left)
				c.moveTo(x, y);
			else
				c.lineTo(x, y);
		}
		c.stroke();
	}

	hover(event) {
		const wide = event.target.clientWidth - 10 - PLOT_LEFT;
		const ns = ((event.offsetX - PLOT_LEFT) / wide) * this.most;

		if (ns < 0 || ns > this.most || !this.values.length) {
			this.showTip(null);
			return;
		}
		const rows = [
			['at most', `${ms(ns)} ms`],
			['frames', percent(countAtMost(this.values, ns), this.values.length)]
		];

		if (this.base)
			rows.push([
				'baseline', percent(countAtMost(this.base, ns), this.base.length)
			]);
		this.showTip(rows, event);
	}
}
