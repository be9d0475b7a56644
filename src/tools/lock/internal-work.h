/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The ways of tools/lock/lock-work.h, for each other.
 */
#include "tools/lock/lock-work.h"

struct sample_filter;

/* The arguments of lock_run(). */
struct lock_job {
	const struct lock_request *rq;
	const struct lock_listener *listener;
	struct notes *notes;
	struct diag *diag;
};

/* The model that @j asks for, whose texts and @threads (or NULL) are borrowed. */
struct lock_contention *lock_job_model(const struct lock_job *j, const struct lock_names *names,
				       const struct sample_filter *threads);

/* Hands @s to the listener, at the end with notes on what is missing. */
int lock_job_show(const struct lock_job *j, const struct lock_counted *s);

/* A recording, and what happens now. Errors as of lock_run(). */
int lock_read(const struct lock_job *j);
int lock_watch(const struct lock_job *j, struct record_result *ret);

/* The same, counted in the kernel by BPF programs. */
int lock_count(const struct lock_job *j, struct record_result *ret);
