/*
 * Cuts texts to fit. The width of each character is measured only once, because asking the canvas
 * for each text of each frame would take most of the frame.
 */
class TextFitter {
	constructor(font) {
		this.context = make('canvas').getContext('2d');
		this.context.font = font;
		this.ascii = new Float64Array(127);
		for (let c = 32; c < 127; c++)
			this.ascii[c] = this.context.measureText(String.fromCharCode(c)).width;
		this.dots = this.context.measureText('\u2026').width;
		this.widths = new Map();
	}

	charWidth(code) {
		if (code < 127)
			return this.ascii[code];
		if (!this.widths.has(code))
			this.widths.set(code,
				this.context.measureText(String.fromCodePoint(code)).width);
		return this.widths.get(code);
	}

	/*
	 * Returns as much of @text as fits into @room pixels, with dots for the rest; '' if fewer
	 * than @least characters fit.
	 */
	fit(text, room, least) {
		let used = 0, cut = 0, n = 0;
		for (const char of text) {
			used += this.charWidth(char.codePointAt(0));
			if (used > room)
				return n < least ? '' : `${text.slice(0, cut)}\u2026`;
			if (used + this.dots <= room) {
				cut += char.length;
				n++;
			}
		}
		return text;
	}
}
