/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Room for a new recording where an old one is. Private to datafile/.
 */
#include <stdbool.h>

struct diag;

/*
 * Afterwards @path does not exist, or is a device or pipe to be written to: the recording that was
 * there has become PATH.old in place of an older one, or is removed unless @keep_old. A directory
 * that is no recording is refused (-EISDIR).
 */
int make_way(const char *path, bool keep_old, struct diag *diag);
