/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The last pass over a recording: reads it once more, to learn which images its samples fell into
 * and when the first and the last sample were taken.
 *
 * The results are the features BUILD_ID and SAMPLE_TIME, build-ids in the maps of files that had
 * the same path, and copies of those images in the build-id cache. The file must be flushed but
 * need not be finished.
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
	 * All maps may be in memory at once. Samples are then read in any order, which takes half
	 * the time. Otherwise they are read in order of time, and the maps of ended processes are
	 * forgotten.
	 */
	bool few_maps;
	const char *buildid_dir;         /* directory of the cache; NULL: ~/.debug */
	struct kept_files *kept;         /* mapped files that were kept open; or NULL */
	struct jit_map_copies *jit_maps; /* copied maps are added here; NULL: no maps are copied */
	struct progress *progress;       /* or NULL */
};

/*
 * Files with samples that will have no names, because they were replaced or vanished with their
 * container.
 */
struct unnamed_files {
	char **items; /* the paths, each once */
	size_t n, room;
};

/* Interpreters with samples that did not name the code they ran. */
struct silent_runtimes {
	unsigned found; /* 1 << enum runtime_kind */
};

struct record_findings {
	struct silent_runtimes runtimes;
	struct unnamed_files unnamed;
	/* jit-PID.dump files that exist only in a container and are needed */
	struct unnamed_files dumps;
	struct stack_depths depths;
};

void record_findings_done(struct record_findings *f);

/*
 * Adds SAMPLE_TIME, and BUILD_ID if any image has one, to @f. An image whose file is gone or was
 * replaced meanwhile is left out and added to @found->unnamed; an image that cannot be copied is
 * still listed. 1, with @diag set: the cache could not be written. Errors: those of reading @path.
 */
int record_finish(const struct record_finish_options *o, struct features *f,
		  struct record_findings *found, struct diag *diag);
