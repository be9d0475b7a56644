/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The code of functions with the samples of each instruction: from a recording to listings.
 *
 * Listings are made by several threads, in batches, and handed over as they are made. The taker
 * puts them into order by their place in the batch.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/choice.h"
#include "base/cpu-list.h"
#include "profile/listing.h"
#include "profile/profile.h"
#include "profile/weight.h"
#include "symbol/symbol-request.h"

struct access_types;
struct diag;
struct listing;
struct notes;
struct progress;

/*
 * The functions that have samples and cannot be shown: how many there are in which image, and why.
 */

struct annotated_function;
struct image;

/*
 * The tools with which listings of functions are made, as a request says: code, source files, and a
 * disassembler for each thread that makes listings.
 */

struct annotate_request;

struct listing_kit {
	struct listing_tools *tools; /* one for each thread */
	unsigned n;
	/* Private: */
	struct code_store *code;
	struct text_files *sources;
	pthread_mutex_t lock; /* held while making disassemblers */
};

/*
 * Makes the tools for @n threads. The texts of @how are borrowed. -EINVAL with @diag: there is no
 * such style of assembly; listing_kit_done() is called in any case. A kit that is all zeros has no
 * tools.
 */
int listing_kit_init(struct listing_kit *k, const struct annotate_request *how, unsigned n,
		     struct diag *diag);
/* Makes listings also show the types that instructions access; @types is borrowed. */
void listing_kit_set_types(struct listing_kit *k, struct access_types *types);
void listing_kit_done(struct listing_kit *k);

/* The functions of one image that cannot be shown. */
struct unshown_functions {
	const struct image *image;
	size_t n;
	uint64_t samples;
	char *first; /* the name of the first function that was added */
	char *why, *hint;
};

struct unshown {
	struct unshown_functions *items;
	size_t n, room;
};

void unshown_done(struct unshown *u);

/* Adds @f. The reason that is kept for an image is that of its first function. */
void unshown_add(struct unshown *u, const struct annotated_function *f, const struct diag *why);

/* Adds a warning for each of the few images with the most samples. Sorts @u. */
void unshown_note(struct unshown *u, struct notes *notes);

/*
 * The request for listings: the functions, the recording, and the options for their code. Texts are
 * borrowed.
 */
struct annotate_request {
	const char *input; /* a path; "-": standard input */
	bool force;        /* read files of other owners too */
	struct symbol_request symbols;
	bool ignore_vmlinux;
	const char *buildid_dir;   /* the cache's directory; NULL: there is no cache */
	struct progress *progress; /* or NULL */

	const char *symbol; /* only this function; NULL: all */
	const char *dsos;   /* only in these images; NULL: in all */
	struct cpu_list cpus;
	struct itrace_request itrace; /* options for decoding hardware traces */
	double percent_limit;         /* functions below this are left out */
	bool skip_missing;            /* no notes on functions that cannot be shown */
	enum choice group;            /* events of a group side by side; unset: yes */

	enum choice source; /* not given: yes */
	enum choice asm_raw;
	bool print_line;   /* show the source lines of instructions */
	const char *style; /* the style of assembly; NULL: the default */
	const char *prefix;
	uint64_t prefix_strip;
	bool cycles;     /* show cycles of blocks between branches, if recorded */
	bool data_types; /* show the data types that instructions access */
	bool skip_empty; /* leave out events without samples at the end of a group */
};

void annotate_request_done(struct annotate_request *rq);

/*
 * Returns the profile request for @rq: its recording and its filters. The result borrows from @rq.
 */
struct profile_request annotate_request_of_profile(const struct annotate_request *rq);

/* Events whose weights stand side by side. */
struct annotated_events {
	size_t first, n;             /* indexes of the session's events */
	const struct weight *totals; /* the weight of all samples of each event */
	/* the weight of the shown functions: of the first event, of the others */
	struct weight shown[2];
};

#define ANNOTATE_BATCH 64

/* The callbacks that take the listings. */
struct annotate_taker {
	/* Called before the functions of @e. @e is valid until the next call. */
	void (*begin)(void *arg, const struct annotated_events *e);
	/*
	 * Called with the function at @place of the batch, below ANNOTATE_BATCH. From any thread.
	 */
	void (*take)(void *arg, size_t place, const struct listing *l);
	/*
	 * Called when a batch of @n is done; places that were not taken cannot be shown. An error
	 * ends everything.
	 */
	int (*end_batch)(void *arg, size_t n);
	void *arg;
};

struct annotate_job {
	const struct annotate_request *rq;
	struct session *session;
	struct annotation *annotation; /* set once samples are collected */
	struct access_types *types;    /* NULL: not wanted */
	/* Private: */
	struct profile profile; /* opened by profile_open(), nothing more */
	struct workers *workers;
	struct listing_kit kit;
	pthread_mutex_t lock; /* guards @unshown */
	struct unshown unshown;
	size_t n_shown;
};

/*
 * Opens the recording of @rq, which stays the caller's. Returns a negative errno with @diag;
 * annotate_close() is called in any case.
 */
int annotate_open(struct annotate_job *j, const struct annotate_request *rq, struct diag *diag);
void annotate_close(struct annotate_job *j);

/* Takes all samples. Returns a negative errno with @diag. */
int annotate_collect(struct annotate_job *j, struct diag *diag);

/*
 * The same for callers that have opened a profile themselves: gives its samples by place, settled.
 * If @stop is not NULL and becomes true, reading ends early, with the samples that were read until
 * then.
 */
struct annotate_reading {
	struct profile *profile;
	struct workers *workers;
	const atomic_bool *stop;
	bool cycles, data_types; /* as in the request */
};
int annotate_read(const struct annotate_reading *how, struct annotation **ret, struct diag *diag);

/*
 * Returns "anon group { cycles, instructions }", or the name of a single event. The caller frees
 * it.
 */
char *annotate_events_name(const struct session *s, size_t first, size_t n);

/* Hands the functions of all events to @taker. Returns an error of @taker. */
int annotate_list(struct annotate_job *j, const struct annotate_taker *taker);

/*
 * Adds warnings about functions that could not be shown. To be called after all were listed.
 * -ENOENT with @diag: no function has the requested name; -ENODATA: the recording was cut before
 * its first sample.
 */
int annotate_judge(struct annotate_job *j, struct notes *notes, struct diag *diag);
