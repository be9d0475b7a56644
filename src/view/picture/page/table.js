/* The table of functions. */

const TABLE_ROW = 22;

/* The rows of the table and their columns. Shares are relative to the selection. */
const tableRows = kept(() => filterKey() + keyOf('by'), () => {
	const { facts, functions } = model, sums = functionSums();
	const wholes = selected().map((side) => side[measure()] || 1);
	const samples = sumFunctions(model, selected()[0].cells, model.cells.samples).self;
	const rows = [];
	functions.list.forEach(({ name, object, kind }, i) => {
		const total = sums.map((sum) => sum.total[i]);
		const self = sums.map((sum) => sum.self[i]);
		if (!total.some(Boolean))
			return;
		const row = { name, kind,
			text: name < 0 ? '(no function)' : nameText(facts.names[name]),
			object: lineText(facts.objects[object] || '') };
		sums.forEach((_, side) => {
			row[`self${side}`] = self[side] / wholes[side];
			row[`total${side}`] = total[side] / wholes[side];
		});
		row.weight = self[0];
		row.samples = samples[i];
		row.self = row.self0;
		row.total = row.total0;
		if (sums.length > 1) {
			row.selfChange = row.self1 - row.self0;
			row.totalChange = row.total1 - row.total0;
		}
		rows.push(row);
	});
	return rows;
});

const weightTitle = () =>
	(eventOf().unit === 'ns' ? 'Self, time' : `Self, ${unitOf()}`.slice(0, 40));

const plainColumns = () => [
	{ id: 'self', title: 'Self', text: (row) => percentText(row.self0),
		bar: (row) => row.self0 },
	{ id: 'total', title: 'Total', text: (row) => percentText(row.total0),
		bar: (row) => row.total0 },
	...(measure() === 'samples' ? [] : [{ id: 'weight', title: weightTitle(),
		text: (row) => weightText(row.weight, eventOf().unit) }]),
	...(hasSamples() ? [{ id: 'samples', title: 'Self, samples',
		text: (row) => countText(row.samples) }] : []),
];

function compareColumns() {
	const [first, second] = sideNames();
	return [
		{ id: 'self0', title: `Self, ${first}`, text: (row) => percentText(row.self0) },
		{ id: 'self1', title: `Self, ${second}`, text: (row) => percentText(row.self1) },
		{ id: 'selfChange', title: 'Change of self',
			text: (row) => pointsText(row.selfChange),
			change: (row) => row.selfChange },
		{ id: 'total0', title: `Total, ${first}`, text: (row) => percentText(row.total0) },
		{ id: 'total1', title: `Total, ${second}`, text: (row) => percentText(row.total1) },
		{ id: 'totalChange', title: 'Change of total',
			text: (row) => pointsText(row.totalChange),
			change: (row) => row.totalChange },
	];
}

const TEXT_COLUMNS = [
	{ id: 'text', title: 'Function', text: (row) => row.text },
	{ id: 'object', title: 'Object', text: (row) => row.object },
];

/* Draws a bar behind the text of a cell. */
function setBar(cell, share) {
	cell.classList.toggle('bar-cell', share > 0);
	cell.style.setProperty('--share', `${(share * 100).toFixed(2)}%`);
}

const tableView = {
	id: 'table', title: 'Functions', cursor: 0,

	build(panel) {
		this.filter = make('input', { id: 'filter', type: 'search',
			placeholder: 'regular expression', autocomplete: 'off', spellcheck: 'false',
			oninput: () => update({ filter: this.filter.value }, true) });
		this.count = make('span', { id: 'table-count' });
		this.head = make('tr');
		this.body = make('tbody');
		this.caption = make('caption', { class: 'unseen' });
		this.table = make('table', { id: 'functions' }, this.caption,
			make('thead', {}, this.head), this.body);
		this.box = make('div', { id: 'table-box', class: 'scroll', tabindex: -1 },
			this.table);
		panel.append(make('div', { class: 'bar' },
			make('span', { class: 'field' },
				make('label', { for: 'filter' }, 'Filter'), this.filter),
			this.count, make('span', { class: 'hint' }, 'Click marks a function ' +
				'everywhere, double click or Enter opens its code.')), this.box);
		this.box.addEventListener('scroll', () => this.drawRows());
		/* There is no dblclick event, because the first click makes the rows anew. */
		this.body.addEventListener('click', (e) =>
			(e.detail > 1 ? this.open(this.rowAt(e)) : this.choose(this.rowAt(e))));
		this.body.addEventListener('keydown', (e) => this.key(e));
		new ResizeObserver(() => this.drawRows()).observe(this.box);
	},

	columns() {
		return [...(isComparison() ? compareColumns() : plainColumns()), ...TEXT_COLUMNS];
	},

	sortColumn() {
		const columns = this.columns();
		const find = (id) => columns.find((column) => column.id === id);
		return find(state.sort) || find('selfChange') || columns[0];
	},

	show() {
		const test = state.filter ? matcherOf(state.filter) : () => true;
		if (document.activeElement !== this.filter)
			this.filter.value = state.filter;
		this.rows = tableRows()
			.filter((row) => test(row.text) || (row.object && test(row.object)));
		this.sortRows();
		const all = tableRows().length;
		setText(this.count, this.rows.length === all ? `${countText(all)} functions`
			: `${countText(this.rows.length)} of ${countText(all)} functions`);
		setText(this.caption, `Functions of the selection, by ${unitOf()}`);
		this.table.setAttribute('aria-rowcount', this.rows.length + 1);
		this.showHead();
		this.drawRows();
	},

	/* Sorts numbers from the largest, texts from A, and changes by their size. */
	sortRows() {
		const { id } = this.sortColumn(), isText = id === 'text' || id === 'object';
		const down = state.up ? -1 : 1, size = id.endsWith('Change') ? Math.abs : (x) => x;
		const byText = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
		this.rows.sort(isText ? (a, b) => down * byText(a[id], b[id])
			: (a, b) => down * (size(b[id]) - size(a[id])) || byText(a.text, b.text));
	},

	showHead() {
		const sorted = this.sortColumn().id;
		const isText = (id) => id === 'text' || id === 'object';
		this.head.replaceChildren(...this.columns().map(({ id, title }) => {
			const order = isText(id) === state.up ? 'descending' : 'ascending';
			return make('th', { scope: 'col', class: isText(id) ? null : 'number',
				'aria-sort': id === sorted ? order : null },
				make('button', { type: 'button', 'data-sort': id,
					onclick: () => update({ sort: id,
						up: id === sorted && !state.up }) },
				title));
		}));
		if (this.focusHead)
			this.head.querySelector(`[data-sort="${sorted}"]`).focus();
	},

	drawRows() {
		if (!this.rows || this.box.offsetParent === null)
			return;
		const focused = this.body.contains(document.activeElement);
		showRows({ scroller: this.box, body: this.body, spacer: 'tr', height: TABLE_ROW,
			n: this.rows.length, most: 60, makeRow: (k) => this.makeRow(k) });
		if (focused) {
			const row = this.body.querySelector(`[data-row="${this.cursor}"]`);
			if (row)
				row.focus({ preventScroll: true });
		}
		if (!this.rows.length)
			this.body.replaceChildren(make('tr', {},
				make('td', { colspan: this.columns().length, class: 'empty' },
					'No function matches the filter.')));
	},

	makeRow(k) {
		const row = this.rows[k], marked = row.name >= 0 && row.name === state.fn;
		const look = marked ? 'marked' : found() && found()[row.name] ? 'hit' : null;
		return make('tr', { 'data-row': k, tabindex: k === this.cursor ? 0 : -1,
			'aria-rowindex': k + 2, class: look,
			'aria-current': marked ? 'true' : null },
		...this.columns().map((column) => this.makeCell(column, row)));
	},

	makeCell({ id, text, bar, change }, row) {
		const isText = id === 'text' || id === 'object';
		const words = text(row).slice(0, 500);
		const cell = make('td', { class: isText ? id : 'number',
			title: isText ? words : null }, words);
		if (bar)
			setBar(cell, bar(row));
		if (change && Math.abs(change(row)) >= 0.00005)
			cell.classList.add(change(row) > 0 ? 'more' : 'less');
		return cell;
	},

	rowAt(event) {
		const row = event.target.closest('[data-row]');
		return row ? Number(row.dataset.row) : -1;
	},

	choose(k) {
		if (k < 0)
			return;
		this.cursor = k;
		const { name } = this.rows[k];
		const again = name === state.fn;
		update({ fn: again ? -1 : name, only: again ? false : state.only });
	},

	open(k) {
		if (k >= 0 && this.rows[k].name >= 0)
			openCode(this.rows[k].name);
	},

	key(event) {
		const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20,
			Home: -1e9, End: 1e9 }[event.key];
		if (event.key === 'Enter')
			this.open(this.cursor);
		else if (event.key === ' ')
			this.choose(this.cursor);
		else if (step)
			this.moveTo(Math.min(Math.max(0, this.cursor + step),
				this.rows.length - 1));
		else
			return;
		event.preventDefault();
		event.stopPropagation();
	},

	moveTo(k) {
		this.cursor = k;
		scrollToRow(this.box, this.body, TABLE_ROW, k);
		this.drawRows();
		const row = this.body.querySelector(`[data-row="${k}"]`);
		if (row)
			row.focus({ preventScroll: true });
	},
};
