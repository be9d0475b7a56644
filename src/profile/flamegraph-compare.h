/* SPDX-License-Identifier: MIT */
#pragma once
/* Makes the boxes of a flame graph that compares recordings, or folded lines, of two sides. */
struct diag;
struct flamegraph;
struct flamegraph_request;
struct notes;

/*
 * Does the same as flamegraph_make(), for a request with sides. It also returns -EINVAL with @diag
 * if there are not two sides or they are not of the same event. Everything else in @g is of the
 * last recording.
 */
int flamegraph_compare(struct flamegraph *g, const struct flamegraph_request *rq,
		       struct notes *notes, struct diag *diag);
