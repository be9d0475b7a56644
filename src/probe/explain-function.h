/* SPDX-License-Identifier: MIT */
#pragma once
/* Explains why there is no function of a name, and which name may be meant. */
#include <stdbool.h>

struct diag;
struct probe_target;

/*
 * Checks @name after debug information for this function was not found. True if the name is wrong
 * because no symbol of @t has it; then @diag says that instead.
 */
bool explain_name(struct probe_target *t, const char *name, struct diag *diag);

/*
 * Adds to the hint of @diag, which says that @t has no function @name: that the name is a
 * tracepoint, that a module has the function, or which names are similar.
 */
void explain_function(struct probe_target *t, const char *name, struct diag *diag);
