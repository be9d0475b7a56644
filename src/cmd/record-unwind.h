/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * --unwind: whether stacks are unwound while they are recorded, or copied into the file for those
 * who read it.
 */
#include "cli/option.h"
#include "wire/attr.h"

struct config;
struct diag;
struct record_job;

enum record_unwind {
	RECORD_UNWIND_UNSAID,
	RECORD_UNWIND_NOW,
	RECORD_UNWIND_LATER,
};

/* `enum record_unwind`, from "now" or "later"; --no-unwind is later. */
option_set_fn record_unwind_set;

/* Takes record.unwind of @c where nothing was said. -EINVAL with @diag: it is neither word. */
int record_unwind_config(const struct config *c, enum record_unwind *unwind, struct diag *diag);

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
