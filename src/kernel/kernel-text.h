/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Where the running kernel and its modules lie, as far as we may know (kptr_restrict).
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
	char *name; /* as /proc/modules writes it, "nf_tables" */
	char *path; /* of its file, or NULL: none was found */
	uint64_t start, size_bytes;
};

struct kernel_module_list {
	struct kernel_module *items; /* ascending by start */
	size_t n, room;
};

/* @root stands before /proc; "" for this machine. -ENOENT: no symbols; -EACCES: they are hidden. */
int kernel_text_read(const char *root, struct kernel_text *ret);

/* The same for a kernel whose symbols begin with the text @kallsyms. */
int kernel_text_parse(const char *kallsyms, struct kernel_text *ret);

/*
 * The same for a copy of /proc/kallsyms, of a guest: it is read whole, and its _etext tells the
 * end.
 */
int kernel_text_read_file(const char *path, struct kernel_text *ret);

/*
 * The loaded modules, without those whose address is hidden. @release (uname -r) says where their
 * files are: in the directory @root/lib/modules/@release, whose modules.dep names them all.
 */
int kernel_modules_read(const char *root, const char *release, struct kernel_module_list *ret);

/* Those that @text, like /proc/modules, names, without their files; it is cut into lines. */
void kernel_modules_parse(char *text, struct kernel_module_list *ret);

/* The same for a copy of /proc/modules. */
int kernel_modules_read_file(const char *path, struct kernel_module_list *ret);
void kernel_module_list_done(struct kernel_module_list *l);
