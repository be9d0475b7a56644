/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Writes the lines of `perf script`, part by part, for one thread.
 *
 * struct script_setup is made once, and is constant while lines are written. A writer has the
 * current text, and the state that it remembers from line to line. Private to view/script/.
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

/* An event, with everything that is the same for its samples. */
struct script_event {
	const struct session_event *event;
	uint64_t fields;
	bool chain;        /* the stack follows the line */
	bool aligned;      /* names are in a column */
	bool addr_symbols; /* its addresses belong to data or code with names */
	bool bpf_output;
	bool synthetic;       /* not of a PMU: decoded from a hardware trace */
	bool branch;          /* every sample is a branch: from => to */
	bool branch_target;   /* the target is shown */
	enum inlines inlines; /* for its stacks */
	unsigned style;       /* FRAME_* flags for ip and addr */
	char *title;          /* "  page-faults: " */
	size_t title_length;
};

/* Names of functions at which stacks end. */
struct stop_set {
	char **items;
	size_t n, room;
};

struct script_setup {
	struct session *session;
	struct script_event *events;
	size_t n_events;
	size_t name_width; /* the width of the longest event name */
	bool ns, reltime, deltatime, latency, escape;
	bool full_source_paths;
	bool has_time; /* records have a time */
	uint64_t max_stack;
	uint64_t lbr_registers;    /* to stitch; 0: none */
	uint64_t max_blocks;       /* blocks of code between branches; 0: no limit */
	unsigned counter_width;    /* bits of each counter of a branch; 0: unknown */
	bool counter_names;        /* full names with numbers; else letters */
	struct code_reading *code; /* reads instructions; NULL: none are shown. For one writer */
	struct stop_set stop;
	int64_t wall_offset_ns; /* from a sample's time to the time of day */
	const struct arch *arch;
	struct trace_machine *trace;
	const struct tracepoint_machine *tracepoints; /* those of @trace */
	struct frame_texts *frames;                   /* shared by all writers */
};

/*
 * Fills in @s. Returns -EINVAL or -EOPNOTSUPP with @diag if a field or filter needs data that was
 * not recorded, or cannot be supported. @s must be released with script_setup_done() in any case.
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

/* Returns -ENOTSUP or -EOPNOTSUPP with @diag, which explains why instructions cannot be decoded. */
int code_reading_new(const struct arch *arch, uint64_t fields, struct code_reading **ret,
		     struct diag *diag);
void code_reading_free(struct code_reading *c);

/* The beginnings of the lines of a stack's frames in the writer's text. */
struct line_starts {
	size_t *items;
	size_t room;
};

/*
 * The last written stack of a thread, innermost frame first. Most of a stack equals that of the
 * thread's previous sample, and the common part is copied as text. It is valid for one process, and
 * only until a record changes anything about the machine.
 */
struct chain_memo {
	struct chain_entry *items;
	size_t n, room;
	struct line_starts at;
	uint64_t text; /* the number of the writer's text that contains it */
	uint32_t pid;
	const struct script_event *event;
	size_t end; /* the end of its text */
};

/*
 * The number of remembered stacks, because samples of the threads on all CPUs alternate. A power of
 * two.
 */
#define WRITER_CHAINS 16

/* The beginning of a thread's lines: its name and number, padded, and the CPU. */
struct script_write_prefix {
	const char *comm; /* NULL: none yet. The machine's text; equal names have equal pointers */
	uint32_t pid, tid, cpu;
	const struct script_event *event;
	uint8_t length;
	char chars[63];
};

/* The name of a thread, and the time for which it is valid. */
struct script_comm {
	const char *comm; /* NULL: none yet */
	uint32_t tid;
	uint64_t generation; /* the machine's generation */
	struct span span;
};

#define WRITER_COMMS 8 /* the size of a cache by thread */

#define PEN_PREFIXES 32 /* by thread and event */

struct script_writer {
	const struct script_setup *setup;
	struct text out;
	struct text scratch;
	struct text_memo *traces;
	struct frame_cache frames;
	struct frame_memo places;
	struct chain_memo chains[WRITER_CHAINS]; /* by thread */
	uint64_t text;                           /* counts the calls of script_writer_forget() */
	struct script_write_prefix prefixes[PEN_PREFIXES];
	struct script_comm comms[WRITER_COMMS];
	uint64_t seconds; /* the seconds of the text below, if there is one */
	uint8_t seconds_length;
	char seconds_text[24];
	struct call_chain chain; /* the stack being written */
	struct line_starts at;
	/* State that depends on previous lines. If it is used, there is only one writer. */
	uint64_t first_time, last_time;
	bool has_last_time;
	struct lbr_stitch *stitch; /* or NULL */
	size_t data_source_width;
	struct text_files *sources;     /* NULL: not needed yet */
	struct script_metrics *metrics; /* likewise */
	struct u64_map last_lines;      /* the last struct source_line of each thread */
	struct arena lines_arena;
	struct u64_map early_names; /* names of threads from the records without time so far */
	struct intern names;
};

/* The thread and event of a line. */
struct script_head {
	const struct script_event *event;
	const char *comm;
	uint32_t pid, tid, cpu;
	uint64_t time;   /* the time as it is shown */
	uint64_t moment; /* the time for names; may differ in a decoded sample */
	uint32_t type;   /* the record's type, which determines the meaning of misc bits */
	uint16_t misc;
	const struct aux_facts *facts; /* facts about a decoded sample; or NULL */
};

void script_writer_init(struct script_writer *p, const struct script_setup *s);
void script_writer_done(struct script_writer *p);

/*
 * Returns the name of thread @tid of @pid at @moment. It is looked up only if it may have changed.
 */
const char *script_writer_comm(struct script_writer *p, uint32_t pid, uint32_t tid,
			       uint64_t moment);

/* Writes comm, pid, tid, cpu, misc, time: the beginning of every line. */
void script_write_head(struct script_writer *p, const struct script_head *h);

/* Writes text from outside, escaped if it goes to a terminal. */
void script_write_foreign(struct script_writer *p, const char *s, size_t n);

/*
 * Forgets the writer's text, because it was passed on, or because the machine has changed. Nothing
 * is copied from it any more.
 */
void script_writer_forget(struct script_writer *p);

/* Writes a sample with all its fields. @period is its weight. */
void script_write_sample(struct script_writer *p, const struct script_head *h,
			 const struct sample *s, uint64_t period);

/* Writes " 4007c0 main+0x3c (/bin/x)", or the stack below. */
void script_write_place(struct script_writer *p, const struct script_head *h,
			const struct sample *s);

/* Writes the source line of the sample, as a line of its own below it. */
void script_write_source_code(struct script_writer *p, const struct script_head *h,
			      const struct sample *s);

/* Does the same for another place. */
void script_write_source_of(struct script_writer *p, const struct script_head *h,
			    const struct location *loc);

/* Writes a stack that came after its samples, with a line of its own. */
void script_write_deferred(struct script_writer *p, const struct script_head *h,
			   const struct record_callchain_deferred *r);

/* Writes the address that the sample is about, with its name if it can have one. */
void script_write_addr(struct script_writer *p, const struct script_head *h, uint64_t addr);

/* Writes brstack, brstacksym or brstackoff, whichever is requested. */
void script_write_branches(struct script_writer *p, const struct script_head *h,
			   const struct sample *s);

/* Writes the code that ran between the branches, a line for each instruction. */
void script_write_branch_code(struct script_writer *p, const struct script_head *h,
			      const struct sample *s);

/*
 * Returns the width of the branch counters, which is a capability of the recording's PMU. 0:
 * unknown.
 */
struct features;
unsigned branch_counter_width(const struct features *f);

/* Writes the letters of the events, unless names are shown. */
void script_write_counter_names(struct script_writer *p);

/* Writes "\t# br_cntr: AAB ": the increments of the branch's counters, @word. */
void script_write_counters(struct script_writer *p, const struct script_head *h, uint64_t word);

/*
 * Adds a count of @period by @h's event. After the last event of a group, it writes lines with
 * metrics.
 */
void script_write_metrics(struct script_writer *p, const struct script_head *h, uint64_t period);
void script_metrics_free(struct script_metrics *m);

/* Writes the instruction at the sample: insn, insnlen, disasm. */
void script_write_instruction(struct script_writer *p, const struct script_head *h,
			      const struct sample *s);

/* " ABI:2    x0:0x1 " */
void script_write_regs(struct script_writer *p, const struct sample_regs *r);

void script_write_data_source(struct script_writer *p, uint64_t data_src);
/*
 * "  call                  ": the kind of branch of a decoded sample.
 */
void script_write_flags(struct script_writer *p, const struct aux_facts *facts);

/* Write " ilen: 2 insn: 31 ed", whichever is requested. */
void script_write_insn(struct script_writer *p, uint64_t fields, const struct aux_facts *facts);
void script_write_ipc(struct script_writer *p, const struct aux_facts *facts);

/* Writes the data of an event that no PMU counts, in a column. */
void script_write_synthetic(struct script_writer *p, const struct script_head *h,
			    const struct sample *s);

void script_write_page_size(struct script_writer *p, uint64_t size);

/* Writes the block of bytes of a sample from a BPF program, and its text if it is one. */
void script_write_bpf_output(struct script_writer *p, const uint8_t *raw, size_t size);
