/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The boxes of a flame graph that compares recordings, or folded lines, of two sides.
 */
struct diag;
struct diff_inputs;
struct flamegraph;
struct flamegraph_request;
struct notes;

/*
 * Makes the comparison of the two sides of @in, before and after, by @rq, whose path means nothing
 * here. Errors are those of flamegraph_make(), and -EINVAL with @diag if there are not two sides or
 * they are not of the same event. flamegraph_done() is called in any case; what else @g has is of
 * the last recording.
 */
int flamegraph_compare(struct flamegraph *g, const struct flamegraph_request *rq,
		       const struct diff_inputs *in, struct notes *notes, struct diag *diag);
