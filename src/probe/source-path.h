/* SPDX-License-Identifier: MIT */
#pragma once
/* Finds the source file on this machine of a program that was compiled elsewhere. */

/*
 * The file that the compiler called @path, in its directory @directory (NULL: unknown): below
 * @source (-s), with as many leading parts of the path as lead to a file, or under its own name.
 * NULL: it is not here. The caller frees it.
 */
char *source_path_find(const char *path, const char *directory, const char *source);
