/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Finds the vmlinux with the debug information of a kernel: the one that the user names, or one
 * with the right build-id in the usual places, in the build-id cache, or from a debuginfod server.
 * Reads no symbols.
 */
struct elf_file;
struct kernel_request;

/*
 * Opens the vmlinux. The build-id of one that the user named (@r->options->vmlinux) is not checked.
 * -ENODATA: there is none; otherwise the errors of elf_file_open(). The caller frees *@ret_path.
 */
int kernel_debug_find(const struct kernel_request *r, struct elf_file **ret, char **ret_path);
