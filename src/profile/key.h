/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Sort keys: the values by which the rows of a report are told apart.
 *
 * A key is an object in a table (profile/keys.def lists them, profile/key-*.c hold them, a family
 * each), so that adding one is a row: docs/howto/add-sort-key.md. It turns a sample, or a frame of
 * its stack, into a number that stands for the value: equal numbers are the same row. It defines
 * how two values compare, and what the number stands for: a typed value, or several (base/value.h).
 * The views decide how these look in a column (view/report/key-layout.h).
 *
 * Keys of KEY_FRAME look at a frame alone, so that the callers of a sample get rows too
 * (--children); the others look at the whole sample, once.
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

/* The data that a report's keys share. */
struct key_env {
	const struct session *session;
	struct frames *frames;
	struct shared_values *values; /* texts and structs as numbers: profile/shared-values.h */
	/*
	 * The number of the current set of frames. Several sets, one after the other, may store
	 * data in @values.
	 */
	uint64_t generation;
	uint64_t time_quantum_ns;
	uint64_t time_shift_ns; /* added to times first */
	bool raw_trace;
	bool has_image_key; /* the key dso separates rows of different images */
	bool wraps;         /* the result of frames_wrap(), once all frames exist */
	bool full_source_paths;
	/* The session forgets, so everything that values need of it is copied to @values. */
	bool forgets;
	/*
	 * Names of threads by tid, for a session that goes on in the meantime; NULL: ask the
	 * session.
	 */
	const struct u64_map *names;
	unsigned verbose;
};

/* A sample in the form that keys need. */
struct key_sample {
	const struct session_event *event;
	const struct sample *sample;
	uint64_t time;
	const char *comm;  /* the session's: the same pointer for the same text */
	uint32_t frame;    /* the sampled place */
	uint32_t parent;   /* the caller that --parent matches; FRAME_NONE */
	uint32_t from, to; /* the ends of a branch; FRAME_NONE */
	uint64_t branch_flags;
	uint32_t data;        /* the place of the data (sample.addr); FRAME_NONE */
	uint32_t parallelism; /* number of running threads, with KEY_WANTS_PARALLELISM */
};

enum key_scope {
	KEY_SAMPLE, /* its type has of_sample */
	KEY_FRAME,  /* its type has of_frame */
};

enum key_flags {
	KEY_BY_ADDRESS = 1 << 0,   /* frames must go by address, not by function */
	KEY_WANTS_PARENT = 1 << 1, /* uses key_sample.parent */
	KEY_WANTS_DATA = 1 << 2,   /* uses key_sample.data */
	KEY_OF_BRANCHES = 1 << 3,  /* uses key_sample.from, to: only for --branch-stack */
	KEY_OF_MEMORY = 1 << 4,    /* only for --mem-mode */
	KEY_OF_POWERPC = 1 << 5,   /* only for recordings of PowerPC machines */
	KEY_WANTS_PARALLELISM = 1 << 7,
	KEY_IS_FRAME = 1 << 6, /* the number is that of any frame of the row */
	KEY_OF_NAMES = 1 << 8, /* shows functions or data by their names */
	KEY_OF_TIME = 1 << 9,  /* equal samples differ in it if their times differ */
};

/* A part of a key's value. Most keys have only one part, with the key's name. */
struct key_part {
	const char *name; /* the member's name in JSON; NULL: there is no such part */
	enum value_type type;
	bool verbose; /* shown only with -v */
};

#define KEY_PARTS_MAX 6

/* The parts of functions, and of data. */
enum symbol_part {
	PART_NAME, /* the name; without a name, the address */
	PART_MODE, /* "user", "kernel", "guest-user", "guest-kernel", "hypervisor" */
	PART_INLINED,
	PART_OFFSET, /* the address's offset from the symbol's start */
	PART_ADDR,   /* the address in the file */
	PART_ORIGIN, /* the source of the name: the letter of Linux's perf for it */
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
	PART_FIELD_TEXT, /* the number as the tracepoint shows it, if different */
};

/* The content of a row for a key. */
struct key_cell {
	uint64_t value;
	struct weight weight; /* its row's weight */
	uint32_t frame, task; /* the place and the thread of its row's first sample */
};

struct key_type {
	const char *name;
	const char *title;
	enum key_scope scope;
	unsigned flags;
	struct key_part parts[KEY_PARTS_MAX];
	/*
	 * Collects the data that it needs of the recording into @k->arg, in memory of @owner. NULL:
	 * it needs none.
	 */
	void (*prepare)(struct key *k, struct keys *owner, const struct key_env *env);
	uint64_t (*of_sample)(const struct key *k, struct key_env *env, const struct key_sample *s);
	uint64_t (*of_frame)(const struct key *k, struct key_env *env, uint32_t frame);
	/*
	 * Compares values. Less than 0: @a stands above @b among rows of equal weight. 0: the next
	 * key decides. NULL: smaller numbers stand above. Called from several threads, like the
	 * next function.
	 */
	int (*compare)(const struct key *k, struct key_env *env, uint64_t a, uint64_t b);
	/*
	 * Decides between values that differ, if compare() of no key decides. NULL: compare()
	 * decides.
	 */
	int (*identity)(const struct key *k, struct key_env *env, uint64_t a, uint64_t b);
	/*
	 * Numbers in the order of compare(), and of identity() if images have a key of their own: a
	 * smaller one stands above, equal ones decide nothing. NULL: only the functions decide.
	 */
	uint64_t (*prefix)(const struct key *k, struct key_env *env, uint64_t value);
	uint64_t (*identity_prefix)(const struct key *k, struct key_env *env, uint64_t value);
	/*
	 * Fills in the value of @c, part by part; all parts are none before. Generated text goes to
	 * @scratch, which is empty. NULL: the number is the value; or for VALUE_TEXT, the number of
	 * a text in shared-values.h, where 0 is none.
	 */
	void (*value)(const struct key *k, struct key_env *env, const struct key_cell *c,
		      struct text *scratch, struct value *ret);
};

/* A key of a report: its type, and the parameters of the request. */
struct key {
	const struct key_type *type;
	const char *title;                 /* the title of its column */
	const struct key_part *parts;      /* KEY_PARTS_MAX items */
	const void *arg;                   /* the key type's own argument */
	const struct session_event *event; /* the only event to which it applies; NULL: all */
	/* the event's field that it shows; NULL: it is none */
	const struct tracepoint_field *field;
};

/* Returns the value of @c: one for each part of @k. Texts are valid until @scratch changes. */
void key_value(const struct key *k, struct key_env *env, const struct key_cell *c,
	       struct text *scratch, struct value ret[KEY_PARTS_MAX]);

/* Returns the last name of thread @tid. */
const char *key_task_name(const struct key_env *env, uint32_t pid, uint32_t tid);

/* Appends the known parts of that value, as plain text with ':' between them. */
void key_value_add(const struct key *k, struct key_env *env, const struct key_cell *c,
		   struct text *out);
