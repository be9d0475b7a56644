/* SPDX-License-Identifier: MIT */
/*
 * Gathers static probes of user programs, which `perf buildid-cache --add` has noted in the
 * build-id cache: .build-id/XX/REST/probes contains two lines for each,
 *
 *	%sdt_PROVIDER:NAME=NAME
 *	p:sdt_PROVIDER/NAME PATH:0xOFFSET arg1=...
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/glob.h"
#include "base/memory.h"
#include "event/catalog-gather.h"
#include "base/name-list.h"

#define PROBES_SIZE_MAX (4 << 20)

static bool catalog_sdt_selects(const struct gathering *g, const char *name)
{
	const char *colon = strchr(name, ':');
	_cleanup_(freep) char *system = NULL;

	if (!colon)
		return false;
	system = xstrndup(name, (size_t)(colon - name));
	return (!g->system || glob_matches(g->system, system)) && gather_selects(g, colon + 1);
}

/* Returns the PATH of the definition that follows the name, or "". */
static const char *probe_path(struct gathering *g, const char *definition)
{
	const char *path = definition + strcspn(definition, " \n");

	path += *path == ' ';

	size_t n = strcspn(path, " \n");

	while (n && path[n] != ':')
		n--;
	return gather_keepf(g, "%.*s", (int)n, path);
}

static void catalog_sdt_add_probe(struct gathering *g, const char *line, const char *build_id)
{
	_cleanup_(freep) char *name = xstrndup(line + 1, strcspn(line, "=\n") - 1);

	if (!catalog_sdt_selects(g, name))
		return;

	const char *definition = line + strcspn(line, "\n");
	struct catalog_entry *e = gather_add(g, CATALOG_SDT, gather_keep(g, name));

	e->image = probe_path(g, definition + (*definition == '\n'));
	e->build_id = gather_keep(g, build_id);
}

static void catalog_sdt_read_probes(struct gathering *g, int fd, const char *prefix,
				    const char *rest)
{
	_cleanup_(freep) char *path = xasprintf("%s/%s/probes", prefix, rest);
	_cleanup_(freep) char *build_id = xasprintf("%s%s", prefix, rest);
	_cleanup_(freep) char *text = NULL;

	if (file_read(fd, path, PROBES_SIZE_MAX, &text, NULL) < 0)
		return;
	for (const char *line = text; line && *line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (!strncmp(line, "%sdt_", 5))
			catalog_sdt_add_probe(g, line, build_id);
	}
}

static int catalog_sdt_by_name(const void *x, const void *y)
{
	const struct catalog_entry *a = x, *b = y;
	int r = strcmp(a->name, b->name);

	return r ? r : strcmp(a->build_id, b->build_id);
}

void gather_sdt(struct gathering *g)
{
	_cleanup_(name_list_done) struct name_list prefixes = { 0 };
	_cleanup_(freep) char *root = NULL;
	struct catalog *c = g->catalog;
	size_t first = c->n;

	if (!g->query->buildid_dir)
		return;
	root = xasprintf("%s/.build-id", g->query->buildid_dir);

	_cleanup_(closep) int fd = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0 || name_list_read(fd, ".", true, &prefixes) < 0)
		return;
	for (size_t i = 0; i < prefixes.n; i++) {
		_cleanup_(name_list_done) struct name_list rests = { 0 };

		name_list_read(fd, prefixes.items[i], true, &rests);
		for (size_t j = 0; j < rests.n; j++)
			catalog_sdt_read_probes(g, fd, prefixes.items[i], rests.items[j]);
	}
	if (c->n > first)
		qsort(&c->items[first], c->n - first, sizeof(c->items[0]), catalog_sdt_by_name);
}
