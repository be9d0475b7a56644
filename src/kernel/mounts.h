/* SPDX-License-Identifier: MIT */
#pragma once
/* Finds where file systems are mounted, from the text of /proc/mounts. */

/* Returns the text of /proc/self/mounts, which the caller frees; "" if there is none. */
char *mounts_read(void);

/*
 * Returns the first mount point of type @type in @mounts that has the mount option @option (NULL:
 * any), with the kernel's escapes (\040 for a blank) undone. The caller frees it. NULL: there is
 * none.
 */
char *mounts_find(const char *mounts, const char *type, const char *option);
