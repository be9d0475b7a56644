/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Capabilities that the program's own file gives it (setcap(8)), so that a group of users can
 * measure without being root.
 *
 * They are for perf, not for whatever a user makes perf run. A program that perf starts does not
 * inherit them. Code that runs inside perf would have them: scripts, filter libraries and BPF
 * programs of users.
 */
#include <stdbool.h>

/* Whether the rights of this process come from its file and not from its user. */
bool capabilities_are_lent(void);

/*
 * Gives up lent capabilities for good; without any, it does nothing. To be called while there is
 * only one thread: others would keep theirs. Errors: those of capset().
 */
int capabilities_drop(void);

/*
 * A command line that lets the members of a group, and nobody else, run this very program with
 * @capabilities ("cap_perfmon,cap_bpf"), and makes the user one of them. The caller frees it.
 */
char *capabilities_advice(const char *capabilities);
