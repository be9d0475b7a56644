/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Reads the points of a heat map from a file of lines. Private to tools/heatmap/heatmap-work*.c.
 */
struct diag;
struct heat;
struct heatmap_request;
struct notes;

/*
 * Adds all points of the file @rq names to @h. A note tells of lines that are no points. -EINVAL:
 * the file is a recording; other errors are those of reading it; with @diag.
 */
int heatmap_read_text(const struct heatmap_request *rq, struct heat *h, struct notes *notes,
		      struct diag *diag);
