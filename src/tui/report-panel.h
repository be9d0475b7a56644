/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The panel with the rows of a report: a title, the heads of columns, rows and call trees.
 */
struct report_browser;

/* Pushes it onto the browser's panels. */
void report_panel_push(struct report_browser *rb);
