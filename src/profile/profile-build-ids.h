/* SPDX-License-Identifier: MIT */
#pragma once
/* The build-ids that a profile names, for callers that need nothing else of it. */
#include <stdbool.h>
#include <stddef.h>

#include "base/build-id.h"
#include "base/cleanup.h"

struct diag;

struct profile_build_id {
	struct build_id id;
	char *name; /* "/usr/bin/x", "[kernel.kallsyms]", "[vdso]" */
};

struct profile_build_ids {
	struct profile_build_id *items; /* in the profile's order, each id once */
	size_t n, room;
};

void profile_build_ids_done(struct profile_build_ids *l);

/*
 * Reads the build-ids of @path: from its list of images with samples, or, if there is none (pipes,
 * and record --buildid-mmap), from its records. Errors: those of datafile_open().
 */
int profile_build_ids_read(const char *path, bool force, struct profile_build_ids *ret,
			   struct diag *diag);
