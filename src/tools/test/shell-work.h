/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Shell tests: every executable NAME.sh of a folder. The first comment below the line `#!...` that
 * is no licence line is its name in the list; `(exclusive)` at its end means that it runs alone.
 * Status 0 is ok, 2 a skip, everything else a failure.
 */
#include <stdbool.h>

struct selftest_plan;

/* Appends the tests of the folder @path, sorted by file name. Without such a folder: none. */
void selftest_add_scripts(struct selftest_plan *p, const char *path);

/*
 * Finds the name of a script whose text is @text, and cuts `(exclusive)` from it: then *@ret_alone.
 * The caller frees it; NULL: it has none.
 */
char *selftest_script_name(const char *text, bool *ret_alone);
