/* The heat map of latencies. */

/* Returns the value at which row or column @i of an axis begins. */
function axisValue({ start, step, bounds }, i) {
	return bounds ? bounds[i] : start + i * step;
}

/* Formats a value with its unit; nanoseconds in a readable unit. */
function axisText(axis, value) {
	if (axis.unit === 'ns')
		return axis.bounds ? timeText(value) : momentText(value, axis.step);
	const digits = Math.abs(value) < 10 && axis.step < 1 ? 3 : 0;
	const text = value.toLocaleString('en-US',
		{ maximumFractionDigits: Math.max(digits, axis.log ? 2 : 0) });
	return axis.unit ? `${text} ${axis.unit}` : text;
}

/* Returns the range of row or column @i: "1 \u2013 2 ms". */
function axisRange(axis, i) {
	const from = axisText(axis, axisValue(axis, i));
	const to = axisText(axis, axisValue(axis, i + 1));
	const unit = (/ \S+$/.exec(to) || [''])[0];
	return `${unit && from.endsWith(unit) ? from.slice(0, -unit.length) : from} \u2013 ${to}`;
}

const heatView = {
	id: 'heat', title: 'Heat map', cursor: null,

	build(panel) {
		const { columns, facts } = model, n = columns.count('heat.count');
		const { x, y } = facts.heat;
		const row = columns.read('heat.row', n, Uint32Array);
		const at = columns.read('heat.x', n, Uint32Array);
		this.count = columns.read('heat.count', n, Float64Array);
		this.grid = new Float64Array(x.n * y.n);
		this.perColumn = new Float64Array(x.n);
		for (let i = 0; i < n; i++) {
			at[i] += i ? at[i - 1] : 0;
			this.grid[at[i] * y.n + row[i]] += this.count[i];
			this.perColumn[at[i]] += this.count[i];
		}
		this.most = this.grid.reduce((a, b) => Math.max(a, b), 0);
		this.canvas = make('canvas', { 'aria-hidden': 'true' });
		this.box = make('div', { id: 'heat-box', class: 'picture', tabindex: 0,
			role: 'application',
			'aria-label': `Heat map of ${x.n} columns and ${y.n} rows. ` +
				'Arrow keys go from cell to cell.' }, this.canvas);
		panel.append(make('div', { class: 'bar' }, make('span', {}, this.summary()),
			make('span', { id: 'heat-scale' })), this.box);
		this.box.addEventListener('pointermove', (e) => this.point(e));
		this.box.addEventListener('pointerleave', () => this.point(null));
		this.box.addEventListener('keydown', (e) => this.key(e));
		new ResizeObserver(() => this.draw()).observe(this.box);
	},

	summary() {
		const { heat } = model.facts, sum = this.perColumn.reduce((a, b) => a + b, 0);
		if (!sum)
			return 'There is nothing to show: no value lies in this range.';
		const end = axisText(heat.y, axisValue(heat.y, heat.y.n));
		return `${countText(sum)} values, up to ${countText(this.most)} in a cell` +
			(heat.over ? `; ${countText(heat.over)} above ${end} are not shown` : '');
	},

	show() {
		const { heat } = theme();
		const scale = [0.2, 0.4, 0.6, 0.8, 1].map((x) => {
			const patch = make('i');
			patch.style.background = heat[stepOf(heat, x)];
			return patch;
		});
		$('heat-scale').replaceChildren('1', ...scale, `${countText(this.most)} in a cell`);
		this.draw();
	},

	frame() {
		const { x, y } = model.facts.heat, left = 64, below = 30;
		const width = this.box.clientWidth - left - 8;
		const height = this.box.clientHeight - below - 8;
		return { left, top: 6, w: width / x.n, h: height / y.n, width, height };
	},

	draw() {
		if (this.box.offsetParent === null)
			return;
		const { context } = contextOf(this.canvas), { y } = model.facts.heat;
		const { left, top, w, h, width, height } = this.frame();
		const { heat, empty, line } = theme();
		context.fillStyle = empty;
		context.fillRect(left, top, width, height);
		for (let i = 0; i < this.grid.length; i++) {
			if (!this.grid[i])
				continue;
			context.fillStyle = heat[countStep(heat, this.grid[i], this.most)];
			context.fillRect(left + Math.floor(i / y.n) * w,
				top + (y.n - 1 - i % y.n) * h,
				w > 4 ? w - 1 : w, h > 4 ? h - 1 : h);
		}
		context.strokeStyle = line;
		context.strokeRect(left - 0.5, top - 0.5, width + 1, height + 1);
		this.drawAxes(context);
		if (this.cursor && document.activeElement === this.box) {
			context.strokeStyle = theme().ink;
			context.strokeRect(left + this.cursor[0] * w,
				top + (y.n - 1 - this.cursor[1]) * h, w, h);
		}
	},

	drawAxes(context) {
		const { x, y } = model.facts.heat, { left, top, w, h, height } = this.frame();
		context.fillStyle = theme().faint;
		context.font = '11px system-ui, sans-serif';
		context.textAlign = 'right';
		context.textBaseline = 'middle';
		const down = niceStep(y.n * 28 / height), across = niceStep(70 / w);
		for (let r = 0; r <= y.n; r += down)
			context.fillText(axisText(y, axisValue(y, r)), left - 6,
				Math.max(top + 5, top + (y.n - r) * h));
		context.textAlign = 'left';
		context.textBaseline = 'top';
		for (let c = 0; c < x.n; c += across)
			context.fillText(axisText(x, axisValue(x, c)), left + c * w,
				top + height + 5);
	},

	cellAt(event) {
		const bounds = this.box.getBoundingClientRect(), { left, top, w, h } = this.frame();
		const { x, y } = model.facts.heat;
		const c = Math.floor((event.clientX - bounds.left - left) / w);
		const r = y.n - 1 - Math.floor((event.clientY - bounds.top - top) / h);
		return c >= 0 && c < x.n && r >= 0 && r < y.n ? [c, r] : null;
	},

	describe([c, r]) {
		const { x, y } = model.facts.heat, count = this.grid[c * y.n + r];
		const share = this.perColumn[c] ? count / this.perColumn[c] : 0;
		return [axisRange(y, r),
			axisRange(x, c),
			`count ${countText(count)}`,
			`${percentText(share)} of its column`];
	},

	point(event) {
		const at = event && this.cellAt(event);
		showTip(event, at ? this.describe(at) : null);
	},

	key(event) {
		const { x, y } = model.facts.heat, [c, r] = this.cursor || [0, 0];
		const to = { ArrowUp: [c, r + 1], ArrowDown: [c, r - 1],
			ArrowRight: [c + 1, r], ArrowLeft: [c - 1, r] }[event.key];
		if (!to)
			return;
		const within = (value, n) => Math.min(Math.max(0, value), n - 1);
		this.cursor = [within(to[0], x.n), within(to[1], y.n)];
		say(this.describe(this.cursor).join(', '));
		this.draw();
		event.preventDefault();
		event.stopPropagation();
	},
};
