/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"
#include "kernel/kernel-text.h"

/* There are some hundred modules, and some thousand module files. */
#define MODULES_MAX      (4U << 20)
#define DEPENDENCIES_MAX (64U << 20)

void kernel_module_list_done(struct kernel_module_list *l)
{
	for (size_t i = 0; i < l->n; i++) {
		free(l->items[i].name);
		free(l->items[i].path);
	}
	free(l->items);
	*l = (struct kernel_module_list){ 0 };
}

/* Adds a line: "nf_tables 303104 0 - Live 0xffffffffc0a00000 (OE)". */
static void kernel_module_add_line(struct kernel_module_list *l, const char *line)
{
	unsigned long long size, start;
	char name[128];

	if (sscanf(line, "%127s %llu %*s %*s %*s %llx", name, &size, &start) != 3 || !start)
		return;
	struct kernel_module *m = ARRAY_ADD(l);
	m->name = xstrdup(name);
	m->start = start;
	m->size_bytes = size;
}

static int kernel_module_by_start(const void *a, const void *b)
{
	const struct kernel_module *x = a, *y = b;

	return (x->start > y->start) - (x->start < y->start);
}

static int kernel_module_by_name(const void *a, const void *b)
{
	const struct kernel_module *const *x = a, *const *y = b;

	return strcmp((*x)->name, (*y)->name);
}

/*
 * Makes the module's name from a file name, which may have a '-' instead of a '_':
 * "crc32c-intel.ko.xz" is crc32c_intel.
 */
static bool kernel_module_name(const char *path, size_t length, char *ret, size_t room)
{
	const char *slash = memrchr(path, '/', length);
	const char *from = slash ? slash + 1 : path;
	const char *dot = memchr(from, '.', length - (size_t)(from - path));
	size_t n = dot ? (size_t)(dot - from) : 0;

	if (!n || n >= room || strncmp(dot, ".ko", 3))
		return false;
	for (size_t i = 0; i < n; i++)
		ret[i] = from[i] == '-' ? '_' : from[i];
	ret[n] = '\0';
	return true;
}

/*
 * Finds the paths in the lines of modules.dep: "kernel/fs/ext4/ext4.ko: kernel/fs/jbd2/jbd2.ko ..."
 */
static void find_paths(struct kernel_module_list *l, const char *dir, const char *dependencies)
{
	_cleanup_(freep) const struct kernel_module **names = xcalloc(l->n, sizeof(*names));

	for (size_t i = 0; i < l->n; i++)
		names[i] = &l->items[i];
	qsort(names, l->n, sizeof(*names), kernel_module_by_name);
	for (const char *line = dependencies; *line;) {
		size_t length = strcspn(line, ":\n");
		char name[128];
		struct kernel_module key = { .name = name }, *wanted = &key, **found = NULL;

		if (kernel_module_name(line, length, name, sizeof(name)))
			found = bsearch(&wanted, names, l->n, sizeof(*names),
					kernel_module_by_name);
		if (found && !(*found)->path)
			(*found)->path = *line == '/'
						 ? xstrndup(line, length)
						 : xasprintf("%s/%.*s", dir, (int)length, line);
		line += strcspn(line, "\n");
		line += *line == '\n';
	}
}

static void read_paths(const char *root, const char *release, struct kernel_module_list *l)
{
	_cleanup_(freep) char *dir = xasprintf("/lib/modules/%s", release);
	_cleanup_(freep) char *path = xasprintf("%s%s/modules.dep", root, dir);
	_cleanup_(freep) char *text = NULL;

	if (l->n && file_read(AT_FDCWD, path, DEPENDENCIES_MAX, &text, NULL) >= 0)
		find_paths(l, dir, text);
}

void kernel_modules_parse(char *text, struct kernel_module_list *ret)
{
	struct kernel_module_list l = { 0 };

	for (char *rest = text, *line; (line = strsep(&rest, "\n"));)
		kernel_module_add_line(&l, line);
	if (l.n)
		qsort(l.items, l.n, sizeof(l.items[0]), kernel_module_by_start);
	*ret = l;
}

int kernel_modules_read_file(const char *path, struct kernel_module_list *ret)
{
	_cleanup_(freep) char *text = NULL;
	int r = file_read(AT_FDCWD, path, MODULES_MAX, &text, NULL);

	if (r >= 0)
		kernel_modules_parse(text, ret);
	return r;
}

int kernel_modules_read(const char *root, const char *release, struct kernel_module_list *ret)
{
	_cleanup_(freep) char *path = xasprintf("%s/proc/modules", root);
	int r = kernel_modules_read_file(path, ret);

	if (r >= 0)
		read_paths(root, release, ret);
	return r;
}
