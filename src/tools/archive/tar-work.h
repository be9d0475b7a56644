/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Archives, made and unpacked by tar(1), which every user of them has: it knows links, holes,
 * owners and hostile names better than we would.
 */
struct diag;
struct name_list;
struct progress;

/*
 * Packs @files of the directory @dir into @base and a suffix, by bzip2, or by zstd or gzip where
 * that is not installed. An archive of that name is replaced, when the new one is complete. The
 * caller frees *@ret_path. How far it is, is told to @progress, if not NULL.
 */
int archive_pack(const char *base, const char *dir, const struct name_list *files,
		 struct progress *progress, char **ret_path, struct diag *diag);

/* Unpacks @archive into the directory @dir, whatever is in it: see tools/archive/unpack-work.h. */
int archive_unpack(const char *archive, const char *dir, struct diag *diag);
