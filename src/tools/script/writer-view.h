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
#include "session/span.h"
#include "tools/script/fields-view.h"
#include "tools/script/frame-memo-view.h"
#include "tools/script/frame-view.h"
#include "tools/script/text-memo-model.h"
#include "tracepoint/plan.h"
#include "wire/sample.h"

struct arch;
struct aux_facts;
struct script_metrics;
struct code_reading;
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
	bool synthetic;       /* of no PMU: decoded from a hardware trace */
	bool branch;          /* every sample is a branch: from => to */
	bool branch_target;   /* which is shown */
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
	uint64_t lbr_registers;    /* to stitch; 0: none */
	uint64_t max_blocks;       /* of code between branches; 0: all */
	unsigned counter_width;    /* bits of each counter of a branch; 0: not known */
	bool counter_names;        /* in full, with numbers; else letters */
	struct code_reading *code; /* for instructions; NULL: none are shown. For one writer */
	struct stop_set stop;
	int64_t wall_offset_ns; /* from a sample's time to the time of day */
	const struct arch *arch;
	struct trace_machine *trace;
	const struct tracepoint_machine *tracepoints; /* its */
	struct frame_texts *frames;                   /* of all writers */
};

/*
 * Fills in @s. -EINVAL or -EOPNOTSUPP with @diag: a field or filter needs what was not recorded, or
 * what cannot be done. script_setup_done() releases it in any case.
 */
int script_setup_make(struct script_setup *s, struct session *session,
		      const struct script_options *o, const struct script_fields *fields,
		      struct diag *diag);
void script_setup_done(struct script_setup *s);

/* The fields for which code is read. */
#define FIELDS_OF_BRANCH_CODE                                                                      \
	(FIELD_BIT(BRSTACKINSN) | FIELD_BIT(BRSTACKINSNLEN) | FIELD_BIT(BRSTACKDISASM))
#define FIELDS_OF_CODE                                                                             \
	(FIELDS_OF_BRANCH_CODE | FIELD_BIT(INSN) | FIELD_BIT(INSNLEN) | FIELD_BIT(DISASM))

/* -ENOTSUP, -EOPNOTSUPP with @diag: why instructions cannot be told apart. */
int code_reading_new(const struct arch *arch, uint64_t fields, struct code_reading **ret,
		     struct diag *diag);
void code_reading_free(struct code_reading *c);

/* Where the line of each frame of a stack begins in the writer's text. */
struct line_starts {
	size_t *items;
	size_t room;
};

/*
 * The last stack of a thread that was written, innermost frame first. Most of a stack is that of
 * the thread's sample before: what they have in common is copied as text. It holds for one process,
 * and as long as no record says anything else about the machine.
 */
struct chain_memo {
	struct chain_entry *items;
	size_t n, room;
	struct line_starts at;
	uint64_t text; /* number of the writer's text that it is in */
	uint32_t pid;
	const struct script_event *event;
	size_t end; /* of its text */
};

/* Samples of the threads that run on all CPUs alternate. A power of two. */
#define WRITER_CHAINS 16

/* How the lines of a thread begin: its name and number, padded, and the CPU. */
struct script_write_prefix {
	const char *comm; /* NULL: none yet. The machine's own text: equal if the pointer is */
	uint32_t pid, tid, cpu;
	const struct script_event *event;
	uint8_t length;
	char chars[63];
};

/* The name of a thread, and for how long. */
struct script_comm {
	const char *comm; /* NULL: none yet */
	uint32_t tid;
	uint64_t generation; /* of the machine */
	struct span span;
};

#define WRITER_COMMS 8 /* by thread */

#define PEN_PREFIXES 32 /* by thread and event */

struct script_writer {
	const struct script_setup *setup;
	struct text out;
	struct text scratch;
	struct text_memo *traces;
	struct frame_cache frames;
	struct frame_memo places;
	struct chain_memo chains[WRITER_CHAINS]; /* by thread */
	uint64_t text; /* counts what script_writer_forget() was told of */
	struct script_write_prefix prefixes[PEN_PREFIXES];
	struct script_comm comms[WRITER_COMMS];
	uint64_t seconds; /* that the text below is of, if there is one */
	uint8_t seconds_length;
	char seconds_text[24];
	struct call_chain chain; /* under way */
	struct line_starts at;
	/* State that depends on the lines before: then there is only one writer. */
	uint64_t first_time, last_time;
	bool has_last_time;
	struct lbr_stitch *stitch; /* or NULL */
	size_t data_source_width;
	struct text_files *sources;     /* NULL: not needed yet */
	struct script_metrics *metrics; /* likewise */
	struct u64_map last_lines;      /* of the source, by thread: struct source_line */
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
	const struct aux_facts *facts; /* of a decoded sample; or NULL */
};

void script_writer_init(struct script_writer *p, const struct script_setup *s);
void script_writer_done(struct script_writer *p);

/* The name of thread @tid of @pid at @moment; found anew only if it may be another than before. */
const char *script_writer_comm(struct script_writer *p, uint32_t pid, uint32_t tid,
			       uint64_t moment);

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

/* The same of another place. */
void script_write_source_of(struct script_writer *p, const struct script_head *h,
			    const struct location *loc);

/* A stack that came later than its samples, with a line of its own. */
void script_write_deferred(struct script_writer *p, const struct script_head *h,
			   const struct record_callchain_deferred *r);

/* The address that the sample is about, with its name where there can be one. */
void script_write_addr(struct script_writer *p, const struct script_head *h, uint64_t addr);

/* brstack, brstacksym or brstackoff, whichever is wanted. */
void script_write_branches(struct script_writer *p, const struct script_head *h,
			   const struct sample *s);

/* What ran between the branches, a line for each instruction. */
void script_write_branch_code(struct script_writer *p, const struct script_head *h,
			      const struct sample *s);

/* How wide the counters of branches are: a capability of the recording's PMU. 0: not known. */
struct features;
unsigned branch_counter_width(const struct features *f);

/* Which letter stands for which event, unless names are shown. */
void script_write_counter_names(struct script_writer *p);

/* "\t# br_cntr: AAB ": what the counters of the branch added, @word. */
void script_write_counters(struct script_writer *p, const struct script_head *h, uint64_t word);

/* @h's event has counted @period. Behind the last of a group, lines with metrics. */
void script_write_metrics(struct script_writer *p, const struct script_head *h, uint64_t period);
void script_metrics_free(struct script_metrics *m);

/* The instruction at the sample: insn, insnlen, disasm. */
void script_write_instruction(struct script_writer *p, const struct script_head *h,
			      const struct sample *s);

/* " ABI:2    x0:0x1 " */
void script_write_regs(struct script_writer *p, const struct sample_regs *r);

void script_write_data_source(struct script_writer *p, uint64_t data_src);
/* "  call                  ": how a decoded sample branched. */
void script_write_flags(struct script_writer *p, const struct aux_facts *facts);

/* " ilen: 2 insn: 31 ed", whichever is wanted. */
void script_write_insn(struct script_writer *p, uint64_t fields, const struct aux_facts *facts);
void script_write_ipc(struct script_writer *p, const struct aux_facts *facts);

/* What an event that no PMU counts says, in a column. */
void script_write_synthetic(struct script_writer *p, const struct script_head *h,
			    const struct sample *s);

void script_write_page_size(struct script_writer *p, uint64_t size);

/* The block of bytes, and text if it is one, of a sample that a BPF program made. */
void script_write_bpf_output(struct script_writer *p, const uint8_t *raw, size_t size);
