/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Runs the selected tests of a plan: first those that may run in parallel, then those that need the
 * machine for themselves, one after the other. A test that crashes or does not end fails; the
 * others continue.
 */
#include <signal.h>
#include <stdbool.h>

#include "tools/test/plan-work.h"
#include "tools/test/process-work.h"

struct progress;

/* Returns 0, or -EINTR if it was stopped. Results of tests that did not end are not `finished`. */
int selftest_run_plan(struct selftest_plan *p, const struct selftest_options *o);
