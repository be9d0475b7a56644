/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Sort keys: what the rows of a report are told apart by.
 *
 * A key is an object in a table (profile/keys.def lists them, profile/key-*.c hold them, a family
 * each), so that adding one is a row: docs/howto/add-sort-key.md. It turns a sample, or a frame of
 * its stack, into a number that stands for the value: equal numbers, same row. It says how two
 * values compare, and what the number stands for: a typed value, or several (base/value.h). How
 * these look in a column is the views' affair (view/report/key-layout.h).
 *
 * Keys of KEY_FRAME look at a frame alone, so that the callers of a sample get rows too
 * (--children); the others see the whole sample, once.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/value.h"
#include "profile/frames.h"
#include "profile/weight.h"
#include "wire/sample.h"

struct key;
struct keys;
struct session;
struct session_event;
struct shared_values;
struct text;
struct tracepoint_field;
struct u64_map;

/* What a report's keys share. */
struct key_env {
	const struct session *session;
	struct frames *frames;
	struct shared_values *values; /* texts and structs as numbers: profile/shared-values.h */
	/*
	 * Several sets of frames, one after the other, may note things in @values: which this is.
	 */
	uint64_t generation;
	uint64_t time_quantum_ns;
	uint64_t time_shift_ns; /* is added to times first */
	bool raw_trace;
	bool has_image_key; /* rows of different images are told apart by the key dso */
	bool wraps;         /* frames_wrap() of the frames, once all are there */
	bool full_source_paths;
	/* The session forgets: what values need of it is copied to @values. */
	bool forgets;
	/* Names of threads by tid, of a session that goes on meanwhile; NULL: ask the session. */
	const struct u64_map *names;
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
	uint32_t data;        /* where the data lies (sample.addr); FRAME_NONE */
	uint32_t parallelism; /* how many threads ran, with KEY_WANTS_PARALLELISM */
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
	KEY_OF_POWERPC = 1 << 5,   /* only for recordings of such machines */
	KEY_WANTS_PARALLELISM = 1 << 7,
	KEY_IS_FRAME = 1 << 6, /* the number is that of a frame, any of those that are one row */
	KEY_OF_NAMES = 1 << 8, /* says something of functions or data by their names */
	KEY_OF_TIME = 1 << 9,  /* equal samples differ in it if their times do */
};

/* A part of a key's value. Most keys have but one, of their own name. */
struct key_part {
	const char *name; /* of the member in JSON; NULL: there is no such part */
	enum value_type type;
	bool verbose; /* known only with -v */
};

#define KEY_PARTS_MAX 6

/* The parts of functions, and of data. */
enum symbol_part {
	PART_NAME, /* or the address */
	PART_MODE, /* "user", "kernel", "guest-user", "guest-kernel", "hypervisor" */
	PART_INLINED,
	PART_OFFSET, /* of the address from where it begins */
	PART_ADDR,   /* in the file */
	PART_ORIGIN, /* where the name comes from: the letter that Linux's perf has for it */
};

/* The parts of threads. */
enum thread_part {
	PART_PID,
	PART_TID,
	PART_COMM,
};

/* The parts of fields of tracepoints. */
enum field_part {
	PART_FIELD,
	PART_FIELD_TEXT, /* how the tracepoint shows the number, if otherwise */
};

/* What a row has of a key. */
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
	struct key_part parts[KEY_PARTS_MAX];
	/*
	 * Learns what it wants to know of the recording, which it keeps in @k->arg, in memory of
	 * @owner. NULL: nothing.
	 */
	void (*prepare)(struct key *k, struct keys *owner, const struct key_env *env);
	uint64_t (*of_sample)(const struct key *k, struct key_env *env, const struct key_sample *s);
	uint64_t (*of_frame)(const struct key *k, struct key_env *env, uint32_t frame);
	/*
	 * Less than 0: @a stands above @b among rows of equal weight. 0: it does not say, and the
	 * next key does. NULL: smaller numbers stand above. Called from several threads, as the
	 * next one is.
	 */
	int (*compare)(const struct key *k, struct key_env *env, uint64_t a, uint64_t b);
	/* The last word between values that differ, where compare() of no key says. NULL: it does.
	 */
	int (*identity)(const struct key *k, struct key_env *env, uint64_t a, uint64_t b);
	/*
	 * Numbers in the order of compare(), and of identity() where images have a key of their
	 * own: a smaller one stands above, equal ones say nothing. NULL: only the functions know.
	 */
	uint64_t (*prefix)(const struct key *k, struct key_env *env, uint64_t value);
	uint64_t (*identity_prefix)(const struct key *k, struct key_env *env, uint64_t value);
	/*
	 * Fills in what @c stands for, part by part; all are none before. Text that is made goes to
	 * @scratch, which is empty. NULL: the number is the value; or of VALUE_TEXT, that of a text
	 * in shared-values.h, and 0 is none.
	 */
	void (*value)(const struct key *k, struct key_env *env, const struct key_cell *c,
		      struct text *scratch, struct value *ret);
};

/* A key of a report: its type, and what it was asked for with. */
struct key {
	const struct key_type *type;
	const char *title;                    /* of its column */
	const struct key_part *parts;         /* KEY_PARTS_MAX of them */
	const void *arg;                      /* the type's own */
	const struct session_event *event;    /* the only one that it says anything of; NULL: all */
	const struct tracepoint_field *field; /* of that event, which it is; NULL: it is none */
};

/* What @c stands for: a value for each part of @k. Texts are good until @scratch changes. */
void key_value(const struct key *k, struct key_env *env, const struct key_cell *c,
	       struct text *scratch, struct value ret[KEY_PARTS_MAX]);

/* The last name of thread @tid. */
const char *key_task_name(const struct key_env *env, uint32_t pid, uint32_t tid);

/* Appends the parts of that which are known, as plain text with ':' between them. */
void key_value_add(const struct key *k, struct key_env *env, const struct key_cell *c,
		   struct text *out);
