/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Recordings that lie in a folder: what is one, and how the one in the place of a new one is taken
 * away.
 */
#include <stdbool.h>

struct diag;
struct file_place;

/* Whether the file @name in the folder @at begins as a recording does, in either byte order. */
bool recording_is_file(int at, const char *name);

/* Whether @name is a recording in the form of a folder, with nothing else in it. */
bool recording_is_folder(int at, const char *name);

/*
 * Takes the file, link or directory at @place away: it becomes NAME.old in place of an older one,
 * or is removed unless @keep_old. A link is moved or removed itself. -ENOENT: nothing is there;
 * -EISDIR: a directory that is not only a recording; -ENOTDIR: a device, say; all with @diag. @path
 * is what users call it.
 */
int old_output_rotate(const struct file_place *place, const char *path, bool keep_old,
		      struct diag *diag);
