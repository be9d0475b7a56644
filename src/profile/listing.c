/* SPDX-License-Identifier: MIT */
#include "profile/listing.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bisect.h"
#include "base/diag.h"
#include "base/memory.h"
#include "profile/annotation.h"
#include "profile/listing-lines.h"
#include "symbol/symbolizer.h"
#include "symbol/text-files.h"

/* objdump shows this number of bytes of x86 code on a line. */
#define BYTES_PER_LINE 7

void listing_tools_done(struct listing_tools *t)
{
	disassembler_free(t->disassembler);
}

void listing_done(struct listing *l)
{
	free(l->items);
	arena_done(&l->arena);
	code_done(&l->code);
}

/*
 * Returns a disassembler. The last one is kept, because the code of a recording is nearly always of
 * one machine.
 */
static int find_disassembler(struct listing_tools *t, const struct arch *arch,
			     struct disassembler **ret, struct diag *diag)
{
	struct disassembler *d = t->disassembler;
	int r = 0;

	if (!d || t->arch != arch) {
		pthread_mutex_lock(t->lock);
		r = disassembler_new(arch, t->syntax, &d, diag);
		pthread_mutex_unlock(t->lock);
		if (r < 0)
			return r;
		disassembler_free(t->disassembler);
		t->disassembler = d;
		t->arch = arch;
	}
	*ret = d;
	return 0;
}

/* Returns the name of @target, such as "main+0x10"; NULL: unknown. */
static const char *name_target(struct listing *l, uint64_t target)
{
	const struct symbol *sym;
	uint64_t place;
	size_t n;
	char *name;

	if (!code_place(&l->code, target, &place))
		return NULL;
	sym = image_symbol_called(l->function->image, place);
	if (!sym)
		return NULL;
	if (sym->start == place)
		return sym->name;
	n = strlen(sym->name) + sizeof("+0x0123456789abcdef");
	name = arena_alloc(&l->arena, n);
	snprintf(name, n, "%s+0x%" PRIx64, sym->name, place - sym->start);
	return name;
}

static void weigh_line(const struct listing *l, uint64_t addr, size_t n, struct weight *w)
{
	uint64_t start = addr - l->start + l->function->sym->start;

	for (size_t e = 0; e < l->all->n_events; e++)
		w[e] = annotated_weight(l->all, l->function, e, start, start + n);
}

static struct weight *profile_listing_weigh(struct listing *l, uint64_t addr, size_t n)
{
	struct weight *w = arena_alloc(&l->arena, l->all->n_events * sizeof(*w));

	weigh_line(l, addr, n, w);
	return w;
}

void listing_weigh(struct listing *l, const struct annotated_functions *all,
		   const struct annotated_function *f)
{
	l->all = all;
	l->function = f;
	if (l->is_source)
		listing_lines_weigh(l);
	for (size_t i = 0; i < l->n; i++) {
		const struct listing_line *line = &l->items[i];

		/* The weights belong to the listing, so they may be changed. */
		if (listing_line_is_code(line))
			weigh_line(l, line->addr, line->n_bytes, (struct weight *)line->weights);
	}
}

/* Adds lines for the bytes from @at on that did not fit on the instruction's line. */
static void add_more(struct listing *l, uint64_t addr, const uint8_t *bytes, size_t n, size_t at)
{
	for (; at < n; at += BYTES_PER_LINE) {
		size_t some = n - at < BYTES_PER_LINE ? n - at : BYTES_PER_LINE;

		*ARRAY_ADD(l) = (struct listing_line){
			.kind = LISTING_MORE,
			.text = "",
			.addr = addr + at,
			.bytes = bytes + at,
			.n_bytes = some,
			.weights = profile_listing_weigh(l, addr + at, some),
		};
	}
}

static void listing_add_code(struct listing *l, const struct listing_tools *t,
			     const struct instruction *in, uint64_t addr, const uint8_t *bytes,
			     struct source_line at)
{
	bool is_cut = t->raw && in->length > BYTES_PER_LINE;
	size_t n = is_cut ? BYTES_PER_LINE : in->length;
	struct listing_line line = {
		.kind = LISTING_CODE,
		.length = strlen(in->text),
		.addr = addr,
		.bytes = bytes,
		.n_bytes = n,
		.flow = in->flow,
		.lead = in->lead,
		.comment = "",
		.at = at,
		.weights = profile_listing_weigh(l, addr, n),
	};

	line.text = arena_strndup(&l->arena, in->text, line.length);
	if (in->comment[0])
		line.comment = arena_strndup(&l->arena, in->comment, strlen(in->comment));
	if (in->flow.has_target)
		line.target = name_target(l, in->flow.target);
	if (t->types)
		line.access = access_types_find(t->types, l->function->image, l->function->sym,
						addr - l->start + l->function->sym->start);
	*ARRAY_ADD(l) = line;
	if (is_cut)
		add_more(l, addr, bytes, in->length, n);
}

static void listing_add_all(struct listing *l, struct listing_tools *t, struct disassembler *d)
{
	const struct code *c = &l->code;
	struct listing_source source;
	struct instruction in;

	listing_source_begin(&source, l, t);
	for (size_t at = 0; at < c->n; at += in.length) {
		struct source_line where = listing_source_reach(&source, c->start + at);

		disassemble(d, c->bytes + at, c->n - at, c->start + at, &in);
		listing_add_code(l, t, &in, c->start + at, c->bytes + at, where);
	}
	listing_source_done(&source);
}

/* Returns the line of code at @addr; NULL: none begins there. */
static struct listing_line *listing_line_at(struct listing_line **code, size_t n, uint64_t addr)
{
	size_t i = BISECT(k, n, code[k]->addr < addr);

	return i < n && code[i]->addr == addr ? code[i] : NULL;
}

static bool jumps_within(const struct listing *l, const struct code_flow *flow)
{
	return flow->kind == FLOW_JUMP && flow->has_target && flow->target >= l->start &&
	       flow->target < l->end;
}

void listing_find_jumps(struct listing *l)
{
	_cleanup_(freep) struct listing_line **code = xcalloc(l->n + 1, sizeof(*code));
	size_t n = 0;

	for (size_t i = 0; i < l->n; i++)
		if (listing_line_is_code(&l->items[i]))
			code[n++] = &l->items[i];
	for (size_t i = 0; i < n; i++) {
		struct listing_line *to;

		code[i]->jumps_within = jumps_within(l, &code[i]->flow);
		to = code[i]->jumps_within ? listing_line_at(code, n, code[i]->flow.target) : NULL;
		if (to)
			to->n_jumps++;
	}
}

/* Returns the number of instructions in [@start, @end), link addresses. */
static size_t count_instructions(const struct listing *l, uint64_t start, uint64_t end)
{
	size_t n = 0;

	for (size_t i = 0; i < l->n; i++)
		n += l->items[i].kind == LISTING_CODE && l->items[i].addr >= start &&
		     l->items[i].addr <= end;
	return n;
}

static const struct listing_cycles *listing_cycles_of(struct listing *l,
						      const struct annotated_block *b)
{
	struct listing_cycles *c = arena_alloc(&l->arena, sizeof(*c));
	uint64_t moved = l->start - l->function->sym->start;

	*c = (struct listing_cycles){ .average = b->cycles / b->count,
				      .least = b->least,
				      .most = b->most };
	if (b->whole_cycles)
		c->ipc = (double)count_instructions(l, b->start + moved, b->end + moved) *
			 (double)b->whole_count / (double)b->whole_cycles;
	return c;
}

/* Adds the cycles of blocks. Blocks are sorted by their ends, and lines by their addresses. */
static void listing_add_cycles(struct listing *l)
{
	const struct annotated_function *f = l->function;
	size_t at = 0;

	for (size_t i = 0; i < l->n && at < f->n_blocks; i++) {
		struct listing_line *line = &l->items[i];
		uint64_t place = line->addr - l->start + f->sym->start;

		if (line->kind != LISTING_CODE)
			continue;
		while (at < f->n_blocks && f->blocks[at].end < place)
			at++;
		if (at < f->n_blocks && f->blocks[at].end == place) {
			line->cycles = listing_cycles_of(l, &f->blocks[at]);
			l->has_cycles = true;
		}
	}
}

int listing_make(struct listing_tools *t, const struct annotated_functions *all,
		 const struct annotated_function *f, struct listing *ret, struct diag *diag)
{
	struct listing l = { .all = all, .function = f, .name = f->sym->name };
	struct disassembler *d;
	int r;

	if (listing_has_lines_only(f))
		return listing_lines_make(t, all, f, ret, diag);
	r = code_read(t->code, f->image, f->sym, &l.code, diag);
	if (r >= 0)
		r = find_disassembler(t, l.code.arch, &d, diag);
	if (r < 0) {
		listing_done(&l);
		return r;
	}
	l.arch = l.code.arch;
	l.section = l.code.section;
	l.start = l.code.start;
	l.end = l.start + l.code.n;
	listing_add_all(&l, t, d);
	listing_find_jumps(&l);
	listing_add_cycles(&l);
	*ret = l;
	return 0;
}

/* This number of lines of context precedes a line that does not follow the one shown last. */
#define LINES_BEFORE 5

void listing_source_begin(struct listing_source *s, struct listing *l,
			  const struct listing_tools *t)
{
	const struct symbol *sym = l->function->sym;

	*s = (struct listing_source){ .listing = l, .tools = t };
	if (t->sources || t->with_lines)
		s->n_rows = image_line_rows(l->function->image, sym->start, sym->start + l->code.n,
					    &s->rows);
}

void listing_source_done(struct listing_source *s)
{
	free(s->files.items);
}

/* True if @name is a stub, which belongs to no function. */
static bool listing_source_is_stub(const char *name)
{
	size_t n = strlen(name), end = strlen("@plt");

	return n >= end && !strcmp(name + n - end, "@plt");
}

/* Adds the name of the innermost function at @place, unless it was added last. */
static void show_function(struct listing_source *s, uint64_t place)
{
	struct listing *l = s->listing;
	struct source_frames frames = { .n = 0 };
	const char *name = l->name;

	if (!s->n_rows && s->function)
		return;
	if (s->n_rows && s->tools->sources)
		frames = image_code_frames(l->function->image, place);
	if (frames.n && frames.items[0].sym)
		name = frames.items[0].sym->name;
	if (listing_source_is_stub(name) || (s->function && !strcmp(s->function, name)))
		return;
	s->function = name;
	*ARRAY_ADD(l) = (struct listing_line){
		.kind = LISTING_FUNCTION,
		.text = name,
		.length = strlen(name),
	};
}

static struct shown_file *listing_source_find_file(struct listing_source *s, const char *name)
{
	/* File names belong to the image's lines: the same name is mostly the same pointer. */
	for (size_t i = 0; i < s->files.n; i++)
		if (s->files.items[i].name == name || !strcmp(s->files.items[i].name, name))
			return &s->files.items[i];

	struct shown_file *f = ARRAY_ADD(&s->files);

	f->name = name;
	f->file = text_files_find(s->tools->sources, name);
	return f;
}

static void listing_source_add_line(struct listing *l, const struct shown_file *f, uint32_t number)
{
	struct listing_line *line = ARRAY_ADD(l);

	line->kind = LISTING_SOURCE;
	line->number = number;
	line->at = (struct source_line){ f->name, number };
	line->text = text_file_line(f->file, number, &line->length);
}

/* Adds a line whose text the image itself has: those of BPF programs. */
static void add_own_line(struct listing *l, struct source_line at, const char *text)
{
	struct listing_line *line = ARRAY_ADD(l);

	line->kind = LISTING_SOURCE;
	line->number = at.line;
	line->at = at;
	line->text = text;
	line->length = strlen(text);
}

/* Adds at least the name of a file that is not on this machine. */
static void listing_source_add_place(struct listing *l, struct source_line at)
{
	size_t n = strlen(at.file) + 16;
	struct listing_line *line = ARRAY_ADD(l);
	char *text = arena_alloc(&l->arena, n);

	line->kind = LISTING_PLACE;
	line->number = at.line;
	line->length = (size_t)snprintf(text, n, "%s:%u", at.file, at.line);
	line->text = text;
}

static void show_line(struct listing_source *s)
{
	struct shown_file *f;
	uint32_t first = s->at.line, last = s->at.line;

	if (s->text) {
		add_own_line(s->listing, s->at, s->text);
		return;
	}
	f = listing_source_find_file(s, s->at.file);
	if (!f->file) {
		listing_source_add_place(s->listing, s->at);
		return;
	}
	if (last > text_file_lines(f->file))
		return;
	if (last > f->last) {
		first = last > LINES_BEFORE ? last - LINES_BEFORE : 1;
		first = first > f->last ? first : f->last + 1;
		f->last = last;
	}
	for (uint32_t number = first; number <= last; number++)
		listing_source_add_line(s->listing, f, number);
}

struct source_line listing_source_reach(struct listing_source *s, uint64_t addr)
{
	const struct symbol *sym = s->listing->function->sym;
	uint64_t place = addr - s->listing->start + sym->start;
	struct source_line before = s->at;

	for (; s->row < s->n_rows && s->rows[s->row].addr <= place; s->row++) {
		s->at = (struct source_line){ s->rows[s->row].file, s->rows[s->row].line };
		s->text = s->rows[s->row].text;
	}
	show_function(s, place);
	if (s->tools->sources && s->at.file && s->at.line &&
	    (!before.file || before.line != s->at.line || strcmp(before.file, s->at.file) != 0))
		show_line(s);
	return s->at;
}
