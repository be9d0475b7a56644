/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "code/disassembler.h"
#include "profile/annotation.h"
#include "profile/listing.h"
#include "profile/type-weights.h"
#include "symbol/code.h"
#include "symbol/symbol.h"

/* True if the word is a prefix, which is not the name of an instruction. */
static bool type_stats_is_prefix(const char *word, size_t n)
{
	static const char *const prefixes[] = { "lock",  "rep", "repz",   "repnz", "repe",
						"repne", "cs",  "data16", "bnd",   "notrack" };

	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++)
		if (strlen(prefixes[i]) == n && !memcmp(prefixes[i], word, n))
			return true;
	return false;
}

static size_t type_stats_find_name(const char **text)
{
	for (;;) {
		size_t n = strcspn(*text, " \t"), blanks = strspn(*text + n, " \t");

		if (!type_stats_is_prefix(*text, n) || !(*text)[n + blanks])
			return n;
		*text += n + blanks;
	}
}

static void count_instruction(struct type_stats *s, const char *text, uint64_t n, bool good)
{
	size_t length = type_stats_find_name(&text);
	struct type_stat_instruction *found = NULL;

	for (size_t i = 0; i < s->instructions.n && !found; i++)
		if (strlen(s->instructions.items[i].name) == length &&
		    !memcmp(s->instructions.items[i].name, text, length))
			found = &s->instructions.items[i];
	if (!found) {
		found = ARRAY_ADD(&s->instructions);
		found->name = xasprintf("%.*s", (int)length, text);
	}
	*(good ? &found->good : &found->bad) += n;
}

static struct disassembler *disassembler_for(struct listing_tools *t, const struct arch *arch)
{
	_cleanup_(diag_done) struct diag why = { 0 };

	if (t->disassembler && t->arch != arch) {
		disassembler_free(t->disassembler);
		t->disassembler = NULL;
	}
	if (!t->disassembler && disassembler_new(arch, t->syntax, &t->disassembler, &why) < 0)
		return NULL;
	t->arch = arch;
	return t->disassembler;
}

/* Returns how many events have samples at this address. */
static uint64_t type_stats_count_events(const struct weight *weights, size_t n)
{
	uint64_t count = 0;

	for (size_t e = 0; e < n; e++)
		count += weights[e].samples > 0;
	return count;
}

static bool type_stats_is_good(const struct access_type *a)
{
	return a->status == ACCESS_TYPED || a->status == ACCESS_IS_STACK;
}

static void name_instruction(struct type_stats *s, const struct code *c, struct disassembler *d,
			     uint64_t offset, uint64_t n, bool good)
{
	struct instruction in;

	if (offset >= c->n)
		return;
	disassemble(d, c->bytes + offset, c->n - offset, c->start + offset, &in);
	count_instruction(s, in.text, n, good);
}

/* Counts the instruction at address @k of @f once for each event that has samples there. */
static void count_statuses(struct type_stats *s, const struct annotated_functions *all,
			   const struct annotated_function *f, size_t k, struct access_types *types)
{
	const struct weight *weights = &f->weights[k * all->n_events];

	for (size_t e = 0; e < all->n_events; e++) {
		struct access_type a;

		if (!weights[e].samples)
			continue;
		a = type_of_samples(all, f, k, e, types);
		s->by_status[a.status]++;
		if (a.status == ACCESS_TYPED && a.is_followed)
			s->followed++;
	}
}

static void type_stats_add_function(struct type_stats *s, const struct annotated_functions *all,
				    const struct annotated_function *f, struct access_types *types,
				    struct listing_tools *tools)
{
	_cleanup_(diag_done) struct diag why = { 0 };
	_cleanup_(code_done) struct code c = { 0 };
	struct disassembler *d = NULL;

	if (tools && code_read(tools->code, f->image, f->sym, &c, &why) >= 0)
		d = disassembler_for(tools, c.arch);
	for (size_t k = 0; k < f->n; k++) {
		struct access_type a = access_types_find(types, f->image, f->sym, f->addrs[k]);
		uint64_t n = type_stats_count_events(&f->weights[k * all->n_events], all->n_events);

		count_statuses(s, all, f, k, types);
		if (d)
			name_instruction(s, &c, d, f->addrs[k] - f->sym->start, n,
					 type_stats_is_good(&a));
	}
}

static int type_stats_by_address(const void *a, const void *b)
{
	const struct annotated_function *x = *(const struct annotated_function *const *)a;
	const struct annotated_function *y = *(const struct annotated_function *const *)b;

	return (x->sym->start > y->sym->start) - (x->sym->start < y->sym->start);
}

/*
 * Adds functions in order of address, so that instructions that are equally frequent stand in the
 * order of the code.
 */
void type_stats_add(struct type_stats *s, const struct annotated_functions *all,
		    struct access_types *types, struct listing_tools *tools)
{
	_cleanup_(freep)
		const struct annotated_function **sorted = xcalloc(all->n + 1, sizeof(*sorted));

	for (size_t i = 0; i < all->n; i++)
		sorted[i] = &all->items[i];
	qsort(sorted, all->n, sizeof(*sorted), type_stats_by_address);
	for (size_t i = 0; i < all->n; i++)
		type_stats_add_function(s, all, sorted[i], types, tools);
}

static int by_count(const void *a, const void *b)
{
	const struct type_stat_instruction *x = a, *y = b;
	uint64_t m = x->good + x->bad, n = y->good + y->bad;

	return m == n ? 0 : m > n ? -1 : 1;
}

/*
 * Sorts the instructions. Those that are equally frequent keep their order: this is an insertion
 * sort.
 */
void type_stats_settle(struct type_stats *s)
{
	struct type_stat_instruction *items = s->instructions.items;

	for (size_t i = 1; i < s->instructions.n; i++) {
		struct type_stat_instruction moved = items[i];
		size_t at = i;

		for (; at && by_count(&items[at - 1], &moved) > 0; at--)
			items[at] = items[at - 1];
		items[at] = moved;
	}
}

void type_stats_done(struct type_stats *s)
{
	for (size_t i = 0; i < s->instructions.n; i++)
		free(s->instructions.items[i].name);
	free(s->instructions.items);
}

uint64_t type_stats_total(const struct type_stats *s)
{
	uint64_t total = 0;

	for (size_t i = 0; i < N_ACCESS_STATUS; i++)
		total += s->by_status[i];
	return total;
}

uint64_t type_stats_good(const struct type_stats *s)
{
	return s->by_status[ACCESS_TYPED] + s->by_status[ACCESS_IS_STACK];
}
