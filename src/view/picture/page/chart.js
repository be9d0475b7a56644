/* The time chart: timechart.js draws it. */

const chartView = {
	id: 'chart-view', title: 'Time chart',

	build(panel) {
		const host = make('div', { class: 'chart-host' });
		const data = JSON.parse($('chart').textContent);
		const flame = model.facts.time && model.cells.n && ((from, to) => this.select(data, from, to));
		panel.append(host);
		makeTimechart(host, data, { flame }).then((chart) => {
			this.chart = chart;
			performance.mark('chart');
		}, (error) => setText(host, `The chart cannot be drawn: ${error.message}`));
	},

	show() {
		if (this.chart)
			this.chart.redraw();
	},

	/*
	 * Shows the flame graph of a span of the chart, whose times count from another moment than
	 * bins do.
	 */
	select(data, from, to) {
		const { start, bin, bins } = model.facts.time;
		const offset = Number(BigInt(data.start) - BigInt(start));
		const first = Math.max(0, Math.floor((from + offset) / bin));
		const last = Math.min(bins - 1, Math.max(first, Math.ceil((to + offset) / bin) - 1));
		update({ time: `${Math.min(first, last)}-${last}`, view: 'flame' });
	},
};
