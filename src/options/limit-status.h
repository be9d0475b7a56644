/* SPDX-License-Identifier: MIT */
#pragma once
/* The exit status of a command with --fail-if, for scripts. */
enum {
	EXIT_LIMIT_EXCEEDED = 1, /* a limit was exceeded */
	EXIT_LIMIT_UNKNOWN = 2,  /* no limit was exceeded, but one could not be judged */
};
