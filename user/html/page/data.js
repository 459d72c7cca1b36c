/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * From the chunks of the file to tables of columns. How a chunk is laid out is said in html/pack.h.
 * Columns are decoded when they are first asked for: of most frames most are never looked at.
 */
'use strict';

const KIND_INFO = 0;
const KIND_FRAMES = 1;
const KIND_BLOCKS = 2;
const KIND_FENCES = 3;
const KIND_LOSSES = 4;

const COLUMN_SIGNED = 2;
const COLUMN_THOUSANDTHS = 3;
const COLUMN_TEXT = 4;

const NO_TEXT = 0xffffffff;

class Reader {
	constructor(bytes) {
		this.bytes = bytes;
		this.at = 0;
	}

	varint() {
		let byte = this.bytes[this.at++];
		let value = byte & 0x7f;

		for (let scale = 128; byte & 0x80; scale *= 128) {
			byte = this.bytes[this.at++];
			value += (byte & 0x7f) * scale;
		}
		return value;
	}

	signed() {
		const first = this.bytes[this.at++];
		let value = (first >> 1) & 0x3f;

		if (first & 0x80)
			value += this.varint() * 64;
		return first & 1 ? -value : value;
	}

	/* The same for numbers that no double has. */
	signedBig() {
		const first = this.bytes[this.at++];
		let value = BigInt((first >> 1) & 0x3f);
		let byte = first;

		for (let shift = 6n; byte & 0x80; shift += 7n) {
			byte = this.bytes[this.at++];
			value |= BigInt(byte & 0x7f) << shift;
		}
		return first & 1 ? -value : value;
	}

	take(length) {
		this.at += length;
		return this.bytes.subarray(this.at - length, this.at);
	}

	text() {
		return Reader.utf8.decode(this.take(this.varint()));
	}
}

Reader.utf8 = new TextDecoder();

class Chunk {
	/* `reader` stands behind the table and the file. */
	constructor(reader) {
		this.rows = reader.varint();
		this.texts = Array.from({length: reader.varint()}, () => reader.text());
		this.columns = Array.from({length: reader.varint()},
					  () => ({
						  name: reader.text(),
						  kind: reader.varint(),
						  wide: reader.varint() === 1,
						  reference: reader.varint(),
						  body: reader.take(reader.varint()),
						  values: null,
					  }));
		this.byName = new Map(this.columns.map((column) => [column.name, column]));
	}

	/*
	 * Of numbers a Float64Array, where NaN is no value; of texts a Uint32Array of indexes,
	 * where NO_TEXT is none; of wide numbers an array of BigInt and undefined.
	 */
	values(column) {
		if (!column.values) {
			column.values = this.decode(column);
			column.body = null;
		}
		return column.values;
	}

	decode(column) {
		const reader = new Reader(column.body);
		const map = reader.varint() ? reader.take((this.rows + 7) >> 3) : null;
		const has = (row) => !map || (map[row >> 3] >> (row & 7)) & 1;

		if (column.kind === COLUMN_TEXT)
			return this.decodeTexts(reader, has);
		if (column.wide)
			return this.decodeWide(reader, has, column);
		return this.decodeNumbers(reader, has, column);
	}

	decodeTexts(reader, has) {
		const values = new Uint32Array(this.rows).fill(NO_TEXT);

		for (let row = 0; row < this.rows; row++)
			if (has(row))
				values[row] = reader.varint();
		return values;
	}

	decodeWide(reader, has, column) {
		const values = new Array(this.rows);
		let before = 0n;

		for (let row = 0; row < this.rows; row++) {
			if (!has(row))
				continue;
			const sum = reader.signedBig() + (column.reference === 1 ? before : 0n);

			before = BigInt.asUintN(64, sum);
			values[row] =
				column.kind === COLUMN_SIGNED ? BigInt.asIntN(64, sum) : before;
		}
		return values;
	}

	decodeNumbers(reader, has, column) {
		const values = new Float64Array(this.rows).fill(NaN);
		const nr = this.columns.length;
		const reference = column.reference;
		let before = 0;

		if (reference >= 2 + nr) {
			const pair = reference - 2 - nr;
			const a = this.values(this.columns[Math.floor(pair / nr)]);
			const b = this.values(this.columns[pair % nr]);

			for (let row = 0; row < this.rows; row++)
				if (has(row))
					values[row] = a[row] - b[row];
			return values;
		}
		const other = reference >= 2 ? this.values(this.columns[reference - 2]) : null;

		for (let row = 0; row < this.rows; row++) {
			if (!has(row))
				continue;
			let from = 0;

			if (reference === 1)
				from = before;
			else if (other && !Number.isNaN(other[row]))
				from = other[row];
			before = from + reader.signed();
			values[row] = before;
		}
		return values;
	}

	/* As other outputs have it; undefined: there is none. */
	exact(column, row) {
		const value = this.values(column)[row];

		if (column.kind === COLUMN_TEXT)
			return value === NO_TEXT ? undefined : this.texts[value];
		if (Number.isNaN(value))
			return undefined;
		return column.kind === COLUMN_THOUSANDTHS ? value / 1000 : value;
	}
}

class Table {
	constructor() {
		this.chunks = [];
		this.starts = [];
		this.rows = 0;
	}

	add(chunk) {
		this.chunks.push(chunk);
		this.starts.push(this.rows);
		this.rows += chunk.rows;
	}

	has(name) {
		return this.chunks.some((chunk) => chunk.byName.has(name));
	}

	/* All of a column, less `origin` (a BigInt), as doubles; NaN: no value. */
	numbers(name, origin = 0n) {
		const all = new Float64Array(this.rows).fill(NaN);
		const near = Number(origin);

		this.chunks.forEach((chunk, i) => {
			const column = chunk.byName.get(name);

			if (!column || column.kind === COLUMN_TEXT)
				return;
			const values = chunk.values(column);

			for (let row = 0; row < chunk.rows; row++)
				if (column.wide)
					all[this.starts[i] + row] =
						values[row] === undefined
							? NaN
							: Number(BigInt.asIntN(64, values[row] -
											   origin));
				else
					all[this.starts[i] + row] = values[row] - near;
		});
		return all;
	}

	/* All of a column of texts; undefined: none. */
	texts(name) {
		const all = new Array(this.rows);

		this.chunks.forEach((chunk, i) => {
			const column = chunk.byName.get(name);

			if (!column || column.kind !== COLUMN_TEXT)
				return;
			const values = chunk.values(column);

			for (let row = 0; row < chunk.rows; row++)
				if (values[row] !== NO_TEXT)
					all[this.starts[i] + row] = chunk.texts[values[row]];
		});
		return all;
	}

	/* All of a column as other outputs have it. */
	exacts(name) {
		return this.chunks.flatMap((chunk) => {
			const column = chunk.byName.get(name);

			return Array.from({length: chunk.rows},
					  (_, row) => column && chunk.exact(column, row));
		});
	}

	/* The columns that a row has, in order: [name, value]. */
	row(row) {
		const i = lastAtMost(this.starts, row);
		const chunk = this.chunks[i];
		const members = [];

		for (const column of chunk.columns) {
			const value = chunk.exact(column, row - this.starts[i]);

			if (value !== undefined)
				members.push([column.name, value]);
		}
		return members;
	}
}

/* The last index whose value is at most `value`, in an array that rises; -1: none. */
function lastAtMost(array, value) {
	let low = 0;
	let high = array.length;

	while (low < high) {
		const middle = (low + high) >> 1;

		if (array[middle] <= value)
			low = middle + 1;
		else
			high = middle;
	}
	return low - 1;
}

function fromBase64(text) {
	const binary = atob(text);
	const bytes = new Uint8Array(binary.length);

	for (let i = 0; i < binary.length; i++)
		bytes[i] = binary.charCodeAt(i);
	return bytes;
}

async function inflate(bytes) {
	const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));

	return new Uint8Array(await new Response(stream).arrayBuffer());
}

/* All that the file has: [{ info, frames, blocks, fences, losses }], by the number of the input. */
async function readChunks() {
	const elements = [...document.querySelectorAll('script.chunk')];
	const all = await Promise.all(elements.map((element) => inflate(fromBase64(element.text))));
	const files = [];

	for (const bytes of all) {
		const reader = new Reader(bytes);
		const kind = reader.varint();
		const index = reader.varint();

		files[index] ??= {
			info: null,
			tables: [null, new Table(), new Table(), new Table(), new Table()],
		};
		if (kind === KIND_INFO)
			files[index].info = JSON.parse(reader.text());
		else if (kind <= KIND_LOSSES)
			files[index].tables[kind].add(new Chunk(reader));
	}
	for (const element of elements)
		element.remove();
	return files.filter((file) => file && file.info);
}
