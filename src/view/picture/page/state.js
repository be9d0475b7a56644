/* State. */

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
