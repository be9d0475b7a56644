/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The option -D of commands that show something else afterwards: it prints all records of a
 * recording first.
 */
#include <stdbool.h>

struct diag;
struct invocation;

/*
 * Prints all records of @path, or of the usual file if that is NULL. Standard input is used up by
 * this, so nothing is left for the command; the function then returns 1. Errors are those of
 * any_session_open().
 */
int command_dump_raw(const struct invocation *inv, const char *path, bool force, struct diag *diag);
