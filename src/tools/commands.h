/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * All commands of this program.
 */

struct command;

/* The commands in the order in which `perf help` shows them. NULL-terminated. */
extern const struct command *const commands[];
