/* Threads and CPUs over time. */

const LINE = 18, LABEL = 190;

/*
 * Sums the weight of each thread or CPU in each of @buckets parts of time, and in @span of bins.
 * Lines with the most weight in the span come first, then those with the most at other times.
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
	/* A small number of samples in many parts of time would be noise. */
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

	/* Returns the bins at the pointer, of a pixel's width; null on the labels. */
	timeAt(event) {
		const bounds = this.canvas.getBoundingClientRect();
		const room = bounds.width - LABEL - 6, x = event.clientX - bounds.left - LABEL;
		if (x < 0 || x > room + 6)
			return null;
		const { bins } = model.facts.time, per = Math.max(1, Math.round(bins / room));
		const from = Math.min(bins - per, Math.floor(Math.min(x, room) / room * bins));
		return [Math.max(0, from), Math.max(0, from) + per];
	},

	/*
	 * Finds the row by position and not by the target, because rows are made anew while the
	 * button is down.
	 */
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

	/* Selects one line, or adds one. A click on the only selected line selects all. */
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
