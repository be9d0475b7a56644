// SPDX-License-Identifier: MIT
// Prints the view of chrome://tracing's importer on a trace, as JSON: trace-viewer.js PACKAGE TRACE
'use strict';
const fs = require('fs');
const [folder, trace] = process.argv.slice(2);

require(`${folder}/catapult_build/node_bootstrap.js`);
const parts = ['tracing', 'tracing/third_party/gl-matrix/dist', 'tracing/third_party/jszip', 'tracing/third_party/d3'];
HTMLImportsLoader.addArrayToSourcePath(parts.map((part) => `${folder}/${part}`));
for (const name of ['importer/import', 'extras/importer/trace_event_importer', 'model/model'])
	HTMLImportsLoader.loadHTML(`/tracing/${name}.html`);

function stack(frame) {
	const names = [];
	for (; frame; frame = frame.parentFrame)
		names.push(frame.title);
	return names;
}

const model = new tr.Model();
new tr.importer.Import(model).importTraces([fs.readFileSync(trace, 'utf8')]);
process.stdout.write(JSON.stringify({
	// The warning about coarse times is a guess, from few events.
	warnings: model.importWarnings.filter((w) => w.type !== 'low_resolution_timer').map((w) => w.message),
	samples: model.samples.map((s) => [s.title, s.thread.parent.pid, s.thread.tid, Math.round(s.start * 1e6), s.weight,
					   stack(s.leafStackFrame)]),
	slices: model.getAllThreads().flatMap((t) => t.sliceGroup.slices.map((s) =>
		[t.parent.name, t.name, s.title, Math.round(s.start * 1e6), Math.round(s.duration * 1e6)])),
}) + '\n');
