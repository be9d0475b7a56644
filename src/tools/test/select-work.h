/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Which tests are meant: by number (`3`, `6.1`, `20-23`) or by a part of the name, in either case
 * of letters. A part of a suite's name selects all its cases, a part of a case's name that case.
 */
struct diag;
struct selftest_plan;

/* Selects what each of @words (NULL-terminated) means; all tests if there is none. -ENOENT with
 * @diag: a word means nothing. */
int selftest_select(struct selftest_plan *p, char *const *words, struct diag *diag);

/* Marks what the words between the commas of @list mean as passed over. Same error. */
int selftest_pass_over(struct selftest_plan *p, const char *list, struct diag *diag);
