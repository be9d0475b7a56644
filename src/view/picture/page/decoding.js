/* Decoding. */

const damaged = (how) => new Error(`The data of this page is damaged: ${how}.`);

/* Reads @n LEB128 numbers from @bytes[@from, @to). Numbers are exact up to 2^53. */
function readNumbers(bytes, from, to, n, Type) {
	const out = new Type(n);
	let at = from;
	for (let i = 0; i < n; i++) {
		let byte = bytes[at++];
		if (byte < 0x80) {
			out[i] = byte;
			continue;
		}
		let value = byte & 0x7f;
		for (let scale = 128; byte & 0x80; scale *= 128) {
			byte = bytes[at++];
			value += (byte & 0x7f) * scale;
		}
		out[i] = value;
	}
	if (at !== to || to > bytes.length)
		throw damaged('a column ends at the wrong place');
	return out;
}

/* Reads columns on demand; one that is not in the page is all zero. */
class Columns {
	constructor(list, bytes) {
		this.bytes = bytes;
		this.places = new Map();
		let at = 0;
		for (const { name, n, bytes: size } of list) {
			this.places.set(name, { n, from: at, to: at + size });
			at += size;
		}
	}

	has(name) {
		return this.places.has(name);
	}

	count(name) {
		return this.has(name) ? this.places.get(name).n : 0;
	}

	read(name, n, Type) {
		const place = this.places.get(name);
		if (!place)
			return new Type(n);
		if (place.n !== n)
			throw damaged(`${name} has ${place.n} numbers, not ${n}`);
		return readNumbers(this.bytes, place.from, place.to, n, Type);
	}
}
