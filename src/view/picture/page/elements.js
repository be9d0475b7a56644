/*
 * The script of the HTML page. docs/format/page.md says what it reads and what the page shows.
 *
 * There is one state: a flat object of settings, which is also the link to the current view (the
 * fragment of the address). Every view derives from the state and from the data, which never
 * change. A view draws, and requests a new state with update(). Results that are costly to derive
 * are kept until the settings that they depend on change.
 *
 * Everything that was recorded is text here: it goes into the page by textContent or fillText() and
 * never as HTML.
 *
 * Its parts are the files of page/, in the order of src/view/meson.build: elements and numbers as
 * text; decoding; the model; selections and their sums; flame graphs; state; colours; one part for
 * each view; controls; start. They are one function when the page runs.
 */

/* Elements. */

const $ = (id) => document.getElementById(id);

function setText(element, text) {
	if (element.textContent !== text)
		element.textContent = text;
}

/* Makes a drop-down list with a label; @choices are [value, text]. */
function makeChoice(id, label, choices, onchoice) {
	const select = make('select', { id, onchange: () => onchoice(select.value) });
	for (const [value, text] of choices)
		select.append(make('option', { value }, text));
	return make('span', { class: 'field' }, make('label', { for: id }, label), select);
}

/* Makes a row of buttons of which one is pressed; @choices are [value, text]. */
function makeSwitch(id, label, choices, onchoice) {
	const group = make('span', { id, class: 'switch', role: 'group', 'aria-label': label });
	for (const [value, text] of choices)
		group.append(make('button', { type: 'button', 'data-value': value,
			onclick: () => onchoice(value) }, text));
	return group;
}

function setSwitch(group, value) {
	for (const button of group.children)
		button.setAttribute('aria-pressed', String(button.dataset.value === value));
}

/*
 * Clears @canvas, sizes it to the visible part of its parent and returns its context, in CSS
 * pixels. Paper has more dots than a screen.
 */
function contextOf(canvas) {
	const ratio = printing ? 3 : window.devicePixelRatio || 1;
	const { clientWidth: width, clientHeight: height } = canvas.parentElement;
	canvas.style.height = `${height}px`;
	const w = Math.max(1, Math.round(width * ratio));
	const h = Math.max(1, Math.round(height * ratio));
	if (canvas.width !== w || canvas.height !== h) {
		canvas.width = w;
		canvas.height = h;
	}
	const context = canvas.getContext('2d');
	context.setTransform(w / Math.max(1, width), 0, 0, h / Math.max(1, height), 0, 0);
	context.clearRect(0, 0, width, height);
	return { context, width, height };
}

/*
 * Shows the rows of @body that are in view: @makeRow(i) makes one, and elements with the tag
 * @spacer stand for the height of all others above and below. Every row is @height pixels high. On
 * paper there is no scrolling: the first @most rows are shown.
 */
function showRows({ scroller, body, spacer, height, n, most, makeRow }) {
	const top = printing ? 0 : scroller.scrollTop;
	const from = Math.min(Math.max(0, Math.floor(top / height) - 4), Math.max(0, n - 1));
	const to = printing ? Math.min(n, most)
		: Math.min(n, Math.ceil((top + scroller.clientHeight) / height) + 4);
	const rows = [];
	for (let i = from; i < to; i++)
		rows.push(makeRow(i));
	const space = (count) => {
		const element = make(spacer, { class: 'space', 'aria-hidden': 'true' });
		element.style.height = `${printing ? 0 : count * height}px`;
		return element;
	};
	body.replaceChildren(space(from), ...rows, space(n - to));
}

/* Scrolls so that row @i is in view, in the middle if it was not. A table head keeps its place. */
function scrollToRow(scroller, body, height, i) {
	const topOf = (element) => element.getBoundingClientRect().top;
	const head = topOf(body) - topOf(scroller) + scroller.scrollTop;
	const top = i * height, room = scroller.clientHeight - head;
	if (top < scroller.scrollTop || top + height > scroller.scrollTop + room)
		scroller.scrollTop = top - room / 2;
}
