/* SPDX-License-Identifier: MIT */
#include "view/attr-text.h"

#include <inttypes.h>
#include <stdbool.h>

#include "base/cleanup.h"
#include "view/attr-names.h"
#include "wire/attr.h"

/* A bit of a mask and its printed name. */
struct attr_text_bit_name {
	uint64_t bit;
	const char *name;
};

/* The order is that of Linux's perf, which is neither that of the bits nor that of the record. */
static const struct attr_text_bit_name sample_types[] = {
#define BIT(x)                                                                                     \
	{                                                                                          \
		PERF_SAMPLE_##x, #x                                                                \
	}
	BIT(IP),
	BIT(TID),
	BIT(TIME),
	BIT(ADDR),
	BIT(READ),
	BIT(CALLCHAIN),
	BIT(ID),
	BIT(CPU),
	BIT(PERIOD),
	BIT(STREAM_ID),
	BIT(RAW),
	BIT(BRANCH_STACK),
	BIT(REGS_USER),
	BIT(STACK_USER),
	BIT(IDENTIFIER),
	BIT(REGS_INTR),
	BIT(DATA_SRC),
	BIT(WEIGHT),
	BIT(PHYS_ADDR),
	BIT(AUX),
	BIT(CGROUP),
	BIT(DATA_PAGE_SIZE),
	BIT(CODE_PAGE_SIZE),
	BIT(WEIGHT_STRUCT),
	BIT(TRANSACTION),
#undef BIT
};

static const struct attr_text_bit_name branch_types[] = {
#define BIT(x)                                                                                     \
	{                                                                                          \
		PERF_SAMPLE_BRANCH_##x, #x                                                         \
	}
	BIT(USER),       BIT(KERNEL),     BIT(HV),       BIT(ANY),       BIT(ANY_CALL),
	BIT(ANY_RETURN), BIT(IND_CALL),   BIT(ABORT_TX), BIT(IN_TX),     BIT(NO_TX),
	BIT(COND),       BIT(CALL_STACK), BIT(IND_JUMP), BIT(CALL),      BIT(NO_FLAGS),
	BIT(NO_CYCLES),  BIT(TYPE_SAVE),  BIT(HW_INDEX), BIT(PRIV_SAVE), BIT(COUNTERS),
#undef BIT
};

static const struct attr_text_bit_name read_formats[] = {
#define BIT(x)                                                                                     \
	{                                                                                          \
		PERF_FORMAT_##x, #x                                                                \
	}
	BIT(TOTAL_TIME_ENABLED), BIT(TOTAL_TIME_RUNNING), BIT(ID), BIT(GROUP), BIT(LOST),
#undef BIT
};

struct attr_text_printer {
	FILE *out;
	const char *equals;
	const char *separator;
	bool lines; /* one line for each field */
};

static void attr_text_begin(struct attr_text_printer *p, const char *name)
{
	if (p->lines) {
		fprintf(p->out, "\n  %-32s ", name);
		return;
	}
	fprintf(p->out, "%s%s%s", p->separator, name, p->equals);
	p->separator = ", ";
}

static void attr_text_print_bits(struct attr_text_printer *p, const char *name, uint64_t value,
				 const struct attr_text_bit_name *names, size_t n)
{
	const char *bar = "";

	if (!value)
		return;
	attr_text_begin(p, name);
	for (size_t i = 0; i < n; i++) {
		if (!(value & names[i].bit))
			continue;
		fprintf(p->out, "%s%s", bar, names[i].name);
		value &= ~names[i].bit;
		bar = "|";
	}
	/* Bits that are newer than this program. */
	if (value)
		fprintf(p->out, "%s0x%" PRIx64, bar, value);
}

static void print_number(struct attr_text_printer *p, const char *name, uint64_t value)
{
	if (!value)
		return;
	attr_text_begin(p, name);
	fprintf(p->out, "%" PRIu64, value);
}

static void print_hex(struct attr_text_printer *p, const char *name, uint64_t value)
{
	if (!value)
		return;
	attr_text_begin(p, name);
	fprintf(p->out, "0x%" PRIx64, value);
}

static void attr_text_print_flags(struct attr_text_printer *p, const struct attr *a)
{
#define FLAG(f) print_number(p, #f, a->f)
	FLAG(disabled);
	FLAG(inherit);
	FLAG(pinned);
	FLAG(exclusive);
	FLAG(exclude_user);
	FLAG(exclude_kernel);
	FLAG(exclude_hv);
	FLAG(exclude_idle);
	FLAG(mmap);
	FLAG(comm);
	FLAG(freq);
	FLAG(inherit_stat);
	FLAG(enable_on_exec);
	FLAG(task);
	FLAG(watermark);
	FLAG(precise_ip);
	FLAG(mmap_data);
	FLAG(sample_id_all);
	FLAG(exclude_host);
	FLAG(exclude_guest);
	FLAG(exclude_callchain_kernel);
	FLAG(exclude_callchain_user);
	FLAG(mmap2);
	FLAG(comm_exec);
	FLAG(use_clockid);
	FLAG(context_switch);
	FLAG(write_backward);
	FLAG(namespaces);
	FLAG(ksymbol);
	FLAG(bpf_event);
	FLAG(aux_output);
	FLAG(cgroup);
	FLAG(text_poke);
	FLAG(build_id);
	FLAG(inherit_thread);
	FLAG(remove_on_exec);
	FLAG(sigtrap);
	FLAG(defer_callchain);
	FLAG(defer_output);
#undef FLAG
}

static void attr_text_print_name(struct attr_text_printer *p, const struct text *name)
{
	if (name->length)
		fprintf(p->out, " (%s)", name->chars);
}

static void attr_text_print_rest(struct attr_text_printer *p, const struct attr *a)
{
	print_number(p, "{ sample_period, sample_freq }", a->sample_period);
	attr_text_print_bits(p, "sample_type", a->sample_type, sample_types,
			     ARRAY_SIZE(sample_types));
	attr_text_print_bits(p, "read_format", a->read_format, read_formats,
			     ARRAY_SIZE(read_formats));
	attr_text_print_flags(p, a);
	print_number(p, "{ wakeup_events, wakeup_watermark }", a->wakeup_events);
	print_number(p, "bp_type", a->bp_type);
	print_hex(p, "{ bp_addr, config1 }", a->config1);
	print_hex(p, "{ bp_len, config2 }", a->config2);
	attr_text_print_bits(p, "branch_sample_type", a->branch_sample_type, branch_types,
			     ARRAY_SIZE(branch_types));
	print_hex(p, "sample_regs_user", a->sample_regs_user);
	print_number(p, "sample_stack_user", a->sample_stack_user);
	print_number(p, "clockid", (uint64_t)a->clockid);
	print_hex(p, "sample_regs_intr", a->sample_regs_intr);
	print_number(p, "aux_watermark", a->aux_watermark);
	print_number(p, "sample_max_stack", a->sample_max_stack);
	print_number(p, "aux_sample_size", a->aux_sample_size);
	print_number(p, "sig_data", a->sig_data);
	print_hex(p, "config3", a->config3);
	print_hex(p, "config4", a->config4);
}

static void attr_text_print_fields(struct attr_text_printer *p, const struct attr *a)
{
	print_number(p, "type", a->type);
	print_number(p, "size", a->size);
	print_hex(p, "config", a->config);
	attr_text_print_rest(p, a);
}

void attr_print_with(const struct attr *a, const char *equals, FILE *out)
{
	attr_text_print_fields(&(struct attr_text_printer){ out, equals, "", false }, a);
}

void attr_print_named(const struct attr *a, const struct attr_names *names, FILE *out)
{
	struct attr_text_printer p = { out, ": ", "", false };

	attr_text_begin(&p, "type");
	fprintf(out, "%" PRIu32, a->type);
	attr_text_print_name(&p, &names->type);
	print_number(&p, "size", a->size);
	attr_text_begin(&p, "config");
	fprintf(out, "%#" PRIx64, a->config);
	attr_text_print_name(&p, &names->config);
	attr_text_print_rest(&p, a);
}

void attr_print(const struct attr *a, FILE *out)
{
	attr_print_with(a, ": ", out);
}

void attr_print_lines(const struct attr *a, FILE *out)
{
	static const char rule[] = "------------------------------------------------------------";

	fprintf(out, "%s\nperf_event_attr:", rule);
	attr_text_print_fields(&(struct attr_text_printer){ out, "", "", true }, a);
	fprintf(out, "\n%s\n", rule);
}
