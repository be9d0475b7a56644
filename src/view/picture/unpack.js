/* Unpacking. */

function bytesOf(base64) {
	const raw = atob(base64);
	const bytes = new Uint8Array(raw.length);
	for (let i = 0; i < raw.length; i++)
		bytes[i] = raw.charCodeAt(i);
	return bytes;
}

/* Returns the bytes of a block of data: base64 of a zlib stream, or of plain bytes. */
async function unpack(base64, packed) {
	const bytes = bytesOf(base64.trim());
	if (packed !== 'zlib' || !bytes.length)
		return bytes;
	if (typeof DecompressionStream === 'undefined')
		throw new Error('This browser is too old to unpack the data of this page: ' +
			'it lacks DecompressionStream. Open the page in a newer one.');
	const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
	return new Uint8Array(await new Response(stream).arrayBuffer());
}
