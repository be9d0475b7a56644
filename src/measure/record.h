/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Recording into a file, from a request to the finished file, in one call.
 */
#include <stdbool.h>

#include "capture/loop.h"
#include "measure/record-request.h"
#include "transform/image-hits.h"

struct diag;
struct notes;

struct record_result {
	bool planned; /* what was asked for makes sense: other errors are not of usage */
	enum loop_end end;
	int signal;                 /* the last that came to end the recording, or 0 */
	bool reaped;                /* the command has ended, */
	int wait_status;            /* this way */
	unsigned max_stack;         /* frames that the kernel takes of a stack at most */
	struct stack_depths depths; /* unless nobody read what was recorded (-B, a stream) */
};

/* The exit status of a command that measured a workload: that of the workload, or 0. */
int record_result_status(const struct record_result *r);

/*
 * Records as @rq says. What the kernel did not give, what happens meanwhile, how much was recorded
 * and what was lost goes to @notes, in that order and at once. A negative errno with @diag set;
 * what was written until then is in the file. *@ret is set in any case.
 */
int record_run(const struct record_request *rq, struct notes *notes, struct record_result *ret,
	       struct diag *diag);
