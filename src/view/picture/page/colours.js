/* Colours. */

const darkSetting = window.matchMedia('(prefers-color-scheme: dark)');
const lessMotion = window.matchMedia('(prefers-reduced-motion: reduce)');

function isDark() {
	const chosen = document.documentElement.dataset.theme;
	return !printing && (chosen ? chosen === 'dark' : darkSetting.matches);
}

/* Splits "0b57c2a84300" into ['#0b57c2', '#a84300']. */
const readColours = (run) => run.match(/.{6}/g).map((colour) => `#${colour}`);

/* Returns the index in a scale of colours for 0 <= @x <= 1. */
const stepOf = (colours, x) => Math.round(x * (colours.length - 1));

/* The colours that canvases need, for the current theme. */
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

/* Returns the family of each kind, or null where colours do not go by kind. */
function familiesOf(palette) {
	const { palettes } = model.facts.colours;
	return Object.hasOwn(palettes, palette) ? palettes[palette] : null;
}

/*
 * Colours of boxes are numbers first: indices into the families or hues of the theme, counted like
 * the swatches of view/picture/palette.c. Setting colours by text is slow.
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

/* Returns the colour step for a change, a number from -1 (less) to 1 (more). */
const changeStep = (difference, change) => stepOf(difference, (1 + change) / 2);

function changeColour(change) {
	const { difference } = theme();
	return difference[changeStep(difference, change)];
}

/* Boxes that exist only on the side that is shown are striped. */
const STRIPED = 254, MATCHED = 255;

const isOneSided = (graph, i) => isComparison() && !graph.total[2 * (1 - widthSide())][i];

/* The number of each box's colour, and these colours as text. */
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

/* Makes stripes in the colour of boxes that grew or shrank. */
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
 * Returns how much box @i changed, from -1 to 1: 0 is noise, 1 is new, 0.5 is twice its share.
 * Where the page lists the boxes that changed, only these do, and only as far as the direction is
 * the same in this part of the picture.
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
	/*
	 * The box is not of the stacks that the page lists: a function that changed nowhere did not
	 * change here.
	 */
	if (given && !changedNames(word).has(graph.key[i]))
		return true;
	const [na, nb] = [graph.total[0], graph.total[2]];
	return Math.abs(distanceOf(na[i], na[0], nb[i], nb[0])) < NOISE;
}

/*
 * Returns the functions with a box that has changed according to the page: @word is 'more' or
 * 'less'.
 */
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
