/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The last look at a recording: reads it once more, to know which images its samples fell into and
 * when the first and last were taken.
 *
 * What comes out of it are the features BUILD_ID and SAMPLE_TIME, build-ids in the maps of files
 * that had the same path, and copies of those images in the build-id cache. The file must be
 * flushed but need not be finished.
 */
#include <stdbool.h>
#include <stddef.h>

#include "transform/image-hits.h"

struct diag;
struct features;
struct jit_map_copies;
struct kept_files;
struct progress;

struct record_finish_options {
	const char *path;
	bool only_times; /* no build-ids, only SAMPLE_TIME */
	bool all_images; /* --buildid-all: also those without samples */
	bool no_cache;   /* -N: no copies */
	/*
	 * All maps may be in memory at once. Then samples are looked at in any order, which takes
	 * half the time; else in order of time, and what processes had that are gone is forgotten.
	 */
	bool few_maps;
	const char *buildid_dir;         /* of the cache; NULL: ~/.debug */
	struct kept_files *kept;         /* mapped files that were kept open; or NULL */
	struct jit_map_copies *jit_maps; /* maps that are copied are added; NULL: none are */
	struct progress *progress;       /* or NULL */
};

/* Files with samples that will have no names: they were replaced, or went with their container. */
struct unnamed_files {
	char **items; /* their paths, each once */
	size_t n, room;
};

/* Interpreters with samples that did not name what they ran. */
struct silent_runtimes {
	unsigned found; /* 1 << enum language_runtime */
	unsigned minor; /* of Python's version; 0: unknown */
};

struct record_findings {
	struct silent_runtimes runtimes;
	struct unnamed_files unnamed;
	struct unnamed_files dumps; /* jit-PID.dump that is only in a container, and is needed */
	struct stack_depths depths;
};

void record_findings_done(struct record_findings *f);

/*
 * Adds SAMPLE_TIME, and BUILD_ID if any image has one, to @f. An image whose file is gone or was
 * replaced meanwhile is left out, and goes to @found->unnamed; one that cannot be copied is still
 * listed. 1, with @diag: the cache could not be written. Errors: those of reading @path.
 */
int record_finish(const struct record_finish_options *o, struct features *f,
		  struct record_findings *found, struct diag *diag);
