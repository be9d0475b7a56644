/* SPDX-License-Identifier: MIT */
#include "symbol/sdt-probes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/text.h"
#include "elf/elf-file.h"
#include "elf/sdt.h"
#include "symbol/sdt-argument.h"

/* The largest programs have some hundred; looking for a name among them is linear. */
#define PROBES_MAX 10000

/* A probe's name, with the definitions of all the places that have it. */
struct probe {
	char *name;
	struct text lines;
};

struct probes {
	struct probe *items;
	size_t n, room;
	const char *program; /* what it is called in definitions */
	uint16_t machine;
};

static void probes_done(struct probes *p)
{
	for (size_t i = 0; i < p->n; i++) {
		free(p->items[i].name);
		text_done(&p->items[i].lines);
	}
	free(p->items);
}

/* Names become words of the kernel's command language: nothing else may be in them. */
static bool is_word(const char *s)
{
	return *s &&
	       !s[strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")];
}

/* NULL: there are too many. */
static struct probe *probe_called(struct probes *p, const char *name)
{
	/* The places of an inlined probe usually follow one another. */
	for (size_t i = p->n; i-- > 0;)
		if (!strcmp(p->items[i].name, name))
			return &p->items[i];
	if (p->n == PROBES_MAX)
		return NULL;

	struct probe *probe = ARRAY_ADD(p);

	*probe = (struct probe){ .name = xstrdup(name), .lines = TEXT_EMPTY };
	return probe;
}

static void add_note(const struct sdt_note *n, void *arg)
{
	struct probes *p = arg;

	if (!is_word(n->provider) || !is_word(n->name))
		return;

	_cleanup_(freep) char *name = xasprintf("sdt_%s:%s", n->provider, n->name);
	struct probe *probe = probe_called(p, name);
	const char *at = n->arguments;

	if (!probe)
		return;

	struct text *out = &probe->lines;

	text_addf(out, "p:sdt_%s/%s %s:0x%llx", n->provider, n->name, p->program,
		  (unsigned long long)n->offset);
	if (n->semaphore)
		text_addf(out, "(0x%llx)", (unsigned long long)n->semaphore);
	for (unsigned number = 1; sdt_argument_next(&at, p->machine, number, out);)
		number++;
	text_add_char(out, '\n');
}

static void collect(struct probes *p, const char *path)
{
	_cleanup_(elf_file_freep) struct elf_file *f = NULL;

	/* The kernel's language knows no quotes. */
	if (!path || strpbrk(p->program, " \t\n") || elf_file_open(path, &f) < 0)
		return;
	p->machine = elf_file_machine(f);
	elf_sdt_for_each(f, add_note, p);
}

int sdt_probes_store(const char *entry, const char *name, const char *path)
{
	_cleanup_(probes_done) struct probes p = { .program = name };
	_cleanup_(freep) char *file = xasprintf("%s/probes", entry);
	_cleanup_(fclosep) FILE *out = fopen(file, "we");

	if (!out)
		return -errno;
	collect(&p, path);
	for (size_t i = 0; i < p.n; i++)
		fprintf(out, "%%%s=%s\n%s", p.items[i].name, strchr(p.items[i].name, ':') + 1,
			p.items[i].lines.chars);
	return fflush(out) == EOF ? -errno : 0;
}
