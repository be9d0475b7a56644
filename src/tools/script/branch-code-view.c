/* SPDX-License-Identifier: MIT */
/*
 * Prints the code that ran between taken branches, instruction by instruction: `-F brstackinsn` and
 * related fields. Between the target of one branch and the source of the next one, no other code
 * can have run.
 */
#include "tools/script/writer-view.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "code/disassembler.h"
#include "profile/source-text.h"
#include "session/session.h"
#include "symbol/code.h"
#include "symbol/source.h"
#include "symbol/symbolizer.h"
#include "wire/branch.h"

#define LENGTH_MAX 15 /* the maximum length of an instruction */
/* the maximum length of the code between two branches; longer is an error */
#define RUN_MAX     16369
#define FINAL_GUESS 128 /* bytes after the last branch if the sample is not after it */
#define CODE_WIDTH  24  /* the width of an instruction that is followed by remarks */

struct code_reading {
	struct code_store *store;
	struct disassembler *disassembler; /* NULL: lengths are fixed, and no text is needed */
	uint8_t bytes[RUN_MAX + LENGTH_MAX];
};

struct recorded_branch {
	struct branch branch;
	uint64_t counters;
};

/* State for the current run of code. */
struct script_branch_code_run {
	uint64_t start;
	const uint8_t *bytes;
	size_t n;                    /* bytes that could be read */
	const struct symbol *symbol; /* the symbol that was printed last */
	unsigned instructions;
	uint64_t cycles; /* the sum over all branches so far */
};

int code_reading_new(const struct arch *arch, uint64_t fields, struct code_reading **ret,
		     struct diag *diag)
{
	bool texts = fields & (FIELD_BIT(BRSTACKDISASM) | FIELD_BIT(DISASM));
	struct code_reading *c;
	int r = 0;

	if (!arch)
		return diag_set(diag, -EOPNOTSUPP,
				"the recording does not say which machine's code it is about");
	c = xcalloc(1, sizeof(*c));
	if (texts || !arch->instruction_size)
		r = disassembler_new(arch, SYNTAX_ATT, &c->disassembler, diag);
	if (r < 0) {
		free(c);
		return r;
	}
	c->store = code_store_new();
	*ret = c;
	return 0;
}

void code_reading_free(struct code_reading *c)
{
	if (!c)
		return;
	disassembler_free(c->disassembler);
	code_store_free(c->store);
	free(c);
}

/*
 * Finds the location of @addr. A branch does not contain its mode, but addresses of the kernel are
 * high on every machine.
 */
static bool script_branch_code_locate(struct script_writer *p, const struct script_head *h,
				      uint64_t addr, struct location *ret)
{
	enum address_mode mode = addr >> 63 ? ADDRESS_KERNEL : ADDRESS_USER;

	return machine_locate(p->setup->session, h->pid, mode, addr, h->moment, ret) && ret->map &&
	       ret->map->image;
}

static size_t script_branch_code_read(struct script_writer *p, const struct script_head *h,
				      uint64_t addr, size_t n)
{
	struct code_reading *c = p->setup->code;
	struct location loc;

	n = n < sizeof(c->bytes) ? n : sizeof(c->bytes);
	if (!script_branch_code_locate(p, h, addr, &loc))
		return 0;
	return code_read_at(c->store, loc.map->image, loc.image_addr, c->bytes, n);
}

/*
 * Returns the length of the first instruction in @n bytes, and its text if that is needed. 0: there
 * is none.
 */
static size_t script_branch_code_decode(struct script_writer *p, const uint8_t *bytes, size_t n,
					uint64_t addr, struct instruction *ret)
{
	const struct arch *arch = p->setup->arch;

	if (p->setup->code->disassembler && n) {
		disassemble(p->setup->code->disassembler, bytes, n, addr, ret);
		return ret->is_unknown ? 0 : ret->length;
	}
	ret->length = arch->instruction_size;
	if (!n || ret->length > n)
		return 0;
	ret->flow = arch->code_flow ? arch->code_flow(bytes, ret->length, addr)
				    : (struct code_flow){ .kind = FLOW_ON };
	return ret->length;
}

static void script_branch_code_add_bytes(struct script_writer *p, const uint8_t *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		text_addf(&p->out, "%02x ", bytes[i]);
}

static void script_branch_code_add_text(struct script_writer *p, const struct instruction *in)
{
	text_add(&p->out, in->text);
	if (in->flow.has_target)
		text_addf(&p->out, "%s%" PRIx64, in->lead, in->flow.target);
	text_add(&p->out, in->comment);
}

static void script_branch_code_add_line(struct script_writer *p, const struct location *loc)
{
	_cleanup_(text_done) struct text line = TEXT_EMPTY;
	struct source_line at;

	if (!image_source_line(loc->map->image, loc->image_addr, &at))
		return;
	source_line_text(&at, p->setup->full_source_paths, &line);
	text_add_char(&p->out, '\t');
	script_write_foreign(p, line.chars, line.length);
}

/* Appends "\tloop+53:" where the code of another function begins. */
static void script_branch_code_add_label(struct script_writer *p, const struct script_head *h,
					 struct script_branch_code_run *r, uint64_t addr)
{
	const struct symbol *sym;
	struct location loc;

	if (!script_branch_code_locate(p, h, addr, &loc))
		return;
	sym = image_symbol_find(loc.map->image, loc.image_addr);
	if (!sym || sym == r->symbol)
		return;
	r->symbol = sym;
	text_add_char(&p->out, '\t');
	script_write_foreign(p, sym->name, strlen(sym->name));
	if (loc.image_addr != sym->start)
		text_addf(&p->out, "+%" PRIu64, loc.image_addr - sym->start);
	text_add_char(&p->out, ':');
	if (h->event->fields & FIELD_BIT(SRCLINE))
		script_branch_code_add_line(p, &loc);
	text_add_char(&p->out, '\n');
}

/* Appends "\t0000000000400142\tinsn: 83 c3 01 ", with @width columns after "insn: ". */
static void script_branch_code_add_instruction(struct script_writer *p, const struct script_head *h,
					       const struct script_branch_code_run *r, size_t at,
					       const struct instruction *in, size_t width)
{
	uint64_t fields = h->event->fields;
	size_t from;

	text_addf(&p->out, "\t%016" PRIx64 "\t", r->start + at);
	if (!(fields & FIELD_BIT(BRSTACKDISASM)))
		text_add(&p->out, "insn: ");
	from = p->out.length;
	if (fields & FIELD_BIT(BRSTACKDISASM))
		script_branch_code_add_text(p, in);
	else
		script_branch_code_add_bytes(p, r->bytes + at, in->length);
	text_pad(&p->out, from, width, 0, ' ');
	if (fields & FIELD_BIT(BRSTACKINSNLEN))
		text_addf(&p->out, "\tilen: %zu", in->length);
}

static void script_branch_code_add_source(struct script_writer *p, const struct script_head *h,
					  uint64_t addr)
{
	struct location loc;

	if (h->event->fields & FIELD_BIT(SRCCODE) && script_branch_code_locate(p, h, addr, &loc))
		script_write_source_of(p, h, &loc);
}

static void script_branch_code_add_plain(struct script_writer *p, const struct script_head *h,
					 const struct script_branch_code_run *r, size_t at,
					 const struct instruction *in)
{
	script_branch_code_add_instruction(p, h, r, at, in, 0);
	text_add_char(&p->out, '\n');
	script_branch_code_add_source(p, h, r->start + at);
}

/* Appends the branch itself, with the CPU's data about it. */
static void script_branch_code_add_branch(struct script_writer *p, const struct script_head *h,
					  struct script_branch_code_run *r, size_t at,
					  const struct instruction *in,
					  const struct recorded_branch *b)
{
	uint64_t flags = b->branch.flags;
	unsigned cycles = branch_cycles(flags);

	script_branch_code_add_instruction(p, h, r, at, in, CODE_WIDTH);
	text_add_char(&p->out, '\t');
	if (h->event->fields & FIELD_BIT(BRCNTR))
		script_write_counters(p, h, b->counters);
	else
		text_add_char(&p->out, '#');
	text_addf(&p->out, "%s%s%s%s", flags & BRANCH_PREDICTED ? " PRED" : "",
		  flags & BRANCH_MISPREDICTED ? " MISPRED" : "",
		  flags & BRANCH_IN_TX ? " INTX" : "", flags & BRANCH_ABORT ? " ABORT" : "");
	if (cycles) {
		r->cycles += cycles;
		text_addf(&p->out, " %u cycles [%" PRIu64 "]", cycles, r->cycles);
		if (r->instructions)
			text_addf(&p->out, " %.2f IPC", (double)r->instructions / cycles);
	}
	text_add_char(&p->out, '\n');
	script_branch_code_add_source(p, h, r->start + at);
}

static bool begin_run(struct script_writer *p, const struct script_head *h,
		      struct script_branch_code_run *r, uint64_t start, size_t n)
{
	r->start = start;
	r->bytes = p->setup->code->bytes;
	r->n = script_branch_code_read(p, h, start, n);
	r->instructions = 0;
	return r->n;
}

static void add_bad(struct script_writer *p, uint64_t addr)
{
	text_addf(&p->out, "\t%016" PRIx64 "\t<bad>\n", addr);
}

/* Appends the oldest branch. The code that ran before it is unknown. */
static void add_first(struct script_writer *p, const struct script_head *h,
		      struct script_branch_code_run *r, const struct recorded_branch *b)
{
	uint64_t from = b->branch.from;
	struct instruction in;

	if (!begin_run(p, h, r, from, LENGTH_MAX))
		return;
	script_branch_code_add_label(p, h, r, from);
	if (script_branch_code_decode(p, r->bytes, r->n, from, &in))
		script_branch_code_add_branch(p, h, r, 0, &in, b);
	else
		add_bad(p, from);
}

/* Appends the code from the target of one branch to the next branch. */
static void add_between(struct script_writer *p, const struct script_head *h,
			struct script_branch_code_run *r, uint64_t start,
			const struct recorded_branch *b)
{
	uint64_t distance = b->branch.from - start;
	struct instruction in;
	size_t at = 0;

	if (start > b->branch.from || distance > RUN_MAX ||
	    !begin_run(p, h, r, start, distance + LENGTH_MAX))
		return;
	for (size_t length; at < r->n; at += length) {
		script_branch_code_add_label(p, h, r, start + at);
		length = script_branch_code_decode(p, r->bytes + at, r->n - at, start + at, &in);
		if (!length) {
			add_bad(p, start + at);
			break;
		}
		r->instructions++;
		if (at == distance) {
			script_branch_code_add_branch(p, h, r, at, &in, b);
			return;
		}
		script_branch_code_add_plain(p, h, r, at, &in);
	}
	text_add(&p->out, "\tmismatch of LBR data and executable\n");
}

static bool script_branch_code_goes_on(const struct instruction *in)
{
	return in->flow.kind == FLOW_ON || in->flow.is_conditional;
}

/* Appends the code from the target of the newest branch to the sample. */
static void add_last(struct script_writer *p, const struct script_head *h,
		     struct script_branch_code_run *r, uint64_t start, uint64_t ip)
{
	uint64_t distance = ip - start;
	struct instruction in;

	script_branch_code_add_label(p, h, r, start);
	if (!start) {
		start = ip;
		distance = 0;
	}
	if (start > ip)
		distance = FINAL_GUESS;
	if (distance > RUN_MAX || !begin_run(p, h, r, start, distance + LENGTH_MAX))
		return;
	for (size_t at = 0, length; at <= distance; at += length) {
		length = script_branch_code_decode(p, r->bytes + at, at < r->n ? r->n - at : 0,
						   start + at, &in);
		if (!length) {
			add_bad(p, start + at);
			return;
		}
		script_branch_code_add_plain(p, h, r, at, &in);
		if (at != distance && !script_branch_code_goes_on(&in)) {
			text_add(&p->out, "\t... not reaching sample ...\n");
			return;
		}
	}
}

static struct recorded_branch recorded_branch(const struct sample *s, size_t i)
{
	return (struct recorded_branch){
		.branch = sample_branch(s, i),
		.counters = i < s->branch_counters.n ? words_get(&s->branch_counters, i) : 0,
	};
}

void script_write_branch_code(struct script_writer *p, const struct script_head *h,
			      const struct sample *s)
{
	size_t n = s->branches.n / 3, most = p->setup->max_blocks;
	struct script_branch_code_run r = { 0 };
	struct recorded_branch b, before;

	if (!n)
		return;
	if (most && n > most + 1)
		n = most + 1;
	text_add_char(&p->out, '\n');
	before = recorded_branch(s, n - 1);
	add_first(p, h, &r, &before);
	for (size_t i = n - 1; i-- > 0; before = b) {
		b = recorded_branch(s, i);
		add_between(p, h, &r, before.branch.to, &b);
	}
	/*
	 * An aborted branch did not continue there, and the sample may be about the branch itself.
	 */
	if (!(before.branch.flags & BRANCH_ABORT) && before.branch.from != s->ip)
		add_last(p, h, &r, before.branch.to, s->ip);
}

void script_write_instruction(struct script_writer *p, const struct script_head *h,
			      const struct sample *s)
{
	uint64_t fields = h->event->fields;
	size_t n = script_branch_code_read(p, h, s->ip, LENGTH_MAX), length = 0;
	const uint8_t *bytes = p->setup->code->bytes;
	struct instruction in;

	if (n)
		length = script_branch_code_decode(p, bytes, n, s->ip, &in);
	if (fields & FIELD_BIT(INSNLEN))
		text_addf(&p->out, " ilen: %zu", length);
	if (fields & FIELD_BIT(INSN) && length) {
		text_add(&p->out, " insn:");
		for (size_t i = 0; i < length; i++)
			text_addf(&p->out, " %02x", bytes[i]);
	}
	if (fields & FIELD_BIT(DISASM) && length) {
		text_add(&p->out, "\t\t");
		script_branch_code_add_text(p, &in);
	}
}
