/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A session of whatever has samples: a perf.data file, a file of another profiler, or what a
 * fleet's store has.
 */

struct diag;
struct session;
struct session_options;

/* As session_open(); @o->path may also be a URL (store/url.h), or a file that foreign_open() reads.
 */
int any_session_open(const struct session_options *o, struct session **ret, struct diag *diag);
