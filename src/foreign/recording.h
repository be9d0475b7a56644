/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Converts a stack profile to a recording: records as perf writes them, in memory, with the names
 * of its functions beside them.
 *
 * One sample represents all samples that were added up: its stream id is their number.
 */
struct diag;
struct given_names;
struct stack_profile;

/*
 * Makes the recording. *@ret_fd is a file in memory, which the caller closes; *@ret_names belongs
 * to the caller. Returns a negative errno with @diag on failure.
 */
int stack_profile_record(const struct stack_profile *p, int *ret_fd, struct given_names **ret_names,
			 struct diag *diag);
