/* SPDX-License-Identifier: MIT */
#pragma once
/* The settings that a request demands of every event, on this machine and its kernel. */
#include <stdbool.h>
#include <stdint.h>

struct diag;
struct notes;
struct record_request;
struct sample_request;
struct sampling;

/*
 * Fills *@ret. A note in @notes reports a frequency that the kernel does not allow. @command: a
 * child that has not called exec is recorded. -EINVAL with @diag set: registers that do not exist,
 * or a frequency that was to be kept.
 */
int record_sampling(const struct record_request *rq, bool command, struct notes *notes,
		    struct sampling *ret, struct diag *diag);

/* Checks that the registers that the request names exist: 0, or -EINVAL with @diag set. */
int record_check_registers(const struct sample_request *rq, struct diag *diag);

/* Returns a mask of the user-space registers that samples can have on this machine. */
uint64_t record_user_registers(void);
