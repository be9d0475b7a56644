/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Why there is no function of a name, and what was perhaps meant.
 */
#include <stdbool.h>

struct diag;
struct probe_target;

/*
 * Where there is no debug information that was wanted for function @name: whether it is the name
 * that is wrong, as no symbol of @t has it. Then @diag says that instead.
 */
bool explain_name(struct probe_target *t, const char *name, struct diag *diag);

/*
 * Adds to the hint of @diag, which says that @t has no function @name: that it is a tracepoint,
 * that a module has it, or which names are similar.
 */
void explain_function(struct probe_target *t, const char *name, struct diag *diag);
