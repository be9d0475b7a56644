/* SPDX-License-Identifier: MIT */
#include "tools/script/writer-view.h"

#include <inttypes.h>
#include <string.h>

#include "base/digits.h"
#include "session/session.h"

static void add_period_and_title(struct script_writer *p, const struct script_event *e,
				 uint64_t period)
{
	char *at = text_room(&p->out, DIGITS_MAX + 1 + e->title_length);

	if (e->fields & FIELD_BIT(PERIOD)) {
		at = digits_decimal_right(at, period, 10, ' ');
		*at++ = ' ';
	}
	if (e->fields & FIELD_BIT(EVENT)) {
		memcpy(at, e->title, e->title_length);
		at += e->title_length;
	}
	text_filled(&p->out, at);
}

static void add_trace(struct script_writer *p, const struct session_event *ev,
		      const struct sample *s)
{
	if (!ev->plan)
		return;
	if (!p->setup->escape) {
		text_memo_print(p->traces, ev->plan, p->setup->tracepoints, s->raw, s->raw_size,
				&p->out);
		return;
	}
	text_clear(&p->scratch);
	tracepoint_plan_print(ev->plan, p->setup->tracepoints, s->raw, s->raw_size, &p->scratch);
	script_write_foreign(p, p->scratch.chars, p->scratch.length);
}

/* The fields between the trace and the place. */
#define BEFORE_PLACE                                                                               \
	(FIELD_BIT(ADDR) | FIELD_BIT(DATA_SRC) | FIELD_BIT(WEIGHT) | FIELD_BIT(INS_LAT) |          \
	 FIELD_BIT(RETIRE_LAT) | FIELD_BIT(CGROUP))

/* "not available" everywhere, for events that were recorded without it. */
#define DATA_SRC_NONE 0x5080021 /* PERF_MEM_OP_NA, PERF_MEM_LVL_NA, ... */

static uint64_t data_source_of(const struct script_head *h, const struct sample *s)
{
	return h->event->event->attr.sample_type & PERF_SAMPLE_DATA_SRC ? s->data_src
									: DATA_SRC_NONE;
}

static void script_sample_add_cgroup(struct script_writer *p, uint64_t id)
{
	const char *path = machine_cgroup(p->setup->session, id);

	text_add_char(&p->out, ' ');
	if (!path)
		path = "unknown";
	script_write_foreign(p, path, strlen(path));
}

static void add_before_place(struct script_writer *p, const struct script_head *h,
			     const struct sample *s)
{
	uint64_t fields = h->event->fields;

	if (fields & FIELD_BIT(ADDR))
		script_write_addr(p, h, s->addr);
	if (fields & FIELD_BIT(DATA_SRC))
		script_write_data_source(p, data_source_of(h, s));
	if (fields & FIELD_BIT(WEIGHT))
		text_addf(&p->out, "%16" PRIu64, s->weight);
	if (fields & FIELD_BIT(INS_LAT))
		text_addf(&p->out, "%16" PRIu16, s->ins_latency);
	if (fields & FIELD_BIT(RETIRE_LAT))
		text_addf(&p->out, "%16" PRIu16, s->p_stage_cyc);
	if (fields & FIELD_BIT(CGROUP))
		script_sample_add_cgroup(p, s->cgroup);
}

/* Fields that are printed after the place. */
#define BEHIND_PLACE                                                                               \
	(FIELD_BIT(IREGS) | FIELD_BIT(UREGS) | FIELD_BIT(BRSTACK) | FIELD_BIT(BRSTACKSYM) |        \
	 FIELD_BIT(BRSTACKOFF) | FIELDS_OF_CODE | FIELD_BIT(PHYS_ADDR) | FIELD_BIT(IPC) |          \
	 FIELD_BIT(DATA_PAGE_SIZE) | FIELD_BIT(CODE_PAGE_SIZE))

/* Appends the instruction, from the decoder if it has seen it. */
static void script_sample_add_instruction(struct script_writer *p, const struct script_head *h,
					  const struct sample *s)
{
	uint64_t fields = h->event->fields;

	if (h->facts && !(fields & FIELD_BIT(DISASM)))
		script_write_insn(p, fields, h->facts);
	else
		script_write_instruction(p, h, s);
}

static void add_behind_place(struct script_writer *p, const struct script_head *h,
			     const struct sample *s)
{
	uint64_t fields = h->event->fields;

	if (fields & FIELD_BIT(IREGS))
		script_write_regs(p, &s->intr_regs);
	if (fields & FIELD_BIT(UREGS))
		script_write_regs(p, &s->user_regs);
	if (fields & (FIELD_BIT(BRSTACK) | FIELD_BIT(BRSTACKSYM) | FIELD_BIT(BRSTACKOFF)))
		script_write_branches(p, h, s);
	if (fields & FIELDS_OF_CODE & ~FIELDS_OF_BRANCH_CODE)
		script_sample_add_instruction(p, h, s);
	if (fields & FIELDS_OF_BRANCH_CODE)
		script_write_branch_code(p, h, s);
	if (fields & FIELD_BIT(PHYS_ADDR))
		text_addf(&p->out, "%16" PRIx64, s->phys_addr);
	if (fields & FIELD_BIT(DATA_PAGE_SIZE))
		script_write_page_size(p, s->data_page_size);
	if (fields & FIELD_BIT(CODE_PAGE_SIZE))
		script_write_page_size(p, s->code_page_size);
	if (fields & FIELD_BIT(IPC))
		script_write_ipc(p, h->facts);
}

/* Appends from => to and the instruction, without other details. */
static void script_sample_add_branch(struct script_writer *p, const struct script_head *h,
				     const struct sample *s)
{
	uint64_t fields = h->event->fields;

	if (fields & FIELD_BIT(IP))
		script_write_place(p, h, s);
	if (h->event->branch_target) {
		text_add(&p->out, " => ");
		script_write_addr(p, h, s->addr);
	}
	if (fields & FIELDS_OF_CODE & ~FIELDS_OF_BRANCH_CODE)
		script_sample_add_instruction(p, h, s);
	if (fields & FIELD_BIT(IPC))
		script_write_ipc(p, h->facts);
	text_add_char(&p->out, '\n');
}

void script_write_sample(struct script_writer *p, const struct script_head *h,
			 const struct sample *s, uint64_t period)
{
	const struct script_event *e = h->event;

	if (e->fields & FIELD_BIT(BRCNTR))
		script_write_counter_names(p);
	script_write_head(p, h);
	add_period_and_title(p, e, period);
	if (e->fields & FIELD_BIT(FLAGS))
		script_write_flags(p, h->facts);
	if (e->fields & FIELD_BIT(TRACE))
		add_trace(p, e->event, s);
	if (e->synthetic && (e->fields & FIELD_BIT(SYNTH)))
		script_write_synthetic(p, h, s);
	if (e->branch) {
		script_sample_add_branch(p, h, s);
		return;
	}
	if (e->fields & BEFORE_PLACE)
		add_before_place(p, h, s);
	if (e->fields & FIELD_BIT(IP))
		script_write_place(p, h, s);
	if (e->fields & BEHIND_PLACE)
		add_behind_place(p, h, s);
	if (e->bpf_output && (e->fields & FIELD_BIT(BPF_OUTPUT)))
		script_write_bpf_output(p, s->raw, s->raw_size);
	text_add_char(&p->out, '\n');
	if (e->fields & FIELD_BIT(SRCCODE))
		script_write_source_code(p, h, s);
	if (e->fields & FIELD_BIT(METRIC))
		script_write_metrics(p, h, period);
}
