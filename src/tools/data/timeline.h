/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A recording over time, for formats that have samples one by one: samples with the number of their
 * stack, and the tasks that come to a CPU and leave it. Everything is passed on in order of time.
 *
 * Times are those of the recording, in nanoseconds. Texts live until the callback returns, unless a
 * comment says otherwise.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/u64-map.h"
#include "profile/code-table.h"
#include "base/contexts.h"
#include "tools/data/format.h"

struct session_event;
struct session_sample;
struct tracepoint_machine;

/*
 * Stacks as numbers: each is a location and the number of its caller's stack, which is smaller.
 *
 * There is one table for all events and processes of a recording: stacks that run through the same
 * places have one number, though the trie has a node for each event and, for programs that are
 * loaded at different addresses, for each process.
 */

struct stack_memo {
	uint32_t *of_node; /* by node: its stack + 1 */
	size_t n;
};

struct stack_table {
	struct code_table code;
	struct contexts items; /* the caller's number + 1, and the location */
	/* private: */
	struct stack_memo *memos; /* one for each event */
	size_t n_memos;
	struct {
		uint32_t *items;
		size_t n, room;
	} nodes; /* nodes on the way to the next known caller */
};

void stack_table_init(struct stack_table *t, const struct frames *frames, bool with_lines);
void stack_table_done(struct stack_table *t);

/* Returns the stack that ends at @node of @s, the stacks of event @event; CODE_NONE for a root. */
uint32_t stack_table_add(struct stack_table *t, size_t event, const struct stacks *s,
			 uint32_t node);

/* Return the stack of the caller, or CODE_NONE; and the location. */
uint32_t stack_caller(const struct stack_table *t, uint32_t stack);
uint32_t stack_location(const struct stack_table *t, uint32_t stack);

/* A thread. */
struct timeline_task {
	uint32_t pid, tid;
	const char *comm;     /* the session's text: the last name that occurred */
	uint64_t first, last; /* times of its first and last occurrence */
};

/* The place of an address, ignoring inlined functions. */
struct timeline_place {
	uint32_t image, function; /* in the code table; CODE_NONE: not known */
	uint64_t offset;          /* from the function's start */
};

struct timeline_sample {
	const struct session_event *event;
	const struct session_sample *sample;
	uint64_t time, period;
	uint32_t task;                /* the number of its thread */
	uint32_t stack;               /* its stack's number; CODE_NONE: there is none */
	int64_t cpu;                  /* -1: not recorded */
	const char *text;             /* for a tracepoint: its text; otherwise NULL */
	struct timeline_place place;  /* the place of the instruction */
	struct timeline_place target; /* the place of its data, or of its branch target */
};

/* A thread that comes to a CPU, or leaves it. */
struct timeline_switch {
	uint64_t time;
	uint32_t task;
	int64_t cpu;
	bool comes;
	char state; /* for a leaving thread: 'R' runnable; 'S', 'D', 'T', 'X': as in ps(1) */
};

struct timeline {
	const struct export_source *src;
	const struct session *session;
	struct stack_table stacks;
	struct {
		struct timeline_task *items;
		size_t n, room;
	} tasks;
	uint64_t first, last; /* first and last time passed on; 0: none yet */
	uint64_t n_samples;
	/* private: */
	struct u64_map task_numbers; /* by pid and tid: index + 1 */
	struct u64_map threads;      /* by tid: its last task's index + 1 */
};

/* The callbacks of a format; begin() returns the object that all others get. */
struct timeline_writer {
	bool wants_text;   /* uses timeline_sample.text */
	bool wants_places; /* uses timeline_sample.place, target */
	void *(*begin)(const struct timeline *t, const struct export_source *src);
	void (*sample)(void *arg, const struct timeline_sample *s);
	void (*switched)(void *arg, const struct timeline_switch *s); /* or NULL */
	/*
	 * Called when everything was passed on. A negative errno with @diag, or -EIO: the stream
	 * failed.
	 */
	int (*end)(void *arg, struct diag *diag);
	void (*free)(void *arg);
};

/* Reads the recording of @src and writes it. *@ret_samples: how many samples were passed on. */
int timeline_write(const struct timeline_writer *w, const struct export_source *src,
		   uint64_t *ret_samples, struct diag *diag);

/*
 * Returns the name of a frame: a function, or an address if there is none. Valid until @room
 * changes.
 */
#define TIMELINE_NAME_MAX 24
const char *timeline_line_name(const struct timeline *t, const struct code_location *l, uint32_t i,
			       char room[TIMELINE_NAME_MAX]);

/* Returns how many frames a location has: its functions, or one without a name. */
static inline uint32_t code_location_frames(const struct code_location *l)
{
	return l->n_lines ? l->n_lines : 1;
}
