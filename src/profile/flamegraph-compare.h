/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The boxes of a flame graph that compares recordings, or folded lines, of two sides.
 */
struct diag;
struct flamegraph;
struct flamegraph_request;
struct notes;

/*
 * As flamegraph_make(), for a request with sides; also -EINVAL with @diag if there are not two of
 * them or they are not of the same event. What else @g has is of the last recording.
 */
int flamegraph_compare(struct flamegraph *g, const struct flamegraph_request *rq,
		       struct notes *notes, struct diag *diag);
