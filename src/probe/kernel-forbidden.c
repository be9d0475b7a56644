/* SPDX-License-Identifier: MIT */
#include "probe/kernel-forbidden.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"

/* The file lists a few thousand functions. */
#define BLACKLIST          "/sys/kernel/debug/kprobes/blacklist"
#define BLACKLIST_SIZE_MAX (16u << 20)

static int kernel_forbidden_by_start(const void *a, const void *b)
{
	const struct forbidden_range *x = a, *y = b;

	return (x->start > y->start) - (x->start < y->start);
}

void kernel_forbidden_parse(struct kernel_forbidden *f, const char *text)
{
	for (const char *line = text; *line;) {
		unsigned long long start, end;

		/* Users that may not see addresses read 0 here. */
		if (sscanf(line, "0x%llx-0x%llx", &start, &end) == 2 && start < end)
			*ARRAY_ADD(f) = (struct forbidden_range){ start, end };
		line += strcspn(line, "\n");
		line += *line == '\n';
	}
	if (f->n)
		qsort(f->items, f->n, sizeof(f->items[0]), kernel_forbidden_by_start);
	f->is_read = true;
}

bool kernel_forbids(struct kernel_forbidden *f, uint64_t addr)
{
	if (!f->is_read) {
		_cleanup_(freep) char *text = NULL;

		if (file_read(AT_FDCWD, BLACKLIST, BLACKLIST_SIZE_MAX, &text, NULL) >= 0)
			kernel_forbidden_parse(f, text);
		f->is_read = true;
	}
	for (size_t i = 0; i < f->n && f->items[i].start <= addr; i++)
		if (addr < f->items[i].end)
			return true;
	return false;
}

void kernel_forbidden_done(struct kernel_forbidden *f)
{
	free(f->items);
	*f = (struct kernel_forbidden){ 0 };
}
