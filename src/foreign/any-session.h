/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A session from any source of samples: a perf.data file, a file of another profiler, or a fleet's
 * store.
 */

struct diag;
struct session;
struct session_options;

/*
 * Does the same as session_open(); @o->path may also be a URL (store/url.h), or a file that
 * foreign_open() reads.
 */
int any_session_open(const struct session_options *o, struct session **ret, struct diag *diag);
