/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Why there is no function of a name, and what was perhaps meant.
 */
struct diag;
struct probe_target;

/*
 * Adds to the hint of @diag, which says that @t has no function @name: that it is a tracepoint,
 * that a module has it, or which names are similar.
 */
void explain_function(struct probe_target *t, const char *name, struct diag *diag);
