/* SPDX-License-Identifier: MIT */
#include "kernel/ftrace-names.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "kernel/kallsyms-text.h"

struct ftrace_named {
	uint64_t addr;
	size_t order; /* number of its line */
	const char *name, *module;
	uint32_t name_length, module_length;
};

struct function_names {
	char *text; /* contains the names */
	struct arena made;
	struct ftrace_named *items; /* ascending by address, then by order */
	size_t n, room;
};

void function_names_free(struct function_names *n)
{
	if (!n)
		return;
	arena_done(&n->made);
	free(n->items);
	free(n->text);
	free(n);
}

static int function_names_compare(const void *a, const void *b)
{
	const struct ftrace_named *x = a, *y = b;

	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

struct function_names *function_names_parse(const char *text, size_t size)
{
	struct function_names *n = xcalloc(1, sizeof(*n));
	struct kallsyms_line l;
	const char *at, *end;

	n->text = xmalloc(size + 1);
	memcpy(n->text, text, size);
	n->text[size] = '\0';
	at = n->text;
	end = at + size;
	while (kallsyms_next(&at, end, &l))
		if (l.addr && kallsyms_type_counts(l.type))
			*ARRAY_ADD(n) = (struct ftrace_named){ l.addr,
							       n->n,
							       l.name,
							       l.module,
							       (uint32_t)l.name_length,
							       (uint32_t)l.module_length };
	if (n->n)
		qsort(n->items, n->n, sizeof(n->items[0]), function_names_compare);
	return n;
}

int function_names_read(struct function_names **ret, struct diag *diag)
{
	_cleanup_(freep) char *text = NULL;
	size_t size;
	int r = file_read(AT_FDCWD, "/proc/kallsyms", KALLSYMS_SIZE_MAX, &text, &size);
	_cleanup_(function_names_freep) struct function_names *n = NULL;

	if (r < 0)
		return diag_set(diag, r, "cannot read /proc/kallsyms: %s", strerror(-r));
	n = function_names_parse(text, size);
	if (!n->n) {
		diag_set(diag, -EPERM, "/proc/kallsyms hides the addresses of functions");
		diag_hint(diag, "Allow them: sysctl kernel.kptr_restrict=0");
		return -EPERM;
	}
	*ret = TAKE(n);
	return 0;
}

/* Returns the first of the functions at the highest address that is not above @addr, or NULL. */
static const struct ftrace_named *kernel_function_names_find(const struct function_names *n,
							     uint64_t addr)
{
	size_t low = 0, high = n->n;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (n->items[middle].addr <= addr)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low)
		return NULL;
	while (low > 1 && n->items[low - 2].addr == n->items[low - 1].addr)
		low--;
	return &n->items[low - 1];
}

const char *function_names_find(struct function_names *n, uint64_t addr)
{
	const struct ftrace_named *f = kernel_function_names_find(n, addr);
	_cleanup_(freep) char *name = NULL;

	if (!f)
		name = xasprintf("0x%" PRIx64, addr);
	else if (f->module)
		name = xasprintf("%.*s [%.*s]", (int)f->name_length, f->name, (int)f->module_length,
				 f->module);
	else
		name = xstrndup(f->name, f->name_length);
	return arena_strndup(&n->made, name, strlen(name));
}
