/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Makes the boxes of an off-CPU or wall-clock flame graph: where threads wait, and where they run.
 */
struct diag;
struct flamegraph;
struct flamegraph_request;
struct notes;

/* Does the same as flamegraph_make(), for a recording and a request with off_cpu or wall. */
int flamegraph_make_waits(struct flamegraph *g, const struct flamegraph_request *rq,
			  struct notes *notes, struct diag *diag);
