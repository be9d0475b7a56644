/* State. */

/*
 * The settings and their initial values. A comparison has two selections, a and b; the second one's
 * settings begin with b. Spans of bins, tasks and CPUs are written as parseSpans() reads them.
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

/*
 * Returns the settings of a link on top of @base. Unknown names and values of another type are left
 * out.
 */
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
/* The number of steps of this page that the browser's Back can undo. */
let steps = 0;

/* Changes settings. This is a new step for the browser's Back unless @replace is set. */
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

/* Shows the state that the address asks for. */
function showAddress() {
	steps = history.state && history.state.steps || 0;
	state = parseLink(location.hash.slice(1), base);
	refresh();
}

/* Handles a step of the browser, or a link that was typed. Two events may report the same one. */
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

/* Keeps the result of @compute as long as @key returns the same text. */
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

/* Returns the bins [from, to) of a setting such as "10-19"; null: all. */
function spanOf(text) {
	const spans = parseSpans(text);
	return spans.length ? spans[0] : null;
}

/*
 * Returns the filter of selection @side ("a" or "b"). @without names dimensions to ignore: a
 * picture of time shows all times, not only the selected ones.
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

/* Returns the sides that are shown: one selection, or the two of a comparison. */
const sides = () => (isComparison() ? ['a', 'b'] : ['a']);

const FILTER = ['event', 'time', 'tasks', 'cpus', 'btime', 'btasks', 'bcpus', 'compare'];
const filterKey = () => keyOf(...FILTER, 'only') + (state.only ? state.fn : '');

/* The cells of each side and their sums. */
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

/* Returns the side that gives the widths, and the place of its sums in Flame.total. */
const widthSide = () => (isComparison() && state.show !== 'before' ? 1 : 0);
const sumPlace = (side) => 2 * side + (measure() === 'samples' ? 0 : 1);
const widthPlace = () => sumPlace(widthSide());

const layout = kept(() => filterKey() + keyOf('root', 'reverse', 'by', 'show'),
	() => layOut(flame(), widthPlace()));

/* Self and total of each function, for each side. */
const functionSums = kept(() => filterKey() + keyOf('by'), () => selected().map(({ cells }) =>
	sumFunctions(model, cells, valuesOf(measure()))));

const valuesOf = (by) => (by === 'samples' ? model.cells.samples : model.cells.weight);

/* The weight of each place of the listings, for each side. */
const placeSums = kept(() => filterKey() + keyOf('by'), () => selected().map(({ cells }) =>
	sumBy(valuesOf(measure()), model.cells.place, cells, placeCount() + 1)));

function placeCount() {
	return listings.reduce((n, listing) => n + listing.places, 0);
}

/* True if there are weights to add up. Events without periods have only samples. */
const hasWeight = () => eventOf().total > 0 && eventOf().unit !== 'samples';

/*
 * True if samples were counted. Where a sample stands for one unit (times of waiting, fields of
 * tracepoints), they were not.
 */
const hasSamples = () => eventOf().period !== 1 || !eventOf().unit || eventOf().unit === 'samples';
const measure = () => (!hasWeight() ? 'samples' : hasSamples() ? state.by : 'weight');

/* Formats the number of samples, or the weight where no samples were counted. */
const amountText = (samples, weight) =>
	(hasSamples() ? `${countText(samples)} samples` : weightText(weight, eventOf().unit));

const eventOf = () => model.facts.events[state.event] ||
	{ name: '', unit: '', samples: 0, total: 0 };
const unitOf = () => (measure() === 'samples' ? 'samples' : eventOf().unit || eventOf().name);

/*
 * The names that the search finds, or null. Text that is not a regular expression is searched
 * literally.
 */
const found = kept(() => keyOf('search'), () => {
	if (!state.search)
		return null;
	const test = matcherOf(state.search);
	return Uint8Array.from(model.facts.names, (name) => (test(name) ? 1 : 0));
});

/* Returns a matcher. Small letters match capitals, too, unless the expression has capitals. */
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
