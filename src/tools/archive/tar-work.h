/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Archives, made and unpacked by tar(1), which all their users have: it handles links, holes,
 * owners and hostile names better than our own code would.
 */
struct diag;
struct name_list;
struct progress;

/*
 * Packs @files of the directory @dir into a file whose name is @base with a suffix, with bzip2, or
 * with zstd or gzip if that is not installed. An archive of that name is replaced, when the new one
 * is complete. The caller frees *@ret_path. Progress is reported to @progress, if not NULL.
 */
int archive_pack(const char *base, const char *dir, const struct name_list *files,
		 struct progress *progress, char **ret_path, struct diag *diag);

/*
 * Unpacks @archive into the directory @dir, without checking its contents: see
 * tools/archive/unpack-work.h.
 */
int archive_unpack(const char *archive, const char *dir, struct diag *diag);
