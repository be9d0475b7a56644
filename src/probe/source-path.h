/* SPDX-License-Identifier: MIT */
#pragma once
/* Finds the source file on this machine of a program that was compiled elsewhere. */

/*
 * Finds the file that the compiler called @path, in its directory @directory (NULL: unknown). It is
 * searched below @source (-s), with leading parts of the path removed until there is such a file,
 * or under its own name. NULL: it is not on this machine. The caller frees it.
 */
char *source_path_find(const char *path, const char *directory, const char *source);
