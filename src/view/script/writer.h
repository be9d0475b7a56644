/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Writes the lines of `perf script`, part by part, for one thread.
 *
 * struct script_setup is made once, and constant while lines are written. A writer has the text
 * that is being made, and what it remembers from line to line. Private to view/script/.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/intern.h"
#include "base/text.h"
#include "base/u64-map.h"
#include "session/call-chain.h"
#include "session/call-sites.h"
#include "session/machine.h"
#include "tracepoint/plan.h"
#include "view/script/fields.h"
#include "view/script/frame.h"
#include "wire/sample.h"

struct arch;
struct diag;
struct lbr_stitch;
struct trace_machine;
struct script_options;
struct session;
struct session_event;
struct text_files;

/* An event with all that is the same for its samples. */
struct script_event {
	const struct session_event *event;
	uint64_t fields;
	bool chain;        /* the stack follows the line */
	bool aligned;      /* names stand in a column */
	bool addr_symbols; /* its addresses are those of data or code that has names */
	bool bpf_output;
	enum inlines inlines; /* in its stacks */
	unsigned style;       /* FRAME_* of ip and addr */
	char *title;          /* "  page-faults: " */
	size_t title_length;
};

/* Names of functions. */
struct stop_set {
	char **items;
	size_t n, room;
};

struct script_setup {
	struct session *session;
	struct script_event *events;
	size_t n_events;
	size_t name_width; /* of the longest name of an event */
	bool ns, reltime, deltatime, latency, escape;
	bool full_source_paths;
	bool has_time; /* records tell when */
	uint64_t max_stack;
	uint64_t lbr_registers; /* to stitch; 0: none */
	struct stop_set stop;
	int64_t wall_offset_ns; /* from a sample's time to the time of day */
	const struct arch *arch;
	struct trace_machine *trace;
	const struct tracepoint_machine *tracepoints; /* its */
};

/*
 * Fills in @s. -EINVAL or -EOPNOTSUPP with @diag: a field or filter needs what was not recorded, or
 * what cannot be done. script_setup_done() releases it in any case.
 */
int script_setup_make(struct script_setup *s, struct session *session,
		      const struct script_options *o, const struct script_fields *fields,
		      struct diag *diag);
void script_setup_done(struct script_setup *s);

/* A stack and its lines in the writer's text. */
struct written_chain {
	struct call_chain chain;
	size_t *at; /* where the line of each frame begins */
	size_t at_room;
};

/*
 * The last stack that was written, innermost frame first. Most of a stack is that of the sample
 * before: what they have in common is copied as text. It holds for one process, and as long as no
 * record says anything else about the machine.
 */
struct chain_memo {
	struct written_chain stack;
	bool valid;
	uint32_t pid;
	const struct script_event *event;
	size_t end; /* of its text */
};

/* How the lines of a thread begin: its name and number, padded. */
struct script_write_prefix {
	const char *comm; /* NULL: none yet. The machine's own text: equal if the pointer is */
	uint32_t pid, tid;
	const struct script_event *event;
	uint8_t length;
	char chars[55];
};

#define PEN_PREFIXES 32 /* by thread and event */

struct script_writer {
	const struct script_setup *setup;
	struct text out;
	struct text scratch;
	struct frame_cache frames;
	struct chain_memo memo;
	struct script_write_prefix prefixes[PEN_PREFIXES];
	uint64_t seconds; /* that the text below is of, if there is one */
	uint8_t seconds_length;
	char seconds_text[24];
	struct written_chain stack; /* under way */
	/* State that depends on the lines before: then there is only one writer. */
	uint64_t first_time, last_time;
	bool has_last_time;
	struct lbr_stitch *stitch; /* or NULL */
	size_t data_source_width;
	struct text_files *sources; /* NULL: not needed yet */
	struct u64_map last_lines;  /* of the source, by thread: struct source_line */
	struct arena lines_arena;
	struct u64_map early_names; /* of threads, as the records without time told so far */
	struct intern names;
};

/* Whose line it is. */
struct script_head {
	const struct script_event *event;
	const char *comm;
	uint32_t pid, tid, cpu;
	uint64_t time;   /* as shown */
	uint64_t moment; /* for which names are asked; that of a decoded sample may be another */
	uint32_t type;   /* of the record, which says what its misc bits mean */
	uint16_t misc;
};

void script_writer_init(struct script_writer *p, const struct script_setup *s);
void script_writer_done(struct script_writer *p);

/* comm, pid, tid, cpu, misc, time: what every line begins with. */
void script_write_head(struct script_writer *p, const struct script_head *h);

/* Text from outside, harmless if it goes to a terminal. */
void script_write_foreign(struct script_writer *p, const char *s, size_t n);

/* The writer's text was handed on, or the machine has changed: nothing is copied from it any more.
 */
void script_writer_forget(struct script_writer *p);

/* A sample with all its fields; @period is what it stands for. */
void script_write_sample(struct script_writer *p, const struct script_head *h,
			 const struct sample *s, uint64_t period);

/* " 4007c0 main+0x3c (/bin/x)", or the stack below. */
void script_write_place(struct script_writer *p, const struct script_head *h,
			const struct sample *s);

/* The line of the source where the sample was, as a line of its own below it. */
void script_write_source_code(struct script_writer *p, const struct script_head *h,
			      const struct sample *s);

/* The address that the sample is about, with its name where there can be one. */
void script_write_addr(struct script_writer *p, const struct script_head *h, uint64_t addr);

/* brstack, brstacksym or brstackoff, whichever is wanted. */
void script_write_branches(struct script_writer *p, const struct script_head *h,
			   const struct sample *s);

/* " ABI:2    x0:0x1 " */
void script_write_regs(struct script_writer *p, const struct sample_regs *r);

void script_write_data_source(struct script_writer *p, uint64_t data_src);
void script_write_page_size(struct script_writer *p, uint64_t size);

/* The block of bytes, and text if it is one, of a sample that a BPF program made. */
void script_write_bpf_output(struct script_writer *p, const uint8_t *raw, size_t size);
