/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What a script learns from the exit status of a command with --fail-if.
 */
enum {
	EXIT_LIMIT_EXCEEDED = 1, /* a limit was */
	EXIT_LIMIT_UNKNOWN = 2,  /* none was, but one could not be judged */
};
