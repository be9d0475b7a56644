/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What a request asks of every event, on this machine and its kernel.
 */
#include <stdbool.h>
#include <stdint.h>

struct diag;
struct notes;
struct record_request;
struct sample_request;
struct sampling;

/*
 * Fills *@ret; a frequency that the kernel does not allow is told in @notes. @command: a child that
 * has not called exec is recorded. -EINVAL with @diag set: registers that do not exist, or a
 * frequency that was to be kept.
 */
int record_sampling(const struct record_request *rq, bool command, struct notes *notes,
		    struct sampling *ret, struct diag *diag);

/* Whether the request names registers that there are: 0, or -EINVAL with @diag set. */
int record_check_registers(const struct sample_request *rq, struct diag *diag);

/* A mask of the registers of user space that samples can have on this machine. */
uint64_t record_user_registers(void);
