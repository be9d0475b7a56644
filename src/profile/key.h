/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Sort keys: what the rows of a report are told apart by.
 *
 * A key is an object in a table (profile/keys.def lists them, profile/key-*.c hold them, a family
 * each), so that adding one is a row: docs/howto/add-sort-key.md. It turns a sample, or a frame of
 * its stack, into a number that stands for the value: equal numbers, same row. It says how two
 * values compare and what is printed for one; it knows neither columns nor percentages.
 *
 * Keys of KEY_FRAME look at a frame alone, so that the callers of a sample get rows too
 * (--children); the others see the whole sample, once.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/frames.h"
#include "profile/weight.h"
#include "wire/sample.h"

struct key;
struct keys;
struct session;
struct session_event;
struct shared_values;
struct text;

/* What a report's keys share. */
struct key_env {
	const struct session *session;
	struct frames *frames;
	struct shared_values *values; /* texts and structs as numbers: profile/shared-values.h */
	uint64_t time_quantum_ns;
	bool time_in_ns;
	bool raw_trace;
	bool has_image_key; /* rows of different images are told apart by the key dso */
	bool wraps;         /* frames_wrap() of the frames, once all are there */
	bool full_source_paths;
	bool narrow_images; /* --dsos, -t: beside images there need be no room for addresses */
	unsigned verbose;
};

/* A sample as keys see it. */
struct key_sample {
	const struct session_event *event;
	const struct sample *sample;
	uint64_t time;
	const char *comm;  /* the session's: the same pointer for the same text */
	uint32_t frame;    /* what was sampled */
	uint32_t parent;   /* the caller that --parent matches; FRAME_NONE */
	uint32_t from, to; /* of a branch; FRAME_NONE */
	uint64_t branch_flags;
	uint32_t data; /* where the data lies (sample.addr); FRAME_NONE */
};

enum key_scope {
	KEY_SAMPLE, /* has of_sample */
	KEY_FRAME,  /* has of_frame */
};

enum key_flags {
	KEY_BY_ADDRESS = 1 << 0,   /* functions are too coarse: frames go by address */
	KEY_WANTS_PARENT = 1 << 1, /* key_sample.parent */
	KEY_WANTS_DATA = 1 << 2,   /* key_sample.data */
	KEY_OF_BRANCHES = 1 << 3,  /* key_sample.from, to: only for --branch-stack */
	KEY_OF_MEMORY = 1 << 4,    /* only for --mem-mode */
	KEY_FILLS = 1 << 5,        /* the cell is as wide as its column even at the end of a line */
	KEY_RIGHT = 1 << 6,        /* the cell is aligned to the right */
	KEY_TITLE_RIGHT = 1 << 7,  /* and so is the title */
	KEY_CUTS = 1 << 8,         /* what does not fit into a column is cut off */
	KEY_OF_POWERPC = 1 << 9,   /* only for recordings of such machines */
	KEY_IS_FRAME = 1 << 10,    /* the value is the number of a frame, any that prints alike */
};

/* What a cell shows. */
struct key_cell {
	uint64_t value;
	struct weight weight; /* of its row */
	uint32_t frame, task; /* of its row: where, and by which thread, the first sample was */
};

struct key_type {
	const char *name;
	const char *title;
	enum key_scope scope;
	unsigned flags;
	size_t min_width; /* of its column, the title apart */
	/*
	 * Learns what it wants to know of the recording, which it keeps in @k->arg, in memory of
	 * @owner. NULL: nothing.
	 */
	void (*prepare)(struct key *k, struct keys *owner, const struct key_env *env);
	uint64_t (*of_sample)(const struct key *k, struct key_env *env, const struct key_sample *s);
	uint64_t (*of_frame)(const struct key *k, struct key_env *env, uint32_t frame);
	/*
	 * Less than 0: @a stands above @b among rows of equal weight. 0: it does not say, and the
	 * next key does. NULL: smaller numbers stand above.
	 */
	int (*compare)(const struct key *k, struct key_env *env, uint64_t a, uint64_t b);
	/* The last word between values that differ, where compare() of no key says. NULL: it does.
	 */
	int (*identity)(const struct key *k, struct key_env *env, uint64_t a, uint64_t b);
	/* Appends what is printed for @c. */
	void (*print)(const struct key *k, struct key_env *env, const struct key_cell *c,
		      struct text *out);
	/* How wide a column must be for @c. NULL: as wide as what is printed. */
	size_t (*width)(const struct key *k, struct key_env *env, const struct key_cell *c);
};

/* A key of a report: its type, and what it was asked for with. */
struct key {
	const struct key_type *type;
	const char *title;                 /* of its column */
	const void *arg;                   /* the type's own: a field of a tracepoint */
	size_t min_width;                  /* of its column, the title apart */
	const struct session_event *event; /* the only one that it says anything of; NULL: all */
};
