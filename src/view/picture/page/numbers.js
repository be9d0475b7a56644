/* Numbers as text. */

/*
 * Formats a number with commas. The first toLocaleString() would take longer than the first
 * picture.
 */
const countText = (n) => Math.round(n).toFixed(0).replace(/\B(?=(\d{3})+$)/g, ',');

function percentText(share) {
	return Number.isFinite(share) ? `${(share * 100).toFixed(2)}%` : '\u2013';
}

/* Formats a difference of two shares, always with its sign. */
function pointsText(difference) {
	const text = (Math.abs(difference) * 100).toFixed(2);
	return `${difference < 0 ? '\u2212' : '+'}${text}`;
}

const TIME_UNITS = [[1e9, 's'], [1e6, 'ms'], [1e3, '\u00b5s'], [1, 'ns']];

function timeText(ns) {
	const [scale, unit] = TIME_UNITS.find(([size]) => Math.abs(ns) >= size) || TIME_UNITS[3];
	return `${Number((ns / scale).toPrecision(4))} ${unit}`;
}

/* Formats a point of the time axis, in seconds with as many digits as @step needs. */
function momentText(ns, step) {
	const digits = Math.min(9, Math.max(0, Math.ceil(9 - Math.log10(Math.max(1, step)))));
	return `${(ns / 1e9).toFixed(digits)} s`;
}

function weightText(value, unit) {
	return unit === 'ns' ? timeText(value) : countText(value) + (unit ? ` ${unit}` : '');
}

/*
 * Makes text fit for one line: characters that would break or reorder the line are escaped as
 * letters, as base/escape.c does it for terminals and SVG.
 */
function lineText(text) {
	const controls = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
	return text.replace(controls, (char) => {
		const code = char.charCodeAt(0);
		const letter = { 8: 'b', 9: 't', 10: 'n', 12: 'f', 13: 'r' }[code];
		if (letter)
			return `\\${letter}`;
		return code < 0x80 ? `\\x${code.toString(16).padStart(2, '0')}`
			: `\\u${code.toString(16).padStart(4, '0')}`;
	});
}

const nameText = (text) => lineText(text) || '[empty name]';
