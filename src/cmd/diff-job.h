/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The work of `perf diff`: from the recordings to the printed comparison. What its parts share;
 * private to cmd/diff*.
 */
#include <stdbool.h>
#include <stddef.h>

#include "cmd/diff-inputs.h"
#include "cmd/diff-recording.h"
#include "profile/diff.h"

struct diag;
struct diff_opts;
struct diff_view;
struct invocation;
struct session_event;

struct diff_job {
	struct invocation *inv;
	const struct diff_opts *opts;
	struct diag *diag;
	struct diff_inputs inputs;
	struct diff_common common;
	struct diff_options options;
	struct diff_recording *recordings; /* of all sides, one after the other */
	size_t n;
	bool is_repeated; /* a side has more than one */
};

/* Runs it: @inv's options are struct diff_opts. Returns the exit status. */
int diff_run(struct invocation *inv);

/* Prints the comparison of what was read. The exit status, or a negative errno with j->diag. */
int diff_show(struct diff_job *j);

/* The comparison of all recordings by @event, which is one of the baseline's. */
struct diff *diff_of_event(const struct diff_job *j, const struct session_event *event);

/* The same as diff_show() where sides have several recordings, or limits, or JSON is wanted. */
int diff_show_repeats(struct diff_job *j, const struct diff_view *view);
