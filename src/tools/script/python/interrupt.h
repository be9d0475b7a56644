/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Handles Ctrl-C while a script runs.
 *
 * The first one ends the reading, so that trace_end() comes next, and interrupts a running callback
 * with KeyboardInterrupt. The second one ends the process at once. The handler needs a flag of its
 * own: the one global of this file.
 */
#include <stdatomic.h>
#include <stdbool.h>

/* Becomes true at the first Ctrl-C; for session_options.stop. */
const atomic_bool *python_interrupt_flag(void);

/* True if it was pressed. */
bool python_interrupted(void);

/* Takes over SIGINT from Python, whose interpreter must run, unless the signal is ignored. */
void python_interrupt_watch(void);

/* Drops a KeyboardInterrupt that Python has not delivered yet. */
void python_interrupt_drop(void);
