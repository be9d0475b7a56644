// SPDX-License-Identifier: MIT
// Feeds bytes to xterm.js: xterm.cjs PACKAGE COLUMNS ROWS < BYTES prints its screen as JSON: rows of
// [character, foreground, background, flags] for each cell; -1 is the terminal's own colour.
const [folder, columns, rows] = process.argv.slice(2);
const { Terminal } = require(folder);
const terminal = new Terminal({ cols: +columns, rows: +rows, allowProposedApi: true });
const chunks = [];
const colour = (isDefault, value) => (isDefault ? -1 : value);

function row(y) {
	const line = terminal.buffer.active.getLine(terminal.buffer.active.baseY + y);
	const cells = [];
	for (let x = 0; x < terminal.cols; x++) {
		const c = line.getCell(x);
		cells.push([c.getChars(), colour(c.isFgDefault(), c.getFgColor()), colour(c.isBgDefault(), c.getBgColor()),
			(c.isBold() ? 1 : 0) + (c.isInverse() ? 2 : 0) + (c.isUnderline() ? 4 : 0)]);
	}
	return cells;
}

process.stdin.on("data", chunk => chunks.push(chunk));
process.stdin.on("end", () => terminal.write(Buffer.concat(chunks), () => {
	const screen = [];
	for (let y = 0; y < terminal.rows; y++)
		screen.push(row(y));
	console.log(JSON.stringify({ alternate: terminal.buffer.active.type === "alternate", screen }));
}));
