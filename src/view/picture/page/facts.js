/* Facts. */

function sentence(text) {
	const line = lineText(text);
	return line.slice(0, 1).toUpperCase() + line.slice(1) + (/[.!?:]$/.test(line) ? '' : '.');
}

function makeQuality(list) {
	const words = { fine: 'Fine', note: 'Note', warning: 'Warning' };
	return make('ul', { class: 'quality' }, ...list.map(({ level, text, help }) =>
		make('li', { class: Object.hasOwn(words, level) ? level : 'note' },
			make('b', {}, words[level] || 'Note'), ` ${sentence(text)}`,
			help ? make('span', { class: 'help' }, ` ${sentence(help)}`) : '')));
}

const factsView = {
	id: 'facts', title: 'Facts',

	build(panel) {
		const { quality = [], header = [], events, dropped, tool } = model.facts;
		const trust = [...quality, ...(dropped ? [{ level: 'note', text: dropped }] : [])];
		const parts = [];
		const section = (title, ...children) =>
			parts.push(make('section', {}, make('h2', {}, title), ...children));
		if (trust.length)
			section('How far to trust it', makeQuality(trust));
		if (header.length)
			section('Recording', this.makeHeader(header));
		if (events.length)
			section('Events', this.makeEvents(events));
		section('This page', make('p', {}, `Written by ${lineText(tool || 'perf')}. ` +
			'It loads nothing and sends nothing; the address line holds a link to ' +
			'what you see.'));
		panel.append(make('div', { class: 'scroll facts-box', tabindex: 0, role: 'region',
			'aria-label': 'Facts' }, ...parts));
	},

	makeHeader(header) {
		const row = ([name, value]) =>
			make('tr', {}, make('th', { scope: 'row' }, lineText(String(name))),
				make('td', {}, lineText(String(value))));
		return make('table', { class: 'facts' }, make('tbody', {}, ...header.map(row)));
	},

	makeEvents(events) {
		const heads = ['Event', 'Samples', 'Total']
			.map((text) => make('th', { scope: 'col' }, text));
		const number = (text) => make('td', { class: 'number' }, text);
		const row = ({ name, unit, period, samples, total }) =>
			make('tr', {}, make('td', {}, lineText(name)),
				number(unit === 'ns' && period === 1 ? '' : countText(samples)),
				number(weightText(total, unit)));
		return make('table', { class: 'facts' },
			make('thead', {}, make('tr', {}, ...heads)),
			make('tbody', {}, ...events.map(row)));
	},

	show() {},
};
