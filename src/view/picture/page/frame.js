/* The frame of the page: selection, tabs, help. */

const TABS = [chartView, flameView, tableView, codeView, heatView, factsView];
const STRIPS = [timeView, threadsView];
const has = (view) => view === chartView ? model.facts.views.includes('chart')
	: model.facts.views.includes(view.id) && (view !== heatView || model.facts.heat);

const sideNames = () => (hasSides() ? model.facts.sides.map(lineText) : ['A', 'B']);

function emptyText() {
	if (!model.cells.n)
		return 'The recording has no samples, so there is nothing to show. ' +
			'The facts may say why.';
	return 'Nothing was sampled in this selection. Escape takes the last step back, ' +
		'Reset shows everything.';
}

function buildPage() {
	const main = document.querySelector('main');
	const warnings = (model.facts.quality || []).filter(({ level }) => level === 'warning');
	const parts = [];
	if (warnings.length)
		parts.push(buildWarnings(warnings));
	if (model.facts.events.length)
		parts.push(buildSelection());
	if (STRIPS.some(has))
		parts.push(make('section', { id: 'strips', 'aria-label': 'Time, threads and CPUs' },
			...STRIPS.filter(has).map(buildStrip)));
	parts.push(...buildTabs(TABS.filter(has)));
	main.replaceChildren(...parts);
	/* The skeleton contains the beginning of the title. */
	const heading = document.querySelector('#what h1');
	setText(heading, lineText(model.facts.title || ''));
	heading.title = heading.textContent;
	setText($('subtitle'), lineText(model.facts.subtitle || ''));
	$('search').hidden = !has(flameView) && !has(tableView);
}

/* Shows the first two warnings; the facts have all of them. */
function buildWarnings(list) {
	const section = make('section', { id: 'warnings', 'aria-label': 'Warnings' },
		makeQuality(list.slice(0, 2)));
	if (list.length > 2)
		section.append(make('button', { type: 'button',
			onclick: () => update({ view: 'facts' }) }, `${list.length - 2} more`));
	return section;
}

function buildStrip(view) {
	const about = make('small');
	const head = make('header', {}, make('h2', {}, view.title), about);
	const panel = make('section', { id: view.id, class: 'strip', 'aria-label': view.title },
		head);
	if (view === threadsView)
		head.append(makeSwitch('lines-switch', 'Lines', [
			['tasks', `Threads (${countText(model.facts.tasks.length)})`],
			['cpus', `CPUs (${countText(model.facts.cpus.length)})`],
		].filter(([name]) => model.facts[name].length),
		(value) => update({ lines: value })));
	view.build(panel);
	if (view.about)
		setText(about, view.about());
	return panel;
}

function buildTabs(views) {
	const list = make('div', { id: 'tabs', role: 'tablist', 'aria-label': 'Views',
		onkeydown: tabKey });
	const panels = make('div', { id: 'panels' });
	for (const view of views) {
		list.append(make('button', { type: 'button', role: 'tab', id: `tab-${view.id}`,
			'aria-controls': view.id, onclick: () => update({ view: view.id }) },
		view.title));
		const panel = make('section', { id: view.id, class: 'panel', role: 'tabpanel',
			'aria-labelledby': `tab-${view.id}` },
		make('h2', { class: 'print-only' }, view.title));
		panels.append(panel);
		view.build(panel);
		if (view === flameView || view === tableView)
			panel.append(make('p', { class: 'empty', hidden: true }));
	}
	const bar = make('div', { id: 'tab-bar' }, list);
	if (STRIPS.some(has))
		bar.append(make('button', { id: 'strips-switch', type: 'button',
			'aria-controls': 'strips',
			onclick: () => update({ strips: !state.strips }) }));
	return [bar, panels];
}

function tabKey(event) {
	const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
	if (!step)
		return;
	const views = TABS.filter(has), at = views.findIndex((view) => view.id === currentView());
	const next = views[(at + step + views.length) % views.length];
	update({ view: next.id });
	$(`tab-${next.id}`).focus();
	event.preventDefault();
}

function currentView() {
	const views = TABS.filter(has);
	return (views.find((view) => view.id === state.view) || views[0] || factsView).id;
}

function buildSelection() {
	const { events } = model.facts;
	const bar = make('section', { id: 'selection', 'aria-label': 'Selection' });
	if (events.length > 1)
		bar.append(makeChoice('event', 'Event', events.map((e, i) => [i, lineText(e.name)]),
			(event) => update({ event: Number(event), zoom: '', x: '' })));
	bar.append(makeSwitch('by', 'Measure', [['weight', 'Weight'], ['samples', 'Samples']],
		(by) => update({ by })));
	bar.append(make('div', { id: 'chips' }));
	if (hasSides())
		bar.append(buildShowSwitch());
	else if (STRIPS.some(has))
		bar.append(
			make('button', { id: 'compare', type: 'button', onclick: toggleCompare }),
			buildShowSwitch());
	return bar;
}

function buildShowSwitch() {
	const [first, second] = sideNames();
	const large = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);
	return makeSwitch('show', 'What the flame graph shows',
		[['before', hasSides() ? large(first) : `Before (${first})`],
			['after', hasSides() ? large(second) : `After (${second})`],
			['difference', 'Difference']], (show) => update({ show }));
}

/*
 * The second selection begins without filters, so that the first one is compared with everything.
 */
function toggleCompare() {
	if (state.compare)
		update({ compare: false, edit: 'a', btime: '', btasks: '', bcpus: '' });
	else
		update({ compare: true, edit: 'b' });
}

/* Shows the selection in words, each with a button that removes it. */
function showSelection() {
	if (!$('selection'))
		return;
	const rows = selected()
		.map((sum, k) => makeSelectionRow(hasSides() ? '' : k ? 'b' : '', k, sum));
	const shared = [];
	if (state.fn >= 0 && state.fn < model.facts.names.length)
		shared.push(...functionChips());
	$('chips').replaceChildren(...(hasSides() ? rows.slice(1) : rows), ...shared);
	if ($('event'))
		$('event').value = String(state.event);
	$('by').hidden = !hasWeight() || !hasSamples();
	setSwitch($('by'), measure());
	setText($('by').firstChild, eventOf().unit === 'ns' ? 'Time'
		: lineText(eventOf().name).slice(0, 24));
	if ($('show')) {
		$('show').hidden = !isComparison();
		setSwitch($('show'), state.show);
	}
	if ($('compare'))
		setText($('compare'), state.compare ? 'Stop comparing' : 'Compare\u2026');
	if ($('lines-switch'))
		setSwitch($('lines-switch'), state.lines);
}

function makeSelectionRow(prefix, k, sum) {
	const row = make('span', { class: 'chips' });
	const chip = (name, text) => row.append(makeChip(text, { [prefix + name]: '' }));
	const get = (name) => state[prefix + name];
	if (state.compare)
		row.append(makeSideButton(k ? 'b' : 'a', k ? 'B after' : 'A before'));
	if (spanOf(get('time')) && model.facts.time)
		chip('time', spanText(spanOf(get('time'))));
	const lists = [['tasks', model.facts.tasks, taskText, 'threads'],
		['cpus', model.facts.cpus, (c) => `CPU ${c}`, 'CPUs']];
	for (const [name, list, one, many] of lists) {
		const chosen = chosenOf(get(name), list.length);
		if (chosen.length)
			chip(name, chosen.length === 1 ? one(list[chosen[0]])
				: `${countText(chosen.length)} ${many}`);
	}
	const all = eventOf().samples;
	const whole = amountText(all, eventOf().total);
	const part = hasSamples() ? countText(sum.samples) : amountText(0, sum.weight);
	const text = sum.samples === all ? `all ${whole}`
		: `${part} of ${whole} (${percentText(sum.samples / all)})`;
	row.append(make('span', { class: 'sum' }, hasSides() ? sideSums() : text));
	return row;
}

function makeSideButton(side, text) {
	return make('button', { type: 'button', class: `side side-${side}`,
		'aria-pressed': String(state.edit === side),
		title: 'What you select now goes here',
		onclick: () => update({ edit: side }) }, text);
}

function sideSums() {
	const text = (sum, k) => `${sideNames()[k]}: ${amountText(sum.samples, sum.weight)}`;
	return selected().map(text).join(', ');
}

function functionChips() {
	const name = nameText(model.facts.names[state.fn]).slice(0, 60);
	const box = make('input', { type: 'checkbox', id: 'only-box',
		onchange: (e) => update({ only: e.target.checked, zoom: '', x: '' }) });
	const only = make('label', { class: 'check' }, box, 'only stacks through it');
	box.checked = state.only;
	return [make('span', { class: 'chips' }, makeChip(name, { fn: -1, only: false }), only)];
}

function makeChip(text, changes) {
	return make('span', { class: 'chip' }, text,
		make('button', { type: 'button', 'aria-label': `Let go of ${text}`,
			onclick: () => update(changes) }, '\u00d7'));
}

function showSearch() {
	if (document.activeElement !== $('query'))
		$('query').value = state.search;
	if (!state.search || !has(flameView))
		return setText($('matched'), '');
	const graph = flame(), total = graph.total[widthPlace()], hits = found();
	const sum = matchedSum(graph, (i) => graph.isFunction(i) && hits[graph.key[i]], total);
	setText($('matched'), `${percentText(sum / (total[0] || 1))} matched` +
		(isExpression(state.search) ? '' : ' (as plain text)'));
}

function showTabs() {
	for (const view of TABS.filter(has)) {
		const on = view.id === currentView(), tab = $(`tab-${view.id}`);
		tab.setAttribute('aria-selected', String(on));
		tab.tabIndex = on ? 0 : -1;
		$(view.id).hidden = !on && !printing;
	}
}

/* Shows a sentence instead of the picture if the selection is empty. */
function showEmpty(view) {
	const note = $(view.id).lastElementChild;
	const empty = selected().every(({ samples }) => !samples);
	const noStacks = view === flameView && model.nodes.n < 2;
	note.hidden = !empty && !noStacks;
	setText(note, empty ? emptyText() : !noStacks ? ''
		: 'The samples have neither stacks nor functions. ' +
			'Record with perf record -g to see who called what.');
	for (const box of $(view.id).querySelectorAll('.picture, .scroll'))
		box.hidden = empty;
	return empty;
}

/* Updates everything from the state. Hidden views are updated when they become visible. */
function refresh() {
	$('back').disabled = steps === 0;
	if (state.event >= model.facts.events.length)
		state.event = 0;
	showTabs();
	showSelection();
	if ($('strips')) {
		$('strips').hidden = !state.strips && !printing;
		$('strips-switch').setAttribute('aria-expanded', String(state.strips));
		setText($('strips-switch'),
			state.strips ? 'Hide time and threads' : 'Show time and threads');
	}
	for (const view of STRIPS.filter(has))
		if (view.box)
			view.show();
	for (const view of TABS.filter(has)) {
		if (view.id !== currentView() && !printing)
			continue;
		if ((view === flameView || view === tableView) && showEmpty(view))
			continue;
		view.show();
	}
	showSearch();
}

const KEYS = [
	['1 \u2026 5', 'the views, in the order of the tabs'],
	['/', 'search; Enter goes back to the picture'],
	['Escape, Backspace', 'one step back'], ['0', 'reset: show everything again'],
	['d', 'dark or light'],
	['t, h, m', 'to the threads; to the heat map of time; hide or show both'],
	['i, r', 'root below or on top; merged from the root or from the leaf'], ['?', 'this help'],
	['Flame graph', 'arrow keys: from frame to frame; Enter: zoom; + \u2212: closer, wider; ' +
		'f: only stacks through the frame; c: its code'],
	['Mouse', 'click zooms, double click opens the code; wheel with Ctrl zooms at the ' +
		'pointer; drag moves sideways'],
	['Heat map of time',
		'drag, or Shift with arrow keys: select a range; Enter: a whole column'],
	['Threads, CPUs', 'click or Enter: only this one; with Shift or Ctrl: one more; ' +
		'drag over the strips: select a range'],
	['Compare', 'Compare\u2026, or drag with Shift: a second selection, B. ' +
		'Widths show B, colours how B differs from A'],
	['Functions',
		'click or Space: mark a function everywhere; double click or Enter: its code'],
];

function buildHelp() {
	$('help').replaceChildren(make('h2', { id: 'help-title' }, 'Keys and hints'),
		make('table', { class: 'facts' }, make('tbody', {}, ...KEYS.map(([key, text]) =>
			make('tr', {}, make('th', { scope: 'row' }, key), make('td', {}, text))))),
		make('p', {}, 'All views show the same selection of event, time, threads, CPUs ' +
			'and function. The address line is a link to what you see; Back and ' +
			'Forward of the browser work.'),
		make('button', { type: 'button', onclick: () => $('help').close() }, 'Close'));
}

function toggleTheme() {
	document.documentElement.dataset.theme = isDark() ? 'light' : 'dark';
	showTheme();
	refresh();
}

function showTheme() {
	setText($('theme'), isDark() ? 'Light' : 'Dark');
}

/* Handles keys that work everywhere but in text fields. */
function globalKey(event) {
	const typing = event.target.matches('input, select, textarea');
	if (event.ctrlKey || event.metaKey || event.altKey || $('help').open)
		return;
	if (typing) {
		if (event.key === 'Escape' ||
			(event.key === 'Enter' && event.target.id === 'query'))
			leaveField(event);
		return;
	}
	const views = TABS.filter(has);
	const actions = {
		Escape: stepBack, Backspace: stepBack, 0: reset, d: toggleTheme,
		i: () => update({ icicle: !state.icicle }),
		r: () => update({ reverse: !state.reverse, zoom: '', x: '' }),
		m: () => update({ strips: !state.strips }),
		'?': () => $('help').showModal(),
		'/': () => $('query').focus(),
		t: () => threadsView.body && threadsView.body.focus(),
		h: () => timeView.box && timeView.box.focus(),
	};
	const view = views[event.key - 1];
	const action = actions[event.key] || (view && (() => update({ view: view.id })));
	if (!action)
		return;
	event.preventDefault();
	action();
}

/* Leaves a text field: Enter goes to the picture; Escape empties the field first. */
function leaveField(event) {
	if (event.key === 'Escape' && event.target.value && event.target.type === 'search') {
		event.target.value = '';
		event.target.dispatchEvent(new Event('input', { bubbles: true }));
	} else {
		event.target.blur();
		if (has(flameView) && currentView() === 'flame')
			flameView.box.focus();
	}
	event.preventDefault();
}

function reset() {
	update({ ...base, view: state.view });
}

function listen() {
	addEventListener('popstate', followAddress);
	addEventListener('hashchange', followAddress);
	document.addEventListener('keydown', globalKey);
	$('query').addEventListener('input', () => update({ search: $('query').value }, true));
	$('back').addEventListener('click', stepBack);
	$('reset').addEventListener('click', reset);
	$('theme').addEventListener('click', toggleTheme);
	$('help-open').addEventListener('click', () => $('help').showModal());
	darkSetting.addEventListener('change', () => { showTheme(); refresh(); });
	addEventListener('beforeprint', () => print(true));
	addEventListener('afterprint', () => print(false));
}

/*
 * On paper all views stand one below the other, light, without controls. The style sheet uses a
 * class and not the medium, because pictures are drawn before the browser changes the medium.
 */
const PAPER_ROWS = 33;

function print(on) {
	printing = on;
	document.documentElement.classList.toggle('printing', on);
	const height = (rows, size) => (on ? `${Math.min(PAPER_ROWS, rows) * size}px` : '');
	if (has(flameView))
		flameView.box.style.height = height(flame().rows.length, ROW);
	if (has(threadsView))
		threadsView.box.style.height = height(lines().order.length, LINE);
	refresh();
}
