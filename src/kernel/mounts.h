/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Where file systems are mounted, from the text of /proc/mounts.
 */

/* The text of /proc/self/mounts, which the caller frees; "" where there is none. */
char *mounts_read(void);

/*
 * The first mount point of type @type in @mounts that has the mount option @option (NULL: any),
 * with the kernel's escapes (\040 for a blank) undone. The caller frees it. NULL: there is none.
 */
char *mounts_find(const char *mounts, const char *type, const char *option);
