/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The parts of a live profile, for tools/top/top-work*.c.
 *
 * The *world* contains everything to which numbers in tallies refer: frames, values, and their
 * profile. A snapshot keeps the world in which it was made, and images to which a world refers are
 * not forgotten. When most of a world has faded, a new one is made from the rest.
 */
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/background.h"
#include "base/diag.h"
#include "base/notes.h"
#include "base/u64-map.h"
#include "tools/top/buffer-work.h"
#include "tools/top/top-work.h"

struct consumer;
struct image;
struct record_job;
struct sample_batch;
struct top_code;

/* A request with its texts. */
struct top_question {
	struct browse_request rq;
	atomic_uint refs;
};

struct top_question *top_question_new(const struct browse_request *rq);
void top_question_unref(struct top_question *q);

struct top_world {
	struct top_question *question;
	struct profile profile;
	atomic_uint refs;
	size_t n_left; /* nodes with a weight when it was made */
	struct top_world *next;
};

struct top_snapshot {
	struct browse_snapshot base;
	struct top_figures figures;
	struct top_world *world;
	struct profile profile; /* the world's profile, except the collector and the names */
	struct u64_map names;   /* names of threads, by tid */
	struct report_tables tables;
	atomic_uint refs;
};

/* The orders for the other thread. */
struct top_orders {
	struct top_settings settings;
	struct top_question *question; /* a new question; or NULL */
	const char *save_path;         /* the file for the kept records; or NULL */
	bool is_new;                   /* the thread has not read the orders yet */
};

struct top {
	struct browse browse;
	struct top_request rq;
	struct symbolizer *symbolizer;
	struct background work;
	int wake_fd;

	/* Protected by the lock of the work: */
	struct top_orders orders;
	struct top_snapshot *newest; /* or NULL */
	struct top_world *worlds;    /* all existing worlds */
	bool is_open, has_ended;
	int error; /* the thread's error; 0: none */
	int failure;
	struct diag diag, failure_diag; /* the messages of @error and @failure */
	bool is_saved;                  /* orders.save_path was handled, */
	int save_error;                 /* with this result */
	struct diag save_diag;
	struct notes told; /* messages for the user */
	bool planned;

	/* The functions that are being viewed. */
	pthread_mutex_t code_lock;
	struct top_code *codes;

	/* Only for the thread: */
	struct notes notes;
	struct record_job *job;
	struct session *session;
	struct top_world *world;
	struct top_settings now;
	struct top_figures figures;
	uint64_t begin_ns, refresh_ns;
	uint64_t serial;
	uint64_t lost, dropped; /* at the last snapshot */
	struct top_buffer buffer;
	bool has_no_more; /* there are no more samples */
	struct {
		struct session **items;
		size_t n, room;
	} recounted; /* the sessions of top_recount() */
	struct {
		struct session_sample *items;
		size_t n, room;
	} wanted; /* the samples of a batch that are not hidden */
};

/*
 * Makes a world for @q, and adds it to the list of worlds. The values of @before are shared; NULL:
 * none. Returns a negative errno with @diag.
 */
int top_world_new(struct top *t, struct top_question *q, const struct top_world *before,
		  struct top_world **ret, struct diag *diag);
void top_world_unref(struct top *t, struct top_world *w);

/* Fades the samples of the current world, and replaces it by a new one if little of it is left. */
void top_world_fade(struct top *t);

/* Forgets everything to which no world refers, when it is time to do so. */
void top_world_forget(struct top *t);

/* Makes a snapshot of the current world. */
struct top_snapshot *top_snapshot_new(struct top *t);
void top_snapshot_unref(struct top *t, struct top_snapshot *s);

/*
 * The fraction of the weights that is kept at each refresh. An eighth is forgotten, as in Linux's
 * perf, so that code that ran a minute ago has 2 % of the weight of code that runs now.
 */
#define TOP_FADE_LEFT 7
#define TOP_FADE_OF   8

/* Writes the available raw records to @path. */
int top_write(struct top *t, const char *path, struct diag *diag);

/*
 * Returns the functions that are being viewed, for browse_code(), adds samples to them, and
 * refreshes them.
 */
int top_code(struct browse *b, const struct browse_snapshot *s, const struct annotate_request *how,
	     size_t first, size_t n, struct code_functions **ret, struct diag *diag);
void top_code_take(struct top *t, const struct sample_batch *b);
void top_code_refresh(struct top *t, unsigned left, unsigned of);
bool top_code_is_shown(struct top *t);

/*
 * Replaces the current world by one for @q, made from the available records. It is used when there
 * are no more samples. Returns a negative errno with @diag; nothing is changed then.
 */
int top_recount(struct top *t, struct top_question *q, struct diag *diag);

/* Takes samples into the current world: a callback of a consumer. */
int top_take(void *arg, const struct sample_batch *b);
