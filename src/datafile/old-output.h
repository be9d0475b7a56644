/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Recordings that are folders: how they are recognized, and how an old recording is moved away for
 * a new one.
 */
#include <stdbool.h>

struct diag;
struct file_place;

/* True if the file @name in the folder @at begins like a recording, in either byte order. */
bool recording_is_file(int at, const char *name);

/* True if @name is a recording in the form of a folder, with nothing else in it. */
bool recording_is_folder(int at, const char *name);

/*
 * Moves the file, link or directory at @place away: it becomes NAME.old and replaces an older one,
 * or is removed unless @keep_old. A link is moved or removed itself. -ENOENT: nothing is there;
 * -EISDIR: a directory that is not only a recording; -ENOTDIR: a device, for example; all with
 * @diag. @path is the user's name for it.
 */
int old_output_rotate(const struct file_place *place, const char *path, bool keep_old,
		      struct diag *diag);
