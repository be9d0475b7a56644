/* SPDX-License-Identifier: MIT */
#include "transform/known-build-ids.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "elf/build-id.h"

#define FILE_PREFIX "file://"

/* The maximum size of a list. A list of everything that ever ran on a machine is smaller. */
#define FILE_SIZE_MAX (64u << 20)

void known_build_ids_done(struct known_build_ids *k)
{
	for (size_t i = 0; i < k->n; i++)
		free(k->items[i].path);
	free(k->items);
	*k = (struct known_build_ids){ 0 };
}

/* Adds "ID PATH", which has @length characters. */
static bool known_build_ids_add_pair(struct known_build_ids *k, const char *pair, size_t length)
{
	_cleanup_(freep) char *copy = xstrndup(pair, length);
	char *id_text = copy + strspn(copy, " \t"), *path;
	struct build_id id;

	path = id_text + strcspn(id_text, " \t");
	if (!*path)
		return false;
	*path++ = '\0';
	path += strspn(path, " \t");
	if (!*path || build_id_parse(id_text, &id) < 0 || !id.size)
		return false;
	*ARRAY_ADD(k) = (struct known_build_id){ xstrdup(path), id };
	return true;
}

static int known_build_ids_read_file(struct known_build_ids *k, const char *path, struct diag *diag)
{
	_cleanup_(freep) char *text = NULL;
	int r = file_read(AT_FDCWD, path, FILE_SIZE_MAX, &text, NULL);

	if (r < 0)
		return diag_set(diag, r, "cannot read '%s': %s", path, strerror(-r));
	for (const char *at = text; *at; at += strspn(at, "\n")) {
		size_t length = strcspn(at, "\n");

		(void)known_build_ids_add_pair(k, at, length);
		at += length;
	}
	return 0;
}

int known_build_ids_parse(struct known_build_ids *k, const char *text, struct diag *diag)
{
	if (!strncmp(text, FILE_PREFIX, strlen(FILE_PREFIX)))
		return known_build_ids_read_file(k, text + strlen(FILE_PREFIX), diag);
	for (const char *at = text; *at; at += strspn(at, ",")) {
		size_t length = strcspn(at, ",");

		if (!known_build_ids_add_pair(k, at, length)) {
			diag_mark(diag, -EINVAL, text, (size_t)(at - text), length,
				  "expected a build-id and a path");
			diag_hint(diag, "As in 'perf buildid-list': 6f268ff546c5... /usr/bin/x");
			return -EINVAL;
		}
		at += length;
	}
	return 0;
}

const struct build_id *known_build_ids_find(const struct known_build_ids *k, const char *path)
{
	for (size_t i = 0; i < k->n; i++)
		if (!strcmp(k->items[i].path, path))
			return &k->items[i].id;
	return NULL;
}
