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
 * Adds all points of the file that @rq names to @h. A note reports lines that are not points.
 * Errors with @diag: -EINVAL if the file is a recording, and those of reading.
 */
int heatmap_read_text(const struct heatmap_request *rq, struct heat *h, struct notes *notes,
		      struct diag *diag);
