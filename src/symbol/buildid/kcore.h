/* SPDX-License-Identifier: MIT */
#pragma once
struct diag;

/*
 * Copies the kernel's code as it is in memory, patched and with its modules. From /proc/kcore only
 * the code is copied into the build-id cache,
 *
 *	DIR/[kernel.kcore]/BUILD-ID/YYYYMMDDhhmmssff/{kcore,kallsyms,modules}
 *
 * readable by its owner only. This needs libelf.
 */

/*
 * Copies the code in the file @kcore, and the files kallsyms and modules beside it. Returns 1 if it
 * was added, 0 if the cache has one with the same modules at the same addresses. *@ret_dir is its
 * directory; the caller frees it. -ENODATA: it has no code; -EPERM: addresses are hidden. Errors of
 * writing come with @diag, which names the file and, on a full disk, the space that is needed.
 */
int kcore_cache_add(const char *dir, const char *kcore, char **ret_dir, struct diag *diag);

/* Copies into the existing directory @to, without searching for an equal copy. */
int kcore_copy(const char *kcore, const char *to, struct diag *diag);
