/* The model. */

/* Returns @numbers with a 0 in front, because the columns of nodes leave out node 0. */
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

/* Reads the task of each cell, and its bin from the differences. */
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

/* Reads data that the first picture does not need, on the first access. */
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

/* Returns the rank of each text in sorted order, so that sorting compares numbers. */
function ranksOf(texts) {
	const order = texts.map((_, i) => i);
	order.sort((a, b) => (texts[a] < texts[b] ? -1 : texts[a] > texts[b] ? 1 : 0));
	const rank = new Uint32Array(texts.length);
	order.forEach((name, place) => { rank[name] = place; });
	return rank;
}

/*
 * Finds the functions, the rows of the table: a function is a name in an object. Number 0 stands
 * for cells without a function. Stores for each node its function, and whether no outer frame has
 * the same one, because the total of a function counts a recursion once.
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

/* Returns the children of each node as linked lists. */
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
 * Hashes text: FNV-1a over the UTF-8 of @text and the end of MurmurHash3, as in
 * view/picture/palette.c. A function has the same colour in all pictures.
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
