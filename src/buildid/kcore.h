/* SPDX-License-Identifier: MIT */
#pragma once
struct diag;

/*
 * The kernel's code as it is in memory, patched and with its modules: /proc/kcore, of which only
 * the code is copied into the build-id cache,
 *
 *	DIR/[kernel.kcore]/BUILD-ID/YYYYMMDDhhmmssff/{kcore,kallsyms,modules}
 *
 * readable by their owner only. It needs libelf.
 */

/*
 * Copies the code in the file @kcore, and the lists kallsyms and modules from beside it. 1 if it
 * was added; 0 if the cache has one with the same modules at the same addresses. *@ret_dir is where
 * it is; the caller frees it. -ENODATA: no code is found in it; -EPERM: addresses are hidden.
 * Errors of writing come with @diag: the file, and on a full disk the space that is needed.
 */
int kcore_cache_add(const char *dir, const char *kcore, char **ret_dir, struct diag *diag);

/* The same into the directory @to, which must exist, without looking for an older one. */
int kcore_copy(const char *kcore, const char *to, struct diag *diag);
