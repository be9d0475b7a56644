/*
 * A time chart in a browser: zoom, search, hover, and the reason why a thread was not running at a
 * moment.
 *
 * makeTimechart() draws the chart of docs/format/timechart.md on a canvas, at any scale: pieces
 * narrower than a pixel are summed up for their column, so a frame costs as much as it has pixels
 * and pieces. An SVG carries its data in <metadata>; the page of perf timechart --html calls
 * makeTimechart() itself.
 */
const LABEL = 190, AXIS = 24, ROW = 20, BAR = 15, STRIP = 5, GAP = 10, MARGIN = 12;
const STATES = 8, FOLDED = 64, PREEMPTED = 1, INTERRUPT = 2, FAILED = 4;
const NOTHING = 0, RUNNING = 1, RUNNABLE = 2, SLEEPING = 3, BLOCKED = 4, IO_WAIT = 5, STOPPED = 6;
const OF_CPU = 0, OF_IDLE = 1, OF_FREQUENCY = 2, OF_TASK = 3, OF_CALLS = 4;
const ARROWS_MOST = 300;
const STATE_WORDS = ["unknown", "running", "waiting for a CPU", "sleeping", "blocked",
	"blocked on I/O", "stopped"];
const IO_WORDS = ["", "read", "write", "receive", "send", "sync", "poll"];
const HINT_WORDS = ["", "I/O", "a lock", "a futex", "", ""];
const COLOURS = ["running", "runnable", "blocked", "io", "stopped", "span", "lane", "marked",
	"line", "ink", "faint", "page", "wake", "failed", "accent", "read", "write", "receive",
	"send", "sync", "poll"];
/* The parts of a bar, from the bottom upwards. */
const STACK = [[RUNNING, "running"], [RUNNABLE, "runnable"], [IO_WAIT, "io"],
	[BLOCKED, "blocked"], [STOPPED, "stopped"]];
const CALLS_IN = [[1, "read"], [3, "receive"], [6, "poll"]];
const CALLS_OUT = [[2, "write"], [4, "send"], [5, "sync"]];
const IDLE = ["#b7dcc9", "#86c2a4", "#57a680", "#36875f", "#216543", "#12432b"]
	.map((colour, i) => [i + 1, colour]);

/* --- texts -------------------------------------------------------------------------------- */

const TIMES = [["s", 1e9], ["ms", 1e6], ["\u00b5s", 1e3], ["ns", 1]];

function timeText(ns) {
	const [unit, size] = TIMES.find(([, size]) => Math.abs(ns) >= size) || TIMES[3];
	return `${Number((ns / size).toPrecision(4))} ${unit}`;
}

/* Formats a moment, with enough digits to distinguish steps of @step. */
function momentText(ns, step) {
	if (!ns)
		return "0";
	const [unit, size] = TIMES.find(([, size]) => Math.abs(ns) >= size) || TIMES[2];
	const decimals = Math.max(0, Math.min(9, Math.ceil(-Math.log10(step / size))));
	return `${(ns / size).toFixed(decimals)} ${unit}`;
}

function bytesText(n) {
	const units = ["B", "KiB", "MiB", "GiB", "TiB"];
	let i = 0;
	for (; n >= 1024 && i < units.length - 1; i++)
		n /= 1024;
	return `${Number(n.toPrecision(4))} ${units[i]}`;
}

/* Replaces control characters, which would be invisible. */
const visible = text => text.replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
	c => "\\x" + c.charCodeAt(0).toString(16).padStart(2, "0"));

/* --- the data ------------------------------------------------------------------------------ */

function readColumns(data, bytes) {
	const columns = {};
	let at = 0;
	for (const [name, n] of data.columns) {
		const column = columns[name] = new Float64Array(n);
		for (let i = 0; i < n; i++) {
			let value = 0, scale = 1, byte;
			do {
				byte = bytes[at++];
				value += (byte & 127) * scale;
				scale *= 128;
			} while (byte & 128);
			column[i] = value;
		}
	}
	return columns;
}

/* Reads the lanes with their pieces, which are ranges of columns. */
function readLanes(c) {
	const n = c["piece.ns"].length, start = new Float64Array(n), fold = new Int32Array(n).fill(-1);
	const lanes = [];
	let piece = 0, folds = 0;
	for (let i = 0; i < c["lane.kind"].length; i++) {
		const first = piece, end = piece + c["lane.pieces"][i];
		let time = c["lane.begin"][i];
		for (; piece < end; piece++) {
			start[piece] = time;
			time += c["piece.ns"][piece];
			if (c["piece.kind"][piece] & FOLDED)
				fold[piece] = folds++;
		}
		lanes.push({ kind: c["lane.kind"][i], of: c["lane.of"][i], first, end,
			begin: c["lane.begin"][i], last: time });
	}
	return { lanes, start, fold };
}

function readModel(data, bytes) {
	const columns = readColumns(data, bytes);
	const { lanes, start, fold } = readLanes(columns);
	const tasks = data.tasks.map(([tid, pid, comm, before, wakeups, marked]) =>
		({ tid, pid, name: visible(comm) || "?", before: visible(before), wakeups, marked }));
	const cpus = data.cpus.map(number => ({ number }));
	const by = [cpus, cpus, cpus, tasks, tasks];
	const field = ["lane", "idle", "frequency", "lane", "calls"];
	for (const lane of lanes)
		by[lane.kind][lane.of][field[lane.kind]] = lane;
	return { data, columns, start, fold, tasks, cpus, byNumber: new Map(cpus.map(c => [c.number, c])) };
}

/* --- questions about pieces ---------------------------------------------------------------- */

const stateOf = (m, i) => m.columns["piece.kind"][i] & 7;
const flagsOf = (m, i) => (m.columns["piece.kind"][i] >> 3) & 7;
const lengthOf = (m, i) => m.columns["piece.ns"][i];
const endOf = (m, i) => m.start[i] + m.columns["piece.ns"][i];
const taskOf = (m, i) => m.tasks[m.columns["piece.by"][i] - 1];
const nsOf = (m, i, state) => m.fold[i] < 0 ? (stateOf(m, i) === state ? lengthOf(m, i) : 0)
	: m.columns["fold.ns"][m.fold[i] * STATES + state];

/* Returns the piece of @lane at @time, or -1. */
function pieceAt(m, lane, time) {
	if (!lane || time < lane.begin || time >= lane.last)
		return -1;
	let low = lane.first, high = lane.end;
	while (low < high) {
		const mid = (low + high) >> 1;
		if (m.start[mid] <= time)
			low = mid + 1;
		else
			high = mid;
	}
	return low - 1;
}

/* Calls @each for the pieces of @lane that overlap a span. */
function forPieces(m, lane, from, to, each) {
	if (!lane || to <= lane.begin || from >= lane.last)
		return;
	for (let i = Math.max(pieceAt(m, lane, from), lane.first); i < lane.end && m.start[i] < to; i++)
		each(i);
}

/*
 * Returns the time of each state of @lane in each of @n columns of a span. It is called for every
 * row of every frame, so arrays are looked up once.
 */
function columnsOf(m, lane, from, to, n) {
	const sums = new Float64Array(n * STATES), scale = n / (to - from);
	const { start, fold } = m, ns = m.columns["piece.ns"], kind = m.columns["piece.kind"];
	const folds = m.columns["fold.ns"];
	forPieces(m, lane, from, to, i => {
		const a = (start[i] - from) * scale, width = ns[i] * scale, b = a + width;
		const low = a > 0 ? a : 0, high = b < n ? b : n, at = fold[i] * STATES;
		for (let c = Math.floor(low); c < high; c++) {
			const share = ((high < c + 1 ? high : c + 1) - (low > c ? low : c)) / width;
			if (at < 0)
				sums[c * STATES + (kind[i] & 7)] += share * ns[i];
			else
				for (let s = 0; s < STATES; s++)
					sums[c * STATES + s] += share * folds[at + s];
		}
	});
	return sums;
}

/*
 * Returns the tasks that ran on a CPU in a span: [[task, ns]], the longest first. Folded pieces
 * name their longest task.
 */
function ranOn(m, cpu, from, to) {
	const sums = new Map();
	let other = 0, idle = 0;
	forPieces(m, cpu && cpu.lane, from, to, i => {
		const share = (Math.min(endOf(m, i), to) - Math.max(m.start[i], from)) / lengthOf(m, i);
		const task = taskOf(m, i), busy = share * nsOf(m, i, RUNNING);
		const known = m.fold[i] < 0 ? busy
			: Math.min(busy, share * m.columns["fold.longest"][m.fold[i]]);
		idle += share * nsOf(m, i, NOTHING);
		other += busy - known;
		if (task && known)
			sums.set(task, (sums.get(task) || 0) + known);
	});
	return { tasks: [...sums].sort((a, b) => b[1] - a[1]), other, idle };
}

function stackOf(m, i) {
	const names = [];
	let node = m.columns["piece.stack"][i] && m.columns["stack.node"][m.columns["piece.stack"][i] - 1];
	for (; node; node = m.columns["node.parent"][node - 1])
		names.push(visible(m.data.names[m.columns["node.name"][node - 1]]));
	return names;
}

const hintOf = (m, i) => m.columns["piece.stack"][i]
	? HINT_WORDS[m.columns["stack.hint"][m.columns["piece.stack"][i] - 1]] : "";

/* Returns the time of each state of a lane in a span. */
function sumsOf(m, lane, from, to) {
	return columnsOf(m, lane, from, to, 1);
}

/* --- the chart ----------------------------------------------------------------------------- */

function Chart(host, m, hooks) {
	const length = Math.max(m.data.length, 1);
	const usual = { from: 0, to: length, search: "", row: -1, at: -1, a: -1, b: -1 };
	let view = { ...usual };
	const colours = {};
	let rows = [], drag = null, frame = 0;

	const canvas = make("canvas", { tabindex: "0", role: "application",
		"aria-label": "Time chart: arrow keys go from piece to piece and from row to row" });
	const spacer = make("div", { class: "tc-spacer" }, canvas);
	const scroller = make("div", { class: "tc-rows" }, spacer);
	const answer = make("aside", { class: "tc-answer", "aria-live": "polite", hidden: "" });
	const tip = make("div", { class: "tc-tip", hidden: "" });
	const field = make("input", { type: "search", placeholder: "Search threads", spellcheck: "false",
		autocomplete: "off", "aria-label": "Search for threads, by a regular expression",
		oninput: () => show({ search: field.value }, true) });
	const found = make("span", { class: "tc-found", role: "status" });
	const span = make("span", { class: "tc-span" });
	const selection = make("span", { class: "tc-selection", hidden: "" });
	const help = makeHelp();
	const pen = canvas.getContext("2d");

	/* --- the frame ----------------------------------------------------------------------- */

	function button(text, hint, action) {
		return make("button", { type: "button", title: hint, onclick: action }, text);
	}

	function makeHelp() {
		const list = make("dl");
		for (const [key, what] of [
			["Click", "what a thread did at that moment, and why"],
			["Arrows", "the piece before and after, the row above and below"],
			["Drag", "select a span of time"],
			["Enter", "zoom to the selection, or to the piece"],
			["+, -", "zoom in and out; also Ctrl and the wheel"],
			["Shift and arrows", "earlier, later; also Shift and the wheel"],
			["0", "show all"], ["/", "search"], ["Esc", "close, clear, back"],
		])
			list.append(make("dt", null, key), make("dd", null, what));
		const dialog = make("dialog", { "aria-label": "Keys" }, make("h2", null, "Keys"), list);
		dialog.append(button("Close", "Close (Esc)", () => dialog.close()));
		return dialog;
	}

	function makeLegend() {
		const list = make("ul", { class: "tc-legend" });
		const sums = { lane: new Float64Array(STATES), calls: new Float64Array(STATES) };
		for (const task of m.tasks)
			for (const field of ["lane", "calls"])
				if (task[field])
					sumsOf(m, task[field], 0, length).forEach((ns, i) => { sums[field][i] += ns; });
		const has = (field, state) => sums[field][state] > 0;
		const add = (name, words) => {
			const item = make("li", null, make("i", { class: "tc-" + name }), words);
			list.append(item);
		};
		for (const [state, name] of [[RUNNING, "running"], [RUNNABLE, "runnable"], [SLEEPING, "span"],
			[BLOCKED, "blocked"], [IO_WAIT, "io"], [STOPPED, "stopped"]])
			if (has("lane", state))
				add(name, STATE_WORDS[state]);
		for (const [kind, name] of [...CALLS_IN, ...CALLS_OUT])
			if (has("calls", kind))
				add(name, IO_WORDS[kind]);
		if (m.tasks.some(t => t.marked) || m.data.highlight)
			add("marked", "marked");
		return list;
	}

	function build() {
		const tools = make("div", { class: "tc-tools" }, field, found,
			button("\u2212", "Zoom out (-)", () => zoomBy(2)),
			button("+", "Zoom in (+)", () => zoomBy(0.5)),
			button("All", "Show all (0)", () => show({ from: 0, to: length })),
			button("?", "Keys (?)", () => help.showModal()), span, selection);
		host.append(make("div", { class: "tc-head" }, tools, makeLegend()),
			make("div", { class: "tc-body" }, scroller, answer), tip, help);
		host.classList.add("timechart-page");
	}

	/* With many CPUs, rows are low, so that threads are visible, too. */
	const isDense = m.cpus.length > 16, cpuBar = isDense ? 8 : BAR;

	/* --- rows ---------------------------------------------------------------------------- */

	function patternOf(text) {
		try {
			return new RegExp(text, "i");
		} catch {
			return null;
		}
	}

	function rowHeight(row) {
		if (row.cpu)
			return cpuBar + (isDense ? 3 : 5) + (row.cpu.idle ? STRIP : 0);
		return row.task.lane && row.task.calls ? ROW + 2 * STRIP + 3 : ROW;
	}

	function arrange() {
		const pattern = view.search ? patternOf(view.search) : /(?:)/;
		rows = [];
		let y = AXIS + 4;
		if (m.data.showCpus)
			for (const cpu of m.cpus)
				rows.push({ cpu, name: `CPU ${cpu.number}` });
		let n = 0;
		for (const i of m.data.rows) {
			const task = m.tasks[i], name = `${task.name} ${task.tid}`;
			if (!pattern || !(pattern.test(name) || pattern.test(task.before)))
				continue;
			rows.push({ task, number: i, name, gap: !n++ && rows.length });
		}
		for (const row of rows) {
			row.y = y += row.gap ? GAP : 0;
			y += row.height = rowHeight(row);
		}
		spacer.style.height = y + MARGIN + "px";
		found.textContent = !view.search ? "" : !pattern ? "no regular expression"
			: `${n} of ${m.data.rows.length}`;
		field.setAttribute("aria-invalid", String(!pattern));
	}

	const rowOfTask = task => rows.findIndex(row => row.task === task);

	/* --- drawing ------------------------------------------------------------------------- */

	function readColours() {
		const probe = make("i");
		host.append(probe);
		for (const name of COLOURS) {
			probe.style.color = `var(--${name})`;
			colours[name] = getComputedStyle(probe).color;
		}
		probe.remove();
	}

	const width = () => scroller.clientWidth;
	const plotWidth = () => Math.max(width() - LABEL - MARGIN, 50);
	const xOf = time => LABEL + (time - view.from) / (view.to - view.from) * plotWidth();
	const timeOf = x => view.from + (x - LABEL) / plotWidth() * (view.to - view.from);

	/* Draws the stacked states. Columns with equal heights become one rectangle. */
	function drawStack(sums, n, parts, y, height, chosen) {
		const column = (view.to - view.from) / n, seen = new Array(n * parts.length);
		for (let c = 0; c < n; c++) {
			let top = 0;
			parts.forEach(([state], k) => {
				const share = sums[c * STATES + state];
				top += share;
				const h = Math.min(top / column, 1) * height;
				seen[c * parts.length + k] = share ? Math.max(h, 1) : -1;
			});
		}
		for (let k = parts.length - 1; k >= 0; k--) {
			const name = parts[k][1];
			pen.fillStyle = chosen && !k ? colours.marked : colours[name] || name;
			for (let c = 0; c < n;) {
				const h = seen[c * parts.length + k];
				let next = c + 1;
				while (next < n && seen[next * parts.length + k] === h)
					next++;
				if (h > 0)
					pen.fillRect(LABEL + c, y + height - h, next - c, h);
				c = next;
			}
		}
	}

	function fit(text, room) {
		if (pen.measureText(text).width <= room)
			return text;
		let n = Math.floor(text.length * room / pen.measureText(text).width);
		while (n > 0 && pen.measureText(text.slice(0, n) + "\u2026").width > room)
			n--;
		return n > 1 ? text.slice(0, n) + "\u2026" : "";
	}

	/* Draws names on pieces that are wide enough. */
	function drawTexts(lane, y, textOf) {
		const least = 40 * (view.to - view.from) / plotWidth(), right = LABEL + plotWidth();
		const ns = m.columns["piece.ns"];
		forPieces(m, lane, view.from, view.to, i => {
			if (ns[i] < least || m.fold[i] >= 0)
				return;
			const a = Math.max(xOf(m.start[i]), LABEL), b = Math.min(xOf(endOf(m, i)), right);
			if (b - a < 40)
				return;
			const text = textOf(i);
			if (text)
				pen.fillText(fit(text, b - a - 8), a + 4, y + 11.5);
		});
	}

	function drawCpu(row, y, n) {
		const { cpu } = row;
		pen.fillStyle = colours.lane;
		pen.fillRect(LABEL, y, n, cpuBar);
		drawStack(columnsOf(m, cpu.lane, view.from, view.to, n), n, STACK.slice(0, 1), y, cpuBar);
		const chosen = rows[view.row] && rows[view.row].task;
		pen.fillStyle = colours.marked;
		if (chosen)
			forPieces(m, cpu.lane, view.from, view.to, i => {
				if (taskOf(m, i) === chosen && m.fold[i] < 0)
					fillSpan(m.start[i], endOf(m, i), y, cpuBar);
			});
		pen.fillStyle = colours.page;
		const least = 4 * (view.to - view.from) / n;
		forPieces(m, cpu.lane, view.from, view.to, i => {
			if (m.columns["piece.ns"][i] > least && m.start[i] > view.from)
				pen.fillRect(xOf(m.start[i]), y, 0.8, cpuBar);
		});
		if (!isDense)
			drawTexts(cpu.lane, y, i => stateOf(m, i) === RUNNING && taskOf(m, i)
				? `${taskOf(m, i).name} ${taskOf(m, i).tid}` : "");
		if (cpu.idle)
			drawStack(columnsOf(m, cpu.idle, view.from, view.to, n), n, IDLE, y + cpuBar, STRIP);
		drawFrequency(cpu, y);
	}

	function fillSpan(from, to, y, height) {
		const a = Math.max(xOf(from), LABEL), b = Math.min(xOf(to), LABEL + plotWidth());
		if (b >= a)
			pen.fillRect(a, y, Math.max(b - a, 0.5), height);
	}

	let highest = 0;

	function drawFrequency(cpu, y) {
		if (!cpu.frequency)
			return;
		if (!highest)
			for (const { frequency } of m.cpus)
				forPieces(m, frequency, 0, length, i => {
					highest = Math.max(highest, m.columns["piece.by"][i] - 1);
				});
		pen.strokeStyle = colours.ink;
		pen.beginPath();
		let begun = false;
		forPieces(m, cpu.frequency, view.from, view.to, i => {
			const at = y + cpuBar * (1 - (m.columns["piece.by"][i] - 1) / highest) + 0.5;
			pen[begun ? "lineTo" : "moveTo"](Math.max(xOf(m.start[i]), LABEL), at);
			pen.lineTo(Math.min(xOf(endOf(m, i)), LABEL + plotWidth()), at);
			begun = true;
		});
		pen.stroke();
	}

	function drawTask(row, y, n) {
		const { task } = row;
		if (task.lane) {
			pen.fillStyle = colours.span;
			fillSpan(Math.max(task.lane.begin, view.from), Math.min(task.lane.last, view.to), y, BAR);
			drawStack(columnsOf(m, task.lane, view.from, view.to, n), n, STACK, y, BAR, task.marked);
			pen.fillStyle = colours.marked;
			if (m.data.highlight)
				forPieces(m, task.lane, view.from, view.to, i => {
					if (m.fold[i] < 0 && stateOf(m, i) === RUNNING && lengthOf(m, i) >= m.data.highlight)
						fillSpan(m.start[i], endOf(m, i), y, BAR);
				});
			drawPieceTexts(task.lane, y);
		}
		if (task.calls)
			drawCalls(task.calls, y + (task.lane ? BAR + 1 : 2), n);
	}

	function drawPieceTexts(lane, y) {
		pen.fillStyle = colours.page;
		drawTexts(lane, y, i => stateOf(m, i) === RUNNING ? `CPU ${m.columns["piece.cpu"][i]}`
			: stateOf(m, i) === BLOCKED || stateOf(m, i) === IO_WAIT ? hintOf(m, i) : "");
		pen.fillStyle = colours.ink;
		drawTexts(lane, y, i => stateOf(m, i) === SLEEPING ? timeText(lengthOf(m, i)) : "");
	}

	function drawCalls(lane, y, n) {
		const sums = columnsOf(m, lane, view.from, view.to, n);
		pen.fillStyle = colours.lane;
		pen.fillRect(LABEL, y, n, 2 * STRIP + 1);
		drawStack(sums, n, CALLS_IN, y, STRIP);
		drawStack(sums, n, CALLS_OUT, y + STRIP + 1, STRIP);
		pen.fillStyle = colours.failed;
		forPieces(m, lane, view.from, view.to, i => {
			if (flagsOf(m, i) & FAILED)
				pen.fillRect(Math.max(xOf(m.start[i]), LABEL), y + STRIP * 2 + 1, 2, 3);
		});
	}

	function figureOf(row) {
		if (row.cpu)
			return row.cpu.lane
				? `${Math.round(sumsOf(m, row.cpu.lane, view.from, view.to)[RUNNING] * 100 / (view.to - view.from))}%`
				: "";
		if (row.task.lane)
			return timeText(sumsOf(m, row.task.lane, view.from, view.to)[RUNNING]);
		let bytes = 0;
		forPieces(m, row.task.calls, view.from, view.to, i => { bytes += m.columns["piece.bytes"][i]; });
		return bytesText(bytes);
	}

	function drawLabel(row, y, i) {
		const figure = figureOf(row), room = LABEL - 2 * MARGIN - pen.measureText(figure).width - 6;
		if (i === view.row) {
			pen.fillStyle = colours.span;
			pen.fillRect(0, y - 2, LABEL - 4, row.height);
		}
		const { font } = pen, base = y + (row.cpu && isDense ? 8 : 11.5);
		if (row.cpu && isDense)
			pen.font = font.replace(/[\d.]+px/, "9.5px");
		pen.fillStyle = colours.ink;
		pen.fillText(fit(row.name, room), MARGIN, base);
		pen.fillStyle = colours.faint;
		pen.textAlign = "right";
		pen.fillText(figure, LABEL - 8, base);
		pen.textAlign = "left";
		pen.font = font;
	}

	/* Returns a round step that takes about 110 pixels. */
	function tickStep() {
		const least = (view.to - view.from) / plotWidth() * 110;
		const power = 10 ** Math.floor(Math.log10(Math.max(least, 1)));
		return [1, 2, 5, 10].map(f => f * power).find(step => step >= least) || 10 * power;
	}

	function drawAxis(height) {
		const step = tickStep();
		pen.textAlign = "center";
		for (let t = Math.ceil(view.from / step) * step; t <= view.to; t += step) {
			const x = Math.round(xOf(t));
			pen.fillStyle = colours.line;
			pen.fillRect(x, AXIS - 4, 1, height);
			pen.fillStyle = colours.faint;
			const text = momentText(t, step), half = pen.measureText(text).width / 2;
			pen.fillText(text, Math.min(x, width() - half - 2), 14);
		}
		pen.textAlign = "left";
	}

	/*
	 * Draws arrows from wakers to the threads that they woke, between visible rows, unless
	 * there are too many.
	 */
	function drawWakes(seen, top) {
		const placed = new Map(seen.filter(row => row.task).map(row => [row.task, row]));
		const arrows = [];
		for (const row of placed.values())
			forPieces(m, row.task.lane, view.from, view.to, i => {
				const from = m.fold[i] < 0 && stateOf(m, i) === RUNNABLE && !(flagsOf(m, i) & PREEMPTED) &&
					placed.get(taskOf(m, i));
				if (from && from !== row && m.start[i] >= view.from && arrows.length <= ARROWS_MOST)
					arrows.push([m.start[i], from, row]);
			});
		pen.strokeStyle = colours.wake;
		pen.globalAlpha = 0.55;
		pen.beginPath();
		for (const [time, from, to] of arrows.length > ARROWS_MOST ? [] : arrows)
			drawArrow(xOf(time), from.y - top + BAR / 2, to.y - top + BAR / 2);
		pen.stroke();
		pen.globalAlpha = 1;
	}

	function drawArrow(x, from, to) {
		const head = to > from ? -4 : 4;
		pen.moveTo(x, from);
		pen.lineTo(x, to);
		pen.moveTo(x - 2.5, to + head);
		pen.lineTo(x, to);
		pen.lineTo(x + 2.5, to + head);
	}

	function drawSelection(height, top) {
		const row = rows[view.row];
		if (view.b > view.a) {
			pen.fillStyle = colours.accent;
			pen.globalAlpha = 0.16;
			fillSpan(Math.max(view.a, view.from), Math.min(view.b, view.to), AXIS, height);
			pen.globalAlpha = 1;
		}
		if (!row || view.at < 0)
			return;
		const lane = row.cpu ? row.cpu.lane : row.task.lane || row.task.calls;
		const i = pieceAt(m, lane, view.at), x = xOf(view.at);
		pen.strokeStyle = colours.accent;
		if (x >= LABEL && x <= LABEL + plotWidth()) {
			pen.beginPath();
			pen.moveTo(x, AXIS);
			pen.lineTo(x, height);
			pen.stroke();
		}
		if (i < 0)
			return;
		const a = Math.max(xOf(m.start[i]), LABEL), b = Math.min(xOf(endOf(m, i)), LABEL + plotWidth());
		pen.lineWidth = 2;
		if (b >= a)
			pen.strokeRect(a - 1, row.y - top - 1, Math.max(b - a, 1) + 2, row.height - 2);
		pen.lineWidth = 1;
	}

	function draw() {
		frame = 0;
		const w = width(), h = scroller.clientHeight, ratio = devicePixelRatio || 1;
		if (!w || !h)
			return;
		if (canvas.width !== Math.round(w * ratio) || canvas.height !== Math.round(h * ratio)) {
			canvas.width = Math.round(w * ratio);
			canvas.height = Math.round(h * ratio);
			canvas.style.width = w + "px";
			canvas.style.height = h + "px";
		}
		const top = scroller.scrollTop, n = Math.floor(plotWidth());
		pen.setTransform(ratio, 0, 0, ratio, 0, 0);
		pen.font = getComputedStyle(host).font;
		pen.fillStyle = colours.page;
		pen.fillRect(0, 0, w, h);
		drawAxis(h);
		const seen = rows.filter(row => row.y + row.height > top + AXIS && row.y < top + h);
		pen.save();
		pen.beginPath();
		pen.rect(0, AXIS, w, h);
		pen.clip();
		for (const row of seen) {
			const y = row.y - top;
			drawLabel(row, y, rows.indexOf(row));
			if (row.cpu)
				drawCpu(row, y, n);
			else
				drawTask(row, y, n);
		}
		drawWakes(seen, top);
		drawSelection(h, top);
		pen.restore();
		span.textContent = view.from > 0 || view.to < length
			? `${momentText(view.from, (view.to - view.from) / 100)} to ${momentText(view.to, (view.to - view.from) / 100)}` : "";
	}

	const redraw = () => { frame = frame || requestAnimationFrame(draw); };

	/* --- answers ------------------------------------------------------------------------- */

	const precise = ns => momentText(ns, Math.max((view.to - view.from) / 1e5, 1))
		.replace(/\.(\d*?)0+ /, (_, digits) => (digits ? "." + digits : "") + " ");
	const sentence = (...parts) => make("p", null, ...parts);

	/* Makes a thread's name that links to the thread. */
	function link(task, at) {
		return make("button", { type: "button", class: "tc-link", title: "Show what it did then",
			onclick: () => goTo(task, at) }, `${task.name} ${task.tid}`);
	}

	function goTo(task, at) {
		if (rowOfTask(task) < 0 && view.search)
			show({ search: "" });
		const row = rowOfTask(task);
		if (row >= 0)
			choose(row, at);
	}

	function stackElement(i, words) {
		const names = stackOf(m, i);
		if (!names.length)
			return [];
		const list = make("ol", { class: "tc-stack" });
		for (const name of names)
			list.append(make("li", null, name));
		return [make("details", { open: "" }, make("summary", null, words), list)];
	}

	function wakerElements(i) {
		const by = taskOf(m, i), flags = flagsOf(m, i), when = precise(m.start[i]);
		if (flags & PREEMPTED)
			return [by ? sentence("It could have gone on, but at " + when + " ", link(by, m.start[i]),
				` took its CPU ${m.columns["piece.cpu"][i]}.`)
				: sentence(`It left CPU ${m.columns["piece.cpu"][i]} at ${when}, although it could have gone on.`)];
		if (flags & INTERRUPT)
			return [sentence(`An interrupt woke it at ${when}.`), ...stackElement(i, "Stack of the interrupt")];
		if (!by)
			return [sentence(`It was woken at ${when}.`), ...stackElement(i, "Stack of the waker")];
		return [sentence(link(by, m.start[i]), ` woke it at ${when}.`), ...stackElement(i, "Stack of the waker")];
	}

	/* Lists the tasks that ran while a thread waited. */
	function meanwhile(i) {
		const number = m.columns["piece.cpu"][i], from = m.start[i], to = endOf(m, i);
		const { tasks, other, idle } = ranOn(m, m.byNumber.get(number), from, to);
		const list = make("ul", { class: "tc-ran" });
		for (const [task, ns] of tasks.slice(0, 12))
			list.append(make("li", null, link(task, from), ` ${timeText(ns)}`));
		const rest = tasks.slice(12).reduce((sum, [, ns]) => sum + ns, other);
		if (rest >= 1)
			list.append(make("li", null, `others ${timeText(rest)}`));
		if (idle >= 1)
			list.append(make("li", null, `nobody ${timeText(idle)}`));
		return list.children.length
			? [sentence(`Meanwhile on CPU ${number}:`), list] : [];
	}

	function runnableElements(i) {
		return [sentence(`It waited ${timeText(lengthOf(m, i))} for CPU ${m.columns["piece.cpu"][i]}, ` +
			`from ${precise(m.start[i])} to ${precise(endOf(m, i))}.`),
		...wakerElements(i), ...meanwhile(i)];
	}

	/*
	 * Describes the end of a sleep: the wake-up, and the time that the thread then waited for
	 * its CPU.
	 */
	function afterSleep(lane, i) {
		const next = i + 1;
		if (next >= lane.end)
			return [sentence("The recording ends before it is woken.")];
		if (m.fold[next] >= 0)
			return [sentence("Who woke it is not known: what follows is folded.")];
		if (stateOf(m, next) === RUNNABLE)
			return [...wakerElements(next),
				sentence(`Then it waited ${timeText(lengthOf(m, next))} for CPU ${m.columns["piece.cpu"][next]}.`),
				...meanwhile(next)];
		return [sentence("Who woke it was not recorded.")];
	}

	function sleepElements(lane, i) {
		const hint = hintOf(m, i), word = STATE_WORDS[stateOf(m, i)];
		return [sentence(`It was ${word} for ${timeText(lengthOf(m, i))}, from ${precise(m.start[i])} ` +
			`to ${precise(endOf(m, i))}${hint ? ", and waited for " + hint : ""}.`),
		...stackElement(i, "Where it waited"), ...afterSleep(lane, i)];
	}

	function runElements(lane, i) {
		const next = i + 1;
		const out = [sentence(`It ran on CPU ${m.columns["piece.cpu"][i]} for ${timeText(lengthOf(m, i))}, ` +
			`from ${precise(m.start[i])} to ${precise(endOf(m, i))}.`)];
		if (next < lane.end && m.fold[next] < 0)
			out.push(...(stateOf(m, next) === RUNNABLE ? wakerElements(next)
				: [sentence(`Then it was ${STATE_WORDS[stateOf(m, next)]}.`)]));
		else if (next >= lane.end && lane.last < length)
			out.push(sentence("Then it ended."));
		return out;
	}

	function foldedElements(i) {
		const f = m.fold[i], list = make("ul", { class: "tc-ran" });
		for (let s = 1; s < STATE_WORDS.length; s++)
			if (nsOf(m, i, s))
				list.append(make("li", null, `${STATE_WORDS[s]} ${timeText(nsOf(m, i, s))}`));
		const origin = Number(m.data.start), from = (origin + m.start[i]) / 1e9, to = (origin + endOf(m, i)) / 1e9;
		return [sentence(`From ${precise(m.start[i])} to ${precise(endOf(m, i))} it changed its state ` +
			`${m.columns["fold.parts"][f]} times. The recording has more changes than this chart keeps, ` +
			"so these are summed up:"), list,
		sentence("To see each of them, draw a part: ",
			make("code", null, `perf timechart --time ${from.toFixed(6)},${to.toFixed(6)}`))];
	}

	function callElements(i) {
		const errno = m.columns["piece.cpu"][i], fd = m.columns["piece.by"][i], n = m.columns["piece.count"][i];
		const what = `${IO_WORDS[stateOf(m, i)]}${fd ? " of descriptor " + (fd - 1) : ""}`;
		return [sentence(`I/O: ${n > 1 ? n + " calls, " : ""}${what}, ${timeText(lengthOf(m, i))}` +
			(m.columns["piece.bytes"][i] ? `, ${bytesText(m.columns["piece.bytes"][i])}` : "") +
			(flagsOf(m, i) & FAILED ? `; failed with error ${errno}` : "") + ".")];
	}

	function explainTask(row, at) {
		const { lane, calls } = row.task, i = pieceAt(m, lane, at), call = pieceAt(m, calls, at);
		const io = call >= 0 && stateOf(m, call) && m.fold[call] < 0 ? callElements(call) : [];
		if (!lane)
			return io.length ? io : [sentence("It was in no I/O call.")];
		if (i < 0)
			return [sentence(at < lane.begin
				? `It is first seen at ${precise(lane.begin)}.` : `It ended at ${precise(lane.last)}.`), ...io];
		if (m.fold[i] >= 0)
			return [...foldedElements(i), ...io];
		switch (stateOf(m, i)) {
		case RUNNING: return [...runElements(lane, i), ...io];
		case RUNNABLE: return [...runnableElements(i), ...io];
		case NOTHING: return [sentence("What it did is not known: events are missing."), ...io];
		default: return [...sleepElements(lane, i), ...io];
		}
	}

	function explainCpu(row, at) {
		const i = pieceAt(m, row.cpu.lane, at), out = [];
		const idle = pieceAt(m, row.cpu.idle, at), frequency = pieceAt(m, row.cpu.frequency, at);
		if (i >= 0 && m.fold[i] < 0 && stateOf(m, i) === RUNNING && taskOf(m, i))
			out.push(sentence(link(taskOf(m, i), at), ` ran for ${timeText(lengthOf(m, i))}, ` +
				`from ${precise(m.start[i])} to ${precise(endOf(m, i))}.`));
		else if (i >= 0 && m.fold[i] >= 0)
			out.push(sentence(`From ${precise(m.start[i])} to ${precise(endOf(m, i))} it was busy for ` +
				`${timeText(nsOf(m, i, RUNNING))} with ${m.columns["fold.parts"][m.fold[i]]} runs.`));
		else
			out.push(sentence("It was idle."));
		if (idle >= 0 && stateOf(m, idle))
			out.push(sentence(`Idle state ${m.columns["piece.by"][idle] - 1} for ${timeText(lengthOf(m, idle))}.`));
		if (frequency >= 0)
			out.push(sentence(`${Number(((m.columns["piece.by"][frequency] - 1) / 1e6).toPrecision(4))} GHz.`));
		return out;
	}

	/* Answers the question: why was this thread not running at that moment? */
	function showAnswer() {
		const row = rows[view.row];
		if (!row || view.at < 0) {
			answer.hidden = true;
			return;
		}
		const i = pieceAt(m, row.cpu ? row.cpu.lane : row.task.lane, view.at);
		const state = row.task && row.task.lane && i >= 0 && m.fold[i] < 0 ? STATE_WORDS[stateOf(m, i)] : "";
		const head = make("h2", null, `${row.name} at ${precise(view.at)}`);
		if (state)
			head.append(make("small", null, state));
		answer.replaceChildren(button("\u00d7", "Close (Esc)", () => show({ row: -1, at: -1 })), head,
			...(row.cpu ? explainCpu(row, view.at) : explainTask(row, view.at)));
		if (row.task && row.task.before)
			answer.append(sentence(`Before, it was called ${row.task.before}.`));
		answer.hidden = false;
	}

	/* --- hover --------------------------------------------------------------------------- */

	function tipText(row, time) {
		const lane = row.cpu ? row.cpu.lane : row.task.lane || row.task.calls, i = pieceAt(m, lane, time);
		const words = row.cpu || row.task.lane ? STATE_WORDS : IO_WORDS;
		const head = `${row.name} at ${precise(time)}: `;
		if (i < 0)
			return head + (row.cpu ? "unknown" : "not there");
		if (m.fold[i] >= 0)
			return head + words.map((word, s) => s && nsOf(m, i, s) ? `${word} ${timeText(nsOf(m, i, s))}` : "")
				.filter(Boolean).join(", ");
		if (row.cpu)
			return head + (stateOf(m, i) && taskOf(m, i) ? `${taskOf(m, i).name} ${taskOf(m, i).tid}, ${timeText(lengthOf(m, i))}` : "idle");
		return head + `${words[stateOf(m, i)] || "no call"}, ${timeText(lengthOf(m, i))}`;
	}

	function showTip(event) {
		const at = placeOf(event);
		tip.hidden = !at || Boolean(drag && drag.moved);
		if (tip.hidden)
			return;
		tip.textContent = tipText(rows[at.row], at.time);
		const box = host.getBoundingClientRect();
		tip.style.left = Math.min(event.clientX - box.left + 12, box.width - tip.offsetWidth - 8) + "px";
		tip.style.top = event.clientY - box.top + 18 + "px";
	}

	/* --- the view and its changes -------------------------------------------------------- */

	function fragmentOf(v) {
		const words = new URLSearchParams();
		for (const name of ["from", "to", "at", "a", "b"])
			if (v[name] !== usual[name])
				words.set(name, Math.round(v[name]));
		if (v.search)
			words.set("search", v.search);
		if (rows[v.row])
			words.set("row", rows[v.row].cpu ? `cpu${rows[v.row].cpu.number}` : rows[v.row].number);
		return "#" + words;
	}

	function viewOfFragment() {
		const words = new URLSearchParams(location.hash.slice(1));
		const number = (name) => {
			const value = words.has(name) ? Number(words.get(name)) : NaN;
			return Number.isFinite(value) && value >= 0 && value <= length ? value : usual[name];
		};
		const next = { ...usual, search: words.get("search") || "" };
		for (const name of ["from", "to", "at", "a", "b"])
			next[name] = number(name);
		if (next.to - next.from < 10)
			Object.assign(next, { from: 0, to: length });
		return { next, row: words.get("row") };
	}

	function follow() {
		const { next, row } = viewOfFragment();
		view = { ...next };
		arrange();
		view.row = row === null ? -1 : rows.findIndex(r => r.cpu ? `cpu${r.cpu.number}` === row : String(r.number) === row);
		if (field.value !== view.search)
			field.value = view.search;
		showAnswer();
		showSelectionBar();
		redraw();
	}

	function show(change, replaces) {
		const chosen = rows[view.row], searched = "search" in change;
		view = { ...view, ...change };
		if (view.to - view.from < 10)
			view.to = view.from + 10;
		if (searched) {
			arrange();
			field.value = view.search;
			view.row = chosen ? rows.findIndex(r => r.cpu ? r.cpu === chosen.cpu : r.task === chosen.task) : -1;
		}
		if (hooks.address)
			history[replaces ? "replaceState" : "pushState"](null, "", fragmentOf(view));
		showAnswer();
		showSelectionBar();
		redraw();
		if (hooks.changed)
			hooks.changed(view);
	}

	function clampSpan(from, to) {
		const size = Math.min(Math.max(to - from, 10), length);
		const begin = Math.max(0, Math.min(from, length - size));
		return { from: begin, to: begin + size };
	}

	function zoomBy(factor, around = (view.from + view.to) / 2) {
		show(clampSpan(around - (around - view.from) * factor, around + (view.to - around) * factor), true);
	}

	function panBy(share) {
		const by = (view.to - view.from) * share;
		show(clampSpan(view.from + by, view.to + by), true);
	}

	function choose(row, at, replaces) {
		const size = view.to - view.from;
		const change = { row, at };
		if (at < view.from || at >= view.to)
			Object.assign(change, clampSpan(at - size / 2, at + size / 2));
		const { y, height } = rows[row];
		if (y < scroller.scrollTop + AXIS)
			scroller.scrollTop = y - AXIS - 4;
		else if (y + height > scroller.scrollTop + scroller.clientHeight)
			scroller.scrollTop = y + height - scroller.clientHeight + 4;
		show(change, replaces);
	}

	function showSelectionBar() {
		selection.hidden = !(view.b > view.a);
		if (selection.hidden)
			return;
		selection.replaceChildren(`Selected: ${timeText(view.b - view.a)} from ${precise(view.a)} `,
			button("Zoom", "Zoom to the selection (Enter)", zoomToSelection),
			...(hooks.flame ? [button("Flame graph", "Flame graph of this time (f)", () => hooks.flame(view.a, view.b))] : []),
			button("\u00d7", "Clear the selection (Esc)", () => show({ a: -1, b: -1 })));
	}

	const zoomToSelection = () => show({ from: view.a, to: view.b, a: -1, b: -1 });

	/* --- mouse and keys ------------------------------------------------------------------ */

	function placeOf(event) {
		const box = canvas.getBoundingClientRect();
		const x = event.clientX - box.left, y = event.clientY - box.top + scroller.scrollTop;
		const row = rows.findIndex(r => y >= r.y - 2 && y < r.y + r.height);
		if (row < 0 || event.clientY - box.top < AXIS || x > LABEL + plotWidth())
			return null;
		return { row, x, time: Math.max(0, Math.min(timeOf(Math.max(x, LABEL)), length - 1)) };
	}

	const timeAt = event => Math.max(0, Math.min(length,
		timeOf(event.clientX - canvas.getBoundingClientRect().left)));

	function dragMove(event) {
		if (Math.abs(event.clientX - drag.x) > 4)
			drag.moved = true;
		if (drag.moved) {
			const now = timeAt(event);
			view.a = Math.min(drag.time, now);
			view.b = Math.max(drag.time, now);
			redraw();
		}
	}

	function dragEnd(event) {
		const { moved } = drag;
		drag = null;
		if (moved) {
			show({});
			return;
		}
		const at = placeOf(event);
		if (at)
			choose(at.row, at.time);
	}

	function nextPiece(step) {
		const row = rows[view.row], lane = row && (row.cpu ? row.cpu.lane : row.task.lane || row.task.calls);
		if (!lane)
			return;
		const i = pieceAt(m, lane, view.at) + (view.at >= 0 ? step : 0);
		if (i >= lane.first && i < lane.end)
			choose(view.row, m.start[i] + lengthOf(m, i) / 2, true);
	}

	function nextRow(step) {
		const row = Math.max(0, Math.min(rows.length - 1, view.row + step));
		if (rows.length)
			choose(row, view.at < 0 ? (view.from + view.to) / 2 : view.at, true);
	}

	function zoomToPiece() {
		const row = rows[view.row], lane = row && (row.cpu ? row.cpu.lane : row.task.lane || row.task.calls);
		const i = pieceAt(m, lane, view.at);
		if (view.b > view.a)
			zoomToSelection();
		else if (i >= 0)
			show(clampSpan(m.start[i] - lengthOf(m, i), endOf(m, i) + lengthOf(m, i)));
	}

	function back() {
		if (view.b > view.a)
			show({ a: -1, b: -1 });
		else if (view.row >= 0)
			show({ row: -1, at: -1 });
		else if (view.search)
			show({ search: "" });
		else
			show({ from: 0, to: length });
	}

	const actions = {
		ArrowLeft: e => e.shiftKey ? panBy(-0.25) : nextPiece(-1),
		ArrowRight: e => e.shiftKey ? panBy(0.25) : nextPiece(1),
		ArrowUp: () => nextRow(-1), ArrowDown: () => nextRow(1),
		"+": () => zoomBy(0.5, middle()), "=": () => zoomBy(0.5, middle()), "-": () => zoomBy(2, middle()),
		0: () => show({ from: 0, to: length }), Enter: zoomToPiece, Escape: back,
		"/": () => field.select(), "?": () => help.showModal(),
		f: () => hooks.flame && view.b > view.a && hooks.flame(view.a, view.b),
	};
	const middle = () => view.at >= view.from && view.at < view.to ? view.at : (view.from + view.to) / 2;

	function onKey(event) {
		if (event.ctrlKey || event.metaKey || event.altKey || help.open)
			return;
		if (event.target === field) {
			if (event.key === "Escape" || event.key === "Enter") {
				event.preventDefault();
				event.stopPropagation();
				if (event.key === "Escape")
					show({ search: "" });
				canvas.focus();
			}
			return;
		}
		if (!Object.hasOwn(actions, event.key) ||
		    (event.target.localName === "button" && event.key === "Enter"))
			return;
		event.preventDefault();
		event.stopPropagation();
		actions[event.key](event);
	}

	function onWheel(event) {
		if (event.ctrlKey) {
			event.preventDefault();
			zoomBy(event.deltaY > 0 ? 1.25 : 0.8, timeAt(event));
		} else if (event.shiftKey) {
			event.preventDefault();
			panBy(Math.sign(event.deltaY || event.deltaX) * 0.1);
		}
	}

	function listen() {
		canvas.addEventListener("pointerdown", event => {
			if (event.button || !event.isPrimary)
				return;
			canvas.setPointerCapture(event.pointerId);
			drag = { x: event.clientX, time: timeAt(event), moved: false };
		});
		canvas.addEventListener("pointermove", event => {
			if (drag)
				dragMove(event);
			showTip(event);
		});
		canvas.addEventListener("pointerup", event => drag && dragEnd(event));
		canvas.addEventListener("pointerleave", () => { tip.hidden = true; });
		canvas.addEventListener("wheel", onWheel, { passive: false });
		scroller.addEventListener("scroll", redraw);
		(hooks.address ? document : host).addEventListener("keydown", onKey);
		new ResizeObserver(redraw).observe(scroller);
		matchMedia("(prefers-color-scheme: dark)").addEventListener("change", recolour);
		if (hooks.address) {
			addEventListener("hashchange", follow);
			addEventListener("popstate", follow);
		}
	}

	function recolour() {
		readColours();
		redraw();
	}

	build();
	readColours();
	arrange();
	listen();
	if (hooks.address)
		follow();
	redraw();
	return { redraw: recolour, show };
}

/*
 * Draws @data into @host. @hooks: address: true if the fragment is ours; flame(from, to): shows
 * stacks.
 */
const makeTimechart = async (host, data, hooks) =>
	Chart(host, readModel(data, await unpack(data.data, data.packed)), hooks || {});

/* In an SVG, a page replaces the picture. */
function replacePicture(svg) {
	const data = JSON.parse(svg.querySelector("metadata").textContent);
	const host = make("div");
	const html = make("html", { lang: "en", class: "timechart-document" },
		make("head", null, make("title", null, data.title),
			make("style", null, svg.querySelector("style").textContent)),
		make("body", null, make("h1", null, data.title), host));
	if (document.documentElement === svg)
		svg.replaceWith(html);
	else {
		svg.replaceWith(host);
		host.classList.add("timechart-inline");
	}
	makeTimechart(host, data, { address: document.documentElement === html }).catch(error => {
		host.textContent = `The chart cannot be drawn: ${error.message}`;
	});
}

const picture = document.currentScript && document.currentScript.closest("svg");
if (picture)
	replacePicture(picture);
else
	window.makeTimechart = makeTimechart;
})();
