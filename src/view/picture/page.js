/* SPDX-License-Identifier: MIT */
/*
 * The script of the HTML page. docs/format/page.md says what it reads and what the page shows.
 *
 * There is one state: a flat object of settings, which is also the link to what is shown (the
 * fragment of the address). Every view derives from the state and from the data, which never
 * change; a view draws, and asks for a new state with update(). What is costly to derive is kept
 * until the settings that it depends on change.
 *
 * Everything that was recorded is text here: it goes into the page by textContent or fillText()
 * and never as HTML.
 *
 * Its parts are the files of page/, in the order of src/view/meson.build: elements and numbers as
 * text; decoding; the model; selections and their sums; flame graphs; state; colours; one part for
 * each view; controls; start. They are one function when the page runs.
 */
'use strict';
(() => {
