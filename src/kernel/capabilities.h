/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Capabilities that the program's own file gives it (setcap(8)), so that a group of users can
 * measure without being root.
 *
 * They are for perf, not for programs that a user makes perf run. A program that perf starts does
 * not inherit them. Code that runs inside perf would have them: scripts, filter libraries and BPF
 * programs of users.
 */
#include <stdbool.h>

/* True if the rights of this process come from its file and not from its user. */
bool capabilities_are_lent(void);

/*
 * Drops lent capabilities for good; without any, it does nothing. To be called while there is only
 * one thread, because others would keep theirs. Errors: those of capset().
 */
int capabilities_drop(void);

/*
 * Returns a command line that permits only the members of a group to run this very program with
 * @capabilities ("cap_perfmon,cap_bpf"), and makes the user a member. The caller frees it.
 */
char *capabilities_advice(const char *capabilities);
