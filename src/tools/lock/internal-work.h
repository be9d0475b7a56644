/* SPDX-License-Identifier: MIT */
#pragma once
/* Functions that the parts of tools/lock/lock-work.h share. */
#include "tools/lock/lock-work.h"

struct sample_filter;

/* The arguments of lock_run(). */
struct lock_job {
	const struct lock_request *rq;
	const struct lock_listener *listener;
	struct notes *notes;
	struct diag *diag;
};

/* Returns the model for @j. The texts of @j and @threads (or NULL) are borrowed. */
struct lock_contention *lock_job_model(const struct lock_job *j, const struct lock_names *names,
				       const struct sample_filter *threads);

/* Passes @s to the listener, at the end with notes about what is missing. */
int lock_job_show(const struct lock_job *j, const struct lock_counted *s);

/* Read a recording, or measure live. Errors are those of lock_run(). */
int lock_read(const struct lock_job *j);
int lock_watch(const struct lock_job *j, struct record_result *ret);

/* Does the same, counted in the kernel by BPF programs. */
int lock_count(const struct lock_job *j, struct record_result *ret);
