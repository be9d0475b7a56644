/* Code. */

const CODE_ROW = 19;

/* Counts the instructions of each listing, since cell.place counts over all of them. */
function readListings(code) {
	let first = 1;
	for (const listing of code.functions || []) {
		listing.first = first;
		listing.rows = listing.rows || [];
		listing.places = listing.rows.filter((row) => row.a !== undefined).length;
		first += listing.places;
	}
	return code.functions || [];
}

/*
 * Computes the weight of each row: for an instruction its own, and for a line of source the sum of
 * all instructions up to the next line.
 */
function rowWeights(listing, sums) {
	const weights = new Float64Array(listing.rows.length);
	let place = listing.first, line = -1;
	listing.rows.forEach((row, i) => {
		if (row.a === undefined) {
			line = i;
		} else {
			weights[i] = sums[place++];
			if (line >= 0)
				weights[line] += weights[i];
		}
	});
	return weights;
}

/* Shows the code of the function called names[@name]. */
function openCode(name) {
	if (model.facts.views.includes('code'))
		update({ view: 'code', fn: name,
			listing: listings.findIndex((l) => l.name === name) });
}

const codeView = {
	id: 'code', title: 'Code',

	build(panel) {
		this.choice = make('select', { id: 'listing', onchange: () => {
			const listing = Number(this.choice.value);
			update({ listing, fn: listings[listing].name });
		} });
		this.note = make('p', { class: 'empty' });
		this.body = make('tbody');
		const head = (text, look) => make('th', { scope: 'col', class: look }, text);
		this.table = make('table', { id: 'listing-rows' },
			make('caption', { class: 'unseen' }, 'Source lines and instructions'),
			make('thead', {}, make('tr', {}, head('Share', 'number'),
				head('Line or address', 'number'), head('Code', null))), this.body);
		this.box = make('div', { id: 'code-box', class: 'scroll', tabindex: 0,
			role: 'region', 'aria-label': 'Listing' }, this.table);
		panel.append(make('div', { class: 'bar' },
			make('span', { class: 'field' },
				make('label', { for: 'listing' }, 'Function'), this.choice),
			makeSwitch('code-rows', 'Rows', [['both', 'Source and instructions'],
				['source', 'Source'], ['instructions', 'Instructions']],
			(rows) => update({ rows })),
			make('button', { id: 'hottest', type: 'button',
				onclick: () => this.goToHottest() }, 'Hottest row')),
		this.note, this.box);
		this.box.addEventListener('scroll', () => this.drawRows());
		new ResizeObserver(() => this.drawRows()).observe(this.box);
	},

	/* Returns the requested listing; else that of the marked function; else the heaviest. */
	current() {
		if (listings[state.listing])
			return state.listing;
		if (state.fn >= 0)
			return listings.findIndex((listing) => listing.name === state.fn);
		return this.byWeight().length ? this.byWeight()[0].i : -1;
	},

	byWeight() {
		const sums = placeSums()[widthSide()];
		return listings.map((listing, i) => {
			let weight = 0;
			for (let k = 0; k < listing.places; k++)
				weight += sums[listing.first + k];
			return { i, weight };
		}).sort((a, b) => b.weight - a.weight);
	},

	show() {
		const i = this.current(), whole = selected()[widthSide()][measure()] || 1;
		const name = (k) => nameText(model.facts.names[k] || '').slice(0, 120);
		this.choice.replaceChildren(...this.byWeight().map(({ i: k, weight }) =>
			make('option', { value: k },
				`${percentText(weight / whole)}  ${name(listings[k].name)}`)));
		if (i < 0)
			this.choice.prepend(make('option',
				{ value: -1, disabled: true, selected: true },
				state.fn >= 0 ? name(state.fn) : '\u2013'));
		this.choice.value = String(i);
		this.choice.disabled = !listings.length;
		setSwitch($('code-rows'), state.rows);
		this.showListing(i);
	},

	showListing(i) {
		const why = this.whyNot(i);
		setText(this.note, why);
		this.note.hidden = !why;
		this.box.hidden = $('hottest').hidden = Boolean(why);
		if (why)
			return;
		const listing = listings[i];
		this.weights = rowWeights(listing, placeSums()[widthSide()]);
		this.whole = listing.rows.reduce((sum, row, k) =>
			sum + (row.a === undefined ? 0 : this.weights[k]), 0) || 1;
		this.most = this.weights.reduce((a, b) => Math.max(a, b), 0) || 1;
		const wanted = (row) => state.rows === 'both' ||
			(row.a === undefined) === (state.rows === 'source');
		this.rows = listing.rows.map((row, k) => ({ ...row, k })).filter(wanted);
		const isNew = this.shown !== i;
		this.shown = i;
		this.drawRows();
		if (isNew)
			this.goToHottest();
	},

	/* Returns why there is nothing to show, as a sentence. */
	whyNot(i) {
		if (i >= 0 && listings[i].rows.length)
			return '';
		if (i >= 0)
			return listings[i].why || 'Its instructions could not be read.';
		if (!listings.length)
			return 'This page has no listings: the files that ran were not found ' +
				'when it was written, or it was written without them.';
		const name = nameText(model.facts.names[state.fn] || '').slice(0, 200);
		return `No listing of ${name}: only the functions with the most samples of their ` +
			'own have one, if their file was found. perf annotate shows any function.';
	},

	drawRows() {
		if (!this.rows || this.box.hidden || this.box.offsetParent === null)
			return;
		showRows({ scroller: this.box, body: this.body, spacer: 'tr', height: CODE_ROW,
			n: this.rows.length, most: 150,
			makeRow: (k) => this.makeRow(this.rows[k]) });
	},

	makeRow(row) {
		const isSource = row.a === undefined, share = this.weights[row.k] / this.whole;
		const number = make('td', { class: 'number' }, share > 0 ? percentText(share) : '');
		setBar(number, this.weights[row.k] / this.most);
		const place = isSource ? `${row.s === undefined ? '' : row.s}`
			: lineText(String(row.a));
		const words = String(row.t || '').slice(0, 2000).replace(/\t/g, '    ');
		const text = make('td', { class: 'text' }, lineText(words));
		if (row.to !== undefined)
			text.append(this.makeJump(row));
		const element = make('tr', { class: isSource ? 'source' : 'instruction',
			'data-k': row.k, title: isSource && row.f ? lineText(row.f) : null },
		number, make('td', { class: 'number place' }, place), text);
		if (row.k === this.marked)
			element.classList.add('marked');
		return element;
	},

	makeJump(row) {
		const target = listings[this.shown].rows[row.to];
		const place = target && target.a !== undefined ? lineText(String(target.a))
			: 'where it jumps to';
		const arrow = row.to <= row.k ? '\u2191' : '\u2193';
		return make('button', { type: 'button', class: 'jump',
			'aria-label': `Go to ${place}`, onclick: () => this.goTo(row.to) },
		`${arrow} ${target ? place : ''}`);
	},

	/* Scrolls to row number @k of the listing and marks it. */
	goTo(k) {
		const i = this.rows.findIndex((row) => row.k >= k);
		if (i < 0)
			return;
		this.marked = this.rows[i].k;
		scrollToRow(this.box, this.body, CODE_ROW, i);
		this.drawRows();
	},

	goToHottest() {
		let best = -1;
		for (const row of this.rows)
			if (best < 0 || this.weights[row.k] > this.weights[best])
				best = row.k;
		this.marked = -1;
		if (best >= 0 && this.weights[best] > 0)
			this.goTo(best);
	},
};
