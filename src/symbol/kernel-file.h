/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The files that users name for the symbols of a kernel (--vmlinux, --kallsyms). Each may be a
 * directory of the build-id cache ("~/.debug/[kernel.kallsyms]/BUILD-ID"), in which the files have
 * fixed names.
 */
struct diag;

/* Return @path, or the path of the file in the directory @path. The caller frees it. */
char *kernel_vmlinux_path(const char *path);
char *kernel_list_path(const char *path);

/*
 * Check that the file that @option names can be read and is of the right kind; NULL is accepted. A
 * negative errno with @diag if not.
 */
int kernel_vmlinux_check(const char *option, const char *path, struct diag *diag);
int kernel_list_check(const char *option, const char *path, struct diag *diag);
