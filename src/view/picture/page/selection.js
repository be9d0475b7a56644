/* Selections and their sums. */

/* Parses "3-5,9" into [[3, 6], [9, 10]]: half-open spans. Anything else is left out. */
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

/* Returns the numbers below @n that @text names. */
function chosenOf(text, n) {
	const chosen = [];
	for (const [from, to] of parseSpans(text))
		for (let i = from; i < Math.min(to, n); i++)
			chosen.push(i);
	return chosen;
}

/* Returns one mark for each of @n, set for those that @text names; null if it names none. */
function maskOf(text, n) {
	const chosen = chosenOf(text, n);
	if (!chosen.length)
		return null;
	const mask = new Uint8Array(n);
	for (const i of chosen)
		mask[i] = 1;
	return mask;
}

/* Returns a mask of the nodes whose stack goes through a function called @name. */
function throughMask(nodes, name) {
	const mask = new Uint8Array(nodes.n);
	for (let i = 1; i < nodes.n; i++)
		mask[i] = mask[nodes.parent[i]] | (nodes.name[i] === name ? 1 : 0);
	return mask;
}

/*
 * Returns the numbers of the cells that pass @filter: { span: [from, to) of bins or null, tasks,
 * cpus and nodes: masks or null, event, side: -1 is both }.
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

/* Sums the values by a number of each cell: its bin, its place, ... */
function sumBy(values, by, numbers, n) {
	const sums = new Float64Array(n);
	for (const i of numbers)
		sums[by[i]] += values[i];
	return sums;
}

/* Returns for each function its own weight, and the weight of all stacks that contain it. */
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
	/* The root has become the sum of all. Only its own cells are without a function. */
	total[0] = self[0];
	return { self, total };
}
