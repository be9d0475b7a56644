/* SPDX-License-Identifier: MIT */
/*
 * Prints samples: the line after the name, and a paragraph for each kind of data that was sampled.
 */
#include <inttypes.h>

#include "arch/arch.h"
#include "arch/registers.h"
#include "base/cleanup.h"
#include "base/size-text.h"
#include "datafile/features.h"
#include "session/deferred-chains.h"
#include "session/machine.h"
#include "symbol/symbolizer.h"
#include "view/dump/line.h"

#define BRANCH_TYPE_EXTENDED 15

static const char *const branch_types[] = {
	"",       "COND",      "UNCOND",   "IND",  "CALL", "IND_CALL", "RET",   "SYSCALL",
	"SYSRET", "COND_CALL", "COND_RET", "ERET", "IRQ",  "SERROR",   "NO_TX",
};

static const char *const branch_extended_types[] = {
	"FAULT_ALGN",       "FAULT_DATA",       "FAULT_INST",       "ARM64_FIQ",
	"ARM64_DEBUG_HALT", "ARM64_DEBUG_EXIT", "ARM64_DEBUG_INST", "ARM64_DEBUG_DATA",
};

void dump_chain(FILE *out, const struct words *chain)
{
	fprintf(out, "... FP chain: nr:%zu\n", chain->n);
	for (size_t i = 0; i < chain->n; i++)
		fprintf(out, "..... %2zu: %016" PRIx64 "\n", i, words_get(chain, i));
}

/* Prints a stack of calls as a chain: the current address, and the callers. */
static void print_callers(FILE *out, const struct sample *s, size_t i)
{
	size_t n = s->branches.n / 3;

	if (n)
		fprintf(out, "..... %2zu: %016" PRIx64 "\n", i++, sample_branch(s, 0).to);
	for (size_t k = 0; k < n; k++)
		fprintf(out, "..... %2zu: %016" PRIx64 "\n", i++, sample_branch(s, k).from);
}

/*
 * Prints a chain whose kernel part comes from the chain, and whose user part comes from the
 * branches.
 */
static void print_merged_chain(FILE *out, const struct sample *s)
{
	size_t n = s->branches.n / 3, user = 0;

	while (user < s->chain.n && words_get(&s->chain, user) != PERF_CONTEXT_USER)
		user++;
	if (user == s->chain.n || !n)
		return;
	fprintf(out, "... LBR call chain: nr:%zu\n", user + 1 + n + 1);
	for (size_t i = 0; i <= user; i++)
		fprintf(out, "..... %2zu: %016" PRIx64 "\n", i, words_get(&s->chain, i));
	print_callers(out, s, user + 1);
}

static const char *branch_type(uint64_t flags)
{
	unsigned type = flags >> 20 & 15, extended = flags >> 26 & 15;

	if (type != BRANCH_TYPE_EXTENDED)
		return branch_types[type];
	return extended < ARRAY_SIZE(branch_extended_types) ? branch_extended_types[extended]
							    : "(null)";
}

static void dump_sample_print_branches(FILE *out, const struct sample *s)
{
	size_t n = s->branches.n / 3;

	fprintf(out, "... branch stack: nr:%zu\n", n);
	for (size_t i = 0; i < n; i++) {
		struct branch b = sample_branch(s, i);

		fprintf(out,
			"..... %2zu: %016" PRIx64 " -> %016" PRIx64 " %u cycles %s%s%s%s %x %s\n",
			i, b.from, b.to, (unsigned)(b.flags >> 4 & 0xffff), b.flags & 1 ? "M" : " ",
			b.flags & 2 ? "P" : " ", b.flags & 8 ? "A" : " ", b.flags & 4 ? "T" : " ",
			(unsigned)(b.flags >> 33), branch_type(b.flags));
	}
}

static void print_branch_stack(FILE *out, const struct sample *s, const struct attr *attr)
{
	if (!(attr->branch_sample_type & PERF_SAMPLE_BRANCH_CALL_STACK)) {
		dump_sample_print_branches(out, s);
		return;
	}
	fprintf(out, "... branch callstack: nr:%zu\n", s->branches.n / 3 + 1);
	print_callers(out, s, 0);
}

static void print_regs(FILE *out, const char *title, const struct sample_regs *r,
		       const struct arch *arch)
{
	static const char *const abis[] = { "none", "32-bit", "64-bit" };
	uint64_t value, abi = r->abi & ~(uint64_t)REGS_ABI_SIMD;

	if (!r->abi)
		return;
	fprintf(out, "... %s regs: mask 0x%" PRIx64 " ABI %s\n", title, r->mask,
		abi < ARRAY_SIZE(abis) ? abis[abi] : "unknown");
	for (unsigned reg = 0; reg < 64; reg++) {
		const char *name = arch_register_name(arch, reg);

		if (sample_reg(r, reg, &value))
			fprintf(out, ".... %-5s 0x%016" PRIx64 "\n", name ? name : "unknown",
				value);
	}
}

static void dump_sample_print_page_size(FILE *out, const char *what, uint64_t size)
{
	char text[SIZE_TEXT_MAX];

	fprintf(out, " .. %s page size: %s\n", what, size ? size_text(size, text) : "N/A");
}

static void dump_sample_print_counts(FILE *out, const struct record_read *r)
{
	fputs("... sample_read:\n", out);
	if (r->read_format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		fprintf(out, "...... time enabled %016" PRIx64 "\n", r->enabled);
	if (r->read_format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		fprintf(out, "...... time running %016" PRIx64 "\n", r->running);
	if (r->read_format & PERF_FORMAT_GROUP)
		fprintf(out, ".... group nr %zu\n", r->n);
	for (size_t i = 0; i < r->n; i++) {
		struct read_value v = record_read_value(r, i);

		fprintf(out, "..... id %016" PRIx64 ", value %016" PRIx64, v.id, v.value);
		if (r->read_format & PERF_FORMAT_LOST)
			fprintf(out, ", lost %" PRIu64, v.lost);
		fputc('\n', out);
	}
}

static void print_memory_access(FILE *out, const struct sample *s, uint64_t type)
{
	if (type & PERF_SAMPLE_WEIGHT_STRUCT)
		fprintf(out, "... weight: %" PRIu64 ",0x%x,0x%x\n", s->weight, s->ins_latency,
			s->p_stage_cyc);
	else if (type & PERF_SAMPLE_WEIGHT)
		fprintf(out, "... weight: %" PRIu64 "\n", s->weight);
	if (type & PERF_SAMPLE_DATA_SRC)
		fprintf(out, " . data_src: 0x%" PRIx64 "\n", s->data_src);
	if (type & PERF_SAMPLE_PHYS_ADDR)
		fprintf(out, " .. phys_addr: 0x%" PRIx64 "\n", s->phys_addr);
	if (type & PERF_SAMPLE_DATA_PAGE_SIZE)
		dump_sample_print_page_size(out, "data", s->data_page_size);
	if (type & PERF_SAMPLE_CODE_PAGE_SIZE)
		dump_sample_print_page_size(out, "code", s->code_page_size);
	if (type & PERF_SAMPLE_TRANSACTION)
		fprintf(out, "... transaction: %" PRIx64 "\n", s->transaction);
}

static const struct arch *dump_sample_arch_of(const struct dump *d)
{
	const char *name = session_features(d->session)->arch;

	return name ? arch_find(name) : arch_host();
}

static void print_state(const struct dump *d, const uint8_t *bytes, const struct sample *s,
			uint64_t type, FILE *out)
{
	if (type & PERF_SAMPLE_REGS_USER)
		print_regs(out, "user", &s->user_regs, dump_sample_arch_of(d));
	if (type & PERF_SAMPLE_REGS_INTR)
		print_regs(out, "intr", &s->intr_regs, dump_sample_arch_of(d));
	if (type & PERF_SAMPLE_STACK_USER)
		fprintf(out, "... ustack: size %" PRIu64 ", offset 0x%zx\n", s->stack_dyn_size,
			(size_t)(s->stack - bytes) - RECORD_HEADER_SIZE);
}

void dump_sample(const struct dump *d, const struct session_event *e, const uint8_t *bytes,
		 const struct sample *s, FILE *out)
{
	uint64_t type = e->attr.sample_type;
	size_t mark;

	fprintf(out, "(IP, 0x%x): %d/%d: %#" PRIx64 " period: %" PRIu64 " addr: %#" PRIx64 "\n",
		s->misc, (int)s->pid, (int)s->tid, s->ip, s->period, s->addr);
	if (type & PERF_SAMPLE_CALLCHAIN) {
		if (e->attr.branch_sample_type & PERF_SAMPLE_BRANCH_CALL_STACK)
			print_merged_chain(out, s);
		dump_chain(out, &s->chain);
		if (deferred_chain_mark(&s->chain, &mark))
			fputs("...... (deferred)\n", out);
	}
	if (type & PERF_SAMPLE_BRANCH_STACK)
		print_branch_stack(out, s, &e->attr);
	print_state(d, bytes, s, type, out);
	print_memory_access(out, s, type);
	if (type & PERF_SAMPLE_READ)
		dump_sample_print_counts(out, &s->read);
}

static const char *dump_sample_image_of(const struct dump *d, const struct sample *s)
{
	enum address_mode mode = address_mode_of(s->misc);
	struct location l;

	if (machine_locate(d->session, s->pid, mode, s->ip, s->time, &l))
		return image_kind(l.map->image) == IMAGE_MODULE ? l.map->name
								: image_long_name(l.map->image);
	return mode == ADDRESS_KERNEL || mode == ADDRESS_USER ? "<not found>" : "[hypervisor]";
}

void dump_sample_place(const struct dump *d, const struct sample *s, FILE *out)
{
	fputs(" ... thread: ", out);
	dump_text(out, machine_comm(d->session, s->pid, s->tid, s->time));
	fprintf(out, ":%d\n ...... dso: ", (int)s->tid);
	dump_text(out, dump_sample_image_of(d, s));
	fputc('\n', out);
}
