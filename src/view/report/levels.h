/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The rows of a hierarchy as text: figures in front, keys indented by their level. Private to
 * view/report-*.
 */
struct report_pen;

/* Heads and rows of the pen's group. A negative errno if the stream fails. */
int report_levels_print(struct report_pen *p);
