/* SPDX-License-Identifier: MIT */
#pragma once
/* Makes a recording in a file, from a request to the finished file, in one call. */
#include <stdbool.h>

#include "capture/loop.h"
#include "measure/record-request.h"
#include "transform/image-hits.h"

struct diag;
struct notes;

struct record_result {
	bool planned; /* the request makes sense: later errors are not usage errors */
	enum loop_end end;
	int signal;                 /* the last signal that ended the recording, or 0 */
	bool reaped;                /* the command has ended, */
	int wait_status;            /* the status with which it ended */
	unsigned max_stack;         /* the most frames that the kernel takes of a stack */
	struct stack_depths depths; /* unless the recording was not read again (-B, a stream) */
};

/* Returns the exit status of a command that measured a workload: that of the workload, or 0. */
int record_result_status(const struct record_result *r);

/*
 * Records as @rq says. Notes go to @notes at once and in this order: what the kernel did not grant,
 * what happens meanwhile, how much was recorded and what was lost. Returns a negative errno with
 * @diag set; the file then has what was written before the error. *@ret is set in any case.
 */
int record_run(const struct record_request *rq, struct notes *notes, struct record_result *ret,
	       struct diag *diag);
