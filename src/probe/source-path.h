/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Where a source file lies on this machine that was compiled elsewhere.
 */

/*
 * The file that the compiler called @path, in its directory @directory (NULL: unknown): below
 * @source (-s), with as many of the path's leading parts as lead to a file, or as it is called.
 * NULL: it is not here. The caller frees it.
 */
char *source_path_find(const char *path, const char *directory, const char *source);
