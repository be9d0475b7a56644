/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The files that users name for the symbols of a kernel (--vmlinux, --kallsyms). Each may be a
 * directory of the build-id cache ("~/.debug/[kernel.kallsyms]/BUILD-ID"), which has them by fixed
 * names.
 */
struct diag;

/* @path, or that of the file in the directory @path. The caller frees it. */
char *kernel_vmlinux_path(const char *path);
char *kernel_list_path(const char *path);

/*
 * Whether the file that @option names can be read and is what it should be; NULL is fine. A
 * negative errno with @diag if not.
 */
int kernel_vmlinux_check(const char *option, const char *path, struct diag *diag);
int kernel_list_check(const char *option, const char *path, struct diag *diag);
