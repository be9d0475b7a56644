/* Time: the sub-second heat map. */

/*
 * The cells that pass the filter without its time. In a comparison, those of the side that is
 * edited.
 */
const editedSide = () => (hasSides() ? 'both' : state.compare && state.edit === 'b' ? 'b' : 'a');

const binSums = kept(() => filterKey() + keyOf('by', 'edit'), () => {
	const cells = selectCells(model, filterOf(editedSide(), ['time']));
	return sumBy(valuesOf(measure()), model.cells.bin, cells, model.facts.time.bins);
});

/*
 * Folds time into a grid. A column is a second if that gives a suitable number of columns, else the
 * next step that does; its rows are at most 50, of whole bins.
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

/*
 * Handles the cursor and dragging in a picture of time; @place returns the bin span at the pointer.
 */
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

/* Selects bins [from, to); selecting the same bins again selects all. */
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

	/* Returns the sums of the cells of the grid. */
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

	/*
	 * Returns the place of the grid. Cells are whole pixels as far as that leaves no space
	 * unused.
	 */
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
			/* Heights are whole pixels, since rows of three pixels would show seams. */
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

	/* Draws selected ranges, from the column of the first cell to that of the last. */
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

	/* Returns the bins of the cell at the pointer, or null. */
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

/* Returns the colour of @value on a scale on which small values can still be told apart. */
function heatStep(heat, value, most) {
	return most > 0 ? stepOf(heat, Math.max(0.06, Math.sqrt(value / most))) : 0;
}

/* The same for counts that differ by orders of magnitude, such as those of latencies. */
function countStep(heat, value, most) {
	const x = most > 1 ? Math.log(value) / Math.log(most) : 1;
	return stepOf(heat, 0.2 + 0.8 * x);
}

/* Returns the next of 1, 2, 5, 10, ... */
function niceStep(least) {
	let step = 1;
	for (let i = 0; step < least; i++)
		step *= [2, 2.5, 2][i % 3];
	return step;
}
