/* SPDX-License-Identifier: MIT */
/*
 * The script of a heat map in SVG. A line above the picture describes the cell under the pointer,
 * or the one selected with the arrow keys. The descriptions are the tooltips of the cells. The
 * picture fills the window; the inside of the plot is placed in percent and resizes with it.
 */
'use strict';
(() => {
const plot = document.querySelector('.cells'), line = document.querySelector('text.cell');
const number = (cell, name) => Number(cell.getAttribute(name));
const cells = [...plot.querySelectorAll('rect')].map((rect) => ({
	rect, x: number(rect, 'x'), y: number(rect, 'y'),
	words: rect.querySelector('title').textContent,
}));
const byRect = new Map(cells.map((cell) => [cell.rect, cell]));
const cursor = document.createElementNS(plot.namespaceURI, 'rect');
let current = null;

/* The margins keep their sizes from the file. */
const page = document.documentElement, legend = document.querySelector('.legend');
const margins = ['width', 'height'].map((name) => number(page, name) - number(plot, name));

function fit() {
	const sizes = [Math.max(window.innerWidth, 420), Math.max(window.innerHeight, 360)];
	['width', 'height'].forEach((name, i) => {
		page.setAttribute(name, sizes[i]);
		for (const element of document.querySelectorAll('.plot'))
			element.setAttribute(name, sizes[i] - margins[i]);
	});
	legend.setAttribute('x', sizes[0] - 20);
}

function show(cell) {
	current = cell;
	line.textContent = cell ? cell.words : '';
	if (!cell) {
		cursor.remove();
		return;
	}
	for (const name of ['x', 'y', 'width', 'height'])
		cursor.setAttribute(name, cell.rect.getAttribute(name));
	plot.append(cursor);
}

/* Returns the nearest cell in the direction. Distance sideways counts more than distance ahead. */
function next(from, dx, dy) {
	let best = null, least = Infinity;
	for (const cell of cells) {
		const x = cell.x - from.x, y = cell.y - from.y, ahead = x * dx + y * dy;
		const distance = ahead + 3 * Math.abs(dx ? y : x);
		if (ahead > 0 && distance < least)
			[best, least] = [cell, distance];
	}
	return best || from;
}

const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

window.addEventListener('resize', fit);
fit();
cursor.setAttribute('class', 'cursor');
plot.classList.add('script');
plot.setAttribute('tabindex', '0');
plot.setAttribute('role', 'application');
plot.setAttribute('aria-label', 'Heat map: arrow keys go from cell to cell');
/* The line replaces the tooltips, which would cover the picture. */
for (const cell of cells)
	cell.rect.querySelector('title').remove();
plot.addEventListener('pointerover', (event) => show(byRect.get(event.target) || null));
plot.addEventListener('pointerout', () => show(null));
plot.addEventListener('focus', () => show(current || cells[0]));
plot.addEventListener('keydown', (event) => {
	const way = ways[event.key];
	if (event.key === 'Escape')
		show(null);
	if (!way)
		return;
	event.preventDefault();
	show(current ? next(current, ...way) : cells[0]);
});
})();
