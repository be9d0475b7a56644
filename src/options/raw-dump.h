/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * -D of commands that then show something else: all records of a recording, in front of it.
 */
#include <stdbool.h>

struct diag;
struct invocation;

/*
 * Prints all records of @path, NULL for the usual one. Standard input is read by that, so that
 * nothing is left for what follows: then it returns 1. Errors as of any_session_open().
 */
int command_dump_raw(const struct invocation *inv, const char *path, bool force, struct diag *diag);
