/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The addresses of the running kernel and its modules, as far as we may see them (kptr_restrict).
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kernel_text {
	const char *reference; /* "_text" or "_stext": the symbol at start */
	uint64_t start;
	uint64_t end; /* UINT64_MAX: not known */
};

struct kernel_module {
	char *name; /* the name in /proc/modules, "nf_tables" */
	char *path; /* path of its file, or NULL: none was found */
	uint64_t start, size_bytes;
};

struct kernel_module_list {
	struct kernel_module *items; /* ascending by start */
	size_t n, room;
};

/*
 * Reads the kernel's addresses. @root is the prefix of /proc; "" for this machine. -ENOENT: no
 * symbols; -EACCES: they are hidden.
 */
int kernel_text_read(const char *root, struct kernel_text *ret);

/* Does the same for a kernel whose symbols begin with the text @kallsyms. */
int kernel_text_parse(const char *kallsyms, struct kernel_text *ret);

/*
 * Does the same for a copy of /proc/kallsyms of a guest: it is read whole, and its _etext gives the
 * end.
 */
int kernel_text_read_file(const char *path, struct kernel_text *ret);

/*
 * Reads the loaded modules, without those whose address is hidden. @release (uname -r) determines
 * their files: in the directory @root/lib/modules/@release, whose modules.dep lists them all.
 */
int kernel_modules_read(const char *root, const char *release, struct kernel_module_list *ret);

/*
 * Parses the modules in @text, which is like /proc/modules, without their files. The text is cut
 * into lines.
 */
void kernel_modules_parse(char *text, struct kernel_module_list *ret);

/* Does the same for a copy of /proc/modules. */
int kernel_modules_read_file(const char *path, struct kernel_module_list *ret);
void kernel_module_list_done(struct kernel_module_list *l);
