/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The options of `perf record` as what they ask of every event.
 */
#include <stdbool.h>
#include <stdint.h>

struct diag;
struct invocation;
struct record_opts;
struct sample_opts;
struct sampling;

/*
 * Fills *@ret, telling of a frequency that the kernel does not allow. @system: CPUs are recorded,
 * @command: a child that has not called exec. -EINVAL with @diag set: registers that do not exist,
 * or --strict-freq.
 */
int record_sampling(const struct invocation *inv, const struct record_opts *o, bool system,
		    bool command, struct sampling *ret, struct diag *diag);

/* Whether --user-regs and --intr-regs name registers that there are: 0, or -EINVAL with @diag set.
 */
int record_check_registers(const struct sample_opts *o, struct diag *diag);

/* A mask of the registers that --user-regs may name on this machine. */
uint64_t record_user_registers(void);
