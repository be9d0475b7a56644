/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Which functions have a row that is heavy enough for a call tree.
 *
 * Call trees leave out branches below a share of all samples, so that a row below it has no tree,
 * and the stacks of its samples are never shown. Mostly that are most samples.
 */
#include <stdbool.h>
#include <stddef.h>

struct collector;
struct report_options;
struct session;

/*
 * By frame, whether a row of it weighs at least the part @threshold, of 1, of its event, in a
 * settled collector of @session's samples. Rows are those of @o, which are samples' own functions.
 * The caller frees the result.
 */
bool *heavy_frames_find(const struct report_options *o, const struct session *session,
			const struct collector *c, double threshold);
