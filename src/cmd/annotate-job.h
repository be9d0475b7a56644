/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The work of `perf annotate`: from the profile to the printed functions. What its parts share;
 * private to cmd/annotate*.
 */
#include <pthread.h>
#include <stdbool.h>

#include "base/u64-map.h"
#include "profile/annotation.h"
#include "profile/listing.h"

struct annotate_opts;
struct diag;
struct invocation;
struct sample_filter;
struct session;
struct workers;

/* Functions of an image that cannot be shown, and why. */
struct unshown {
	const struct image *image;
	size_t n;
	uint64_t samples;
	char *function; /* the one with the most samples */
	char *why, *hint;
};

struct annotate_job {
	struct invocation *inv;
	const struct annotate_opts *opts;
	struct session *session;
	struct diag *diag;
	struct sample_filter *filter;
	struct workers *workers;
	struct annotation *annotation;
	struct listing_tools *tools; /* one for each worker */
	unsigned n_workers;
	pthread_mutex_t lock; /* of making tools, and of what follows */
	struct {
		struct unshown *items;
		size_t n, room;
	} unshown;
};

/* Runs it: @inv's options are struct annotate_opts. Returns the exit status. */
int annotate_run(struct invocation *inv);

/* Prints the functions of all events. A negative errno with j->diag. */
int annotate_show(struct annotate_job *j);

/* Notes a function that cannot be shown. From any thread. */
void annotate_note_unshown(struct annotate_job *j, const struct annotated_function *f,
			   const struct diag *why);

/* Tells on stderr what could not be shown, and of samples in no function. */
void annotate_tell_unshown(const struct annotate_job *j);
void annotate_tell_unnamed(const struct annotate_job *j);
void annotate_unshown_done(struct annotate_job *j);
