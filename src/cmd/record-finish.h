/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The last look at a recording: reads it once more, to know which images its samples fell into and
 * when the first and last were taken.
 *
 * What comes out of it are the features BUILD_ID and SAMPLE_TIME, and copies of those images in the
 * build-id cache. The file must be flushed but need not be finished.
 */
#include <stdbool.h>

struct diag;
struct features;

struct record_finish_options {
	const char *path;
	bool all_images;         /* --buildid-all: also those without samples */
	bool no_cache;           /* -N: no copies */
	const char *buildid_dir; /* of the cache; NULL: ~/.debug */
};

/*
 * Adds BUILD_ID (if any image has one) and SAMPLE_TIME to @f. An image whose file is gone or was
 * replaced meanwhile is left out; one that cannot be copied is still listed. Errors: those of
 * reading @path.
 */
int record_finish(const struct record_finish_options *o, struct features *f, struct diag *diag);
