/* SPDX-License-Identifier: MIT */
#pragma once
/* Directories that hold what tests write, below $TMPDIR, removed with everything in them. */

/* Makes one that only this user may enter. Its absolute path, which the caller frees. */
int selftest_scratch_make(char **ret);

/* Removes @path and what is in it, without following links; NULL is fine. */
void selftest_scratch_remove(const char *path);
