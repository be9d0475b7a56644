/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Writes the lines of `perf trace`, part by part. Private to tools/trace/line-view*.c.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/text.h"
#include "session/call-chain.h"
#include "session/machine.h"
#include "tools/trace/value-view.h"
#include "view/json.h"

struct session_event;
struct session_sample;
struct trace_call;
struct trace_event;
struct trace_machine;
struct tracepoint_field;

struct trace_line_style {
	struct trace_value_style values;
	bool is_json;
	bool is_coloured; /* highlight long durations: only for a terminal */
	bool full_time;   /* -T: milliseconds since boot, not since the first event */
	bool hides_time, hides_duration;
	bool only_events; /* no calls are shown, so events have no empty duration */
	bool hides_comm;  /* --no-comm */
	bool shows_cpu;
	unsigned alignment; /* the column of the results, 70 by default */
	bool prints_format; /* print other tracepoints with their print format */
	bool is_verbose;
	unsigned max_stack; /* the maximum of frames; 0: TRACE_MAX_STACK */
	unsigned min_stack; /* omit lines whose stack has fewer frames */
};

#define TRACE_COLOUR_YELLOW "\033[33m"
#define TRACE_COLOUR_OFF    "\033[m"

struct trace_lines {
	struct trace_line_style style;
	FILE *out;
	struct text text; /* lines that were not written yet */
	struct text scratch;
	struct json json; /* appends to text */
	bool has_start;
	uint64_t start_ns;
	struct session *session;          /* or NULL */
	const struct symbolizer *symbols; /* for interpreted functions; or NULL */
	struct trace_machine *trace;      /* for print formats; NULL: not needed yet */
	struct call_chain chain;
	struct trace_event **events; /* by session_event.index; NULL: not seen yet */
	size_t n_events, events_room;
};

/* The task and the time of a line. */
struct trace_line_head {
	bool has_time;
	uint64_t time_ns;
	bool has_duration;
	uint64_t duration_ns;
	uint32_t cpu;                  /* UINT32_MAX: not known */
	const struct trace_task *task; /* NULL: not known */
};

/* "     0.111 ( 0.008 ms): ls/28994 " */
void trace_line_head(struct trace_lines *l, const struct trace_line_head *h);

/* Writes a call as text, with its newline. */
void trace_line_call(struct trace_lines *l, const struct trace_call *c);

/* Writes another event as text, with its newline. */
void trace_line_sample(struct trace_lines *l, const struct session_sample *s,
		       struct trace_task *task);

/* Returns "minfault" or "majfault" for an event that counts page faults. */
const char *trace_fault_name(const struct session_event *e);

/* The code that touched a missing page, and the data at that page. */
struct trace_fault {
	struct location code, data;
};

struct trace_fault trace_fault_of(const struct trace_lines *l, const struct session_sample *s);

/* Writes "minfault [memset+0xa0] => [heap]@0x1f30 (d.)". */
void trace_line_fault(struct trace_lines *l, const struct session_sample *s);

/* The kind of a tracepoint field's value. */
enum trace_field_kind {
	TRACE_FIELD_SIGNED,
	TRACE_FIELD_UNSIGNED,
	TRACE_FIELD_ENUM,
	TRACE_FIELD_POINTER,
	TRACE_FIELD_PID,
	TRACE_FIELD_STRING,
	TRACE_FIELD_BYTES,
};

struct trace_field_value {
	const struct tracepoint_field *field;
	enum trace_field_kind kind;
	uint64_t number;
	const char *bytes; /* for strings and bytes, without a NUL */
	size_t size;
};

/*
 * Returns the event with its fields, bound at the first sample. NULL: it is not a tracepoint, or
 * its format is unknown.
 */
const struct trace_event *trace_event_get(struct trace_lines *l, const struct session_event *e);
void trace_event_free(struct trace_event *e);

/*
 * Fills in the call with its arguments if the event is syscalls:sys_enter_NAME of a known call.
 * False: it is not.
 */
bool trace_event_call(const struct trace_event *e, const struct session_sample *s,
		      struct trace_call *ret);

/* Return the number of shown fields, and field @i of a sample. False: the record ends before it. */
size_t trace_event_fields(const struct trace_event *e);
bool trace_event_field(const struct trace_event *e, const struct session_sample *s, size_t i,
		       struct trace_field_value *ret);

/* A frame of a stack. */
struct trace_frame {
	uint64_t addr;        /* the address at run time */
	uint64_t image_addr;  /* in the file, if there is one */
	const char *function; /* NULL: has no name */
	const char *file;     /* NULL: nothing is known at that address */
	bool is_inlined;
};

/*
 * Takes the stack of @s, which the two functions below show. False: it is shorter than
 * style.min_stack, so that the line is not shown either.
 */
bool trace_stack_take(struct trace_lines *l, const struct session_sample *s);
void trace_stack_each(struct trace_lines *l, const struct session_sample *s,
		      void (*take)(void *arg, const struct trace_frame *f), void *arg);
void trace_stack_text(struct trace_lines *l, const struct session_sample *s);

/* Write the same lines as objects. */
void trace_json_call(struct trace_lines *l, const struct trace_call *c);
void trace_json_sample(struct trace_lines *l, const struct session_sample *s,
		       struct trace_task *task);
void trace_json_lost(struct trace_lines *l, uint64_t time_ns, uint64_t count);
