/* Start. */

/* Returns a packed block of JSON; null if it is empty. */
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
	/*
	 * If the picture is longer than the window, the root is on top, so that it is visible
	 * first.
	 */
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

/* The names that the tests use. */
window.page = { readNumbers, parseSpans, spansText, hashText, update, flame, layout, boxColours,
	state: () => state, flameView, timeView, tableView, codeView, heatView };

/* The skeleton is painted before the start. */
requestAnimationFrame(() => setTimeout(start));

})();
