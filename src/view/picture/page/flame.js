/* The flame graph. */

const ROW = 18;
const FONT = '12px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", ' +
	'sans-serif';
const TEXT_MOST = 400, LEAST_TEXT = 2;

const flameView = {
	id: 'flame', title: 'Flame graph',
	/* The part of the width that is in view, and the target of a running animation. */
	from: 0, to: 1, target: null,
	cursor: 0, hover: -1, texts: new Map(),
	frames: { gaps: [], draws: [] },

	build(panel) {
		this.fitter = new TextFitter(FONT);
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

	/* Updates the visible part, the controls and the cursor from the state. */
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

	/*
	 * Returns the zoomed box, or the innermost of its outer frames that this selection still
	 * has.
	 */
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

	/* Moves to a part of the width, in a few frames. */
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

	/* Returns the top of row @depth, relative to the visible part of the box. */
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

	/*
	 * Paints the boxes first, in runs of one colour, and then the texts, because switching
	 * between the two is slow.
	 */
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

	/* Boxes that the search does not find are faded, as are the frames below the zoomed one. */
	setLook({ context, colours, found: searched, stripes: pattern, match, alpha }, look) {
		context.fillStyle = look === MATCHED ? match : look === STRIPED ? pattern
			: colours.list[look];
		context.globalAlpha = searched && look !== MATCHED ? 0.3 : alpha;
	},

	paintTexts(pen, texts, top) {
		for (let k = 0; k < texts.length; k += 3) {
			const [i, left, right] = [texts[k], texts[k + 1], texts[k + 2]];
			const text = this.fitter.fit(this.shortText(pen.graph, i),
				right - left - 7, LEAST_TEXT);
			if (!text)
				continue;
			pen.context.fillStyle = this.isHit(pen, i) ? pen.matchInk : pen.ink;
			pen.context.fillText(text, left + 3, top + ROW / 2 + 1);
		}
	},

	/*
	 * Returns only the part of a name that could ever fit, since names may have ten thousand
	 * characters.
	 */
	shortText(graph, i) {
		const key = graph.key[i];
		if (!graph.isFunction(i))
			return lineText(graph.text(i));
		if (!this.texts.has(key))
			this.texts.set(key, nameText(graph.text(i).slice(0, TEXT_MOST)));
		return this.texts.get(key);
	},

	/*
	 * Paints frames around the cursor's box, the box at the pointer and the boxes of the
	 * function.
	 */
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

	/* Shows any part of the width. Further calls belong to the same step of Back. */
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

	/* Returns the next box of the same depth that has a width. */
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

	/* Returns all facts about a box, as lines. */
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

	/* Shows one line below the picture: the box at the pointer, or else the cursor's box. */
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

	/*
	 * Returns a note about boxes that the difference cannot show, because they have no width
	 * there.
	 */
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

	/*
	 * Lists only the kinds that occur, and only where the colours of functions differ by kind.
	 */
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

	/* Shows the frames from the root to the zoomed one, as buttons. */
	showPath(graph) {
		const path = graph.path(this.zoomed(graph));
		const shown = path.length > 7 ? [...path.slice(0, 2), -1, ...path.slice(-4)] : path;
		$('path').hidden = path.length < 2;
		$('path').replaceChildren(...shown.map((i) => (i < 0 ? make('span', {}, '\u2026')
			: make('button', { type: 'button', onclick: () => this.click(i),
				'aria-current': i === path[path.length - 1] ? 'true' : null },
			nameText(graph.text(i)).slice(0, 80)))));
	},

	/* Lists the zoomed box and the boxes above it, for users who do not see the picture. */
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
