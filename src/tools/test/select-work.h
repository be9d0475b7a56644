/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Selects tests by number (`3`, `6.1`, `20-23`) or by a part of the name, ignoring case. A part of
 * a suite's name selects all its cases, a part of a case's name that case.
 */
struct diag;
struct selftest_plan;

/*
 * Selects the tests that @words (NULL-terminated) mean, or all tests if there are no words. Returns
 * -ENOENT with @diag if a word matches nothing.
 */
int selftest_select(struct selftest_plan *p, char *const *words, struct diag *diag);

/*
 * Marks the tests that the comma-separated words of @list mean as passed over. Errors are the same.
 */
int selftest_pass_over(struct selftest_plan *p, const char *list, struct diag *diag);
