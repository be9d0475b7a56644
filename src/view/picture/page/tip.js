/* The tip at the pointer. */

/* Shows @lines near the pointer; the first is the title. Without lines, the tip is hidden. */
function showTip(event, lines) {
	const tip = $('tip');
	tip.hidden = !lines;
	if (!lines)
		return;
	tip.replaceChildren(...lines.map((line, i) => make(i ? 'p' : 'strong', {}, line)));
	const room = 14, { width, height } = tip.getBoundingClientRect();
	const beside = (at, size, end) =>
		Math.max(4, at + room + size > end ? at - room - size : at + room);
	tip.style.left = `${beside(event.clientX, width, innerWidth)}px`;
	tip.style.top = `${beside(event.clientY, height, innerHeight)}px`;
}

const say = (text) => setText($('live'), text);
