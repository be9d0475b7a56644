/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Functions with their samples by place, for a browser that shows one of them at a time.
 *
 * Nothing here blocks: samples are collected, and listings made, in the background, and a
 * descriptor becomes readable when there is something to take. Samples come as a set that does not
 * change; live data publishes another set for each refresh, and a listing that exists already is
 * given new weights.
 *
 * There are two sides: a browser takes, and a producer publishes, each on its own thread.
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

/* Samples by place, for events that are shown side by side. */
struct code_samples {
	size_t first, n;                /* indexes of the session's events */
	struct annotated_functions all; /* most weight first */
	/* the weight of all samples of each event, in functions or not */
	struct weight *totals;
	/* the event's name, or that of the group: "anon group { a, b }" */
	char *event;
	uint64_t frequency;            /* in Hz; 0: recorded with a period */
	uint64_t serial;               /* a later set has a larger number */
	const struct session *session; /* the session of the samples */
	/* Private: */
	unsigned refs;
	struct code_functions *owner;
};

/* A function as lines. It holds a reference to its samples. */
struct code_listing {
	struct listing listing; /* valid if @r >= 0 */
	const struct code_samples *samples;
	struct image *image;
	const struct symbol *sym;
	int r; /* a negative errno: there is no listing; @why has the reason */
	struct diag why;
	/* Private: */
	struct annotated_function empty; /* used if the function has no samples */
	struct weight *none;
};

/* The functions that the browser calls. */

/*
 * Opens a recording, and reads those samples that the filters of @rq leave. @n events from @first
 * on are shown; 0: the first event with samples, and those of its group. Texts of @rq and @how are
 * borrowed until the result is freed. Mistakes in the request are returned at once, as a negative
 * errno with @diag; other errors are returned by code_functions_failure().
 */
int code_functions_open(const struct profile_request *rq, const struct annotate_request *how,
			size_t first, size_t n, struct code_functions **ret, struct diag *diag);

/* True if new sets of samples are published repeatedly. */
bool code_functions_is_live(const struct code_functions *c);

/* Frees @c. Its samples and listings must be released before. */
void code_functions_free(struct code_functions *c);
DEFINE_FREEP(code_functions)

/*
 * Returns a descriptor that is readable when there is news; code_functions_take() makes it
 * unreadable.
 */
int code_functions_fd(const struct code_functions *c);

/* Takes a set of samples that is newer than @after, which may be NULL; NULL: there is none. */
const struct code_samples *code_functions_take(struct code_functions *c,
					       const struct code_samples *after);
void code_samples_release(const struct code_samples *s);

/* Requests the samples of other events; they come as a newer set. */
void code_functions_select(struct code_functions *c, size_t first, size_t n);

/*
 * Return how far reading is, in bytes; and why it ended early: 0, or a negative errno with @diag.
 */
void code_functions_progress(struct code_functions *c, uint64_t *ret_done, uint64_t *ret_total);
int code_functions_failure(struct code_functions *c, struct diag *diag);

/*
 * Returns the function of @s at @start of an image with the name @image, which may be known from
 * another session; or, if @image is NULL, the first function with the name @name. NULL: it has no
 * samples.
 */
const struct annotated_function *code_samples_find(const struct code_samples *s, const char *image,
						   const char *name, uint64_t start);

/*
 * Requests the listing of @sym of @image, with or without samples in @s. An earlier request that is
 * not answered yet is dropped.
 */
void code_functions_ask(struct code_functions *c, const struct code_samples *s, struct image *image,
			const struct symbol *sym);

/* Returns the requested listing, which the caller owns; NULL: it is not ready yet. */
struct code_listing *code_functions_listing(struct code_functions *c);
void code_listing_free(struct code_listing *l);
DEFINE_FREEP(code_listing)

/* Gives the lines the weights that they have in @s, which are newer samples of the same owner. */
void code_listing_refresh(struct code_listing *l, const struct code_samples *s);

/* The functions of the producer, for live data. */

/*
 * Makes an object that has no samples yet. @session and its images must outlive it. The parameters
 * are those of code_functions_open().
 */
int code_functions_new(const struct session *session, const struct annotate_request *how,
		       size_t first, size_t n, struct code_functions **ret, struct diag *diag);

/*
 * Publishes the samples of @a, which is settled and stays the caller's. May be called from any
 * thread, until @c is freed.
 */
void code_functions_publish(struct code_functions *c, const struct annotation *a);

/* Sets a function that is called before @c is freed: nothing may be published after that. */
void code_functions_on_free(struct code_functions *c,
			    void (*gone)(void *arg, struct code_functions *c), void *arg);

/* Ends @c: code_functions_failure() returns @r and the message of @diag from now on. */
void code_functions_fail(struct code_functions *c, int r, const struct diag *diag);
