/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What a live profile is made of: for tools/top/top-work*.c.
 *
 * The *world* is what numbers in tallies refer to: frames, values, and the profile they are of. A
 * snapshot keeps the world it was made in, and images that a world refers to are not forgotten.
 * When most of a world has faded, another one is made of what is left.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
	size_t n_left; /* nodes that weighed something when it was made */
	struct top_world *next;
};

struct top_snapshot {
	struct browse_snapshot base;
	struct top_figures figures;
	struct top_world *world;
	struct profile profile; /* the world's, but for the collector and the names */
	struct u64_map names;   /* of threads, by tid */
	struct report_tables tables;
	atomic_uint refs;
};

/* What the other thread is asked for. */
struct top_orders {
	struct top_settings settings;
	struct top_question *question; /* another one; or NULL */
	const char *save_path;         /* what is kept is to be written there; or NULL */
	bool stop;
	bool is_new; /* since it was looked at */
};

struct top {
	struct browse browse;
	struct top_request rq;
	struct symbolizer *symbolizer;
	pthread_t thread;
	int wake_fd;

	pthread_mutex_t lock; /* of what follows */
	pthread_cond_t changed;
	struct top_orders orders;
	struct top_snapshot *newest; /* or NULL */
	struct top_world *worlds;    /* all that are alive */
	bool is_open, has_ended;
	int error; /* of the thread; 0: none */
	int failure;
	struct diag diag, failure_diag; /* of those */
	bool is_saved;                  /* orders.save_path was obeyed, */
	int save_error;                 /* with this result */
	struct diag save_diag;
	bool is_over;      /* the thread obeys no more */
	struct notes told; /* what there is to say */
	bool planned;

	/* Of functions that somebody looks at. */
	pthread_mutex_t code_lock;
	struct top_code *codes;

	bool is_joined; /* of those who draw */

	/* Of the thread: */
	struct notes notes;
	struct record_job *job;
	struct session *session;
	struct top_world *world;
	struct top_settings now;
	struct top_figures figures;
	uint64_t begin_ns, refresh_ns;
	uint64_t serial;
	uint64_t lost, dropped; /* as of the last snapshot */
	struct top_buffer buffer;
	bool has_no_more; /* samples come no more */
	struct {
		struct session **items;
		size_t n, room;
	} recounted; /* sessions of top_recount() */
	struct {
		struct session_sample *items;
		size_t n, room;
	} wanted; /* samples of a batch that are not hidden */
};

/*
 * A world for @q. @before: whose values are shared; NULL: none. The list of worlds has it. A
 * negative errno with @diag.
 */
int top_world_new(struct top *t, struct top_question *q, const struct top_world *before,
		  struct top_world **ret, struct diag *diag);
void top_world_unref(struct top *t, struct top_world *w);

/* Lets samples of the present world fade, and makes another one if little is left of it. */
void top_world_fade(struct top *t);

/* Forgets what no world refers to, if it is time to. */
void top_world_forget(struct top *t);

/* A snapshot of the present world. */
struct top_snapshot *top_snapshot_new(struct top *t);
void top_snapshot_unref(struct top *t, struct top_snapshot *s);

/*
 * What is left of the weights at each refresh: an eighth is forgotten, as in Linux's perf, so that
 * what ran a minute ago weighs 2 % of what runs now.
 */
#define TOP_FADE_LEFT 7
#define TOP_FADE_OF   8

/* Writes the raw records that are there to @path. */
int top_write(struct top *t, const char *path, struct diag *diag);

/* The functions that somebody looks at: browse_code(); samples, and a refresh for them. */
int top_code(struct browse *b, const struct browse_snapshot *s, const struct annotate_request *how,
	     size_t first, size_t n, struct code_functions **ret, struct diag *diag);
void top_code_take(struct top *t, const struct sample_batch *b);
void top_code_refresh(struct top *t, unsigned left, unsigned of);
bool top_code_is_shown(struct top *t);

/*
 * Once samples come no more: makes a world for @q, of what is still there, in place of the present
 * one. A negative errno with @diag; everything is as before then.
 */
int top_recount(struct top *t, struct top_question *q, struct diag *diag);

/* Takes samples into the present world: a callback of a consumer. */
int top_take(void *arg, const struct sample_batch *b);
