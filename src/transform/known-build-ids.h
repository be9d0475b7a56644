/* SPDX-License-Identifier: MIT */
#pragma once
/* Build-ids that the user gives for paths, which have priority over those of the files. */
#include <stddef.h>

#include "base/build-id.h"

struct diag;

struct known_build_ids {
	struct known_build_id {
		char *path;
		struct build_id id;
	} * items;
	size_t n, room;
};

void known_build_ids_done(struct known_build_ids *k);

/*
 * Reads "ID PATH,ID PATH,...", or the lines "ID PATH" of the file in "file://FILE", as printed by
 * `perf buildid-list`. Lines without an id are ignored. Returns -EINVAL, or the file's error, with
 * @diag.
 */
int known_build_ids_parse(struct known_build_ids *k, const char *text, struct diag *diag);

/* Returns the build-id of @path, or NULL. */
const struct build_id *known_build_ids_find(const struct known_build_ids *k, const char *path);
