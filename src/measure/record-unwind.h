/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Unwinding stacks while they are recorded, in place of copying them into the file.
 */
#include "wire/attr.h"

struct record_job;

/*
 * Decides, once the events are known, and sets job->unwinds. Where stacks must be copied although
 * it was not asked for, it says why.
 */
void record_unwind_choose(struct record_job *j);

/* The attr that the file has for an event that was opened with @opened. */
struct attr record_unwind_attr(const struct record_job *j, const struct attr *opened);

/* Starts it, if it was chosen; before the file is begun. -EAGAIN with the job's diag set. */
int record_unwind_start(struct record_job *j);
void record_unwind_done(struct record_job *j);

/* How it went, in one line. */
void record_unwind_tell(const struct record_job *j);
