/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The code of functions with the samples of each instruction: from a recording to listings.
 *
 * Listings are made by several threads, in batches, and handed over as they are made; who takes
 * them puts them into order by their place in the batch.
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
 * Functions that have samples and cannot be shown: how many there are in which image, and why.
 */

struct annotated_function;
struct image;

/*
 * What listings of functions are made with, as a request says: code, source files, and a
 * disassembler for each thread that makes them.
 */

struct annotate_request;

struct listing_kit {
	struct listing_tools *tools; /* one for each thread */
	unsigned n;
	/* Private: */
	struct code_store *code;
	struct text_files *sources;
	pthread_mutex_t lock; /* of making disassemblers */
};

/*
 * For @n threads. The texts of @how are borrowed. -EINVAL with @diag: there is no such style of
 * assembly; listing_kit_done() is called in any case. One that is all zeros has nothing.
 */
int listing_kit_init(struct listing_kit *k, const struct annotate_request *how, unsigned n,
		     struct diag *diag);
/* Listings also tell what types instructions access; @types is borrowed. */
void listing_kit_set_types(struct listing_kit *k, struct access_types *types);
void listing_kit_done(struct listing_kit *k);

/* Those of an image. */
struct unshown_functions {
	const struct image *image;
	size_t n;
	uint64_t samples;
	char *first; /* the name of the first that was added */
	char *why, *hint;
};

struct unshown {
	struct unshown_functions *items;
	size_t n, room;
};

void unshown_done(struct unshown *u);

/* Adds @f. The image's reason is that of its first function. */
void unshown_add(struct unshown *u, const struct annotated_function *f, const struct diag *why);

/* A warning for each of the few images with the most samples. Sorts @u. */
void unshown_note(struct unshown *u, struct notes *notes);

/* Which functions of which recording, and what belongs to their code. Texts are borrowed. */
struct annotate_request {
	const char *input; /* a path; "-": standard input */
	bool force;        /* files of other owners too */
	struct symbol_request symbols;
	bool ignore_vmlinux;
	const char *buildid_dir;   /* of the cache; NULL: there is none */
	struct progress *progress; /* or NULL */

	const char *symbol; /* only this function; NULL: all */
	const char *dsos;   /* only in these images; NULL: in all */
	struct cpu_list cpus;
	struct itrace_request itrace; /* what hardware traces are made into */
	double percent_limit;         /* functions below it are left out */
	bool skip_missing;            /* no notes on functions that cannot be shown */
	enum choice group;            /* events of a group side by side; unsaid: yes */

	enum choice source; /* unsaid: yes */
	enum choice asm_raw;
	bool print_line;   /* instructions tell the lines that they are from */
	const char *style; /* of the assembly; NULL: the usual one */
	const char *prefix;
	uint64_t prefix_strip;
	bool cycles;     /* of blocks between branches, if these were recorded */
	bool data_types; /* that instructions access */
	bool skip_empty; /* events of a group without samples, at its end */
};

void annotate_request_done(struct annotate_request *rq);

/* Which samples of which recording @rq is about, borrowing what it has. */
struct profile_request annotate_request_of_profile(const struct annotate_request *rq);

/* Events whose weights stand side by side. */
struct annotated_events {
	size_t first, n;             /* of the session's events */
	const struct weight *totals; /* of all samples of each */
	struct weight shown[2];      /* of the functions shown: of the first event, of the others */
};

#define ANNOTATE_BATCH 64

/* Who takes the listings. */
struct annotate_taker {
	/* The functions of @e follow. @e is there until the next call. */
	void (*begin)(void *arg, const struct annotated_events *e);
	/* The function at @place of the batch, below ANNOTATE_BATCH. From any thread. */
	void (*take)(void *arg, size_t place, const struct listing *l);
	/* A batch of @n is done; places that were not taken cannot be shown. An error ends it all.
	 */
	int (*end_batch)(void *arg, size_t n);
	void *arg;
};

struct annotate_job {
	const struct annotate_request *rq;
	struct session *session;
	struct annotation *annotation; /* once samples are collected */
	struct access_types *types;    /* NULL: not wanted */
	/* Private: */
	struct profile profile; /* only opened */
	struct workers *workers;
	struct listing_kit kit;
	pthread_mutex_t lock; /* of @unshown */
	struct unshown unshown;
	size_t n_shown;
};

/*
 * Opens the recording of @rq, which stays the caller's. A negative errno with @diag;
 * annotate_close() is called in any case.
 */
int annotate_open(struct annotate_job *j, const struct annotate_request *rq, struct diag *diag);
void annotate_close(struct annotate_job *j);

/* Takes all samples. A negative errno with @diag. */
int annotate_collect(struct annotate_job *j, struct diag *diag);

/*
 * The same for whoever has opened a profile by himself: its samples by place, settled. Reading ends
 * early, with what was read until then, when @stop, unless it is NULL, becomes true.
 */
struct annotate_reading {
	struct profile *profile;
	struct workers *workers;
	const atomic_bool *stop;
	bool cycles, data_types; /* as in the request */
};
int annotate_read(const struct annotate_reading *how, struct annotation **ret, struct diag *diag);

/* "anon group { cycles, instructions }", or the only one's name. The caller frees it. */
char *annotate_events_name(const struct session *s, size_t first, size_t n);

/* Hands the functions of all events to @taker. An error of @taker. */
int annotate_list(struct annotate_job *j, const struct annotate_taker *taker);

/*
 * After all were listed: adds warnings on what could not be shown. -ENOENT with @diag: no function
 * is called as the request says; -ENODATA: the recording was cut before its first sample.
 */
int annotate_judge(struct annotate_job *j, struct notes *notes, struct diag *diag);
