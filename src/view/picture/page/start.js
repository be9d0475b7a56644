/* Start. */

/* A block of JSON that is packed; null if it is empty. */
async function unpackJson(id, packed) {
	const text = $(id).textContent.trim();
	return text ? JSON.parse(new TextDecoder().decode(await unpack(text, packed))) : null;
}

async function load() {
	const facts = JSON.parse($('facts').textContent);
	Object.assign(facts, await unpackJson('lists', facts.packed));
	const packed = await unpack($('columns').textContent, facts.packed);
	model = readModel(facts, new Columns(facts.columns || [], packed));
	const code = await unpackJson('code', facts.packed);
	if (code)
		listings = readListings(code);
	/* Where the picture is longer than the window, its root is to be seen first: on top. */
	const small = window.matchMedia('(max-width: 760px), (max-height: 520px)').matches;
	base = parseLink(facts.start || '', { ...DEFAULTS, icicle: small });
	if (!facts.cgroups && base.root === 'cgroup')
		base = { ...base, root: 'comm' };
}

async function start() {
	performance.mark('start');
	try {
		await load();
		buildPage();
		buildHelp();
		listen();
		showTheme();
		showAddress();
		document.documentElement.classList.add('ready');
		performance.mark('ready');
	} catch (error) {
		const text = `This page cannot be shown. ${error.message}`;
		document.querySelector('main').replaceChildren(
			make('p', { id: 'loading', role: 'alert' }, text));
		throw error;
	}
}

/* What tests look at. */
window.page = { readNumbers, parseSpans, spansText, hashText, update, flame, layout, boxColours,
	state: () => state, flameView, timeView, tableView, codeView, heatView };

/* The skeleton is painted first. */
requestAnimationFrame(() => setTimeout(start));

})();
