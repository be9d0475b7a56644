/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Functions with their samples by place, for somebody who looks at one of them at a time.
 *
 * Nothing here blocks: samples are collected, and listings made, in the background, and a
 * descriptor says when there is something to take. Samples come as a set that does not change; live
 * data publishes another one for each refresh, and a listing that is already there is weighed anew.
 *
 * Two sides: a browser takes, and a producer publishes, each on a thread of its own.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "profile/annotation.h"
#include "profile/listing.h"

struct annotate_request;
struct code_functions;
struct profile_request;
struct session;

/* Samples by place, of events that are shown side by side. */
struct code_samples {
	size_t first, n;                /* of the session's events */
	struct annotated_functions all; /* most weight first */
	struct weight *totals;          /* of all samples of each event, in functions or not */
	char *event;                    /* its name, or that of the group: "anon group { a, b }" */
	uint64_t frequency;             /* in Hz; 0: it was recorded by periods */
	uint64_t serial;                /* a later set has a larger number */
	const struct session *session;  /* that they are from */
	/* Private: */
	unsigned refs;
	struct code_functions *owner;
};

/* A function as lines. It keeps its samples. */
struct code_listing {
	struct listing listing; /* if @r >= 0 */
	const struct code_samples *samples;
	struct image *image;
	const struct symbol *sym;
	int r; /* a negative errno: there is no listing, and @why says why */
	struct diag why;
	/* Private: */
	struct annotated_function empty; /* if it has no samples */
	struct weight *none;
};

/*
 * The browser's side.
 */

/*
 * Of a recording: reads those samples that the filters of @rq leave. @n events from @first on are
 * shown; 0: the first with samples, and those of its group. Texts of @rq and @how are borrowed
 * until it is freed. Mistakes come at once, a negative errno with @diag; others by
 * code_functions_failure().
 */
int code_functions_open(const struct profile_request *rq, const struct annotate_request *how,
			size_t first, size_t n, struct code_functions **ret, struct diag *diag);

/* Whether sets of samples come again and again. */
bool code_functions_is_live(const struct code_functions *c);

/* Samples and listings go before it. */
void code_functions_free(struct code_functions *c);
DEFINE_FREEP(code_functions)

/* Readable when there is news; code_functions_take() makes it unreadable. */
int code_functions_fd(const struct code_functions *c);

/* A set of samples that is newer than @after, which may be NULL; NULL: there is none. */
const struct code_samples *code_functions_take(struct code_functions *c,
					       const struct code_samples *after);
void code_samples_release(const struct code_samples *s);

/* Asks for the samples of other events; they come as a newer set. */
void code_functions_select(struct code_functions *c, size_t first, size_t n);

/* How far reading is, in bytes; and why it ended early: 0, or a negative errno with @diag. */
void code_functions_progress(struct code_functions *c, uint64_t *ret_done, uint64_t *ret_total);
int code_functions_failure(struct code_functions *c, struct diag *diag);

/*
 * The function of @s at @start of an image that is called @image, as another session knows it; or,
 * if @image is NULL, the first that is called @name. NULL: it has no samples.
 */
const struct annotated_function *code_samples_find(const struct code_samples *s, const char *image,
						   const char *name, uint64_t start);

/*
 * Asks for the listing of @sym of @image, with or without samples in @s. An earlier question that
 * is not answered yet is forgotten.
 */
void code_functions_ask(struct code_functions *c, const struct code_samples *s, struct image *image,
			const struct symbol *sym);

/* The answer, which is the caller's; NULL: not yet. */
struct code_listing *code_functions_listing(struct code_functions *c);
void code_listing_free(struct code_listing *l);
DEFINE_FREEP(code_listing)

/* Gives the lines the weights that they have in @s, newer samples of the same owner. */
void code_listing_refresh(struct code_listing *l, const struct code_samples *s);

/*
 * The producer's side, for live data.
 */

/* Without samples as yet. @session and its images outlive it. As code_functions_open(). */
int code_functions_new(const struct session *session, const struct annotate_request *how,
		       size_t first, size_t n, struct code_functions **ret, struct diag *diag);

/*
 * Publishes the samples of @a, which is settled and stays the caller's. From any thread, until it
 * is freed.
 */
void code_functions_publish(struct code_functions *c, const struct annotation *a);

/* Calls @gone, before it is freed: nothing may be published any more. */
void code_functions_on_free(struct code_functions *c,
			    void (*gone)(void *arg, struct code_functions *c), void *arg);

/* Ends it: code_functions_failure() gives @r and what @diag says from now on. */
void code_functions_fail(struct code_functions *c, int r, const struct diag *diag);
