/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Build-ids that the user gives for paths, whatever the files there have.
 */
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
 * Reads "ID PATH,ID PATH,...", or the lines "ID PATH" of the file in "file://FILE", as
 * `perf buildid-list` prints them. Lines without an id are passed over. -EINVAL, or the file's
 * error, with @diag.
 */
int known_build_ids_parse(struct known_build_ids *k, const char *text, struct diag *diag);

/* The one of @path, or NULL. */
const struct build_id *known_build_ids_find(const struct known_build_ids *k, const char *path);
