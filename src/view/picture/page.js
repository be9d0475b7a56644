/* SPDX-License-Identifier: MIT */
/*
 * The script of the HTML page. docs/format/page.md says what it reads and what the page shows.
 *
 * There is one state: a flat object of settings, which is also the link to the current view (the
 * fragment of the address). Every view derives from the state and from the data, which never
 * change. A view draws, and requests a new state with update(). Results that are costly to derive
 * are kept until the settings that they depend on change.
 *
 * Everything that was recorded is text here: it goes into the page by textContent or fillText() and
 * never as HTML.
 *
 * Its parts are the files of page/, in the order of src/view/meson.build: elements and numbers as
 * text; decoding; the model; selections and their sums; flame graphs; state; colours; one part for
 * each view; controls; start. They are one function when the page runs.
 */
'use strict';
(() => {
