/*
 * The interactive part of a flame graph in a browser: zoom, search, flip, compare.
 *
 * The picture is drawn already. This script finds its boxes, in the order of the numbers in
 * <metadata>, puts a page with controls around it, and moves the boxes. The current view is kept in
 * the fragment of the address, so that links, back and forward lead to it.
 */
const SVG = "http://www.w3.org/2000/svg";
const ROW = 17, MARGIN = 10, INDENT = 4, BASELINE = 12.5;
const NARROWEST = 0.1; /* least width of a drawn box, in pixels */
const PAPER_RATIO = 1.8; /* width by height of the picture on paper, see flame.css */
const LEAST_TEXT = 3; /* least number of characters that is worth drawing */
const NOISE = 0; /* the value in data.change of a box without a change */

const svg = document.currentScript.closest("svg");
const data = JSON.parse(svg.querySelector("metadata").textContent);
const groups = Array.from(svg.querySelector(".boxes").children);
const n = groups.length;

/* --- the model: boxes in depth-first order ------------------------------------------------- */

const depth = data.depth;
const parent = new Int32Array(n).fill(-1); /* the parent's number, for each box */
const end = new Int32Array(n).fill(n); /* the number after the last box above it, for each box */
const names = groups.map(nameOf);

/*
 * Returns the name from a title: "name (1,234 samples, 12.34%)" or, for times, "name (1.2 s,
 * 12.34%)". The name of what was counted may contain any character, too.
 */
function nameOf(group) {
	const title = group.firstElementChild.textContent;
	const count = data.count === "ns" ? -1 : title.lastIndexOf(" " + data.count + ", ");
	return title.slice(0, title.lastIndexOf(" (", count < 0 ? title.length : count));
}

function findFamilies() {
	const open = [];
	for (let i = 0; i < n; i++) {
		while (open.length > depth[i])
			end[open.pop()] = i;
		if (open.length)
			parent[i] = open[open.length - 1];
		open.push(i);
	}
}
findFamilies();

/*
 * Computes the start of each box of a side: after its elder sibling and the gap that others left.
 */
function placesOf(side) {
	const start = new Float64Array(n), next = new Float64Array(n);
	for (let i = 1; i < n; i++) {
		start[i] = next[parent[i]] + side.gap[i];
		next[i] = start[i];
		next[parent[i]] = start[i] + side.total[i];
	}
	return { start, total: side.total, self: side.self };
}
const after = placesOf(data.after);
const before = data.comparison ? placesOf(data.before) : null;
const side = () => view.side === "before" ? before : after;
const share = (s, i) => s.total[0] ? s.total[i] / s.total[0] * 100 : 0;

/* --- the view, and the fragment that names it ---------------------------------------------- */

const usual = {
	zoom: 0, search: "", cased: false, flip: false, side: data.comparison ? "difference" : "",
};
let view = { ...usual };

function viewOfFragment() {
	const words = new URLSearchParams(location.hash.slice(1));
	const zoom = Number(words.get("zoom"));
	const asked = data.comparison ? words.get("side") : null;
	return {
		zoom: Number.isInteger(zoom) && zoom > 0 && zoom < n ? zoom : 0,
		search: words.get("search") || "",
		cased: words.has("case"),
		flip: words.has("flip"),
		side: asked === "before" || asked === "after" ? asked : usual.side,
	};
}

function fragmentOf(v) {
	const words = new URLSearchParams();
	if (v.zoom)
		words.set("zoom", v.zoom);
	if (v.search)
		words.set("search", v.search);
	if (v.cased)
		words.set("case", "1");
	if (v.flip)
		words.set("flip", "1");
	if (v.side !== usual.side)
		words.set("side", v.side);
	return "#" + words;
}

/*
 * Shows another view. While the user types, each view replaces the one before, so that "back" leads
 * to the view from before the typing.
 */
function show(change, replaces) {
	const next = { ...view, ...change };
	const fragment = fragmentOf(next);
	if (fragment === fragmentOf(view))
		return;
	const steps = (history.state && history.state.steps || 0) + (replaces ? 0 : 1);
	history[replaces ? "replaceState" : "pushState"]({ steps }, "", fragment);
	apply(next);
}

function goBack() {
	if (history.state && history.state.steps)
		history.back();
	else
		show({ zoom: 0, search: "" });
}

/* --- the page around the picture ----------------------------------------------------------- */

const makeSvg = tag => document.createElementNS(SVG, tag);

function button(text, hint, action) {
	return make("button", { type: "button", title: hint, onclick: action }, text);
}

const field = make("input", {
	type: "search", placeholder: "Search (regular expression)",
	"aria-label": "Search for functions, by a regular expression",
	spellcheck: "false", autocomplete: "off",
});
const cased = button("Aa", "Upper and lower case differ", () => show({ cased: !view.cased }));
const matched = make("span", { class: "matched", role: "status" });
const reset = button("Reset zoom", "Show all (0)", () => show({ zoom: 0 }));
const flip = button("Flip", "Root at the top or at the bottom (i)",
	() => show({ flip: !view.flip }));
const help = button("?", "Keys (?)", () => keys.showModal());
const sides = Object.entries({
	before: "The profile before",
	after: "The profile after",
	difference: "The profile after, with colours that tell the change",
}).map(([name, hint]) => {
	const b = button(name[0].toUpperCase() + name.slice(1), hint, () => show({ side: name }));
	b.setAttribute("role", "radio");
	b.value = name;
	return b;
});
const legend = make("ul", { class: "legend" });
const nameLine = make("div", { class: "name" }), factsLine = make("div", { class: "facts" });
const keys = makeKeys(), header = makeHeader();

function makeKeys() {
	const rows = [
		["Click, Enter", "zoom to a box"],
		["Arrows", "to the box above, below, left, right"],
		["Esc, Backspace", "back to the view before"],
		["0, Home", "show all"],
		["/, Ctrl-F", "search"],
		["c", "upper and lower case differ, or not"],
		["i", "root at the top or at the bottom"],
	];
	if (data.comparison)
		rows.push(["b, a, d", "before, after, difference"]);
	const list = make("dl");
	for (const [key, what] of rows)
		list.append(make("dt", null, key), make("dd", null, what));
	const close = button("Close", "Close (Esc)", () => keys.close());
	return make("dialog", { "aria-labelledby": "keys-title" },
		make("h2", { id: "keys-title" }, "Keys"), list, close);
}

function makeHeader() {
	const words = make("div", { class: "words" }, make("h1", null, data.title));
	if (data.subtitle)
		words.append(make("p", null, data.subtitle));
	if (data.comparison)
		words.append(make("p", { class: "direction" },
			"after: ", make("strong", null, data.afterName),
			", compared with before: ", make("strong", null, data.beforeName)));
	const tools = make("div", { class: "tools" });
	if (data.comparison)
		tools.append(make("div", {
			class: "join", role: "radiogroup", "aria-label": "What is shown",
		}, ...sides));
	field.addEventListener("input", () => show({ search: field.value }, Boolean(view.search)));
	tools.append(make("div", { class: "join find" }, field, cased), reset, flip, help);
	return make("header", null, words, tools, make("div", { class: "row" }, legend, matched));
}

/*
 * Makes the page around the picture. If the picture is already part of a page, it is put into that
 * page.
 */
function makePage() {
	const parts = [header, make("main"), make("footer", null, nameLine, factsLine), keys];
	if (document.documentElement === svg) {
		const html = make("html", { lang: "en", class: "flame-page" },
			make("head", null, make("title", null, data.title)),
			make("body", null, ...parts));
		svg.replaceWith(html);
		parts[1].append(svg);
	} else {
		const host = make("div", { class: "flame-page" });
		svg.replaceWith(host);
		host.append(...parts);
		parts[1].append(svg);
	}
	svg.removeAttribute("viewBox");
	return parts[1];
}

/* --- drawing ------------------------------------------------------------------------------- */

const rects = groups.map(g => g.querySelector("rect"));
const texts = groups.map(g => g.querySelector("text"));
const shown = new Uint8Array(n).fill(1);
const lefts = new Float64Array(n), widths = new Float64Array(n);
const drawnAt = new Float64Array(n * 3).fill(NaN); /* left, width, row of each box as drawn */
const classes = new Array(n).fill("");
const ring = makeSvg("rect");
let fitter = null;
let hits = null; /* the result of the search: an Uint8Array, or null */
let tallest = 0; /* the depth of the tallest stack that is drawn */
let focused = 0;
let paper = 0; /* while printing: the width that fills a landscape page */

const tenths = x => Math.round(x * 10) / 10, hundredths = x => Math.round(x * 100) / 100;

function drawName(i, y) {
	const width = widths[i];
	const name = width > 2 * INDENT + 8 ? fitter.fit(names[i], width - 2 * INDENT, LEAST_TEXT) : "";
	let text = texts[i];
	if (!name && !text)
		return;
	if (!text) {
		text = texts[i] = makeSvg("text");
		groups[i].append(text);
	}
	text.setAttribute("x", tenths(lefts[i] + INDENT));
	text.setAttribute("y", y + BASELINE);
	if (text.textContent !== name)
		text.textContent = name;
}

const rowOf = i => (view.flip !== data.icicle ? depth[i] : tallest - depth[i]) * ROW;

/* Changing an attribute costs more than all the arithmetic, so only changed attributes are set. */
function drawBox(i) {
	const y = rowOf(i), drawn = drawnAt.subarray(i * 3, i * 3 + 3);
	if (!shown[i]) {
		shown[i] = 1;
		groups[i].removeAttribute("display");
	}
	if (drawn[0] === lefts[i] && drawn[1] === widths[i] && drawn[2] === y)
		return;
	if (drawn[0] !== lefts[i])
		rects[i].setAttribute("x", tenths(lefts[i]));
	if (drawn[1] !== widths[i])
		rects[i].setAttribute("width", hundredths(widths[i]));
	if (drawn[2] !== y)
		rects[i].setAttribute("y", y);
	drawn.set([lefts[i], widths[i], y]);
	drawName(i, y);
}

function hide(i, to) {
	for (; i < to; i++)
		if (shown[i]) {
			shown[i] = 0;
			groups[i].setAttribute("display", "none");
		}
}

const isAbove = (i, z) => i < z && z < end[i];

/* Computes which boxes are visible, and where; hides the others. */
function place(width) {
	const s = side(), z = view.zoom;
	const scale = s.total[z] ? width / s.total[z] : 0;
	const visible = [];
	tallest = 0;
	for (let i = 0; i < n;) {
		const above = isAbove(i, z);
		const w = above || i === z ? width : s.total[i] * scale;
		if (!above && (i < z || i >= end[z] || w < NARROWEST)) {
			hide(i, end[i]);
			i = end[i];
			continue;
		}
		lefts[i] = MARGIN + (above ? 0 : (s.start[i] - s.start[z]) * scale);
		widths[i] = w;
		if (depth[i] > tallest)
			tallest = depth[i];
		visible.push(i++);
	}
	return visible;
}

function mark(i) {
	let c = isAbove(i, view.zoom) ? " above" : "";
	if (hits)
		c += hits[i] ? " hit" : " miss";
	if (classes[i] === c)
		return;
	groups[i].setAttribute("class",
		groups[i].getAttribute("class").replace(/( above| hit| miss)*$/, c));
	classes[i] = c;
}

function drawRing() {
	ring.setAttribute("x", lefts[focused] - 1);
	ring.setAttribute("y", rowOf(focused) - 1);
	ring.setAttribute("width", Math.max(widths[focused], 1) + 2);
	ring.setAttribute("height", ROW + 1);
}

function draw() {
	const room = paper || svg.parentElement.clientWidth || 1200;
	const visible = place(Math.max(room, 200) - 2 * MARGIN);
	for (const i of visible) {
		drawBox(i);
		mark(i);
	}
	const height = (tallest + 1) * ROW + 2;
	svg.setAttribute("width", room);
	svg.setAttribute("height", height);
	svg.setAttribute("viewBox", `0 -1 ${room} ${height}`);
	if (!shown[focused])
		focusable(view.zoom);
	drawRing();
}

/* --- search -------------------------------------------------------------------------------- */

function patternOf(v) {
	try {
		return { pattern: new RegExp(v.search, v.cased ? "u" : "iu") };
	} catch {
		try {
			return { pattern: new RegExp(v.search, v.cased ? "" : "i") };
		} catch {
			return { wrong: true };
		}
	}
}

/* Sums the weight of the matches. A match within another one is not counted again. */
function matchedWeight(s, from, to) {
	let sum = 0;
	for (let i = from; i < to;) {
		if (hits[i])
			sum += s.total[i];
		i = hits[i] ? end[i] : i + 1;
	}
	return sum;
}

function percent(x) {
	return x.toFixed(2) + "%";
}

/* Returns the matching share of box @i, in percent of it. */
function matchedShare(i) {
	const s = side();
	return percent(s.total[i] ? matchedWeight(s, i, end[i]) / s.total[i] * 100 : 0);
}

function tellMatched(wrong) {
	let text = "";
	if (wrong)
		text = "Not a regular expression";
	else if (hits)
		text = "Matched: " + matchedShare(0);
	if (hits && view.zoom)
		text += ` (${matchedShare(view.zoom)} of this view)`;
	matched.textContent = text;
	matched.classList.toggle("wrong", wrong);
	field.classList.toggle("wrong", wrong);
	field.setAttribute("aria-invalid", wrong);
}

function search() {
	const { pattern, wrong } = view.search ? patternOf(view) : {};
	hits = null;
	if (pattern)
		hits = Uint8Array.from(names, name => pattern.test(name) ? 1 : 0);
	tellMatched(Boolean(wrong));
}

/* --- what a box is, in words --------------------------------------------------------------- */

const grouped = x => x.toLocaleString("en-US");
const TIMES = [["s", 1e9], ["ms", 1e6], ["\u00b5s", 1e3]];

/* Formats a count: "1,234 samples"; nanoseconds as "1.234 s". */
function amount(x) {
	const time = data.count === "ns" && TIMES.find(([, size]) => x >= size);
	if (!time)
		return `${grouped(x)} ${data.count}`;
	const digits = (x / time[1]).toLocaleString("en-US", { maximumSignificantDigits: 4 });
	return `${digits} ${time[0]}`;
}

function changeOf(i) {
	const points = share(after, i) - share(before, i);
	const text = `before ${percent(share(before, i))}, after ${percent(share(after, i))}: `;
	if (data.change[i] === NOISE)
		return text + "no change of its own beyond chance";
	return text + (points < 0 ? "\u2212" : "+") + Math.abs(points).toFixed(2) + " points";
}

function factsOf(i) {
	const s = side(), z = view.zoom, facts = [];
	const kind = data.kinds[data.kind[i]], object = data.objects[data.object[i]];
	facts.push(amount(s.total[i]));
	if (i && data.comparison)
		facts.push(changeOf(i));
	else if (i)
		facts.push(percent(share(s, i)) + (z ? " of all" : ""));
	if (z && i >= z && i < end[z] && s.total[z])
		facts.push(percent(s.total[i] / s.total[z] * 100) + " of this view");
	if (i && s.self[i] && s.total[0])
		facts.push("self " + percent(s.self[i] / s.total[0] * 100));
	if (i && kind !== "task")
		facts.push(object ? `${kind}, ${object}` : kind);
	else if (object)
		facts.push(object);
	return facts.join(" \u00b7 ");
}

function tell(i) {
	nameLine.textContent = nameLine.title = names[i];
	factsLine.textContent = factsOf(i);
}

/* --- the legend ---------------------------------------------------------------------------- */

const swatches = Array.from(svg.querySelectorAll(".head rect"),
	rect => [rect.getAttribute("class"), rect.nextElementSibling.textContent]);

const gone = svg.querySelector(".gone-share"); /* only in a comparison that has such boxes */

function legendItem(className, words) {
	const [swatch, group, rect] = ["svg", "g", "rect"].map(makeSvg);
	swatch.setAttribute("class", view.side);
	swatch.setAttribute("aria-hidden", "true");
	group.setAttribute("class", className);
	rect.setAttribute("width", 12);
	rect.setAttribute("height", 12);
	group.append(rect);
	swatch.append(group);
	return make("li", null, swatch, words);
}

function drawLegend() {
	const items = swatches.map(([name, words]) => legendItem(name, words));
	if (view.side === "before")
		items.splice(0, n, legendItem("gone", "striped: nothing is left of it after"),
			make("li", null, "widths: shares before"));
	else if (view.side === "after")
		items.splice(0, n, legendItem("new", "striped: was not there before"));
	if (data.comparison && view.side !== "before")
		items.push(make("li", null, "widths: shares after"));
	if (gone && view.side !== "before")
		items.push(make("li", null, gone.textContent + ", see Before"));
	legend.replaceChildren(...items);
}

/* --- focus and keys ------------------------------------------------------------------------ */

const OF_FOCUS = ["tabindex", "role", "aria-level", "aria-label", "aria-selected"];

/* Makes box @i the one that Tab reaches; arrow keys lead to the others. */
function focusable(i) {
	const now = groups[i];
	if (i !== focused)
		for (const name of OF_FOCUS)
			groups[focused].removeAttribute(name);
	focused = i;
	now.setAttribute("tabindex", "0");
	now.setAttribute("role", "treeitem");
	now.setAttribute("aria-level", depth[i] + 1);
	now.setAttribute("aria-selected", i === view.zoom ? "true" : "false");
	now.setAttribute("aria-label", `${names[i]}, ${factsOf(i)}`);
	drawRing();
}

function focus(i) {
	if (i < 0)
		return;
	focusable(i);
	groups[i].focus({ preventScroll: true });
	groups[i].scrollIntoView({ block: "nearest" });
	tell(i);
}

/* Returns the widest box that stands on @i: the path that matters most. */
function childOf(i) {
	let best = -1;
	for (let c = i + 1; c < end[i]; c = end[c])
		if (shown[c] && (best < 0 || widths[c] > widths[best]))
			best = c;
	return best;
}

/* Returns the next box of the same depth; @step is 1 or -1. */
function neighbourOf(i, step) {
	for (let c = i + step; c >= 0 && c < n; c += step)
		if (shown[c] && depth[c] === depth[i])
			return c;
	return -1;
}

function moved(key) {
	const rootIsTop = view.flip !== data.icicle;
	switch (key) {
	case "ArrowLeft":
		return neighbourOf(focused, -1);
	case "ArrowRight":
		return neighbourOf(focused, 1);
	case "ArrowUp":
		return rootIsTop ? parent[focused] : childOf(focused);
	default:
		return rootIsTop ? childOf(focused) : parent[focused];
	}
}

function zoom(i) {
	show({ zoom: i });
	focus(i);
}

const actions = {
	Enter: () => zoom(focused),
	" ": () => zoom(focused),
	Escape: goBack,
	Backspace: goBack,
	Home: () => zoom(0),
	0: () => zoom(0),
	"/": () => field.select(),
	c: () => cased.click(),
	i: () => flip.click(),
	"?": () => keys.showModal(),
};
for (const key of ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"])
	actions[key] = () => focus(moved(key));
if (data.comparison)
	for (const name of ["before", "after", "difference"])
		actions[name[0]] = () => show({ side: name });

function onKey(event) {
	const isCommand = event.ctrlKey || event.metaKey;
	/* The second time, the key opens the browser's own search. */
	if (isCommand && event.key === "f" && !event.shiftKey && !event.altKey) {
		if (event.target === field)
			return;
		event.preventDefault();
		field.select();
		return;
	}
	if (isCommand || event.altKey || keys.open)
		return;
	if (event.target === field) {
		if (event.key === "Escape" || event.key === "Enter")
			leaveField(event);
		return;
	}
	if (sides.includes(event.target) && event.key.startsWith("Arrow")) {
		event.preventDefault();
		nextSide(/Right|Down/.test(event.key) ? 1 : sides.length - 1);
		return;
	}
	const presses = event.key === "Enter" || event.key === " ";
	if (!Object.hasOwn(actions, event.key) || (presses && event.target.localName === "button"))
		return;
	event.preventDefault();
	actions[event.key]();
}

function nextSide(step) {
	const now = sides.findIndex(b => b.value === view.side);
	const next = sides[(now + step) % sides.length];
	show({ side: next.value });
	next.focus();
}

function leaveField(event) {
	event.preventDefault();
	if (event.key === "Escape")
		show({ search: "" });
	focus(focused);
}

/* --- all together -------------------------------------------------------------------------- */

function apply(next) {
	const turned = next.flip !== view.flip || next.zoom !== view.zoom;
	view = next;
	if (before && !side().total[view.zoom])
		view.zoom = 0;
	svg.parentElement.classList.toggle("icicle", view.flip !== data.icicle);
	svg.setAttribute("class", view.side ? "flame " + view.side : "flame");
	search();
	draw();
	drawLegend();
	if (field.value !== view.search)
		field.value = view.search;
	cased.setAttribute("aria-pressed", view.cased);
	flip.setAttribute("aria-pressed", view.flip);
	reset.hidden = !view.zoom;
	for (const b of sides) {
		b.setAttribute("aria-checked", b.value === view.side);
		b.tabIndex = b.value === view.side ? 0 : -1;
	}
	focusable(shown[focused] ? focused : view.zoom);
	tell(view.zoom);
	if (turned)
		groups[view.zoom].scrollIntoView({ block: "nearest" });
}

function listen(main) {
	const number = new Map(groups.map((g, i) => [g, i]));
	const at = event => {
		const group = event.target.closest && event.target.closest(".boxes > g");
		return group ? number.get(group) : -1;
	};
	svg.addEventListener("click", event => at(event) >= 0 && zoom(at(event)));
	svg.addEventListener("mouseover", event => at(event) >= 0 && tell(at(event)));
	svg.addEventListener("mouseleave",
		() => tell(document.activeElement === groups[focused] ? focused : view.zoom));
	svg.addEventListener("focusin", event => at(event) >= 0 && tell(at(event)));
	document.addEventListener("keydown", onKey);
	addEventListener("hashchange", () => apply(viewOfFragment()));
	addEventListener("popstate", () => apply(viewOfFragment()));
	new ResizeObserver(draw).observe(main);
	/* Boxes that are scrolled to must not end up below the header. */
	new ResizeObserver(() => {
		document.documentElement.style.scrollPaddingTop = header.offsetHeight + ROW + "px";
	}).observe(header);
	addEventListener("beforeprint", () => {
		paper = Math.max(1200, (tallest + 1) * ROW * PAPER_RATIO);
		draw();
	});
	addEventListener("afterprint", () => {
		paper = 0;
		draw();
	});
}

function begin() {
	const main = makePage();
	fitter = new TextFitter(getComputedStyle(svg).font);
	svg.setAttribute("role", "tree");
	svg.setAttribute("aria-label", data.title);
	ring.setAttribute("class", "ring");
	svg.append(ring);
	listen(main);
	apply(viewOfFragment());
	/* Reading begins at the root. */
	groups[view.zoom].scrollIntoView({ block: "nearest" });
}
begin();
})();
