/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A stack profile as a recording: records as perf writes them, in memory, with the names of its
 * functions beside them.
 *
 * One sample stands for all that were added up: its stream id is how many they are.
 */
struct diag;
struct given_names;
struct stack_profile;

/*
 * *@ret_fd is a file in memory, which the caller closes; *@ret_names is the caller's. A negative
 * errno with @diag.
 */
int stack_profile_record(const struct stack_profile *p, int *ret_fd, struct given_names **ret_names,
			 struct diag *diag);
