/* SPDX-License-Identifier: MIT */
#pragma once
/* Unwinding stacks while they are recorded, instead of copying them into the file. */
#include "wire/attr.h"

struct record_job;

/*
 * Decides whether stacks are unwound, once the events are known, and sets job->unwinds. If stacks
 * must be copied although that was not requested, a note says why.
 */
void record_unwind_choose(struct record_job *j);

/* Returns the attr that the file has for an event that was opened with @opened. */
struct attr record_unwind_attr(const struct record_job *j, const struct attr *opened);

/*
 * Starts unwinding, if it was chosen. To be called before the file is begun. -EAGAIN with the job's
 * diag set.
 */
int record_unwind_start(struct record_job *j);
void record_unwind_done(struct record_job *j);

/* Reports in one line how the unwinding went. */
void record_unwind_tell(const struct record_job *j);
