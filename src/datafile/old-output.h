/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The recording that is in the place of a new one. Private to datafile/.
 */
#include <stdbool.h>

struct diag;
struct file_place;

/*
 * Takes the file, link or directory at @place away: it becomes NAME.old in place of an older one,
 * or is removed unless @keep_old. A link is moved or removed itself. -ENOENT: nothing is there;
 * -EISDIR: a directory that is not only a recording; -ENOTDIR: a device, say; all with @diag. @path
 * is what users call it.
 */
int old_output_rotate(const struct file_place *place, const char *path, bool keep_old,
		      struct diag *diag);
