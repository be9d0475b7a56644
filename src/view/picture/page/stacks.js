/* Flame graphs. */

/*
 * A tree of boxes. A lookup of the child of a box with a key adds the box if it is new. Boxes are
 * numbered in the order in which they are added, so each comes after its parent. The tree uses an
 * open hash table, because there may be a hundred thousand boxes, and a Map of pairs is several
 * times slower.
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

	/*
	 * Returns the box @key above @parent and adds it if it is new. @node supplies its kind and
	 * object.
	 */
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
 * Returns the meaning of the boxes right above the root: labels, their order from left to right and
 * their hashes, and the group of a cell; null if there are no such boxes.
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

/* Splits @numbers by group. */
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

/* Adds stacks to a tree. Each flame graph that is built has its own Grower. */
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

	/* Sums by node first, so that each stack of a group is walked once. */
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
	 * Forgets the boxes of the previous group, which are not in this one. In a reversed graph,
	 * groups share all boxes but the last.
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
	 * Returns the child for @node. Functions of one name share a box. The smallest of their
	 * kinds counts, as in profile/flame.h.
	 */
	child(parent, node) {
		const { tree, model: { nodes } } = this;
		const box = tree.child(parent, nodes.name[node], node);
		if (nodes.kind[node] < nodes.kind[tree.node[box]])
			tree.node[box] = node;
		return box;
	}

	/*
	 * Returns the box of @node. Adds its outer frames first, as far as they are not there yet.
	 */
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

	/*
	 * Returns the box of @node in a reversed graph: the innermost frame stands on the root, the
	 * group is at the end.
	 */
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
 * Each box has: its key (a name; after the names a group; -1: the root), parent, depth, the number
 * after its last descendant, self and total as [samples before, weight before, samples, weight
 * after], and a hash of its path, which identifies it in links. For a single selection self and
 * total have only the first two.
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

	/* Returns the numbers of the tree's boxes, depth first. Sets parent, depth and end. */
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

	/*
	 * Returns all boxes but the root, sorted by name; a counting sort, since ranks are small
	 * numbers.
	 */
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

	/* Finds the boxes of each depth, from left to right. */
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

	/* Returns the hash of the text of box @i. */
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

	/* Returns the box that a link names; -1 if it is not here. */
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

	/* Returns the numbers of the boxes from the root to @i. */
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

/*
 * Computes the places of the boxes: left edge and width as shares of the whole. @which: one of
 * Flame.total.
 */
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

/* Returns the first box of @row that ends after @at. */
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

/*
 * Returns the part of @total in boxes that match; a match above another match is not counted again.
 */
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
 * The distance between the shares @a of @na samples and @b of @nb samples, in standard errors of
 * the difference of two proportions. Differences within 3.3 are called noise: among a thousand
 * boxes that did not change, one would be further apart.
 */
const NOISE = 3.3;

function distanceOf(a, na, b, nb) {
	if (!na || !nb)
		return 0;
	const p = (a + b) / (na + nb);
	const error = Math.sqrt(p * (1 - p) * (1 / na + 1 / nb));
	return error > 0 ? (b / nb - a / na) / error : 0;
}
