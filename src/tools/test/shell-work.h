/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Shell tests: every executable NAME.sh of a folder. The first comment below the line `#!...` that
 * is not a licence line is its name in the list. `(exclusive)` at the end of the name means that it
 * runs alone. Status 0 is ok, 2 is a skip, any other status is a failure.
 */
#include <stdbool.h>

struct selftest_plan;

/*
 * Appends the tests of the folder @path, sorted by file name. Without such a folder there are none.
 */
void selftest_add_scripts(struct selftest_plan *p, const char *path);

/*
 * Finds the name of a script whose text is @text. Removes `(exclusive)` from it, which sets
 * *@ret_alone. The caller frees it; NULL: it has none.
 */
char *selftest_script_name(const char *text, bool *ret_alone);
