/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The vmlinux with the debug information of a kernel: that which the user names, one of the same
 * build-id in the usual places, in the build-id cache, or from a debuginfod server. No symbol is
 * read for that.
 */
struct elf_file;
struct kernel_request;

/*
 * Opens it. One that the user named (@r->options->vmlinux) is not asked for its build-id: whoever
 * wants to know compares. -ENODATA: there is none; else as elf_file_open(). *@ret_path is the
 * caller's.
 */
int kernel_debug_find(const struct kernel_request *r, struct elf_file **ret, char **ret_path);
