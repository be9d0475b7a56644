/* SPDX-License-Identifier: MIT */
/*
 * The beginning of the scripts of flame graphs, time charts and pages. The files of each script, in
 * the order of src/view/meson.build, are one function when it runs.
 */
'use strict';
(() => {
/*
 * Makes an element of HTML, also in a document that is an SVG. Attributes that are false or null
 * are left out, on* are listeners.
 */
function make(tag, attributes, ...children) {
	const element = document.createElementNS('http://www.w3.org/1999/xhtml', tag);
	for (const [name, value] of Object.entries(attributes || {})) {
		if (name.startsWith('on'))
			element.addEventListener(name.slice(2), value);
		else if (value !== false && value !== null && value !== undefined)
			element.setAttribute(name, value === true ? '' : String(value));
	}
	element.append(...children);
	return element;
}
