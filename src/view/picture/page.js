/* SPDX-License-Identifier: MIT */
/*
 * The script of the HTML page. docs/format/page.md says what it reads and what the page shows.
 *
 * There is one state: a flat object of settings, which is also the link to what is shown (the
 * fragment of the address). Every view derives from the state and from the data, which never
 * change; a view draws, and asks for a new state with update(). What is costly to derive is kept
 * until the settings that it depends on change.
 *
 * Everything that was recorded is text here: it goes into the page by textContent or fillText()
 * and never as HTML.
 *
 * Parts: elements and numbers as text; decoding; the model; selections and their sums; flame
 * graphs; state; colours; one part for each view; controls; start.
 */
'use strict';
(() => {

/* --- elements ----------------------------------------------------------------------------- */

const $ = (id) => document.getElementById(id);

/* An element. Attributes that are false or null are left out, on* are listeners. */
function make(tag, attributes = {}, ...children) {
	const element = document.createElement(tag);
	for (const [name, value] of Object.entries(attributes)) {
		if (name.startsWith('on'))
			element.addEventListener(name.slice(2), value);
		else if (value !== false && value !== null && value !== undefined)
			element.setAttribute(name, value === true ? '' : String(value));
	}
	element.append(...children);
	return element;
}

function setText(element, text) {
	if (element.textContent !== text)
		element.textContent = text;
}

/* A drop-down list with a label; @choices are [value, text]. */
function makeChoice(id, label, choices, onchoice) {
	const select = make('select', { id, onchange: () => onchoice(select.value) });
	for (const [value, text] of choices)
		select.append(make('option', { value }, text));
	return make('span', { class: 'field' }, make('label', { for: id }, label), select);
}

/* Buttons of which one is pressed; @choices are [value, text]. */
function makeSwitch(id, label, choices, onchoice) {
	const group = make('span', { id, class: 'switch', role: 'group', 'aria-label': label });
	for (const [value, text] of choices)
		group.append(make('button', { type: 'button', 'data-value': value,
			onclick: () => onchoice(value) }, text));
	return group;
}

function setSwitch(group, value) {
	for (const button of group.children)
		button.setAttribute('aria-pressed', String(button.dataset.value === value));
}

/*
 * The context of @canvas, in CSS pixels, as large as what is in view of its parent. Cleared. Paper
 * has more dots than a screen.
 */
function contextOf(canvas) {
	const ratio = printing ? 3 : window.devicePixelRatio || 1;
	const { clientWidth: width, clientHeight: height } = canvas.parentElement;
	canvas.style.height = `${height}px`;
	const w = Math.max(1, Math.round(width * ratio));
	const h = Math.max(1, Math.round(height * ratio));
	if (canvas.width !== w || canvas.height !== h) {
		canvas.width = w;
		canvas.height = h;
	}
	const context = canvas.getContext('2d');
	context.setTransform(w / Math.max(1, width), 0, 0, h / Math.max(1, height), 0, 0);
	context.clearRect(0, 0, width, height);
	return { context, width, height };
}

/*
 * Shows the rows of @body that are in view: @makeRow(i) for these, and an element of @spacer tag
 * with the height of all others above and below. Rows are @height pixels high, each. On paper
 * there is no scrolling: the first @most rows are shown.
 */
function showRows({ scroller, body, spacer, height, n, most, makeRow }) {
	const top = printing ? 0 : scroller.scrollTop;
	const from = Math.min(Math.max(0, Math.floor(top / height) - 4), Math.max(0, n - 1));
	const to = printing ? Math.min(n, most)
		: Math.min(n, Math.ceil((top + scroller.clientHeight) / height) + 4);
	const rows = [];
	for (let i = from; i < to; i++)
		rows.push(makeRow(i));
	const space = (count) => {
		const element = make(spacer, { class: 'space', 'aria-hidden': 'true' });
		element.style.height = `${printing ? 0 : count * height}px`;
		return element;
	};
	body.replaceChildren(space(from), ...rows, space(n - to));
}

/* Scrolls so that row @i is in view, in the middle if it was not. A head stays where it is. */
function scrollToRow(scroller, body, height, i) {
	const topOf = (element) => element.getBoundingClientRect().top;
	const head = topOf(body) - topOf(scroller) + scroller.scrollTop;
	const top = i * height, room = scroller.clientHeight - head;
	if (top < scroller.scrollTop || top + height > scroller.scrollTop + room)
		scroller.scrollTop = top - room / 2;
}

/* --- numbers as text ---------------------------------------------------------------------- */

/* With commas. By hand: the first toLocaleString() takes longer than the first picture. */
const countText = (n) => Math.round(n).toFixed(0).replace(/\B(?=(\d{3})+$)/g, ',');

function percentText(share) {
	return Number.isFinite(share) ? `${(share * 100).toFixed(2)}%` : '\u2013';
}

/* A difference of two shares; always with its sign. */
function pointsText(difference) {
	const text = (Math.abs(difference) * 100).toFixed(2);
	return `${difference < 0 ? '\u2212' : '+'}${text}`;
}

const TIME_UNITS = [[1e9, 's'], [1e6, 'ms'], [1e3, '\u00b5s'], [1, 'ns']];

function timeText(ns) {
	const [scale, unit] = TIME_UNITS.find(([size]) => Math.abs(ns) >= size) || TIME_UNITS[3];
	return `${Number((ns / scale).toPrecision(4))} ${unit}`;
}

/* A place on the axis of time, in seconds with as many digits as @step asks for. */
function momentText(ns, step) {
	const digits = Math.min(9, Math.max(0, Math.ceil(9 - Math.log10(Math.max(1, step)))));
	return `${(ns / 1e9).toFixed(digits)} s`;
}

function weightText(value, unit) {
	return unit === 'ns' ? timeText(value) : countText(value) + (unit ? ` ${unit}` : '');
}

/*
 * Text that goes into one line: what would break or reorder it is shown in letters, as
 * base/escape.c does it for terminals and SVG.
 */
function lineText(text) {
	const controls = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
	return text.replace(controls, (char) => {
		const code = char.charCodeAt(0);
		const letter = { 8: 'b', 9: 't', 10: 'n', 12: 'f', 13: 'r' }[code];
		if (letter)
			return `\\${letter}`;
		return code < 0x80 ? `\\x${code.toString(16).padStart(2, '0')}`
			: `\\u${code.toString(16).padStart(4, '0')}`;
	});
}

const nameText = (text) => lineText(text) || '[empty name]';

/* --- decoding ----------------------------------------------------------------------------- */

function bytesOf(base64) {
	const raw = atob(base64);
	const bytes = new Uint8Array(raw.length);
	for (let i = 0; i < raw.length; i++)
		bytes[i] = raw.charCodeAt(i);
	return bytes;
}

/* The bytes of a block of data: base64 of a zlib stream, or of plain bytes. */
async function unpack(base64, packed) {
	const bytes = bytesOf(base64.trim());
	if (packed !== 'zlib' || !bytes.length)
		return bytes;
	if (typeof DecompressionStream === 'undefined')
		throw new Error('This browser is too old to unpack the data of this page: ' +
			'it lacks DecompressionStream. Open the page in a newer one.');
	const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
	return new Uint8Array(await new Response(stream).arrayBuffer());
}

const damaged = (how) => new Error(`The data of this page is damaged: ${how}.`);

/* @n LEB128 numbers from @bytes[@from, @to). Numbers are exact up to 2^53. */
function readNumbers(bytes, from, to, n, Type) {
	const out = new Type(n);
	let at = from;
	for (let i = 0; i < n; i++) {
		let byte = bytes[at++];
		if (byte < 0x80) {
			out[i] = byte;
			continue;
		}
		let value = byte & 0x7f;
		for (let scale = 128; byte & 0x80; scale *= 128) {
			byte = bytes[at++];
			value += (byte & 0x7f) * scale;
		}
		out[i] = value;
	}
	if (at !== to || to > bytes.length)
		throw damaged('a column ends at the wrong place');
	return out;
}

/* Reads columns on demand; one that is not in the page is all zero. */
class Columns {
	constructor(list, bytes) {
		this.bytes = bytes;
		this.places = new Map();
		let at = 0;
		for (const { name, n, bytes: size } of list) {
			this.places.set(name, { n, from: at, to: at + size });
			at += size;
		}
	}

	has(name) {
		return this.places.has(name);
	}

	count(name) {
		return this.has(name) ? this.places.get(name).n : 0;
	}

	read(name, n, Type) {
		const place = this.places.get(name);
		if (!place)
			return new Type(n);
		if (place.n !== n)
			throw damaged(`${name} has ${place.n} numbers, not ${n}`);
		return readNumbers(this.bytes, place.from, place.to, n, Type);
	}
}

/* --- the model ---------------------------------------------------------------------------- */

/* As @numbers, with a 0 in front: the columns of nodes leave out node 0. */
function behindRoot(numbers) {
	const out = new numbers.constructor(numbers.length + 1);
	out.set(numbers, 1);
	return out;
}

function readNodes(columns) {
	const n = columns.count('node.parent');
	const parent = behindRoot(columns.read('node.parent', n, Int32Array));
	for (let i = 1; i <= n; i++) {
		parent[i] = i - parent[i];
		if (!(parent[i] >= 0 && parent[i] < i))
			throw damaged('a stack without an outer frame');
	}
	return {
		n: n + 1, parent,
		name: behindRoot(columns.read('node.name', n, Int32Array)),
		object: behindRoot(columns.read('node.object', n, Int32Array)),
		kind: behindRoot(columns.read('node.kind', n, Uint8Array)),
		change: behindRoot(columns.read('node.change', n, Uint8Array)),
	};
}

/* Of each cell its task, and its bin from the differences. */
function readCells(facts, columns) {
	const n = columns.count('cell.node');
	const perTask = columns.read('task.cells', facts.tasks.length, Uint32Array);
	const bin = columns.read('cell.bin', n, Uint32Array);
	const task = new Uint32Array(n);
	const first = new Uint32Array(facts.tasks.length + 1);
	for (let t = 0, i = 0; t < perTask.length; t++) {
		first[t + 1] = first[t] + perTask[t];
		for (let last = 0; i < first[t + 1] && i < n; i++) {
			bin[i] += last;
			last = bin[i];
			task[i] = t;
		}
	}
	if (first[perTask.length] !== n)
		throw damaged('cells of no task');
	const cells = { n, task, bin, first };
	cells.node = columns.read('cell.node', n, Uint32Array);
	for (const name of ['cpu', 'event', 'side'])
		cells[name] = columns.read(`cell.${name}`, n, Uint16Array);
	readLater(cells, 'cgroup', () => columns.read('cell.cgroup', n, Uint32Array));
	readLater(cells, 'place', () => columns.read('cell.place', n, Uint32Array));
	cells.samples = columns.read('cell.samples', n, Uint32Array);
	cells.weight = readWeights(facts, columns, cells);
	return cells;
}

/* Reads what the first picture does not need when somebody asks for it. */
function readLater(object, name, read) {
	Object.defineProperty(object, name, { configurable: true, get() {
		const value = read();
		Object.defineProperty(object, name, { value });
		return value;
	} });
}

function readWeights(facts, columns, cells) {
	if (columns.has('cell.weight'))
		return columns.read('cell.weight', cells.n, Float64Array);
	const weight = new Float64Array(cells.n);
	for (let i = 0; i < cells.n; i++)
		weight[i] = cells.samples[i] * (facts.events[cells.event[i]].period || 1);
	return weight;
}

/* Of each text its place in the order of all, so that sorting compares numbers. */
function ranksOf(texts) {
	const order = texts.map((_, i) => i);
	order.sort((a, b) => (texts[a] < texts[b] ? -1 : texts[a] > texts[b] ? 1 : 0));
	const rank = new Uint32Array(texts.length);
	order.forEach((name, place) => { rank[name] = place; });
	return rank;
}

/*
 * Functions: what the table has rows for, a name in an object. Number 0 stands for cells without
 * a function. Of each node, which function it is, and whether no outer frame is the same one: the
 * total of a function counts a recursion once.
 */
function findFunctions(nodes) {
	const ids = new Map();
	const of = new Int32Array(nodes.n);
	const list = [{ name: -1, object: 0, kind: 6 }];
	for (let i = 1; i < nodes.n; i++) {
		const key = nodes.name[i] * 2 ** 24 + nodes.object[i];
		let id = ids.get(key);
		if (id === undefined) {
			id = list.length;
			ids.set(key, id);
			list.push({ name: nodes.name[i], object: nodes.object[i],
				kind: nodes.kind[i] });
		}
		of[i] = id;
	}
	return { list, of, outermost: findOutermost(nodes, of, list.length) };
}

/* Children of each node as linked lists. */
function childLists(parent, n) {
	const child = new Int32Array(n).fill(-1), next = new Int32Array(n).fill(-1);
	for (let i = n - 1; i > 0; i--) {
		next[i] = child[parent[i]];
		child[parent[i]] = i;
	}
	return { child, next };
}

function findOutermost(nodes, of, nFunctions) {
	const outermost = new Uint8Array(nodes.n);
	const above = new Int32Array(nFunctions);
	const { child, next } = childLists(nodes.parent, nodes.n);
	let i = 0;
	while (i >= 0) {
		outermost[i] = above[of[i]]++ === 0 ? 1 : 0;
		if (child[i] >= 0) {
			i = child[i];
			continue;
		}
		while (i >= 0 && next[i] < 0) {
			above[of[i]]--;
			i = i > 0 ? nodes.parent[i] : -1;
		}
		if (i >= 0) {
			above[of[i]]--;
			i = next[i];
		}
	}
	return outermost;
}

function readModel(facts, columns) {
	facts.names = facts.names || [];
	facts.tasks = facts.tasks || [];
	facts.cpus = facts.cpus || [];
	facts.events = facts.events || [];
	facts.objects = facts.objects || [''];
	const nodes = readNodes(columns);
	return {
		facts, nodes, columns,
		cells: readCells(facts, columns),
		functions: findFunctions(nodes),
		rank: ranksOf(facts.names),
		names: hashAll(facts.names),
		objects: hashAll(facts.objects),
	};
}

/*
 * FNV-1a over the UTF-8 of @text and the end of MurmurHash3, as view/picture/palette.c has it: a
 * function has the same colour in all pictures.
 */
function hashText(text) {
	let h = 0x811c9dc5;
	for (const byte of encoder.encode(text))
		h = Math.imul(h ^ byte, 0x01000193);
	h = Math.imul(h ^ h >>> 16, 0x85ebca6b);
	h = Math.imul(h ^ h >>> 13, 0xc2b2ae35);
	return (h ^ h >>> 16) >>> 0;
}

const encoder = new TextEncoder();

const hashAll = (texts) => Uint32Array.from(texts, hashText);

/* --- selections and their sums ------------------------------------------------------------ */

/* "3-5,9" as [[3, 6], [9, 10]]: half-open spans. Anything else is left out. */
function parseSpans(text) {
	const spans = [];
	for (const part of text.split(',')) {
		const m = /^(\d{1,15})(?:-(\d{1,15}))?$/.exec(part);
		if (m)
			spans.push([Number(m[1]), Number(m[2] === undefined ? m[1] : m[2]) + 1]);
	}
	return spans;
}

function spansText(numbers) {
	const spans = [];
	for (const n of [...numbers].sort((a, b) => a - b)) {
		const last = spans[spans.length - 1];
		if (last && last[1] === n - 1)
			last[1] = n;
		else
			spans.push([n, n]);
	}
	return spans.map(([a, b]) => (a === b ? `${a}` : `${a}-${b}`)).join(',');
}

/* The numbers below @n that @text names. */
function chosenOf(text, n) {
	const chosen = [];
	for (const [from, to] of parseSpans(text))
		for (let i = from; i < Math.min(to, n); i++)
			chosen.push(i);
	return chosen;
}

/* One mark for each of @n, set for those that @text names; null if it names none. */
function maskOf(text, n) {
	const chosen = chosenOf(text, n);
	if (!chosen.length)
		return null;
	const mask = new Uint8Array(n);
	for (const i of chosen)
		mask[i] = 1;
	return mask;
}

/* The nodes whose stack goes through a function called @name. */
function throughMask(nodes, name) {
	const mask = new Uint8Array(nodes.n);
	for (let i = 1; i < nodes.n; i++)
		mask[i] = mask[nodes.parent[i]] | (nodes.name[i] === name ? 1 : 0);
	return mask;
}

/*
 * The numbers of the cells that pass @filter: { span: [from, to) of bins or null, tasks, cpus and
 * nodes: masks or null, event, side: -1 is both }.
 */
function selectCells(model, filter) {
	const { cells } = model;
	const [from, to] = filter.span || [0, Infinity];
	const { cpus, nodes, event, side } = filter;
	const out = new Uint32Array(cells.n);
	let n = 0;
	for (let task = 0; task + 1 < cells.first.length; task++) {
		if (filter.tasks && !filter.tasks[task])
			continue;
		const end = cells.first[task + 1];
		for (let i = cells.first[task]; i < end; i++) {
			if (cells.event[i] !== event || cells.bin[i] < from || cells.bin[i] >= to)
				continue;
			if ((cpus && !cpus[cells.cpu[i]]) || (nodes && !nodes[cells.node[i]]))
				continue;
			if (side < 0 || cells.side[i] === side)
				out[n++] = i;
		}
	}
	return out.subarray(0, n);
}

function sumOf(cells, numbers) {
	const sum = { samples: 0, weight: 0 };
	for (const i of numbers) {
		sum.samples += cells.samples[i];
		sum.weight += cells.weight[i];
	}
	return sum;
}

/* Sums by some number that each cell has: its bin, its place, ... */
function sumBy(values, by, numbers, n) {
	const sums = new Float64Array(n);
	for (const i of numbers)
		sums[by[i]] += values[i];
	return sums;
}

/* Of each function: its own weight, and that of all stacks that it is in. */
function sumFunctions(model, numbers, values) {
	const { nodes, functions } = model;
	const inner = sumBy(values, model.cells.node, numbers, nodes.n);
	const self = new Float64Array(functions.list.length);
	const total = new Float64Array(functions.list.length);
	for (let i = nodes.n - 1; i >= 0; i--) {
		if (!inner[i])
			continue;
		total[functions.of[i]] += functions.outermost[i] ? inner[i] : 0;
		if (i > 0)
			inner[nodes.parent[i]] += inner[i];
	}
	for (const i of numbers)
		self[functions.of[model.cells.node[i]]] += values[i];
	/* The root has become the sum of all; only its own cells are without a function. */
	total[0] = self[0];
	return { self, total };
}

/* --- flame graphs ------------------------------------------------------------------------- */

/*
 * A tree of boxes that is built by asking for the child of a box with a key. Boxes are numbered as
 * they are made, so each is behind its parent. An open hash table finds them: there may be a
 * hundred thousand, and a Map of pairs is several times slower.
 */
class Tree {
	constructor() {
		this.n = 1;
		this.room = 1024;
		this.parent = new Int32Array(this.room);
		this.key = new Int32Array(this.room).fill(-1);
		this.node = new Int32Array(this.room);
		this.sums = [0, 1, 2, 3].map(() => new Float64Array(this.room));
		this.slots = new Int32Array(2 * this.room).fill(-1);
	}

	slot(parent, key) {
		const mask = this.slots.length - 1;
		let at = (Math.imul(parent, 0x9e3779b1) ^ Math.imul(key, 0x85ebca6b));
		at = (at ^ (at >>> 15)) & mask;
		for (let id; (id = this.slots[at]) >= 0; at = (at + 1) & mask)
			if (this.parent[id] === parent && this.key[id] === key)
				break;
		return at;
	}

	/* The box @key above @parent, made if need be. @node: has its kind and object. */
	child(parent, key, node) {
		let at = this.slot(parent, key);
		if (this.slots[at] >= 0)
			return this.slots[at];
		if (this.n === this.room) {
			this.grow();
			at = this.slot(parent, key);
		}
		this.parent[this.n] = parent;
		this.key[this.n] = key;
		this.node[this.n] = node;
		this.slots[at] = this.n;
		return this.n++;
	}

	grow() {
		const larger = (array) => {
			const out = new array.constructor(2 * this.room);
			out.set(array);
			return out;
		};
		this.parent = larger(this.parent);
		this.key = larger(this.key);
		this.node = larger(this.node);
		this.sums = this.sums.map(larger);
		this.room *= 2;
		this.slots = new Int32Array(2 * this.room).fill(-1);
		for (let i = 1; i < this.n; i++)
			this.slots[this.slot(this.parent[i], this.key[i])] = i;
	}
}

const groupsBy = (labels, ranks, of) => ({ labels, ranks, hashes: hashAll(labels), of });

/*
 * What the boxes above the root stand for: labels, their order from left to right and their
 * hashes, and the group of a cell; null for none.
 */
function groupsOf(model, root) {
	const { facts, cells } = model;
	const byTask = (labelOf) => {
		const labels = [], ids = new Map();
		const ofTask = Int32Array.from(facts.tasks, (task) => {
			const label = labelOf(task);
			if (!ids.has(label))
				ids.set(label, labels.push(label) - 1);
			return ids.get(label);
		});
		return groupsBy(labels, ranksOf(labels), (cell) => ofTask[cells.task[cell]]);
	};
	const leaders =
		new Map(facts.tasks.filter((t) => t.pid === t.tid).map((t) => [t.pid, t.comm]));
	switch (root) {
	case 'comm': return byTask((task) => task.comm);
	case 'thread': return byTask((task) => `${task.comm} (thread ${task.tid})`);
	case 'process': return byTask((task) =>
		`${leaders.get(task.pid) ?? task.comm} (process ${task.pid})`);
	case 'cpu': return groupsBy(facts.cpus.map((cpu) => `CPU ${cpu}`), [...facts.cpus.keys()],
		(cell) => cells.cpu[cell]);
	case 'cgroup': return groupsBy(facts.cgroups || [''], ranksOf(facts.cgroups || ['']),
		(cell) => cells.cgroup[cell]);
	default: return null;
	}
}

/* @numbers parted by group. */
function partByGroup(numbers, groups) {
	if (!groups)
		return [[-1, numbers]];
	const counts = new Uint32Array(groups.labels.length + 1);
	for (const i of numbers)
		counts[groups.of(i) + 1]++;
	for (let g = 1; g < counts.length; g++)
		counts[g] += counts[g - 1];
	const at = counts.slice(), sorted = new Uint32Array(numbers.length);
	for (const i of numbers)
		sorted[at[groups.of(i)]++] = i;
	return groups.labels.map((_, g) => [g, sorted.subarray(counts[g], counts[g + 1])]);
}

/* Adds stacks to a tree. One for each flame graph that is built. */
class Grower {
	constructor(model, groups, reverse) {
		this.model = model;
		this.groups = groups;
		this.reverse = reverse;
		this.tree = new Tree();
		this.samples = new Float64Array(model.nodes.n);
		this.weight = new Float64Array(model.nodes.n);
		this.touched = new Uint32Array(model.nodes.n);
		this.box = new Int32Array(model.nodes.n);
		this.made = [];
	}

	groupKey(group) {
		return this.model.facts.names.length + group;
	}

	/* Adds the cells @numbers to side @side. */
	add(numbers, side) {
		for (const [group, part] of partByGroup(numbers, this.groups)) {
			const n = this.sumByNode(part);
			this.start(group);
			for (let k = 0; k < n; k++)
				this.addStack(group, this.touched[k], side);
		}
	}

	/* Adds up by node first, so that each stack of a group is walked once. */
	sumByNode(numbers) {
		const { cells } = this.model;
		let n = 0;
		for (const i of numbers) {
			const node = cells.node[i];
			if (!this.samples[node] && !this.weight[node])
				this.touched[n++] = node;
			this.samples[node] += cells.samples[i];
			this.weight[node] += cells.weight[i];
		}
		return n;
	}

	/*
	 * Boxes of the group before are not those of this one;
	 * reversed, groups share all but the end.
	 */
	start(group) {
		if (!this.reverse)
			for (const node of this.made)
				this.box[node] = 0;
		this.made = [];
		this.base = group < 0 ? 0 : -1;
	}

	addStack(group, node, side) {
		const box = this.reverse ? this.reversed(group, node) : this.forward(group, node);
		this.tree.sums[2 * side][box] += this.samples[node];
		this.tree.sums[2 * side + 1][box] += this.weight[node];
		this.samples[node] = 0;
		this.weight[node] = 0;
	}

	/*
	 * Functions of one name are one box. Of their kinds the smallest counts,
	 * as in profile/flame.h.
	 */
	child(parent, node) {
		const { tree, model: { nodes } } = this;
		const box = tree.child(parent, nodes.name[node], node);
		if (nodes.kind[node] < nodes.kind[tree.node[box]])
			tree.node[box] = node;
		return box;
	}

	/* The box of @node: its outer frames first, as far as they are not there yet. */
	forward(group, node) {
		const { nodes } = this.model;
		if (this.base < 0)
			this.base = this.tree.child(0, this.groupKey(group), 0);
		const missing = [];
		while (node > 0 && !this.box[node]) {
			missing.push(node);
			node = nodes.parent[node];
		}
		let box = node > 0 ? this.box[node] : this.base;
		while (missing.length) {
			node = missing.pop();
			box = this.child(box, node);
			this.box[node] = box;
			this.made.push(node);
		}
		return box;
	}

	/* The innermost frame stands on the root, the group is at the end. */
	reversed(group, node) {
		const { nodes } = this.model;
		let box = this.box[node];
		if (!box) {
			for (let at = node; at > 0; at = nodes.parent[at])
				box = this.child(box, at);
			this.box[node] = box;
		}
		return group < 0 ? box : this.tree.child(box, this.groupKey(group), 0);
	}
}

/*
 * The boxes of a flame graph in the order in which they are drawn, depth first, siblings by name.
 *
 * Of each box: its key (a name; behind these a group; -1: the root), parent, depth, the number
 * behind its last descendant, self and total as [samples before, weight before, samples, weight
 * after], and a hash of its path, which links name it by. Of a single selection only the
 * first two are there.
 */
class Flame {
	constructor(model, groups, tree) {
		this.model = model;
		this.groups = groups;
		this.n = tree.n;
		const order = this.order(tree);
		const pick = (array) => {
			const out = new array.constructor(order.length);
			for (let i = 0; i < order.length; i++)
				out[i] = array[order[i]];
			return out;
		};
		this.key = pick(tree.key);
		this.node = pick(tree.node);
		this.self = tree.sums.map(pick);
		this.total = this.self.map((self) => Float64Array.from(self));
		this.sumUp();
		this.findRows();
	}

	rankOf(key) {
		const n = this.model.facts.names.length;
		return key < n ? this.model.rank[key] : n + this.groups.ranks[key - n];
	}

	/* Numbers of the tree's boxes, depth first. Sets parent, depth and end. */
	order(tree) {
		const byRank = this.sortByRank(tree);
		const child = new Int32Array(tree.n).fill(-1);
		const next = new Int32Array(tree.n).fill(-1);
		for (let k = byRank.length - 1; k >= 0; k--) {
			const id = byRank[k], parent = tree.parent[id];
			next[id] = child[parent];
			child[parent] = id;
		}
		this.parent = new Int32Array(tree.n).fill(-1);
		this.depth = new Uint32Array(tree.n);
		this.end = new Uint32Array(tree.n);
		const order = new Uint32Array(tree.n), open = [];
		let n = 0;
		for (let id = 0; id >= 0;) {
			this.parent[n] = open.length ? open[open.length - 1] : -1;
			this.depth[n] = open.length;
			order[n] = id;
			open.push(n++);
			if (child[id] >= 0) {
				id = child[id];
				continue;
			}
			let at = -1;
			while (open.length && at < 0) {
				const closed = open.pop();
				this.end[closed] = n;
				at = next[order[closed]];
			}
			id = at;
		}
		return order;
	}

	/* All boxes but the root, by name; a counting sort, as ranks are small numbers. */
	sortByRank(tree) {
		const size = this.model.facts.names.length +
			(this.groups ? this.groups.labels.length : 0);
		const counts = new Uint32Array(size + 1);
		for (let id = 1; id < tree.n; id++)
			counts[this.rankOf(tree.key[id]) + 1]++;
		for (let k = 1; k <= size; k++)
			counts[k] += counts[k - 1];
		const sorted = new Uint32Array(tree.n - 1);
		for (let id = 1; id < tree.n; id++)
			sorted[counts[this.rankOf(tree.key[id])]++] = id;
		return sorted;
	}

	sumUp() {
		this.hash = new Uint32Array(this.n);
		for (const total of this.total)
			for (let i = this.n - 1; i > 0; i--)
				total[this.parent[i]] += total[i];
		for (let i = 1; i < this.n; i++) {
			const outer = this.hash[this.parent[i]];
			this.hash[i] = Math.imul(outer ^ this.hashOf(i), 0x01000193) + 1;
		}
	}

	/* Boxes of each depth, from left to right. */
	findRows() {
		const counts = [];
		for (let i = 0; i < this.n; i++)
			counts[this.depth[i]] = (counts[this.depth[i]] || 0) + 1;
		this.rows = counts.map((count) => new Uint32Array(count));
		const at = new Uint32Array(counts.length);
		for (let i = 0; i < this.n; i++)
			this.rows[this.depth[i]][at[this.depth[i]]++] = i;
	}

	isFunction(i) {
		return this.key[i] >= 0 && this.key[i] < this.model.facts.names.length;
	}

	text(i) {
		const { names } = this.model.facts;
		if (i === 0)
			return 'all';
		return this.isFunction(i) ? names[this.key[i]]
			: this.groups.labels[this.key[i] - names.length];
	}

	/* The hash of the text of box @i. */
	hashOf(i) {
		const { names } = this.model;
		if (i === 0)
			return hashText(this.text(0));
		return this.isFunction(i) ? names[this.key[i]]
			: this.groups.hashes[this.key[i] - names.length];
	}

	kind(i) {
		return i === 0 ? 0 : this.isFunction(i) ? this.model.nodes.kind[this.node[i]] : 1;
	}

	object(i) {
		return this.isFunction(i)
			? this.model.facts.objects[this.model.nodes.object[this.node[i]]] : '';
	}

	/* The box that a link names; -1 if it is not here. */
	find(link) {
		const [depth, hash] = link.split('.').map((part) => parseInt(part, 36));
		for (const i of this.rows[depth] || [])
			if (this.hash[i] === hash)
				return i;
		return -1;
	}

	link(i) {
		return i > 0 ? `${this.depth[i].toString(36)}.${this.hash[i].toString(36)}` : '';
	}

	/* Numbers of the boxes from the root to @i. */
	path(i) {
		const path = [];
		for (; i >= 0; i = this.parent[i])
			path.unshift(i);
		return path;
	}

	children(i) {
		const children = [];
		for (let c = i + 1; c < this.end[i]; c = this.end[c])
			children.push(c);
		return children;
	}
}

/* Where the boxes are: left edge and width as shares of the whole. @which: one of Flame.total. */
function layOut(flame, which) {
	const total = flame.total[which];
	const x = new Float64Array(flame.n), width = new Float64Array(flame.n);
	const used = new Float64Array(flame.n);
	const scale = total[0] ? 1 / total[0] : 0;
	for (let i = 0; i < flame.n; i++) {
		const parent = flame.parent[i];
		width[i] = total[i] * scale;
		if (parent < 0)
			continue;
		x[i] = x[parent] + used[parent];
		used[parent] += width[i];
	}
	return { x, width };
}

/* The first box of @row that ends behind @at. */
function firstBehind(row, { x, width }, at) {
	let low = 0, high = row.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (x[row[middle]] + width[row[middle]] <= at)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* How much of @total lies in boxes that match; a box above another one is not counted again. */
function matchedSum(flame, matches, total) {
	let sum = 0;
	for (let i = 0; i < flame.n;) {
		if (matches(i)) {
			sum += total[i];
			i = flame.end[i];
		} else {
			i++;
		}
	}
	return sum;
}

/*
 * How far apart the shares @a of @na samples and @b of @nb samples are, in standard errors of the
 * difference of two proportions. Differences within 3.3 are called noise: of a thousand boxes
 * that did not change, one would be further apart.
 */
const NOISE = 3.3;

function distanceOf(a, na, b, nb) {
	if (!na || !nb)
		return 0;
	const p = (a + b) / (na + nb);
	const error = Math.sqrt(p * (1 - p) * (1 / na + 1 / nb));
	return error > 0 ? (b / nb - a / na) / error : 0;
}

/* --- state -------------------------------------------------------------------------------- */

/*
 * The settings, with their values at first. A comparison has two selections, a and b; the second
 * one's settings begin with b. Spans of bins, tasks and CPUs are as parseSpans() takes them.
 */
const DEFAULTS = {
	view: '', event: 0, by: 'weight',
	time: '', tasks: '', cpus: '', btime: '', btasks: '', bcpus: '',
	compare: false, edit: 'a', show: 'difference',
	fn: -1, only: false, search: '',
	root: 'comm', reverse: false, icicle: false, color: 'kind', zoom: '', x: '',
	lines: 'tasks', strips: true, sort: 'self', up: false, filter: '',
	listing: -1, rows: 'both',
};

/* What a link says, on top of @base. Unknown names and values of another type are left out. */
function parseLink(text, base) {
	const state = { ...base };
	for (const [name, value] of new URLSearchParams(text)) {
		if (!Object.hasOwn(DEFAULTS, name))
			continue;
		const type = typeof DEFAULTS[name];
		if (type === 'boolean')
			state[name] = value === '1';
		else if (type === 'number')
			state[name] = /^-?\d{1,9}$/.test(value) ? Number(value) : base[name];
		else
			state[name] = value;
	}
	return state;
}

function linkText(state, base) {
	const link = new URLSearchParams();
	for (const name of Object.keys(DEFAULTS))
		if (state[name] !== base[name])
			link.set(name, typeof state[name] === 'boolean' ? Number(state[name])
				: state[name]);
	return link.toString();
}

let model = null;
let listings = [];
let base = DEFAULTS;
let state = DEFAULTS;
let printing = false;
/* How many steps of this page the browser's Back could take back. */
let steps = 0;

/* Changes settings: a new step for the browser's Back, unless it is one that goes on (@replace). */
function update(changes, replace = false) {
	const next = { ...state, ...changes };
	const link = linkText(next, base);
	const address = `#${link}`;
	if (link === linkText(state, base))
		return;
	if (!replace)
		steps++;
	state = next;
	if (replace)
		history.replaceState({ steps }, '', address);
	else
		history.pushState({ steps }, '', address);
	refresh();
}

/* The page as its address asks for it. */
function showAddress() {
	steps = history.state && history.state.steps || 0;
	state = parseLink(location.hash.slice(1), base);
	refresh();
}

/* A step of the browser, or a link that was typed; two events may tell of the same one. */
function followAddress() {
	if (linkText(parseLink(location.hash.slice(1), base), base) !== linkText(state, base))
		showAddress();
}

function stepBack() {
	if (steps > 0)
		history.back();
	else
		update({ ...base, view: state.view });
}

/* Keeps the answer of @compute as long as @key gives the same text. */
function kept(key, compute) {
	let last = null;
	return () => {
		const now = key();
		if (!last || last.key !== now)
			last = { key: now, value: compute() };
		return last.value;
	};
}

const keyOf = (...names) => JSON.stringify(names.map((name) => state[name]));

const hasSides = () => Boolean(model.facts.sides);
const isComparison = () => hasSides() || state.compare;

/* Bins [from, to) of a setting such as "10-19"; null: all. */
function spanOf(text) {
	const spans = parseSpans(text);
	return spans.length ? spans[0] : null;
}

/*
 * What selection @side ("a" or "b") lets through. @without names dimensions that are not looked
 * at: a picture of time does not show only the time that is selected in it.
 */
function filterOf(side, without = []) {
	const { facts, nodes } = model;
	const setting = (name) => (without.includes(name) ? ''
		: state[side === 'b' && !hasSides() ? `b${name}` : name]);
	return {
		span: spanOf(setting('time')),
		tasks: maskOf(setting('tasks'), facts.tasks.length),
		cpus: maskOf(setting('cpus'), facts.cpus.length),
		nodes: state.only && state.fn >= 0 ? throughMask(nodes, state.fn) : null,
		event: state.event,
		side: hasSides() && side !== 'both' ? (side === 'a' ? 0 : 1) : -1,
	};
}

/* The sides that are shown: one selection, or the two of a comparison. */
const sides = () => (isComparison() ? ['a', 'b'] : ['a']);

const FILTER = ['event', 'time', 'tasks', 'cpus', 'btime', 'btasks', 'bcpus', 'compare'];
const filterKey = () => keyOf(...FILTER, 'only') + (state.only ? state.fn : '');

/* Of each side, its cells and their sums. */
const selected = kept(filterKey, () => sides().map((side) => {
	const cells = selectCells(model, filterOf(side));
	return { side, cells, ...sumOf(model.cells, cells) };
}));

const flame = kept(() => filterKey() + keyOf('root', 'reverse'), () => {
	const groups = groupsOf(model, state.root);
	const grower = new Grower(model, groups, state.reverse);
	selected().forEach(({ cells }, side) => grower.add(cells, side));
	return new Flame(model, groups, grower.tree);
});

/* Which side gives the widths, and where its sums stand in Flame.total. */
const widthSide = () => (isComparison() && state.show !== 'before' ? 1 : 0);
const sumPlace = (side) => 2 * side + (measure() === 'samples' ? 0 : 1);
const widthPlace = () => sumPlace(widthSide());

const layout = kept(() => filterKey() + keyOf('root', 'reverse', 'by', 'show'),
	() => layOut(flame(), widthPlace()));

/* Of each side: self and total of each function. */
const functionSums = kept(() => filterKey() + keyOf('by'), () => selected().map(({ cells }) =>
	sumFunctions(model, cells, valuesOf(measure()))));

const valuesOf = (by) => (by === 'samples' ? model.cells.samples : model.cells.weight);

/* Of each side: weight of each place of the listings. */
const placeSums = kept(() => filterKey() + keyOf('by'), () => selected().map(({ cells }) =>
	sumBy(valuesOf(measure()), model.cells.place, cells, placeCount() + 1)));

function placeCount() {
	return listings.reduce((n, listing) => n + listing.places, 0);
}

/* What is added up. Events without periods have only samples. */
const hasWeight = () => eventOf().total > 0 && eventOf().unit !== 'samples';

/*
 * Times of waiting, fields of tracepoints:
 * where a sample stands for one unit, nobody counted samples.
 */
const hasSamples = () => eventOf().period !== 1 || !eventOf().unit || eventOf().unit === 'samples';
const measure = () => (!hasWeight() ? 'samples' : hasSamples() ? state.by : 'weight');

/* How many samples, or how much where none were counted. */
const amountText = (samples, weight) =>
	(hasSamples() ? `${countText(samples)} samples` : weightText(weight, eventOf().unit));

const eventOf = () => model.facts.events[state.event] ||
	{ name: '', unit: '', samples: 0, total: 0 };
const unitOf = () => (measure() === 'samples' ? 'samples' : eventOf().unit || eventOf().name);

/*
 * The names that the search finds, or null.
 * What is not a regular expression is looked for as it is.
 */
const found = kept(() => keyOf('search'), () => {
	if (!state.search)
		return null;
	const test = matcherOf(state.search);
	return Uint8Array.from(model.facts.names, (name) => (test(name) ? 1 : 0));
});

/* Small letters match large ones, too, as long as the expression has no large ones. */
function matcherOf(text) {
	const flags = text === text.toLowerCase() ? 'iu' : 'u';
	try {
		const expression = new RegExp(text, flags);
		return (name) => expression.test(name);
	} catch {
		return (name) => name.includes(text);
	}
}

const isExpression = (text) => {
	try {
		return Boolean(new RegExp(text, 'u'));
	} catch {
		return false;
	}
};

/* --- colours ------------------------------------------------------------------------------ */

const darkSetting = window.matchMedia('(prefers-color-scheme: dark)');
const lessMotion = window.matchMedia('(prefers-reduced-motion: reduce)');

function isDark() {
	const chosen = document.documentElement.dataset.theme;
	return !printing && (chosen ? chosen === 'dark' : darkSetting.matches);
}

/* "0b57c2a84300" as ['#0b57c2', '#a84300']. */
const readColours = (run) => run.match(/.{6}/g).map((colour) => `#${colour}`);

/* Where 0 <= @x <= 1 lies on a scale of colours. */
const stepOf = (colours, x) => Math.round(x * (colours.length - 1));

/* The colours that canvases need, of the theme that is on. */
const theme = kept(() => String(isDark()), () => {
	const dark = isDark(), given = model.facts.colours[dark ? 'dark' : 'light'];
	return {
		ink: `#${given.ink}`,
		empty: dark ? '#22262c' : '#f3f4f6',
		line: dark ? '#3a3f47' : '#d5d9df',
		faint: dark ? '#9aa3af' : '#5b6470',
		accent: dark ? '#7db4ff' : '#0b57c2',
		second: dark ? '#ffb066' : '#a84300',
		match: '#d6008f',
		matchInk: '#ffffff',
		families: readColours(given.families),
		hues: readColours(given.hues),
		heat: readColours(given.heat),
		difference: readColours(given.difference),
	};
});

/* The family of each kind; null where colours do not go by kind. */
function familiesOf(palette) {
	const { palettes } = model.facts.colours;
	return Object.hasOwn(palettes, palette) ? palettes[palette] : null;
}

/*
 * Colours of boxes are numbers first, places in the families or hues of the theme, as
 * view/picture/palette.c counts swatches. Setting colours by text is slow.
 */
function swatchOf(graph, i, families, hues) {
	const { shades } = model.facts.colours, kind = graph.kind(i);
	const shade = graph.hashOf(i) % shades;
	if (families)
		return families[kind] * shades + shade;
	const hash = state.color === 'object' ? objectHash(graph, i) : graph.hashOf(i);
	if (kind <= 1 || hash === null)
		return shade;
	return (1 + Math.floor(hash / shades) % (hues.length / shades - 1)) * shades + shade;
}

function objectHash(graph, i) {
	const object = model.nodes.object[graph.node[i]];
	return object ? model.objects[object] : null;
}

/* A change is a number from -1 (less) to 1 (more). */
const changeStep = (difference, change) => stepOf(difference, (1 + change) / 2);

function changeColour(change) {
	const { difference } = theme();
	return difference[changeStep(difference, change)];
}

/* Boxes that only the side that is shown has are striped. */
const STRIPED = 254, MATCHED = 255;

const isOneSided = (graph, i) => isComparison() && !graph.total[2 * (1 - widthSide())][i];

/* Of each box the number of its colour, and what these are as text. */
const boxColours = kept(
	() => filterKey() + keyOf('root', 'reverse', 'by', 'show', 'color') + isDark(), () => {
		const graph = flame(), of = new Uint8Array(graph.n);
		const byChange = isComparison() && state.show === 'difference';
		const palette = familiesOf(state.color), { families, hues, difference } = theme();
		for (let i = 0; i < graph.n; i++)
			of[i] = byChange ? changeStep(difference, changeOf(graph, i))
				: isOneSided(graph, i) ? STRIPED
				: swatchOf(graph, i, palette, hues);
		return { of, list: byChange ? difference : palette ? families : hues };
	});

/* Stripes in the colour of what grew or shrank. */
function stripes(context) {
	const tile = document.createElement('canvas'), size = 8;
	const pen = tile.getContext('2d');
	tile.width = tile.height = size;
	pen.fillStyle = changeColour(widthSide() ? 0.5 : -0.5);
	pen.fillRect(0, 0, size, size);
	pen.strokeStyle = changeColour(widthSide() ? 1 : -1);
	pen.lineWidth = 3;
	for (const shift of [-size, 0, size]) {
		pen.moveTo(shift, size);
		pen.lineTo(shift + size, 0);
	}
	pen.stroke();
	return context.createPattern(tile, 'repeat');
}

/*
 * How much box @i changed, from -1 to 1: 0 is noise, 1 is new, 0.5 is twice its share. Where the
 * page says which boxes changed, only these do, and only as far as the direction is the same in
 * this part of the picture.
 */
function changeOf(graph, i) {
	const [a, b] = [0, 1].map((side) => {
		const total = graph.total[sumPlace(side)];
		return total[i] / (total[0] || 1);
	});
	const direction = Math.sign(b - a);
	if (!direction || isNoise(graph, i, direction))
		return 0;
	return (b - a) / Math.max(a, b);
}

function isNoise(graph, i, direction) {
	const word = direction > 0 ? 'more' : 'less';
	const given = model.columns.has('node.change') && graph.isFunction(i);
	if (given && !state.reverse && !state.only)
		return model.facts.changes[model.nodes.change[graph.node[i]]] !== word;
	/* Boxes of other stacks than the page was told of: a function that changed nowhere did not here. */
	if (given && !changedNames(word).has(graph.key[i]))
		return true;
	const [na, nb] = [graph.total[0], graph.total[2]];
	return Math.abs(distanceOf(na[i], na[0], nb[i], nb[0])) < NOISE;
}

/* The functions with a box that the page says has changed: @word is 'more' or 'less'. */
function changedNames(word) {
	model.changedNames ??= {};
	if (!model.changedNames[word]) {
		const { change, name } = model.nodes;
		const found = new Set();
		for (let i = 0; i < change.length; i++)
			if (model.facts.changes[change[i]] === word)
				found.add(name[i]);
		model.changedNames[word] = found;
	}
	return model.changedNames[word];
}

/* --- the tip at the pointer --------------------------------------------------------------- */

/* Shows @lines near the pointer; the first is the title. None: hides it. */
function showTip(event, lines) {
	const tip = $('tip');
	tip.hidden = !lines;
	if (!lines)
		return;
	tip.replaceChildren(...lines.map((line, i) => make(i ? 'p' : 'strong', {}, line)));
	const room = 14, { width, height } = tip.getBoundingClientRect();
	const beside = (at, size, end) =>
		Math.max(4, at + room + size > end ? at - room - size : at + room);
	tip.style.left = `${beside(event.clientX, width, innerWidth)}px`;
	tip.style.top = `${beside(event.clientY, height, innerHeight)}px`;
}

const say = (text) => setText($('live'), text);

/* --- the flame graph ---------------------------------------------------------------------- */

const ROW = 18;
const FONT = '12px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", ' +
	'sans-serif';
const TEXT_MOST = 400;

/*
 * Cuts texts to fit. Widths of characters are measured once; a name is measured once: asking the
 * canvas for each text of each frame would take most of the frame.
 */
class TextFitter {
	constructor() {
		this.context = document.createElement('canvas').getContext('2d');
		this.context.font = FONT;
		this.ascii = new Float32Array(127);
		for (let c = 32; c < 127; c++)
			this.ascii[c] = this.context.measureText(String.fromCharCode(c)).width;
		this.dots = this.context.measureText('\u2026').width;
		this.widths = new Map();
	}

	charWidth(code) {
		if (code < 127)
			return this.ascii[code];
		if (!this.widths.has(code))
			this.widths.set(code,
				this.context.measureText(String.fromCodePoint(code)).width);
		return this.widths.get(code);
	}

	/* As much of @text as fits into @room pixels, with dots for the rest; '' if too little. */
	fit(text, room) {
		let used = 0, cut = 0;
		for (const char of text) {
			used += this.charWidth(char.codePointAt(0));
			if (used > room)
				return cut > 1 ? `${text.slice(0, cut)}\u2026` : '';
			if (used + this.dots <= room)
				cut += char.length;
		}
		return text;
	}
}

const flameView = {
	id: 'flame', title: 'Flame graph',
	/* The part of the width that is in view, and the one that an animation leads to. */
	from: 0, to: 1, target: null,
	cursor: 0, hover: -1, texts: new Map(),
	frames: { gaps: [], draws: [] },

	build(panel) {
		this.fitter = new TextFitter();
		const roots = [['comm', 'command']];
		if (model.facts.tasks.some(({ tid }) => tid !== undefined))
			roots.push(['process', 'process'], ['thread', 'thread']);
		if (model.facts.cpus.length > 1)
			roots.push(['cpu', 'CPU']);
		if (model.facts.cgroups)
			roots.push(['cgroup', 'cgroup']);
		roots.push(['none', 'nothing']);
		const colours = [['kind', 'kind'], ['function', 'function'], ['object', 'object']];
		if (!colours.some(([name]) => name === base.color) && familiesOf(base.color))
			colours.push([base.color, base.color]);
		panel.append(make('div', { class: 'bar' },
			makeChoice('root', 'Split by', roots, (root) => update({ root })),
			makeChoice('color', 'Colour by', colours, (color) => update({ color })),
			makeSwitch('direction', 'Direction',
				[['flame', 'Flame'], ['icicle', 'Icicle']],
				(value) => update({ icicle: value === 'icicle' })),
			makeSwitch('merge', 'Merged from',
				[['root', 'From the root'], ['leaf', 'From the leaf']],
				(value) => update({ reverse: value === 'leaf', zoom: '', x: '' })),
			make('span', { id: 'legend' })));
		panel.append(make('nav', { id: 'path',
			'aria-label': 'Frames from the root to the zoomed one' }));
		this.canvas = make('canvas', { 'aria-hidden': 'true' });
		this.space = make('div', { class: 'space' });
		this.box = make('div', { id: 'flame-box', class: 'picture', tabindex: 0,
			role: 'application',
			'aria-label': 'Flame graph. Arrow keys go from frame to frame, Enter ' +
				'zooms, Escape goes back.',
		}, this.canvas, this.space);
		panel.append(this.box, this.buildDetails());
		this.listen();
	},

	buildDetails() {
		this.details = make('p', { id: 'flame-details' });
		this.list = make('details', { id: 'flame-list', ontoggle: () => this.showList() },
			make('summary', {}, 'As a list'), make('div'));
		return make('div', { class: 'bar foot' }, this.details,
			make('button', { id: 'only', type: 'button',
				onclick: () => this.filterByCursor() },
				'Only stacks through it'),
			make('button', { id: 'to-code', type: 'button',
				onclick: () => openCode(this.cursorName()) }, 'Code'),
			this.list);
	},

	listen() {
		const { box } = this;
		let press = null;
		box.addEventListener('scroll', () => this.draw());
		box.addEventListener('pointermove', (e) => {
			if (press && e.buttons)
				this.pan(press, e);
			else
				this.point(e);
		});
		box.addEventListener('pointerleave', () => this.point(null));
		box.addEventListener('pointerdown', (e) => {
			press = { x: e.clientX, from: this.from, to: this.to, moved: false };
		});
		box.addEventListener('click', (e) => {
			if (!press || !press.moved)
				this.click(this.boxAt(e));
			press = null;
		});
		box.addEventListener('dblclick', (e) => {
			const i = this.boxAt(e);
			if (i > 0 && flame().isFunction(i))
				openCode(flame().key[i]);
		});
		box.addEventListener('wheel', (e) => this.wheel(e), { passive: false });
		box.addEventListener('keydown', (e) => this.key(e));
		new ResizeObserver(() => this.draw()).observe(box);
	},

	/* Follows the state: what is in view, the controls, the cursor. */
	show() {
		const graph = flame();
		clearTimeout(this.later);
		$('root').value = state.root;
		$('color').value = state.color;
		setSwitch($('direction'), state.icicle ? 'icicle' : 'flame');
		setSwitch($('merge'), state.reverse ? 'leaf' : 'root');
		this.cursor = Math.max(0, this.zoomed(graph));
		this.space.style.height = `${this.height() - 1}px`;
		this.showLegend();
		this.showPath(graph);
		this.showDetails(-1);
		this.go(...this.rangeOf(graph));
		if (this.graph !== graph || this.icicle !== state.icicle)
			this.box.scrollTop = state.icicle ? 0 : this.box.scrollHeight;
		this.graph = graph;
		this.icicle = state.icicle;
		if (this.list.open)
			this.showList();
	},

	/* The zoomed box, or the innermost of its outer frames that this selection still has. */
	zoomed(graph) {
		if (!state.zoom)
			return 0;
		const i = graph.find(state.zoom);
		if (i >= 0) {
			this.trail = graph.path(i).map((k) => graph.link(k));
			return i;
		}
		const trail = (this.trail || []).includes(state.zoom) ? this.trail : [];
		return Math.max(0, ...trail.map((link) => (link ? graph.find(link) : 0)));
	},

	rangeOf(graph) {
		const m = /^(0(?:\.\d+)?)-([01](?:\.\d+)?)$/.exec(state.x);
		if (m && Number(m[1]) < Number(m[2]))
			return [Number(m[1]), Math.min(1, Number(m[2]))];
		const i = this.zoomed(graph), { x, width } = layout();
		return width[i] > 0 ? [x[i], x[i] + width[i]] : [0, 1];
	},

	height() {
		return Math.max(1, flame().rows.length) * ROW;
	},

	/* Goes to a part of the width, in a few frames. */
	go(from, to) {
		const still = lessMotion.matches || printing ||
			(from === this.from && to === this.to);
		this.target = still ? null
			: { from, to, start: { from: this.from, to: this.to }, since: 0, last: 0 };
		this.frames = { gaps: [], draws: [] };
		if (still) {
			this.from = from;
			this.to = to;
			this.draw();
		} else {
			requestAnimationFrame((now) => this.step(now));
		}
	},

	step(now) {
		const { target } = this;
		if (!target)
			return;
		if (!target.since)
			target.since = now;
		else
			this.frames.gaps.push(now - target.last);
		target.last = now;
		const done = Math.min(1, (now - target.since) / 220);
		const ease = 1 - (1 - done) ** 3;
		this.from = target.start.from + (target.from - target.start.from) * ease;
		this.to = target.start.to + (target.to - target.start.to) * ease;
		const before = performance.now();
		this.paint();
		this.frames.draws.push(performance.now() - before);
		if (done < 1)
			requestAnimationFrame((next) => this.step(next));
		else
			this.target = null;
	},

	/* Draws in the next frame, once. */
	draw() {
		if (printing)
			this.paint();
		else if (!this.asked)
			requestAnimationFrame(() => { this.asked = false; this.paint(); });
		this.asked = !printing;
	},

	/* The top of row @depth, as seen in the box. */
	rowTop(depth) {
		const whole = printing ? this.box.clientHeight
			: Math.max(this.height(), this.box.clientHeight);
		const top = state.icicle ? depth * ROW : whole - (depth + 1) * ROW;
		return top - (printing ? 0 : this.box.scrollTop);
	},

	paint() {
		if (this.box.offsetParent === null)
			return;
		const graph = flame();
		const { context, width, height } = contextOf(this.canvas);
		if (!graph.total[widthPlace()][0])
			return;
		const pen = { context, room: width, graph, ...layout(), colours: boxColours(),
			found: found(), scale: width / (this.to - this.from), ...theme(),
			stripes: stripes(context) };
		const zoomed = state.x ? 0 : graph.depth[this.zoomed(graph)];
		context.font = FONT;
		context.textBaseline = 'middle';
		graph.rows.forEach((row, depth) => {
			const top = this.rowTop(depth);
			pen.alpha = depth < zoomed ? 0.45 : 1;
			if (top > -ROW && top < height)
				this.paintRow(pen, row, top);
		});
		context.globalAlpha = 1;
		this.paintCursor(pen);
	},

	/* Boxes first, by runs of one colour; then texts: switching between the two is slow. */
	paintRow(pen, row, top) {
		const { x, width, scale, context } = pen;
		const texts = [], least = 0.5 / scale;
		let last = -1;
		for (let k = firstBehind(row, pen, this.from); k < row.length; k++) {
			const i = row[k];
			if (x[i] >= this.to)
				break;
			if (width[i] < least)
				continue;
			const left = Math.max(0, (x[i] - this.from) * scale);
			const right = Math.min(pen.room, (x[i] + width[i] - this.from) * scale);
			const look = this.isHit(pen, i) ? MATCHED : pen.colours.of[i];
			if (look !== last)
				this.setLook(pen, look);
			last = look;
			const gap = right - left > 3 ? 1 : right - left > 1.2 ? 0.4 : 0;
			context.fillRect(left, top + 0.5, right - left - gap, ROW - 1);
			if (right - left > 18)
				texts.push(i, left, right);
		}
		context.globalAlpha = 1;
		this.paintTexts(pen, texts, top);
	},

	isHit(pen, i) {
		return pen.found && pen.graph.isFunction(i) && pen.found[pen.graph.key[i]];
	},

	/* What the search does not find steps back, as do the frames below the zoomed one. */
	setLook({ context, colours, found: searched, stripes: pattern, match, alpha }, look) {
		context.fillStyle = look === MATCHED ? match : look === STRIPED ? pattern
			: colours.list[look];
		context.globalAlpha = searched && look !== MATCHED ? 0.3 : alpha;
	},

	paintTexts(pen, texts, top) {
		for (let k = 0; k < texts.length; k += 3) {
			const [i, left, right] = [texts[k], texts[k + 1], texts[k + 2]];
			const text = this.fitter.fit(this.shortText(pen.graph, i),
				right - left - 7);
			if (!text)
				continue;
			pen.context.fillStyle = this.isHit(pen, i) ? pen.matchInk : pen.ink;
			pen.context.fillText(text, left + 3, top + ROW / 2 + 1);
		}
	},

	/* Only what could ever fit: names may have ten thousand characters. */
	shortText(graph, i) {
		const key = graph.key[i];
		if (!graph.isFunction(i))
			return lineText(graph.text(i));
		if (!this.texts.has(key))
			this.texts.set(key, nameText(graph.text(i).slice(0, TEXT_MOST)));
		return this.texts.get(key);
	},

	/* Frames around the box of the cursor, the one at the pointer, those of the function. */
	paintCursor(pen) {
		const frame = (i, colour, thick) => {
			if (i < 0 || i >= pen.graph.n)
				return;
			const left = Math.max(0, (pen.x[i] - this.from) * pen.scale);
			const right = Math.min(pen.room,
				(pen.x[i] + pen.width[i] - this.from) * pen.scale);
			if (right <= left)
				return;
			pen.context.strokeStyle = colour;
			pen.context.lineWidth = thick;
			pen.context.strokeRect(left + thick / 2,
				this.rowTop(pen.graph.depth[i]) + thick / 2 + 0.5,
				Math.max(1, right - left - thick), ROW - thick - 1);
		};
		if (state.fn >= 0)
			for (let i = 1; i < pen.graph.n; i++)
				if (pen.graph.key[i] === state.fn && pen.width[i] * pen.scale > 2)
					frame(i, pen.accent, 2);
		frame(this.hover, pen.ink, 1);
		if (document.activeElement === this.box)
			frame(this.cursor, pen.ink, 2);
	},

	boxAt(event) {
		const bounds = this.canvas.getBoundingClientRect();
		const graph = flame(), y = event.clientY - bounds.top;
		const at = this.from +
			(event.clientX - bounds.left) / bounds.width * (this.to - this.from);
		const depth = state.icicle ? Math.floor((y - this.rowTop(0)) / ROW)
			: Math.floor((this.rowTop(0) + ROW - y) / ROW);
		const row = graph.rows[depth];
		if (!row)
			return -1;
		const k = firstBehind(row, layout(), at);
		return k < row.length && layout().x[row[k]] <= at ? row[k] : -1;
	},

	point(event) {
		const i = event ? this.boxAt(event) : -1;
		showTip(event, i < 0 ? null : this.describe(i));
		if (i !== this.hover) {
			this.hover = i;
			this.showDetails(i);
			this.draw();
		}
	},

	click(i) {
		if (i >= 0)
			update({ zoom: flame().link(i), x: '' });
	},

	/* Follows the pointer sideways while its button is down. */
	pan(press, event) {
		const shift = (press.x - event.clientX) / this.canvas.clientWidth *
			(press.to - press.from);
		if (Math.abs(event.clientX - press.x) > 4 && press.to - press.from < 1)
			press.moved = true;
		if (press.moved)
			this.setRange(press.from + shift, press.to + shift);
	},

	/* A free part of the width. Goes on in the same step of Back. */
	setRange(from, to) {
		const size = Math.min(1, Math.max(1e-7, to - from));
		this.target = null;
		this.from = Math.min(Math.max(0, from), 1 - size);
		this.to = this.from + size;
		this.draw();
		clearTimeout(this.later);
		this.later = setTimeout(() => update({ x: size === 1 ? ''
			: `${this.from.toFixed(9)}-${this.to.toFixed(9)}` }, state.x !== ''), 250);
	},

	/* With Ctrl, and where there is nothing to scroll, the wheel zooms; sideways it moves. */
	wheel(event) {
		const scrolls = this.box.scrollHeight > this.box.clientHeight + 1;
		const size = this.to - this.from;
		if (Math.abs(event.deltaX) > Math.abs(event.deltaY) || event.shiftKey) {
			const by = event.deltaX || event.deltaY;
			const shift = by / this.canvas.clientWidth * size;
			this.setRange(this.from + shift, this.to + shift);
		} else if (event.ctrlKey || event.metaKey || event.altKey || !scrolls) {
			const bounds = this.canvas.getBoundingClientRect();
			const at = (event.clientX - bounds.left) / bounds.width;
			const turn = Math.max(-60, Math.min(60, event.deltaY));
			const larger = size * Math.exp(turn / 250);
			const from = this.from + (size - larger) * at;
			this.setRange(from, from + larger);
		} else {
			return;
		}
		event.preventDefault();
	},

	/* Keys move a cursor from box to box. */
	key(event) {
		const graph = flame(), i = this.cursor;
		const [up, down] = state.icicle ? ['ArrowDown', 'ArrowUp']
			: ['ArrowUp', 'ArrowDown'];
		const visible = (k) => k >= 0 && layout().width[k] > 0;
		const moves = {
			[up]: () => graph.children(i).reduce((best, c) => (best < 0 ||
				layout().width[c] > layout().width[best] ? c : best), -1),
			[down]: () => graph.parent[i],
			ArrowRight: () => this.sibling(graph, i, 1),
			ArrowLeft: () => this.sibling(graph, i, -1),
			Home: () => 0,
		};
		if (event.ctrlKey || event.metaKey || event.altKey)
			return;
		if (event.key === 'Enter' || event.key === ' ')
			this.click(i);
		else if (event.key === '+' || event.key === '-')
			this.zoomBy(event.key === '+' ? 0.7 : 1 / 0.7);
		else if (event.key === 'c' && this.cursorName() >= 0)
			openCode(this.cursorName());
		else if (event.key === 'f' && this.cursorName() >= 0)
			this.filterByCursor();
		else if (moves[event.key])
			this.moveTo(visible(moves[event.key]()) ? moves[event.key]() : i);
		else
			return;
		event.preventDefault();
		event.stopPropagation();
	},

	/* The next box of the same depth that has a width. */
	sibling(graph, i, step) {
		const row = graph.rows[graph.depth[i]];
		let k = row.indexOf(i) + step;
		while (row[k] !== undefined && !layout().width[row[k]])
			k += step;
		return row[k] === undefined ? -1 : row[k];
	},

	zoomBy(factor) {
		const { x, width } = layout(), i = this.cursor;
		const middle = x[i] + width[i] / 2, size = (this.to - this.from) * factor;
		this.setRange(middle - size / 2, middle + size / 2);
	},

	moveTo(i) {
		const top = this.rowTop(flame().depth[i]);
		this.cursor = i;
		if (top < 0)
			this.box.scrollTop += top;
		else if (top + ROW > this.box.clientHeight)
			this.box.scrollTop += top + ROW - this.box.clientHeight;
		const { x, width } = layout();
		if (x[i] + width[i] <= this.from || x[i] >= this.to)
			this.setRange(x[i], x[i] + Math.max(width[i], this.to - this.from));
		this.showDetails(-1);
		say(this.describe(i).join(', '));
		this.draw();
	},

	cursorName() {
		return flame().isFunction(this.cursor) ? flame().key[this.cursor] : -1;
	},

	filterByCursor() {
		update({ fn: this.cursorName(), only: true, zoom: '', x: '' });
	},

	/* Everything that is known of a box, as lines. */
	describe(i) {
		const graph = flame();
		const kind = i > 0 ? model.facts.kinds[graph.kind(i)] : '';
		const about = [graph.object(i), kind].filter(Boolean);
		const lines = [nameText(graph.text(i)).slice(0, 2000)];
		if (about.length)
			lines.push(lineText(about.join(' \u00b7 ')));
		return lines.concat(isComparison() ? this.describeChange(graph, i)
			: this.describeSums(graph, i));
	},

	describeSums(graph, i) {
		const total = graph.total[widthPlace()], self = graph.self[widthPlace()];
		const parent = graph.parent[i];
		const lines = [amountText(graph.total[0][i], graph.total[1][i]) +
			(measure() === 'weight' && hasSamples()
				? ` \u00b7 ${weightText(graph.total[1][i], unitOf())}` : '')];
		const ofParent = parent > 0
			? ` \u00b7 ${percentText(total[i] / total[parent])} of ` +
			nameText(graph.text(parent)).slice(0, 60) : '';
		lines.push(`${percentText(total[i] / total[0])} of all${ofParent}`);
		if (!state.reverse)
			lines.push(`${percentText(self[i] / total[0])} in itself`);
		return lines;
	},

	describeChange(graph, i) {
		const [a, b] = [0, 1].map((side) => graph.total[sumPlace(side)]);
		const [before, after] = [a[i] / a[0] || 0, b[i] / b[0] || 0];
		const [first, second] = sideNames();
		const change = changeOf(graph, i);
		const word = !change ? 'no change of its own beyond chance'
			: `${change > 0 ? 'more' : 'less'} in ${second}`;
		const amount = (side) =>
			amountText(graph.total[2 * side][i], graph.total[2 * side + 1][i]);
		return [`${first}: ${percentText(before)}, ${amount(0)}`,
			`${second}: ${percentText(after)}, ${amount(1)}`,
			`${pointsText(after - before)} points: ${word}`];
	},

	/* One line below the picture: the box at the pointer, or else the one of the cursor. */
	showDetails(i) {
		setText(this.details, this.describe(i < 0 ? this.cursor : i).join(' \u2014 '));
		const isFunction = this.cursorName() >= 0;
		$('only').hidden = !isFunction;
		$('to-code').hidden = !isFunction || !model.facts.views.includes('code');
	},

	showLegend() {
		const plain = !isComparison() || state.show !== 'difference';
		const items = [...(isComparison() ? this.changeLegend() : []),
			...(plain ? this.kindLegend() : [])];
		$('legend').replaceChildren(...items.map(([colour, text]) => {
			const patch = make('i', { hidden: !colour });
			patch.style.background = colour || '';
			return make('span', {}, patch, text);
		}), ...(isComparison() && !plain ? this.goneNote() : []));
	},

	/* What the difference cannot show, because it has no width there. */
	goneNote() {
		const graph = flame(), [first, second] = sideNames();
		const [before, after] = [graph.total[sumPlace(0)], graph.total[sumPlace(1)]];
		const gone = matchedSum(graph, (i) => !after[i], before) / (before[0] || 1);
		if (gone < 0.00005)
			return [];
		return [make('button', { id: 'gone', type: 'button',
			onclick: () => update({ show: 'before' }) },
			`${percentText(gone)} of ${first} is gone in ${second}: show ${first}`)];
	},

	changeLegend() {
		const [first, second] = sideNames();
		const shown = state.show === 'before' ? first : second;
		const widths = [null, `widths: shares of ${shown}`];
		if (state.show === 'before')
			return [[changeColour(-1), `striped: nothing is left of it in ${second}`],
				widths];
		if (state.show === 'after')
			return [[changeColour(1), `striped: was not there in ${first}`], widths];
		const larger = `red: takes a larger share in ${second} than in ${first}`;
		return [[changeColour(1), larger],
			[changeColour(-1), `blue: a smaller share in ${second}`],
			[changeColour(0), 'grey: no change of its own beyond chance'], widths];
	},

	/* Only the kinds that are there, and only where functions differ in colour by kind. */
	kindLegend() {
		const families = familiesOf(state.color), { shades } = model.facts.colours;
		if (!families || new Set(families.slice(2)).size < 2)
			return [];
		const there = new Set(model.nodes.kind.subarray(1));
		const colourOf = (i) =>
			theme().families[families[i] * shades + Math.floor(shades / 2)];
		return model.facts.kinds.map((kind, i) => [i, kind]).filter(([i]) => there.has(i))
			.map(([i, kind]) => [colourOf(i), kind]);
	},

	/* The frames from the root to the zoomed one, as buttons. */
	showPath(graph) {
		const path = graph.path(this.zoomed(graph));
		const shown = path.length > 7 ? [...path.slice(0, 2), -1, ...path.slice(-4)] : path;
		$('path').hidden = path.length < 2;
		$('path').replaceChildren(...shown.map((i) => (i < 0 ? make('span', {}, '\u2026')
			: make('button', { type: 'button', onclick: () => this.click(i),
				'aria-current': i === path[path.length - 1] ? 'true' : null },
			nameText(graph.text(i)).slice(0, 80)))));
	},

	/* The zoomed box and what is above it, for those who do not see the picture. */
	showList() {
		const graph = flame(), zoomed = this.zoomed(graph);
		const total = graph.total[widthPlace()];
		const children = graph.children(zoomed)
			.sort((a, b) => total[b] - total[a]).slice(0, 100);
		const name = (i) => nameText(graph.text(i)).slice(0, 200);
		const share = (i) => percentText(total[i] / total[0]);
		const item = (i) => make('li', {}, make('button',
			{ type: 'button', onclick: () => this.click(i) }, name(i)), ` ${share(i)}`);
		const verb = state.reverse ? 'is called by' : 'calls';
		const object = children.length ? '' : ' nothing';
		this.list.lastElementChild.replaceChildren(
			make('p', {}, `${name(zoomed)}: ${share(zoomed)}, ${verb}${object}`),
			make('ul', {}, ...children.map(item)));
	},
};

/* --- time: the sub-second heat map -------------------------------------------------------- */

/* Of each bin, what passes the filter but for time. Of a comparison, of the side that is edited. */
const editedSide = () => (hasSides() ? 'both' : state.compare && state.edit === 'b' ? 'b' : 'a');

const binSums = kept(() => filterKey() + keyOf('by', 'edit'), () => {
	const cells = selectCells(model, filterOf(editedSide(), ['time']));
	return sumBy(valuesOf(measure()), model.cells.bin, cells, model.facts.time.bins);
});

/*
 * How time is folded into a grid. A column is a second if that gives not too few and not too many
 * columns, else the next step that does; its rows are at most 50, of whole bins.
 */
const COLUMN_NS = [1e7, 1e8, 1e9, 6e10, 3.6e12, 8.64e13];

function gridOf({ bin, bins }) {
	const duration = bin * bins;
	const fits = (ns) => ns >= bin * 10 && duration / ns <= 600;
	const column = COLUMN_NS.find((ns) => fits(ns) && (ns >= 1e9 || duration < 5 * ns * 10)) ||
		COLUMN_NS.find(fits) || bin * Math.ceil(bins / 60);
	const perColumn = Math.max(1, Math.round(column / bin));
	let rows = Math.min(50, perColumn);
	while (perColumn % rows)
		rows--;
	return { perColumn, rows, perCell: perColumn / rows, columns: Math.ceil(bins / perColumn) };
}

/* The cursor and the drag of a picture of time; @place gives the bin span at the pointer. */
function dragTime(element, place, redraw) {
	let start = null, side = 'a', range = null;
	const rangeAt = (e) => {
		const at = place(e);
		return at && [Math.min(start[0], at[0]), Math.max(start[1], at[1])];
	};
	element.addEventListener('pointerdown', (e) => {
		start = e.button === 0 ? place(e) : null;
		if (!start)
			return;
		side = e.shiftKey && !hasSides() ? 'b' : editedSide();
		element.setPointerCapture(e.pointerId);
	});
	element.addEventListener('pointermove', (e) => {
		if (start && e.buttons) {
			range = rangeAt(e) || range;
			redraw(range, side);
		}
	});
	element.addEventListener('pointerup', (e) => {
		if (!start)
			return;
		const chosen = rangeAt(e) || range || start;
		start = range = null;
		redraw(null, side);
		selectTime(chosen, side);
	});
	element.addEventListener('pointercancel', () => {
		start = range = null;
		redraw(null, side);
	});
}

/* Selects bins [from, to); the same again selects all. */
function selectTime([from, to], side) {
	const name = side === 'b' ? 'btime' : 'time';
	const text = `${from}-${Math.min(to, model.facts.time.bins) - 1}`;
	const changes = { [name]: state[name] === text ? '' : text };
	if (side === 'b')
		Object.assign(changes, { compare: true, edit: 'b' });
	update(changes);
}

function spanText([from, to]) {
	const { bin, bins } = model.facts.time;
	return `${momentText(from * bin, bin)} \u2013 ${momentText(Math.min(to, bins) * bin, bin)}`;
}

const timeView = {
	id: 'time', title: 'Heat map',
	cursor: null, drag: null, dragSide: 'a', hover: null,

	build(panel) {
		if (!model.facts.time)
			return void panel.append(make('p', { class: 'empty' },
				'The samples have no times. ' +
				'perf record -T records them; then this shows when samples fell.'));
		this.grid = gridOf(model.facts.time);
		this.canvas = make('canvas', { 'aria-hidden': 'true' });
		this.box = make('div', { id: 'time-box', class: 'picture', tabindex: 0,
			role: 'application',
			'aria-label': 'Heat map of time. Arrow keys move, Shift with arrow keys ' +
				'selects a range of time, Enter selects a column.',
		}, this.canvas);
		panel.append(this.box);
		dragTime(this.box, (e) => this.cellAt(e), (range, side) => {
			this.drag = range;
			this.dragSide = side;
			this.draw();
		});
		this.box.addEventListener('pointermove', (e) => this.point(e));
		this.box.addEventListener('pointerleave', () => this.point(null));
		this.box.addEventListener('keydown', (e) => this.key(e));
		this.box.addEventListener('focus', () => this.draw());
		this.box.addEventListener('blur', () => this.draw());
		new ResizeObserver(() => this.draw()).observe(this.box);
	},

	about() {
		const { bin } = model.facts.time || { bin: 0 };
		return this.grid ? `a column is ${timeText(this.grid.perColumn * bin)}, ` +
			`a row ${timeText(this.grid.perCell * bin)}, from the bottom up` : '';
	},

	show() {
		this.draw();
	},

	/* Sums of the cells of the grid. */
	sums() {
		const bins = binSums(), { perCell, rows, columns } = this.grid;
		if (this.last !== bins) {
			this.last = bins;
			this.cells = new Float64Array(rows * columns);
			for (let i = 0; i < bins.length; i++)
				this.cells[Math.floor(i / perCell)] += bins[i];
			this.most = this.cells.reduce((a, b) => Math.max(a, b), 0);
		}
		return this.cells;
	},

	/* Where the grid is. Cells are whole pixels as far as that leaves no room unused. */
	frame() {
		const { columns, rows } = this.grid;
		const left = 46, below = 16, width = this.box.clientWidth - left - 4;
		const height = this.box.clientHeight - below - 4;
		return { left, top: 2, w: Math.min(80, width / columns), h: height / rows, height };
	},

	draw() {
		if (!this.box || this.box.offsetParent === null)
			return;
		const { context, width } = contextOf(this.canvas);
		const { rows, columns } = this.grid, { left, top, w, h, height } = this.frame();
		const { heat, empty, line } = theme(), cells = this.sums();
		context.fillStyle = empty;
		context.fillRect(left, top, w * columns, height);
		for (let i = 0; i < cells.length; i++) {
			if (!cells[i])
				continue;
			/* Whole pixels downwards: rows of three pixels would show seams. */
			const x = left + Math.floor(i / rows) * w, row = rows - 1 - i % rows;
			const y = Math.round(top + row * h), end = Math.round(top + (row + 1) * h);
			context.fillStyle = heat[heatStep(heat, cells[i], this.most)];
			context.fillRect(x, y, w > 5 ? w - 0.5 : w, end - y - (h > 5 ? 0.5 : 0));
		}
		context.strokeStyle = line;
		context.strokeRect(left - 0.5, top - 0.5, w * columns + 1, height + 1);
		this.drawAxis(context, width);
		this.drawSelections(context);
	},

	drawAxis(context, width) {
		const { left, top, w, height } = this.frame(), { columns, perColumn } = this.grid;
		const { bin } = model.facts.time;
		const step = niceStep(columns * 60 / Math.max(1, w * columns));
		context.fillStyle = theme().faint;
		context.font = '10px system-ui, sans-serif';
		context.textAlign = 'right';
		context.textBaseline = 'alphabetic';
		context.fillText('0', left - 4, top + height);
		context.textBaseline = 'top';
		context.fillText(timeText(perColumn * bin).replace(' ', ''), left - 3, top);
		context.textAlign = 'left';
		for (let c = 0; c < columns; c += step) {
			const x = left + c * w;
			if (x < width - 30)
				context.fillText(momentText(c * perColumn * bin, perColumn * bin),
					x, top + height + 4);
		}
	},

	/* Selected ranges: from the column of the first cell to that of the last. */
	drawSelections(context) {
		const { accent, second } = theme();
		const ranges = [['time', accent]];
		if (state.compare)
			ranges.push(['btime', second]);
		for (const [name, colour] of ranges)
			if (spanOf(state[name]))
				this.drawRange(context, spanOf(state[name]), colour);
		if (this.drag)
			this.drawRange(context, this.drag, this.dragSide === 'b' ? second : accent);
		if (this.cursor !== null && document.activeElement === this.box)
			this.drawRange(context, [this.cursor, this.cursor + this.grid.perCell],
				theme().ink);
	},

	drawRange(context, [from, to], colour) {
		const { perColumn, perCell } = this.grid;
		const { left, top, w, h, height } = this.frame();
		context.strokeStyle = context.fillStyle = colour;
		context.lineWidth = 1.5;
		for (let c = Math.floor(from / perColumn); c * perColumn < to; c++) {
			const low = Math.max(0, from - c * perColumn) / perCell * h;
			const high = Math.min(perColumn, to - c * perColumn) / perCell * h;
			context.globalAlpha = 0.18;
			context.fillRect(left + c * w, top + height - high, w, high - low);
			context.globalAlpha = 1;
			context.strokeRect(left + c * w + 0.5, top + height - high + 0.5,
				Math.max(1, w - 1), Math.max(1, high - low - 1));
		}
	},

	/* The bins of the cell at the pointer, or null. */
	cellAt(event) {
		const bounds = this.box.getBoundingClientRect(), { left, top, w, h } = this.frame();
		const { rows, columns, perColumn, perCell } = this.grid;
		const c = Math.floor((event.clientX - bounds.left - left) / w);
		const r = rows - 1 - Math.floor((event.clientY - bounds.top - top) / h);
		if (c < 0 || c >= columns || r < 0 || r >= rows)
			return null;
		const from = c * perColumn + r * perCell;
		return from < model.facts.time.bins ? [from, from + perCell] : null;
	},

	point(event) {
		const at = event && this.cellAt(event);
		showTip(event, at ? this.describe(at) : null);
	},

	describe(at) {
		const sum = this.sums()[Math.floor(at[0] / this.grid.perCell)];
		return [spanText(this.drag || at), weightText(sum, unitOf())];
	},

	key(event) {
		const { perCell, perColumn } = this.grid, { bins } = model.facts.time;
		const by = { ArrowUp: perCell, ArrowDown: -perCell,
			ArrowRight: perColumn, ArrowLeft: -perColumn }[event.key];
		if (event.key === 'Enter' || event.key === ' ') {
			const c = Math.floor((this.cursor || 0) / perColumn);
			selectTime([c * perColumn, (c + 1) * perColumn], editedSide());
		} else if (by) {
			const old = this.cursor === null ? 0 : this.cursor;
			this.cursor = Math.min(Math.max(0, old + by),
				bins - 1 - (bins - 1) % perCell);
			if (event.shiftKey) {
				this.anchor = this.anchor === undefined ? old : this.anchor;
				const ends = [this.anchor, this.cursor];
				selectTime([Math.min(...ends), Math.max(...ends) + perCell],
					editedSide());
			} else {
				this.anchor = undefined;
			}
			say(this.describe([this.cursor, this.cursor + perCell]).join(', '));
			this.draw();
		} else {
			return;
		}
		event.preventDefault();
		event.stopPropagation();
	},
};

/* The colour of @value on a scale on which small values can still be told apart. */
function heatStep(heat, value, most) {
	return most > 0 ? stepOf(heat, Math.max(0.06, Math.sqrt(value / most))) : 0;
}

/* The same for counts that differ by orders of magnitude, as those of latencies do. */
function countStep(heat, value, most) {
	const x = most > 1 ? Math.log(value) / Math.log(most) : 1;
	return stepOf(heat, 0.2 + 0.8 * x);
}

/* The next of 1, 2, 5, 10, ... */
function niceStep(least) {
	let step = 1;
	for (let i = 0; step < least; i++)
		step *= [2, 2.5, 2][i % 3];
	return step;
}

/* --- threads and CPUs over time ----------------------------------------------------------- */

const LINE = 18, LABEL = 190;

/*
 * Weight of each thread or CPU in each of @buckets parts of time, and in @span of bins; those with
 * the most in this come first, then those with the most at other times.
 */
function sumLines(cells, numbers, by, n, values, { bins, buckets, span }) {
	const grid = new Float32Array(n * buckets);
	const total = new Float64Array(n), whole = new Float64Array(n);
	for (const i of numbers) {
		grid[by[i] * buckets + Math.floor(cells.bin[i] * buckets / bins)] += values[i];
		whole[by[i]] += values[i];
		if (!span || (cells.bin[i] >= span[0] && cells.bin[i] < span[1]))
			total[by[i]] += values[i];
	}
	let most = 0;
	for (const value of grid)
		most = Math.max(most, value);
	const order = [...total.keys()].sort((a, b) => total[b] - total[a] || whole[b] - whole[a]);
	return { grid, total, most, order, buckets };
}

const lines = kept(() => filterKey() + keyOf('by', 'lines', 'edit'), () => {
	const { cells, facts } = model;
	const byCpu = state.lines === 'cpus';
	const n = byCpu ? facts.cpus.length : facts.tasks.length;
	const bins = facts.time ? facts.time.bins : 1;
	/* Few samples in many parts of time would be noise. */
	const enough = Math.max(64, eventOf().samples / 8);
	const buckets = Math.max(1, Math.floor(Math.min(bins, 512, enough, 8e6 / Math.max(1, n))));
	const numbers = selectCells(model,
		filterOf(editedSide(), ['time', byCpu ? 'cpus' : 'tasks']));
	const { span } = filterOf(editedSide());
	return sumLines(cells, numbers, byCpu ? cells.cpu : cells.task, n, valuesOf(measure()),
		{ bins, buckets, span });
});

const taskText = ({ comm, tid }) => nameText(comm) + (tid === undefined ? '' : ` ${tid}`);

const threadsView = {
	id: 'threads', title: 'Threads and CPUs', drag: null, dragSide: 'a', cursor: 0,

	build(panel) {
		this.canvas = make('canvas', { 'aria-hidden': 'true' });
		this.body = make('div', { id: 'lines', role: 'listbox', tabindex: 0,
			'aria-multiselectable': 'true',
			'aria-label': 'Threads or CPUs: Enter selects one, Shift with Enter ' +
				'several' });
		this.box = make('div', { id: 'threads-box', class: 'picture' },
			this.canvas, this.body);
		panel.append(this.box);
		this.box.addEventListener('scroll', () => this.draw());
		this.body.addEventListener('keydown', (e) => this.key(e));
		this.body.addEventListener('click', (e) => this.click(e));
		if (model.facts.time)
			dragTime(this.box, (e) => this.timeAt(e), (range, side) => {
				this.drag = range;
				this.dragSide = side;
				this.draw();
			});
		this.box.addEventListener('pointermove', (e) => this.point(e));
		this.box.addEventListener('pointerleave', () => showTip(null, null));
		new ResizeObserver(() => this.draw()).observe(this.box);
	},

	show() {
		this.draw();
	},

	settingName() {
		return (state.compare && state.edit === 'b' ? 'b' : '') + state.lines;
	},

	label(i) {
		if (state.lines === 'cpus')
			return `CPU ${model.facts.cpus[i]}`;
		const task = model.facts.tasks[i];
		return taskText(task);
	},

	draw() {
		if (this.box.offsetParent === null)
			return;
		const { order, total } = lines();
		const chosen = maskOf(state[this.settingName()], order.length);
		const sum = total.reduce((a, b) => a + b, 0);
		showRows({ scroller: this.box, body: this.body, spacer: 'div', height: LINE,
			n: order.length, most: PAPER_ROWS,
			makeRow: (k) =>
				this.makeRow(k, order, chosen, total[order[k]] / (sum || 1)) });
		if ($(`line-${this.cursor}`))
			this.body.setAttribute('aria-activedescendant', `line-${this.cursor}`);
		else
			this.body.removeAttribute('aria-activedescendant');
		this.drawStrips(order, chosen);
	},

	makeRow(k, order, chosen, share) {
		const label = make('span', { class: 'name' }, this.label(order[k]));
		return make('div', { id: `line-${k}`, role: 'option',
			class: k === this.cursor ? 'line cursor' : 'line',
			'aria-selected': String(Boolean(chosen && chosen[order[k]])),
			'aria-setsize': order.length, 'aria-posinset': k + 1 },
		label, make('span', { class: 'share' }, percentText(share)));
	},

	drawStrips(order, chosen) {
		const { context, width, height } = contextOf(this.canvas);
		if (!model.facts.time)
			return;
		const { grid, most, buckets } = lines(), { heat, empty } = theme();
		const room = width - LABEL - 6, w = room / buckets;
		const scroll = printing ? 0 : this.box.scrollTop;
		const last = Math.min(order.length, Math.ceil((height + scroll) / LINE));
		for (let k = Math.floor(scroll / LINE); k < last; k++) {
			const y = k * LINE - scroll + 2;
			context.globalAlpha = chosen && !chosen[order[k]] ? 0.3 : 1;
			context.fillStyle = empty;
			context.fillRect(LABEL, y, room, LINE - 3);
			for (let b = 0; b < buckets; b++) {
				const value = grid[order[k] * buckets + b];
				if (!value)
					continue;
				context.fillStyle = heat[heatStep(heat, value, most)];
				context.fillRect(LABEL + b * w, y, Math.max(1, w), LINE - 3);
			}
		}
		context.globalAlpha = 1;
		this.drawRanges(context, height, room);
	},

	drawRanges(context, height, room) {
		const { bins } = model.facts.time, { accent, second } = theme();
		const ranges = [[spanOf(state.time), accent]];
		if (state.compare)
			ranges.push([spanOf(state.btime), second]);
		if (this.drag)
			ranges.push([this.drag, this.dragSide === 'b' ? second : accent]);
		for (const [span, colour] of ranges) {
			if (!span)
				continue;
			const x = LABEL + span[0] / bins * room;
			const w = Math.max(1, (Math.min(span[1], bins) - span[0]) / bins * room);
			context.fillStyle = context.strokeStyle = colour;
			context.globalAlpha = 0.15;
			context.fillRect(x, 0, w, height);
			context.globalAlpha = 1;
			context.strokeRect(x + 0.5, 0.5, w - 1, height - 1);
		}
	},

	/* The bins at the pointer, of a pixel's width; null on the labels. */
	timeAt(event) {
		const bounds = this.canvas.getBoundingClientRect();
		const room = bounds.width - LABEL - 6, x = event.clientX - bounds.left - LABEL;
		if (x < 0 || x > room + 6)
			return null;
		const { bins } = model.facts.time, per = Math.max(1, Math.round(bins / room));
		const from = Math.min(bins - per, Math.floor(Math.min(x, room) / room * bins));
		return [Math.max(0, from), Math.max(0, from) + per];
	},

	/* By the place and not by the target: rows are made anew while the button is down. */
	rowAt(event) {
		const top = this.box.getBoundingClientRect().top - this.box.scrollTop;
		const k = Math.floor((event.clientY - top) / LINE);
		return k >= 0 && k < lines().order.length ? k : -1;
	},

	click(event) {
		const k = this.rowAt(event);
		if (k < 0 || (model.facts.time && this.timeAt(event)))
			return;
		this.cursor = k;
		this.choose(k, event.ctrlKey || event.metaKey || event.shiftKey);
	},

	/* Selects one line, or one more; the only one again selects all. */
	choose(k, more) {
		const name = this.settingName(), { order } = lines();
		const chosen = new Set(chosenOf(state[name], order.length));
		const only = chosen.size === 1 && chosen.has(order[k]);
		if (!more)
			chosen.clear();
		if (more && chosen.has(order[k]) || only)
			chosen.delete(order[k]);
		else
			chosen.add(order[k]);
		update({ [name]: spansText(chosen) });
	},

	point(event) {
		const k = this.rowAt(event), at = model.facts.time && this.timeAt(event);
		if (k < 0)
			return showTip(null, null);
		const { order, total, grid, buckets } = lines(), text = [this.label(order[k])];
		const task = model.facts.tasks[order[k]];
		if (state.lines === 'tasks' && task.pid !== task.tid)
			text.push(`process ${task.pid}`);
		if (at) {
			const bucket = Math.floor(at[0] * buckets / model.facts.time.bins);
			text.push(spanText(this.drag || at),
				weightText(grid[order[k] * buckets + bucket], unitOf()));
		} else {
			text.push(weightText(total[order[k]], unitOf()));
		}
		showTip(event, text);
	},

	key(event) {
		const { order } = lines();
		const to = { ArrowDown: this.cursor + 1, ArrowUp: this.cursor - 1,
			Home: 0, End: order.length - 1 }[event.key];
		if (event.key === 'Enter' || event.key === ' ')
			this.choose(this.cursor, event.shiftKey);
		else if (to !== undefined)
			this.moveTo(Math.min(Math.max(0, to), order.length - 1));
		else
			return;
		event.preventDefault();
		event.stopPropagation();
	},

	moveTo(k) {
		this.cursor = k;
		scrollToRow(this.box, this.body, LINE, k);
		this.draw();
	},
};

/* --- the table of functions --------------------------------------------------------------- */

const TABLE_ROW = 22;

/* Rows with what their columns show. Shares are of the selection. */
const tableRows = kept(() => filterKey() + keyOf('by'), () => {
	const { facts, functions } = model, sums = functionSums();
	const wholes = selected().map((side) => side[measure()] || 1);
	const samples = sumFunctions(model, selected()[0].cells, model.cells.samples).self;
	const rows = [];
	functions.list.forEach(({ name, object, kind }, i) => {
		const total = sums.map((sum) => sum.total[i]);
		const self = sums.map((sum) => sum.self[i]);
		if (!total.some(Boolean))
			return;
		const row = { name, kind,
			text: name < 0 ? '(no function)' : nameText(facts.names[name]),
			object: lineText(facts.objects[object] || '') };
		sums.forEach((_, side) => {
			row[`self${side}`] = self[side] / wholes[side];
			row[`total${side}`] = total[side] / wholes[side];
		});
		row.weight = self[0];
		row.samples = samples[i];
		row.self = row.self0;
		row.total = row.total0;
		if (sums.length > 1) {
			row.selfChange = row.self1 - row.self0;
			row.totalChange = row.total1 - row.total0;
		}
		rows.push(row);
	});
	return rows;
});

const weightTitle = () =>
	(eventOf().unit === 'ns' ? 'Self, time' : `Self, ${unitOf()}`.slice(0, 40));

const plainColumns = () => [
	{ id: 'self', title: 'Self', text: (row) => percentText(row.self0),
		bar: (row) => row.self0 },
	{ id: 'total', title: 'Total', text: (row) => percentText(row.total0),
		bar: (row) => row.total0 },
	...(measure() === 'samples' ? [] : [{ id: 'weight', title: weightTitle(),
		text: (row) => weightText(row.weight, eventOf().unit) }]),
	...(hasSamples() ? [{ id: 'samples', title: 'Self, samples',
		text: (row) => countText(row.samples) }] : []),
];

function compareColumns() {
	const [first, second] = sideNames();
	return [
		{ id: 'self0', title: `Self, ${first}`, text: (row) => percentText(row.self0) },
		{ id: 'self1', title: `Self, ${second}`, text: (row) => percentText(row.self1) },
		{ id: 'selfChange', title: 'Change of self',
			text: (row) => pointsText(row.selfChange),
			change: (row) => row.selfChange },
		{ id: 'total0', title: `Total, ${first}`, text: (row) => percentText(row.total0) },
		{ id: 'total1', title: `Total, ${second}`, text: (row) => percentText(row.total1) },
		{ id: 'totalChange', title: 'Change of total',
			text: (row) => pointsText(row.totalChange),
			change: (row) => row.totalChange },
	];
}

const TEXT_COLUMNS = [
	{ id: 'text', title: 'Function', text: (row) => row.text },
	{ id: 'object', title: 'Object', text: (row) => row.object },
];

/* A bar behind the text of a cell. */
function setBar(cell, share) {
	cell.classList.toggle('bar-cell', share > 0);
	cell.style.setProperty('--share', `${(share * 100).toFixed(2)}%`);
}

const tableView = {
	id: 'table', title: 'Functions', cursor: 0,

	build(panel) {
		this.filter = make('input', { id: 'filter', type: 'search',
			placeholder: 'regular expression', autocomplete: 'off', spellcheck: 'false',
			oninput: () => update({ filter: this.filter.value }, true) });
		this.count = make('span', { id: 'table-count' });
		this.head = make('tr');
		this.body = make('tbody');
		this.caption = make('caption', { class: 'unseen' });
		this.table = make('table', { id: 'functions' }, this.caption,
			make('thead', {}, this.head), this.body);
		this.box = make('div', { id: 'table-box', class: 'scroll', tabindex: -1 },
			this.table);
		panel.append(make('div', { class: 'bar' },
			make('span', { class: 'field' },
				make('label', { for: 'filter' }, 'Filter'), this.filter),
			this.count, make('span', { class: 'hint' }, 'Click marks a function ' +
				'everywhere, double click or Enter opens its code.')), this.box);
		this.box.addEventListener('scroll', () => this.drawRows());
		/* No dblclick: the first click makes the rows anew. */
		this.body.addEventListener('click', (e) =>
			(e.detail > 1 ? this.open(this.rowAt(e)) : this.choose(this.rowAt(e))));
		this.body.addEventListener('keydown', (e) => this.key(e));
		new ResizeObserver(() => this.drawRows()).observe(this.box);
	},

	columns() {
		return [...(isComparison() ? compareColumns() : plainColumns()), ...TEXT_COLUMNS];
	},

	sortColumn() {
		const columns = this.columns();
		const find = (id) => columns.find((column) => column.id === id);
		return find(state.sort) || find('selfChange') || columns[0];
	},

	show() {
		const test = state.filter ? matcherOf(state.filter) : () => true;
		if (document.activeElement !== this.filter)
			this.filter.value = state.filter;
		this.rows = tableRows()
			.filter((row) => test(row.text) || (row.object && test(row.object)));
		this.sortRows();
		const all = tableRows().length;
		setText(this.count, this.rows.length === all ? `${countText(all)} functions`
			: `${countText(this.rows.length)} of ${countText(all)} functions`);
		setText(this.caption, `Functions of the selection, by ${unitOf()}`);
		this.table.setAttribute('aria-rowcount', this.rows.length + 1);
		this.showHead();
		this.drawRows();
	},

	/* Numbers from the largest, texts from A; changes by their size. */
	sortRows() {
		const { id } = this.sortColumn(), isText = id === 'text' || id === 'object';
		const down = state.up ? -1 : 1, size = id.endsWith('Change') ? Math.abs : (x) => x;
		const byText = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
		this.rows.sort(isText ? (a, b) => down * byText(a[id], b[id])
			: (a, b) => down * (size(b[id]) - size(a[id])) || byText(a.text, b.text));
	},

	showHead() {
		const sorted = this.sortColumn().id;
		const isText = (id) => id === 'text' || id === 'object';
		this.head.replaceChildren(...this.columns().map(({ id, title }) => {
			const order = isText(id) === state.up ? 'descending' : 'ascending';
			return make('th', { scope: 'col', class: isText(id) ? null : 'number',
				'aria-sort': id === sorted ? order : null },
				make('button', { type: 'button', 'data-sort': id,
					onclick: () => update({ sort: id,
						up: id === sorted && !state.up }) },
				title));
		}));
		if (this.focusHead)
			this.head.querySelector(`[data-sort="${sorted}"]`).focus();
	},

	drawRows() {
		if (!this.rows || this.box.offsetParent === null)
			return;
		const focused = this.body.contains(document.activeElement);
		showRows({ scroller: this.box, body: this.body, spacer: 'tr', height: TABLE_ROW,
			n: this.rows.length, most: 60, makeRow: (k) => this.makeRow(k) });
		if (focused) {
			const row = this.body.querySelector(`[data-row="${this.cursor}"]`);
			if (row)
				row.focus({ preventScroll: true });
		}
		if (!this.rows.length)
			this.body.replaceChildren(make('tr', {},
				make('td', { colspan: this.columns().length, class: 'empty' },
					'No function matches the filter.')));
	},

	makeRow(k) {
		const row = this.rows[k], marked = row.name >= 0 && row.name === state.fn;
		const look = marked ? 'marked' : found() && found()[row.name] ? 'hit' : null;
		return make('tr', { 'data-row': k, tabindex: k === this.cursor ? 0 : -1,
			'aria-rowindex': k + 2, class: look,
			'aria-current': marked ? 'true' : null },
		...this.columns().map((column) => this.makeCell(column, row)));
	},

	makeCell({ id, text, bar, change }, row) {
		const isText = id === 'text' || id === 'object';
		const words = text(row).slice(0, 500);
		const cell = make('td', { class: isText ? id : 'number',
			title: isText ? words : null }, words);
		if (bar)
			setBar(cell, bar(row));
		if (change && Math.abs(change(row)) >= 0.00005)
			cell.classList.add(change(row) > 0 ? 'more' : 'less');
		return cell;
	},

	rowAt(event) {
		const row = event.target.closest('[data-row]');
		return row ? Number(row.dataset.row) : -1;
	},

	choose(k) {
		if (k < 0)
			return;
		this.cursor = k;
		const { name } = this.rows[k];
		const again = name === state.fn;
		update({ fn: again ? -1 : name, only: again ? false : state.only });
	},

	open(k) {
		if (k >= 0 && this.rows[k].name >= 0)
			openCode(this.rows[k].name);
	},

	key(event) {
		const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20,
			Home: -1e9, End: 1e9 }[event.key];
		if (event.key === 'Enter')
			this.open(this.cursor);
		else if (event.key === ' ')
			this.choose(this.cursor);
		else if (step)
			this.moveTo(Math.min(Math.max(0, this.cursor + step),
				this.rows.length - 1));
		else
			return;
		event.preventDefault();
		event.stopPropagation();
	},

	moveTo(k) {
		this.cursor = k;
		scrollToRow(this.box, this.body, TABLE_ROW, k);
		this.drawRows();
		const row = this.body.querySelector(`[data-row="${k}"]`);
		if (row)
			row.focus({ preventScroll: true });
	},
};

/* --- code --------------------------------------------------------------------------------- */

const CODE_ROW = 19;

/* Counts the instructions of each listing: cell.place counts over all of them. */
function readListings(code) {
	let first = 1;
	for (const listing of code.functions || []) {
		listing.first = first;
		listing.rows = listing.rows || [];
		listing.places = listing.rows.filter((row) => row.a !== undefined).length;
		first += listing.places;
	}
	return code.functions || [];
}

/* Weight of each row: an instruction's own, and for a line of source that of all up to the next. */
function rowWeights(listing, sums) {
	const weights = new Float64Array(listing.rows.length);
	let place = listing.first, line = -1;
	listing.rows.forEach((row, i) => {
		if (row.a === undefined) {
			line = i;
		} else {
			weights[i] = sums[place++];
			if (line >= 0)
				weights[line] += weights[i];
		}
	});
	return weights;
}

/* Shows the code of the function called names[@name]. */
function openCode(name) {
	if (model.facts.views.includes('code'))
		update({ view: 'code', fn: name,
			listing: listings.findIndex((l) => l.name === name) });
}

const codeView = {
	id: 'code', title: 'Code',

	build(panel) {
		this.choice = make('select', { id: 'listing', onchange: () => {
			const listing = Number(this.choice.value);
			update({ listing, fn: listings[listing].name });
		} });
		this.note = make('p', { class: 'empty' });
		this.body = make('tbody');
		const head = (text, look) => make('th', { scope: 'col', class: look }, text);
		this.table = make('table', { id: 'listing-rows' },
			make('caption', { class: 'unseen' }, 'Source lines and instructions'),
			make('thead', {}, make('tr', {}, head('Share', 'number'),
				head('Line or address', 'number'), head('Code', null))), this.body);
		this.box = make('div', { id: 'code-box', class: 'scroll', tabindex: 0,
			role: 'region', 'aria-label': 'Listing' }, this.table);
		panel.append(make('div', { class: 'bar' },
			make('span', { class: 'field' },
				make('label', { for: 'listing' }, 'Function'), this.choice),
			makeSwitch('code-rows', 'Rows', [['both', 'Source and instructions'],
				['source', 'Source'], ['instructions', 'Instructions']],
			(rows) => update({ rows })),
			make('button', { id: 'hottest', type: 'button',
				onclick: () => this.goToHottest() }, 'Hottest row')),
		this.note, this.box);
		this.box.addEventListener('scroll', () => this.drawRows());
		new ResizeObserver(() => this.drawRows()).observe(this.box);
	},

	/* The listing that is asked for; else that of the marked function; else the heaviest. */
	current() {
		if (listings[state.listing])
			return state.listing;
		if (state.fn >= 0)
			return listings.findIndex((listing) => listing.name === state.fn);
		return this.byWeight().length ? this.byWeight()[0].i : -1;
	},

	byWeight() {
		const sums = placeSums()[widthSide()];
		return listings.map((listing, i) => {
			let weight = 0;
			for (let k = 0; k < listing.places; k++)
				weight += sums[listing.first + k];
			return { i, weight };
		}).sort((a, b) => b.weight - a.weight);
	},

	show() {
		const i = this.current(), whole = selected()[widthSide()][measure()] || 1;
		const name = (k) => nameText(model.facts.names[k] || '').slice(0, 120);
		this.choice.replaceChildren(...this.byWeight().map(({ i: k, weight }) =>
			make('option', { value: k },
				`${percentText(weight / whole)}  ${name(listings[k].name)}`)));
		if (i < 0)
			this.choice.prepend(make('option',
				{ value: -1, disabled: true, selected: true },
				state.fn >= 0 ? name(state.fn) : '\u2013'));
		this.choice.value = String(i);
		this.choice.disabled = !listings.length;
		setSwitch($('code-rows'), state.rows);
		this.showListing(i);
	},

	showListing(i) {
		const why = this.whyNot(i);
		setText(this.note, why);
		this.note.hidden = !why;
		this.box.hidden = $('hottest').hidden = Boolean(why);
		if (why)
			return;
		const listing = listings[i];
		this.weights = rowWeights(listing, placeSums()[widthSide()]);
		this.whole = listing.rows.reduce((sum, row, k) =>
			sum + (row.a === undefined ? 0 : this.weights[k]), 0) || 1;
		this.most = this.weights.reduce((a, b) => Math.max(a, b), 0) || 1;
		const wanted = (row) => state.rows === 'both' ||
			(row.a === undefined) === (state.rows === 'source');
		this.rows = listing.rows.map((row, k) => ({ ...row, k })).filter(wanted);
		const isNew = this.shown !== i;
		this.shown = i;
		this.drawRows();
		if (isNew)
			this.goToHottest();
	},

	/* Why there is nothing to show, as a sentence. */
	whyNot(i) {
		if (i >= 0 && listings[i].rows.length)
			return '';
		if (i >= 0)
			return listings[i].why || 'Its instructions could not be read.';
		if (!listings.length)
			return 'This page has no listings: the files that ran were not found ' +
				'when it was written, or it was written without them.';
		const name = nameText(model.facts.names[state.fn] || '').slice(0, 200);
		return `No listing of ${name}: only the functions with the most samples of their ` +
			'own have one, if their file was found. perf annotate shows any function.';
	},

	drawRows() {
		if (!this.rows || this.box.hidden || this.box.offsetParent === null)
			return;
		showRows({ scroller: this.box, body: this.body, spacer: 'tr', height: CODE_ROW,
			n: this.rows.length, most: 150,
			makeRow: (k) => this.makeRow(this.rows[k]) });
	},

	makeRow(row) {
		const isSource = row.a === undefined, share = this.weights[row.k] / this.whole;
		const number = make('td', { class: 'number' }, share > 0 ? percentText(share) : '');
		setBar(number, this.weights[row.k] / this.most);
		const place = isSource ? `${row.s === undefined ? '' : row.s}`
			: lineText(String(row.a));
		const words = String(row.t || '').slice(0, 2000).replace(/\t/g, '    ');
		const text = make('td', { class: 'text' }, lineText(words));
		if (row.to !== undefined)
			text.append(this.makeJump(row));
		const element = make('tr', { class: isSource ? 'source' : 'instruction',
			'data-k': row.k, title: isSource && row.f ? lineText(row.f) : null },
		number, make('td', { class: 'number place' }, place), text);
		if (row.k === this.marked)
			element.classList.add('marked');
		return element;
	},

	makeJump(row) {
		const target = listings[this.shown].rows[row.to];
		const place = target && target.a !== undefined ? lineText(String(target.a))
			: 'where it jumps to';
		const arrow = row.to <= row.k ? '\u2191' : '\u2193';
		return make('button', { type: 'button', class: 'jump',
			'aria-label': `Go to ${place}`, onclick: () => this.goTo(row.to) },
		`${arrow} ${target ? place : ''}`);
	},

	/* Scrolls to row number @k of the listing and marks it. */
	goTo(k) {
		const i = this.rows.findIndex((row) => row.k >= k);
		if (i < 0)
			return;
		this.marked = this.rows[i].k;
		scrollToRow(this.box, this.body, CODE_ROW, i);
		this.drawRows();
	},

	goToHottest() {
		let best = -1;
		for (const row of this.rows)
			if (best < 0 || this.weights[row.k] > this.weights[best])
				best = row.k;
		this.marked = -1;
		if (best >= 0 && this.weights[best] > 0)
			this.goTo(best);
	},
};

/* --- the heat map of latencies ------------------------------------------------------------ */

/* Where row or column @i of an axis begins. */
function axisValue({ start, step, bounds }, i) {
	return bounds ? bounds[i] : start + i * step;
}

/* A value with its unit; nanoseconds as people read them. */
function axisText(axis, value) {
	if (axis.unit === 'ns')
		return axis.bounds ? timeText(value) : momentText(value, axis.step);
	const digits = Math.abs(value) < 10 && axis.step < 1 ? 3 : 0;
	const text = value.toLocaleString('en-US',
		{ maximumFractionDigits: Math.max(digits, axis.log ? 2 : 0) });
	return axis.unit ? `${text} ${axis.unit}` : text;
}

/* From where to where row or column @i goes: "1 \u2013 2 ms". */
function axisRange(axis, i) {
	const from = axisText(axis, axisValue(axis, i));
	const to = axisText(axis, axisValue(axis, i + 1));
	const unit = (/ \S+$/.exec(to) || [''])[0];
	return `${unit && from.endsWith(unit) ? from.slice(0, -unit.length) : from} \u2013 ${to}`;
}

const heatView = {
	id: 'heat', title: 'Heat map', cursor: null,

	build(panel) {
		const { columns, facts } = model, n = columns.count('heat.count');
		const { x, y } = facts.heat;
		const row = columns.read('heat.row', n, Uint32Array);
		const at = columns.read('heat.x', n, Uint32Array);
		this.count = columns.read('heat.count', n, Float64Array);
		this.grid = new Float64Array(x.n * y.n);
		this.perColumn = new Float64Array(x.n);
		for (let i = 0; i < n; i++) {
			at[i] += i ? at[i - 1] : 0;
			this.grid[at[i] * y.n + row[i]] += this.count[i];
			this.perColumn[at[i]] += this.count[i];
		}
		this.most = this.grid.reduce((a, b) => Math.max(a, b), 0);
		this.canvas = make('canvas', { 'aria-hidden': 'true' });
		this.box = make('div', { id: 'heat-box', class: 'picture', tabindex: 0,
			role: 'application',
			'aria-label': `Heat map of ${x.n} columns and ${y.n} rows. ` +
				'Arrow keys go from cell to cell.' }, this.canvas);
		panel.append(make('div', { class: 'bar' }, make('span', {}, this.summary()),
			make('span', { id: 'heat-scale' })), this.box);
		this.box.addEventListener('pointermove', (e) => this.point(e));
		this.box.addEventListener('pointerleave', () => this.point(null));
		this.box.addEventListener('keydown', (e) => this.key(e));
		new ResizeObserver(() => this.draw()).observe(this.box);
	},

	summary() {
		const { heat } = model.facts, sum = this.perColumn.reduce((a, b) => a + b, 0);
		if (!sum)
			return 'There is nothing to show: no value lies in this range.';
		const end = axisText(heat.y, axisValue(heat.y, heat.y.n));
		return `${countText(sum)} values, up to ${countText(this.most)} in a cell` +
			(heat.over ? `; ${countText(heat.over)} above ${end} are not shown` : '');
	},

	show() {
		const { heat } = theme();
		const scale = [0.2, 0.4, 0.6, 0.8, 1].map((x) => {
			const patch = make('i');
			patch.style.background = heat[stepOf(heat, x)];
			return patch;
		});
		$('heat-scale').replaceChildren('1', ...scale, `${countText(this.most)} in a cell`);
		this.draw();
	},

	frame() {
		const { x, y } = model.facts.heat, left = 64, below = 30;
		const width = this.box.clientWidth - left - 8;
		const height = this.box.clientHeight - below - 8;
		return { left, top: 6, w: width / x.n, h: height / y.n, width, height };
	},

	draw() {
		if (this.box.offsetParent === null)
			return;
		const { context } = contextOf(this.canvas), { y } = model.facts.heat;
		const { left, top, w, h, width, height } = this.frame();
		const { heat, empty, line } = theme();
		context.fillStyle = empty;
		context.fillRect(left, top, width, height);
		for (let i = 0; i < this.grid.length; i++) {
			if (!this.grid[i])
				continue;
			context.fillStyle = heat[countStep(heat, this.grid[i], this.most)];
			context.fillRect(left + Math.floor(i / y.n) * w,
				top + (y.n - 1 - i % y.n) * h,
				w > 4 ? w - 1 : w, h > 4 ? h - 1 : h);
		}
		context.strokeStyle = line;
		context.strokeRect(left - 0.5, top - 0.5, width + 1, height + 1);
		this.drawAxes(context);
		if (this.cursor && document.activeElement === this.box) {
			context.strokeStyle = theme().ink;
			context.strokeRect(left + this.cursor[0] * w,
				top + (y.n - 1 - this.cursor[1]) * h, w, h);
		}
	},

	drawAxes(context) {
		const { x, y } = model.facts.heat, { left, top, w, h, height } = this.frame();
		context.fillStyle = theme().faint;
		context.font = '11px system-ui, sans-serif';
		context.textAlign = 'right';
		context.textBaseline = 'middle';
		const down = niceStep(y.n * 28 / height), across = niceStep(70 / w);
		for (let r = 0; r <= y.n; r += down)
			context.fillText(axisText(y, axisValue(y, r)), left - 6,
				Math.max(top + 5, top + (y.n - r) * h));
		context.textAlign = 'left';
		context.textBaseline = 'top';
		for (let c = 0; c < x.n; c += across)
			context.fillText(axisText(x, axisValue(x, c)), left + c * w,
				top + height + 5);
	},

	cellAt(event) {
		const bounds = this.box.getBoundingClientRect(), { left, top, w, h } = this.frame();
		const { x, y } = model.facts.heat;
		const c = Math.floor((event.clientX - bounds.left - left) / w);
		const r = y.n - 1 - Math.floor((event.clientY - bounds.top - top) / h);
		return c >= 0 && c < x.n && r >= 0 && r < y.n ? [c, r] : null;
	},

	describe([c, r]) {
		const { x, y } = model.facts.heat, count = this.grid[c * y.n + r];
		const share = this.perColumn[c] ? count / this.perColumn[c] : 0;
		return [axisRange(y, r),
			axisRange(x, c),
			`count ${countText(count)}`,
			`${percentText(share)} of its column`];
	},

	point(event) {
		const at = event && this.cellAt(event);
		showTip(event, at ? this.describe(at) : null);
	},

	key(event) {
		const { x, y } = model.facts.heat, [c, r] = this.cursor || [0, 0];
		const to = { ArrowUp: [c, r + 1], ArrowDown: [c, r - 1],
			ArrowRight: [c + 1, r], ArrowLeft: [c - 1, r] }[event.key];
		if (!to)
			return;
		const within = (value, n) => Math.min(Math.max(0, value), n - 1);
		this.cursor = [within(to[0], x.n), within(to[1], y.n)];
		say(this.describe(this.cursor).join(', '));
		this.draw();
		event.preventDefault();
		event.stopPropagation();
	},
};

/* --- the time chart: timechart.js draws it ------------------------------------------------ */

const chartView = {
	id: 'chart-view', title: 'Time chart',

	build(panel) {
		const host = make('div', { class: 'chart-host' });
		const data = JSON.parse($('chart').textContent);
		const flame = model.facts.time && model.cells.n && ((from, to) => this.select(data, from, to));
		panel.append(host);
		makeTimechart(host, data, { flame }).then((chart) => {
			this.chart = chart;
			performance.mark('chart');
		}, (error) => setText(host, `The chart cannot be drawn: ${error.message}`));
	},

	show() {
		if (this.chart)
			this.chart.redraw();
	},

	/* The flame graph of a span of the chart, which counts from another moment than bins do. */
	select(data, from, to) {
		const { start, bin, bins } = model.facts.time;
		const offset = Number(BigInt(data.start) - BigInt(start));
		const first = Math.max(0, Math.floor((from + offset) / bin));
		const last = Math.min(bins - 1, Math.max(first, Math.ceil((to + offset) / bin) - 1));
		update({ time: `${Math.min(first, last)}-${last}`, view: 'flame' });
	},
};

/* --- facts -------------------------------------------------------------------------------- */

function sentence(text) {
	const line = lineText(text);
	return line.slice(0, 1).toUpperCase() + line.slice(1) + (/[.!?:]$/.test(line) ? '' : '.');
}

function makeQuality(list) {
	const words = { fine: 'Fine', note: 'Note', warning: 'Warning' };
	return make('ul', { class: 'quality' }, ...list.map(({ level, text, help }) =>
		make('li', { class: Object.hasOwn(words, level) ? level : 'note' },
			make('b', {}, words[level] || 'Note'), ` ${sentence(text)}`,
			help ? make('span', { class: 'help' }, ` ${sentence(help)}`) : '')));
}

const factsView = {
	id: 'facts', title: 'Facts',

	build(panel) {
		const { quality = [], header = [], events, dropped, tool } = model.facts;
		const trust = [...quality, ...(dropped ? [{ level: 'note', text: dropped }] : [])];
		const parts = [];
		const section = (title, ...children) =>
			parts.push(make('section', {}, make('h2', {}, title), ...children));
		if (trust.length)
			section('How far to trust it', makeQuality(trust));
		if (header.length)
			section('Recording', this.makeHeader(header));
		if (events.length)
			section('Events', this.makeEvents(events));
		section('This page', make('p', {}, `Written by ${lineText(tool || 'perf')}. ` +
			'It loads nothing and sends nothing; the address line holds a link to ' +
			'what you see.'));
		panel.append(make('div', { class: 'scroll facts-box', tabindex: 0, role: 'region',
			'aria-label': 'Facts' }, ...parts));
	},

	makeHeader(header) {
		const row = ([name, value]) =>
			make('tr', {}, make('th', { scope: 'row' }, lineText(String(name))),
				make('td', {}, lineText(String(value))));
		return make('table', { class: 'facts' }, make('tbody', {}, ...header.map(row)));
	},

	makeEvents(events) {
		const heads = ['Event', 'Samples', 'Total']
			.map((text) => make('th', { scope: 'col' }, text));
		const number = (text) => make('td', { class: 'number' }, text);
		const row = ({ name, unit, period, samples, total }) =>
			make('tr', {}, make('td', {}, lineText(name)),
				number(unit === 'ns' && period === 1 ? '' : countText(samples)),
				number(weightText(total, unit)));
		return make('table', { class: 'facts' },
			make('thead', {}, make('tr', {}, ...heads)),
			make('tbody', {}, ...events.map(row)));
	},

	show() {},
};

/* --- the frame of the page: selection, tabs, help ----------------------------------------- */

const TABS = [chartView, flameView, tableView, codeView, heatView, factsView];
const STRIPS = [timeView, threadsView];
const has = (view) => view === chartView ? model.facts.views.includes('chart')
	: model.facts.views.includes(view.id) && (view !== heatView || model.facts.heat);

const sideNames = () => (hasSides() ? model.facts.sides.map(lineText) : ['A', 'B']);

function emptyText() {
	if (!model.cells.n)
		return 'The recording has no samples, so there is nothing to show. ' +
			'The facts may say why.';
	return 'Nothing was sampled in this selection. Escape takes the last step back, ' +
		'Reset shows everything.';
}

function buildPage() {
	const main = document.querySelector('main');
	const warnings = (model.facts.quality || []).filter(({ level }) => level === 'warning');
	const parts = [];
	if (warnings.length)
		parts.push(buildWarnings(warnings));
	if (model.facts.events.length)
		parts.push(buildSelection());
	if (STRIPS.some(has))
		parts.push(make('section', { id: 'strips', 'aria-label': 'Time, threads and CPUs' },
			...STRIPS.filter(has).map(buildStrip)));
	parts.push(...buildTabs(TABS.filter(has)));
	main.replaceChildren(...parts);
	/* The skeleton has the beginning of the title. */
	const heading = document.querySelector('#what h1');
	setText(heading, lineText(model.facts.title || ''));
	heading.title = heading.textContent;
	setText($('subtitle'), lineText(model.facts.subtitle || ''));
	$('search').hidden = !has(flameView) && !has(tableView);
}

/* The first two; the facts have all of them. */
function buildWarnings(list) {
	const section = make('section', { id: 'warnings', 'aria-label': 'Warnings' },
		makeQuality(list.slice(0, 2)));
	if (list.length > 2)
		section.append(make('button', { type: 'button',
			onclick: () => update({ view: 'facts' }) }, `${list.length - 2} more`));
	return section;
}

function buildStrip(view) {
	const about = make('small');
	const head = make('header', {}, make('h2', {}, view.title), about);
	const panel = make('section', { id: view.id, class: 'strip', 'aria-label': view.title },
		head);
	if (view === threadsView)
		head.append(makeSwitch('lines-switch', 'Lines', [
			['tasks', `Threads (${countText(model.facts.tasks.length)})`],
			['cpus', `CPUs (${countText(model.facts.cpus.length)})`],
		].filter(([name]) => model.facts[name].length),
		(value) => update({ lines: value })));
	view.build(panel);
	if (view.about)
		setText(about, view.about());
	return panel;
}

function buildTabs(views) {
	const list = make('div', { id: 'tabs', role: 'tablist', 'aria-label': 'Views',
		onkeydown: tabKey });
	const panels = make('div', { id: 'panels' });
	for (const view of views) {
		list.append(make('button', { type: 'button', role: 'tab', id: `tab-${view.id}`,
			'aria-controls': view.id, onclick: () => update({ view: view.id }) },
		view.title));
		const panel = make('section', { id: view.id, class: 'panel', role: 'tabpanel',
			'aria-labelledby': `tab-${view.id}` },
		make('h2', { class: 'print-only' }, view.title));
		panels.append(panel);
		view.build(panel);
		if (view === flameView || view === tableView)
			panel.append(make('p', { class: 'empty', hidden: true }));
	}
	const bar = make('div', { id: 'tab-bar' }, list);
	if (STRIPS.some(has))
		bar.append(make('button', { id: 'strips-switch', type: 'button',
			'aria-controls': 'strips',
			onclick: () => update({ strips: !state.strips }) }));
	return [bar, panels];
}

function tabKey(event) {
	const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
	if (!step)
		return;
	const views = TABS.filter(has), at = views.findIndex((view) => view.id === currentView());
	const next = views[(at + step + views.length) % views.length];
	update({ view: next.id });
	$(`tab-${next.id}`).focus();
	event.preventDefault();
}

function currentView() {
	const views = TABS.filter(has);
	return (views.find((view) => view.id === state.view) || views[0] || factsView).id;
}

function buildSelection() {
	const { events } = model.facts;
	const bar = make('section', { id: 'selection', 'aria-label': 'Selection' });
	if (events.length > 1)
		bar.append(makeChoice('event', 'Event', events.map((e, i) => [i, lineText(e.name)]),
			(event) => update({ event: Number(event), zoom: '', x: '' })));
	bar.append(makeSwitch('by', 'Measure', [['weight', 'Weight'], ['samples', 'Samples']],
		(by) => update({ by })));
	bar.append(make('div', { id: 'chips' }));
	if (hasSides())
		bar.append(buildShowSwitch());
	else if (STRIPS.some(has))
		bar.append(
			make('button', { id: 'compare', type: 'button', onclick: toggleCompare }),
			buildShowSwitch());
	return bar;
}

function buildShowSwitch() {
	const [first, second] = sideNames();
	const large = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);
	return makeSwitch('show', 'What the flame graph shows',
		[['before', hasSides() ? large(first) : `Before (${first})`],
			['after', hasSides() ? large(second) : `After (${second})`],
			['difference', 'Difference']], (show) => update({ show }));
}

/* A second selection begins as all there is: the first one is compared with everything. */
function toggleCompare() {
	if (state.compare)
		update({ compare: false, edit: 'a', btime: '', btasks: '', bcpus: '' });
	else
		update({ compare: true, edit: 'b' });
}

/* What is selected, in words, each with a button that lets go of it. */
function showSelection() {
	if (!$('selection'))
		return;
	const rows = selected()
		.map((sum, k) => makeSelectionRow(hasSides() ? '' : k ? 'b' : '', k, sum));
	const shared = [];
	if (state.fn >= 0 && state.fn < model.facts.names.length)
		shared.push(...functionChips());
	$('chips').replaceChildren(...(hasSides() ? rows.slice(1) : rows), ...shared);
	if ($('event'))
		$('event').value = String(state.event);
	$('by').hidden = !hasWeight() || !hasSamples();
	setSwitch($('by'), measure());
	setText($('by').firstChild, eventOf().unit === 'ns' ? 'Time'
		: lineText(eventOf().name).slice(0, 24));
	if ($('show')) {
		$('show').hidden = !isComparison();
		setSwitch($('show'), state.show);
	}
	if ($('compare'))
		setText($('compare'), state.compare ? 'Stop comparing' : 'Compare\u2026');
	if ($('lines-switch'))
		setSwitch($('lines-switch'), state.lines);
}

function makeSelectionRow(prefix, k, sum) {
	const row = make('span', { class: 'chips' });
	const chip = (name, text) => row.append(makeChip(text, { [prefix + name]: '' }));
	const get = (name) => state[prefix + name];
	if (state.compare)
		row.append(makeSideButton(k ? 'b' : 'a', k ? 'B after' : 'A before'));
	if (spanOf(get('time')) && model.facts.time)
		chip('time', spanText(spanOf(get('time'))));
	const lists = [['tasks', model.facts.tasks, taskText, 'threads'],
		['cpus', model.facts.cpus, (c) => `CPU ${c}`, 'CPUs']];
	for (const [name, list, one, many] of lists) {
		const chosen = chosenOf(get(name), list.length);
		if (chosen.length)
			chip(name, chosen.length === 1 ? one(list[chosen[0]])
				: `${countText(chosen.length)} ${many}`);
	}
	const all = eventOf().samples;
	const whole = amountText(all, eventOf().total);
	const part = hasSamples() ? countText(sum.samples) : amountText(0, sum.weight);
	const text = sum.samples === all ? `all ${whole}`
		: `${part} of ${whole} (${percentText(sum.samples / all)})`;
	row.append(make('span', { class: 'sum' }, hasSides() ? sideSums() : text));
	return row;
}

function makeSideButton(side, text) {
	return make('button', { type: 'button', class: `side side-${side}`,
		'aria-pressed': String(state.edit === side),
		title: 'What you select now goes here',
		onclick: () => update({ edit: side }) }, text);
}

function sideSums() {
	const text = (sum, k) => `${sideNames()[k]}: ${amountText(sum.samples, sum.weight)}`;
	return selected().map(text).join(', ');
}

function functionChips() {
	const name = nameText(model.facts.names[state.fn]).slice(0, 60);
	const box = make('input', { type: 'checkbox', id: 'only-box',
		onchange: (e) => update({ only: e.target.checked, zoom: '', x: '' }) });
	const only = make('label', { class: 'check' }, box, 'only stacks through it');
	box.checked = state.only;
	return [make('span', { class: 'chips' }, makeChip(name, { fn: -1, only: false }), only)];
}

function makeChip(text, changes) {
	return make('span', { class: 'chip' }, text,
		make('button', { type: 'button', 'aria-label': `Let go of ${text}`,
			onclick: () => update(changes) }, '\u00d7'));
}

function showSearch() {
	if (document.activeElement !== $('query'))
		$('query').value = state.search;
	if (!state.search || !has(flameView))
		return setText($('matched'), '');
	const graph = flame(), total = graph.total[widthPlace()], hits = found();
	const sum = matchedSum(graph, (i) => graph.isFunction(i) && hits[graph.key[i]], total);
	setText($('matched'), `${percentText(sum / (total[0] || 1))} matched` +
		(isExpression(state.search) ? '' : ' (as plain text)'));
}

function showTabs() {
	for (const view of TABS.filter(has)) {
		const on = view.id === currentView(), tab = $(`tab-${view.id}`);
		tab.setAttribute('aria-selected', String(on));
		tab.tabIndex = on ? 0 : -1;
		$(view.id).hidden = !on && !printing;
	}
}

/* An empty selection is said in a sentence instead of the picture. */
function showEmpty(view) {
	const note = $(view.id).lastElementChild;
	const empty = selected().every(({ samples }) => !samples);
	const noStacks = view === flameView && model.nodes.n < 2;
	note.hidden = !empty && !noStacks;
	setText(note, empty ? emptyText() : !noStacks ? ''
		: 'The samples have neither stacks nor functions. ' +
			'Record with perf record -g to see who called what.');
	for (const box of $(view.id).querySelectorAll('.picture, .scroll'))
		box.hidden = empty;
	return empty;
}

/* Everything follows the state. Views that are not in sight are left alone until they are. */
function refresh() {
	$('back').disabled = steps === 0;
	if (state.event >= model.facts.events.length)
		state.event = 0;
	showTabs();
	showSelection();
	if ($('strips')) {
		$('strips').hidden = !state.strips && !printing;
		$('strips-switch').setAttribute('aria-expanded', String(state.strips));
		setText($('strips-switch'),
			state.strips ? 'Hide time and threads' : 'Show time and threads');
	}
	for (const view of STRIPS.filter(has))
		if (view.box)
			view.show();
	for (const view of TABS.filter(has)) {
		if (view.id !== currentView() && !printing)
			continue;
		if ((view === flameView || view === tableView) && showEmpty(view))
			continue;
		view.show();
	}
	showSearch();
}

const KEYS = [
	['1 \u2026 5', 'the views, in the order of the tabs'],
	['/', 'search; Enter goes back to the picture'],
	['Escape, Backspace', 'one step back'], ['0', 'reset: show everything again'],
	['d', 'dark or light'],
	['t, h, m', 'to the threads; to the heat map of time; hide or show both'],
	['i, r', 'root below or on top; merged from the root or from the leaf'], ['?', 'this help'],
	['Flame graph', 'arrow keys: from frame to frame; Enter: zoom; + \u2212: closer, wider; ' +
		'f: only stacks through the frame; c: its code'],
	['Mouse', 'click zooms, double click opens the code; wheel with Ctrl zooms at the ' +
		'pointer; drag moves sideways'],
	['Heat map of time',
		'drag, or Shift with arrow keys: select a range; Enter: a whole column'],
	['Threads, CPUs', 'click or Enter: only this one; with Shift or Ctrl: one more; ' +
		'drag over the strips: select a range'],
	['Compare', 'Compare\u2026, or drag with Shift: a second selection, B. ' +
		'Widths show B, colours how B differs from A'],
	['Functions',
		'click or Space: mark a function everywhere; double click or Enter: its code'],
];

function buildHelp() {
	$('help').replaceChildren(make('h2', { id: 'help-title' }, 'Keys and hints'),
		make('table', { class: 'facts' }, make('tbody', {}, ...KEYS.map(([key, text]) =>
			make('tr', {}, make('th', { scope: 'row' }, key), make('td', {}, text))))),
		make('p', {}, 'All views show the same selection of event, time, threads, CPUs ' +
			'and function. The address line is a link to what you see; Back and ' +
			'Forward of the browser work.'),
		make('button', { type: 'button', onclick: () => $('help').close() }, 'Close'));
}

function toggleTheme() {
	document.documentElement.dataset.theme = isDark() ? 'light' : 'dark';
	showTheme();
	refresh();
}

function showTheme() {
	setText($('theme'), isDark() ? 'Light' : 'Dark');
}

/* Keys that work everywhere but in text fields. */
function globalKey(event) {
	const typing = event.target.matches('input, select, textarea');
	if (event.ctrlKey || event.metaKey || event.altKey || $('help').open)
		return;
	if (typing) {
		if (event.key === 'Escape' ||
			(event.key === 'Enter' && event.target.id === 'query'))
			leaveField(event);
		return;
	}
	const views = TABS.filter(has);
	const actions = {
		Escape: stepBack, Backspace: stepBack, 0: reset, d: toggleTheme,
		i: () => update({ icicle: !state.icicle }),
		r: () => update({ reverse: !state.reverse, zoom: '', x: '' }),
		m: () => update({ strips: !state.strips }),
		'?': () => $('help').showModal(),
		'/': () => $('query').focus(),
		t: () => threadsView.body && threadsView.body.focus(),
		h: () => timeView.box && timeView.box.focus(),
	};
	const view = views[event.key - 1];
	const action = actions[event.key] || (view && (() => update({ view: view.id })));
	if (!action)
		return;
	event.preventDefault();
	action();
}

/* Enter goes to the picture; Escape empties the field first. */
function leaveField(event) {
	if (event.key === 'Escape' && event.target.value && event.target.type === 'search') {
		event.target.value = '';
		event.target.dispatchEvent(new Event('input', { bubbles: true }));
	} else {
		event.target.blur();
		if (has(flameView) && currentView() === 'flame')
			flameView.box.focus();
	}
	event.preventDefault();
}

function reset() {
	update({ ...base, view: state.view });
}

function listen() {
	addEventListener('popstate', followAddress);
	addEventListener('hashchange', followAddress);
	document.addEventListener('keydown', globalKey);
	$('query').addEventListener('input', () => update({ search: $('query').value }, true));
	$('back').addEventListener('click', stepBack);
	$('reset').addEventListener('click', reset);
	$('theme').addEventListener('click', toggleTheme);
	$('help-open').addEventListener('click', () => $('help').showModal());
	darkSetting.addEventListener('change', () => { showTheme(); refresh(); });
	addEventListener('beforeprint', () => print(true));
	addEventListener('afterprint', () => print(false));
}

/*
 * On paper all views stand one below the other, light, without anything to press. The style sheet
 * goes by a class and not by the medium: pictures are drawn before the browser changes that.
 */
const PAPER_ROWS = 33;

function print(on) {
	printing = on;
	document.documentElement.classList.toggle('printing', on);
	const height = (rows, size) => (on ? `${Math.min(PAPER_ROWS, rows) * size}px` : '');
	if (has(flameView))
		flameView.box.style.height = height(flame().rows.length, ROW);
	if (has(threadsView))
		threadsView.box.style.height = height(lines().order.length, LINE);
	refresh();
}

/* --- start -------------------------------------------------------------------------------- */

/* A block of JSON that is packed; null if it is empty. */
async function unpackJson(id, packed) {
	const text = $(id).textContent.trim();
	return text ? JSON.parse(new TextDecoder().decode(await unpack(text, packed))) : null;
}

async function load() {
	const facts = JSON.parse($('facts').textContent);
	Object.assign(facts, await unpackJson('lists', facts.packed));
	const packed = await unpack($('columns').textContent, facts.packed);
	model = readModel(facts, new Columns(facts.columns || [], packed));
	const code = await unpackJson('code', facts.packed);
	if (code)
		listings = readListings(code);
	/* Where the picture is longer than the window, its root is to be seen first: on top. */
	const small = window.matchMedia('(max-width: 760px), (max-height: 520px)').matches;
	base = parseLink(facts.start || '', { ...DEFAULTS, icicle: small });
	if (!facts.cgroups && base.root === 'cgroup')
		base = { ...base, root: 'comm' };
}

async function start() {
	performance.mark('start');
	try {
		await load();
		buildPage();
		buildHelp();
		listen();
		showTheme();
		showAddress();
		document.documentElement.classList.add('ready');
		performance.mark('ready');
	} catch (error) {
		const text = `This page cannot be shown. ${error.message}`;
		document.querySelector('main').replaceChildren(
			make('p', { id: 'loading', role: 'alert' }, text));
		throw error;
	}
}

/* What tests look at. */
window.page = { readNumbers, parseSpans, spansText, hashText, update, flame, layout, boxColours,
	state: () => state, flameView, timeView, tableView, codeView, heatView };

/* The skeleton is painted first. */
requestAnimationFrame(() => setTimeout(start));

})();
