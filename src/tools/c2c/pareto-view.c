/* SPDX-License-Identifier: MIT */
/*
 * The accesses to each cache line, a row for each place in it. The columns of names are as wide as
 * the names of a line need, and above the table as those of the first line.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/cpu-list.h"
#include "base/memory.h"
#include "base/text.h"
#include "tools/c2c/columns-view.h"
#include "tools/c2c/lines-model.h"
#include "tools/c2c/lines-view.h"
#include "tools/c2c/stats-view.h"

#define RULE "----------------------------------------------------------------------"

/* Longer names of functions are truncated, unless full names are requested. */
#define SYMBOL_WIDTH_MAX 30
#define UNNAMED_WIDTH    22 /* "[.] 0x0123456789abcdef" */
#define UNMAPPED_WIDTH   16 /* for "[unknown]", as in Linux's perf */

struct c2c_pareto_widths {
	size_t tid, symbol, object, source;
};

/* True if the entry has to do with the contention. */
static bool c2c_pareto_is_shown(const struct c2c_lines *l, const struct c2c_entry *e)
{
	return c2c_rank(&e->stats, l->o.display) || e->stats.n[C2C_STORES];
}

static size_t c2c_pareto_larger(size_t a, size_t b)
{
	return a > b ? a : b;
}

static size_t symbol_width(const struct c2c_view *v, const struct c2c_entry *e)
{
	size_t n = e->names.function ? 4 + strlen(e->names.function) : UNNAMED_WIDTH;

	return !v->full_symbols && n > SYMBOL_WIDTH_MAX ? SYMBOL_WIDTH_MAX : n;
}

static struct c2c_pareto_widths widths_of(const struct c2c_line *line, const struct c2c_view *v)
{
	struct c2c_pareto_widths w = { .tid = 3, .symbol = 6, .object = 6, .source = 11 };

	for (const struct c2c_entry *e = line->entries; e; e = e->next) {
		w.tid = c2c_pareto_larger(w.tid, 8 + strlen(e->names.comm));
		w.symbol = c2c_pareto_larger(w.symbol, symbol_width(v, e));
		w.object = c2c_pareto_larger(w.object,
					     e->code ? strlen(e->names.object) : UNMAPPED_WIDTH);
		w.source = c2c_pareto_larger(w.source, strlen(e->names.source));
	}
	return w;
}

#define COLUMNS_MAX 24

struct columns {
	struct c2c_column items[COLUMNS_MAX];
	size_t n;
};

static struct c2c_column *c2c_pareto_add(struct columns *c, const char *first, const char *second,
					 size_t width)
{
	struct c2c_column *added = &c->items[c->n++];

	*added = (struct c2c_column){ .first = first, .second = second, .width = width };
	return added;
}

static struct c2c_column *add_span(struct columns *c, const char *span, size_t n_span,
				   const char *second, size_t width)
{
	struct c2c_column *added = c2c_pareto_add(c, NULL, second, width);

	added->span = span;
	added->n_span = n_span;
	return added;
}

static const char *node_title(const struct c2c_lines *l, const struct c2c_view *v)
{
	switch (v->nodes) {
	case C2C_NODE_SHARES:
		return l->o.display == C2C_PEERS ? "Node{cpus %peers %stores}"
						 : "Node{cpus %hitms %stores}";
	case C2C_NODE_CPUS:
		return "Node{cpu list}";
	case C2C_NODES:
		break;
	}
	return "Node";
}

static void c2c_pareto_add_counts(struct columns *c, bool peers)
{
	c2c_pareto_add(c, NULL, "Num", 5);
	add_span(c, peers ? "-- Peer Snoop --" : "----- HITM -----", 2, peers ? "Rmt" : "RmtHitm",
		 7);
	c2c_pareto_add(c, NULL, peers ? "Lcl" : "LclHitm", 7);
	add_span(c, "------- Store Refs ------", 3, "L1 Hit", 7)->rank = 2;
	c2c_pareto_add(c, NULL, "L1 Miss", 7)->rank = 2;
	c2c_pareto_add(c, NULL, "N/A", 7)->rank = 2;
	add_span(c, "--------- Data address ---------", 3, "Offset", 18);
	c2c_pareto_add(c, NULL, "Node", 4)->rank = 4;
	c2c_pareto_add(c, NULL, "PA cnt", 6)->rank = 4;
}

static void c2c_pareto_add_names(struct columns *c, const struct c2c_lines *l,
				 const struct c2c_view *v, const struct c2c_pareto_widths *w)
{
	const struct c2c_keys *k = &l->o.keys;

	if (c2c_keys_have(k, C2C_BY_IADDR))
		c2c_pareto_add(c, NULL, "Symbol", w->symbol);
	if (c2c_keys_have(k, C2C_BY_IADDR) || c2c_keys_have(k, C2C_BY_DSO))
		c2c_pareto_add(c, "Shared", "Object", w->object)->rank = 3;
	if (c2c_keys_have(k, C2C_BY_IADDR) && !v->no_source)
		c2c_pareto_add(c, NULL, "Source:Line", w->source)->rank = 1;
	c2c_pareto_add(c, NULL, node_title(l, v), 4)->rank = 3;
}

static size_t code_spare(const struct c2c_lines *l)
{
	size_t spare = l->n ? SIZE_MAX : 0;

	for (size_t i = 0; i < l->n; i++)
		for (const struct c2c_entry *e = l->items[i]->entries; e; e = e->next) {
			size_t n = c2c_address_spare(e->iaddr);

			spare = n < spare ? n : spare;
		}
	return spare;
}

static void c2c_pareto_make_columns(const struct c2c_lines *l, const struct c2c_view *v,
				    const struct c2c_pareto_widths *w, struct columns *c)
{
	const struct c2c_keys *k = &l->o.keys;
	bool peers = l->o.display == C2C_PEERS;

	c2c_pareto_add_counts(c, peers);
	if (c2c_keys_have(k, C2C_BY_PID))
		c2c_pareto_add(c, NULL, "Pid", 7);
	if (c2c_keys_have(k, C2C_BY_TID))
		c2c_pareto_add(c, NULL, "Tid", w->tid);
	if (c2c_keys_have(k, C2C_BY_IADDR))
		c2c_pareto_add(c, NULL, "Code address", 18)->rank = 3;
	add_span(c, "---------- cycles ----------", 3, peers ? "rmt peer" : "rmt hitm", 8)->rank =
		3;
	c2c_pareto_add(c, NULL, peers ? "lcl peer" : "lcl hitm", 8)->rank = 3;
	c2c_pareto_add(c, NULL, "load", 8)->rank = 3;
	c2c_pareto_add(c, "Total", "records", 7)->rank = 2;
	c2c_pareto_add(c, "cpu", "cnt", 8)->rank = 3;
	c2c_pareto_add_names(c, l, v, w);
}

/* Gives the counters of which an entry has a share. */
static void shared_counters(bool peers, enum c2c_counter ret[5])
{
	ret[0] = peers ? C2C_REMOTE_PEER : C2C_REMOTE_HITM;
	ret[1] = peers ? C2C_LOCAL_PEER : C2C_LOCAL_HITM;
	ret[2] = C2C_STORE_L1_HIT;
	ret[3] = C2C_STORE_L1_MISS;
	ret[4] = C2C_STORE_NA;
}

/*
 * Chooses the columns that fit the terminal with the names of all lines, so that all lines have the
 * same columns.
 */
static size_t c2c_pareto_choose_columns(const struct c2c_lines *l, const struct c2c_view *v,
					struct columns *c)
{
	struct c2c_pareto_widths widest = { 0 };

	for (size_t i = 0; i < l->n; i++) {
		const struct c2c_pareto_widths w = widths_of(l->items[i], v);

		widest.tid = c2c_pareto_larger(widest.tid, w.tid);
		widest.symbol = c2c_pareto_larger(widest.symbol, w.symbol);
		widest.object = c2c_pareto_larger(widest.object, w.object);
		widest.source = c2c_pareto_larger(widest.source, w.source);
	}
	c2c_pareto_make_columns(l, v, &widest, c);
	for (size_t i = 0; i < c->n; i++)
		if (!strcmp(c->items[i].second, "Offset"))
			c->items[i].spare = c2c_lines_spare(l);
		else if (!strcmp(c->items[i].second, "Code address"))
			c->items[i].spare = code_spare(l);
	return c2c_columns_fit(c->items, c->n, v->terminal_columns);
}

/*
 * Returns the columns of a line, with its own widths and those columns that were chosen for all
 * lines.
 */
static void c2c_pareto_columns_of(const struct c2c_lines *l, const struct c2c_view *v,
				  const struct c2c_pareto_widths *w, const struct columns *chosen,
				  struct columns *ret)
{
	c2c_pareto_make_columns(l, v, w, ret);
	for (size_t i = 0; i < ret->n; i++) {
		ret->items[i].left_out = chosen->items[i].left_out;
		ret->items[i].spare = chosen->items[i].spare;
	}
}

static void print_line_cells(const struct c2c_lines *l, size_t i, FILE *out)
{
	const struct c2c_line *line = l->items[i];
	enum c2c_counter counters[5];

	shared_counters(l->o.display == C2C_PEERS, counters);
	fprintf(out, "  %5zu", i);
	for (size_t c = 0; c < ARRAY_SIZE(counters); c++)
		fprintf(out, "  %7" PRIu32, line->stats.n[counters[c]]);
	c2c_address_print(line->addr, out);
	fputc('\n', out);
}

/* Prints a line, whose cells are those of the first columns. */
static void c2c_pareto_print_line(const struct c2c_lines *l, size_t i, const struct columns *c,
				  FILE *out)
{
	struct c2c_row row;

	c2c_row_begin(&row);
	if (!row.file)
		return;
	print_line_cells(l, i, row.file);
	fputs("  " RULE "\n", out);
	c2c_row_end(&row, c->items, 7, out);
	fputs("  " RULE "\n", out);
}

static void c2c_pareto_print_shares(const struct c2c_lines *l, const struct c2c_entry *e, FILE *out)
{
	enum c2c_counter counters[5];

	shared_counters(l->o.display == C2C_PEERS, counters);
	fprintf(out, "  %5s", "");
	for (size_t i = 0; i < ARRAY_SIZE(counters); i++) {
		uint32_t part = e->stats.n[counters[i]], of = e->line->stats.n[counters[i]];

		fprintf(out, "  %6.2f%%", of ? 100.0 * part / of : 0);
	}
}

static void print_node_share(uint64_t part, uint64_t of, struct text *t)
{
	if (of)
		text_addf(t, " %5.1f%%", 100.0 * (double)part / (double)of);
	else
		text_add(t, "    n/a");
}

static uint64_t node_rank(const struct c2c_node *n, enum c2c_display d)
{
	struct c2c_stats s = { 0 };

	s.n[C2C_LOCAL_HITM] = n->local_hitm;
	s.n[C2C_REMOTE_HITM] = n->remote_hitm;
	s.n[C2C_LOCAL_PEER] = n->local_peer;
	s.n[C2C_REMOTE_PEER] = n->remote_peer;
	return c2c_rank(&s, d);
}

/* Returns how many CPUs of @node are among @cpus; they are added to @ret. */
static size_t c2c_pareto_cpus_of(const struct c2c_view *v, const struct c2c_set *cpus,
				 uint32_t node, struct cpu_list *ret)
{
	for (uint32_t i = 0; i < cpus->n; i++)
		if ((uint32_t)v->node_of_cpu[cpus->items[i]] == node)
			*ARRAY_ADD(ret) = cpus->items[i];
	return ret->n;
}

static void c2c_pareto_add_node(const struct c2c_lines *l, const struct c2c_view *v,
				const struct c2c_entry *e, const struct c2c_node *n, struct text *t)
{
	_cleanup_(cpu_list_done) struct cpu_list cpus = { 0 };
	_cleanup_(freep) char *list = NULL;
	size_t count = c2c_pareto_cpus_of(v, &e->cpus, n->node, &cpus);

	text_addf(t, "%2" PRIu32, n->node);
	if (v->nodes == C2C_NODE_SHARES) {
		text_addf(t, "{%2zu", count);
		print_node_share(node_rank(n, l->o.display), c2c_rank(&e->stats, l->o.display), t);
		print_node_share(n->stores, e->stats.n[C2C_STORES], t);
		text_add(t, "}");
	} else if (v->nodes == C2C_NODE_CPUS) {
		list = cpu_list_format(&cpus);
		text_addf(t, "{%s}", list);
	}
}

#define NODE_SHARES_WIDTH 20

static void print_nodes(const struct c2c_lines *l, const struct c2c_view *v,
			const struct c2c_entry *e, FILE *out)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	uint32_t i = 0;

	if (v->nodes != C2C_NODE_SHARES) {
		for (; i < e->nodes.n; i++) {
			text_add(&t, i ? " " : "");
			c2c_pareto_add_node(l, v, e, &e->nodes.items[i], &t);
		}
	} else {
		/* Linux's perf prints another blank if no node is known. */
		text_add(&t, e->nodes.n || !v->n_nodes ? "" : " ");
		for (uint32_t node = 0; node < v->n_nodes; node++) {
			text_add(&t, node ? " " : "");
			if (i < e->nodes.n && e->nodes.items[i].node == node)
				c2c_pareto_add_node(l, v, e, &e->nodes.items[i++], &t);
			else
				text_addf(&t, "%*s", NODE_SHARES_WIDTH, "");
		}
	}
	fprintf(out, "  %s", t.length ? t.chars : "");
}

static char c2c_pareto_mode_letter(uint8_t cpumode)
{
	static const char letters[] = "?k.Hgu";

	return cpumode < sizeof(letters) - 1 ? letters[cpumode] : '?';
}

static void c2c_pareto_print_symbol(const struct c2c_entry *e, size_t width, FILE *out)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	text_addf(&t, "[%c] ", c2c_pareto_mode_letter(e->cpumode));
	if (e->names.function)
		text_add(&t, e->names.function);
	else
		text_addf(&t, "0x%016" PRIx64, e->names.addr);
	fprintf(out, "  %-*.*s", (int)width, (int)width, t.chars);
}

static void print_names(const struct c2c_lines *l, const struct c2c_view *v,
			const struct c2c_entry *e, const struct c2c_pareto_widths *w, FILE *out)
{
	const struct c2c_keys *k = &l->o.keys;
	bool by_code = c2c_keys_have(k, C2C_BY_IADDR);

	if (by_code)
		c2c_pareto_print_symbol(e, w->symbol, out);
	if (by_code || c2c_keys_have(k, C2C_BY_DSO))
		fprintf(out, "  %-*s", (int)w->object, e->names.object);
	if (by_code && !v->no_source)
		fprintf(out, "  %-*s", (int)w->source, e->names.source);
	print_nodes(l, v, e, out);
}

static void c2c_pareto_print_cycles(const struct c2c_entry *e, bool peers, FILE *out)
{
	fprintf(out, "  %8.0f  %8.0f  %8.0f",
		e->cycles[peers ? C2C_CYCLES_REMOTE_PEER : C2C_CYCLES_REMOTE].mean,
		e->cycles[peers ? C2C_CYCLES_LOCAL_PEER : C2C_CYCLES_LOCAL].mean,
		e->cycles[C2C_CYCLES_LOAD].mean);
}

static void c2c_pareto_print_cells(const struct c2c_lines *l, const struct c2c_view *v,
				   const struct c2c_entry *e, const struct c2c_pareto_widths *w,
				   FILE *out)
{
	const struct c2c_keys *k = &l->o.keys;

	c2c_pareto_print_shares(l, e, out);
	c2c_address_print(e->offset, out);
	fputs("  ", out);
	c2c_physical_print(&e->physical, out);
	if (c2c_keys_have(k, C2C_BY_PID))
		fprintf(out, "  %7" PRId32, (int32_t)e->pid);
	if (c2c_keys_have(k, C2C_BY_TID))
		fprintf(out, "  %7" PRId32 ":%-*s", (int32_t)e->tid, (int)w->tid - 8,
			e->names.comm);
	if (c2c_keys_have(k, C2C_BY_IADDR))
		c2c_address_print(e->iaddr, out);
	c2c_pareto_print_cycles(e, l->o.display == C2C_PEERS, out);
	fprintf(out, "  %7" PRIu64 "  %8" PRIu32, c2c_total_records(&e->stats), e->cpus.n);
	print_names(l, v, e, w, out);
	fputc('\n', out);
}

static void print_fitted(const struct c2c_lines *l, const struct c2c_view *v,
			 const struct c2c_entry *e, const struct c2c_pareto_widths *w,
			 const struct columns *c, FILE *out)
{
	struct c2c_row row;

	c2c_row_begin(&row);
	if (!row.file)
		return;
	c2c_pareto_print_cells(l, v, e, w, row.file);
	c2c_row_end(&row, c->items, c->n, out);
}

static void print_entries(const struct c2c_lines *l, const struct c2c_view *v, size_t i,
			  const struct columns *chosen, FILE *out)
{
	const struct c2c_pareto_widths w = widths_of(l->items[i], v);
	struct columns c = { .n = 0 };

	c2c_pareto_columns_of(l, v, &w, chosen, &c);
	if (!i)
		c2c_columns_print(c.items, c.n, out);
	else
		fputc('\n', out);
	c2c_pareto_print_line(l, i, &c, out);
	for (const struct c2c_entry *e = l->items[i]->entries; e; e = e->next) {
		if (!c2c_pareto_is_shown(l, e))
			continue;
		if (v->terminal_columns)
			print_fitted(l, v, e, &w, &c, out);
		else
			c2c_pareto_print_cells(l, v, e, &w, out);
		if (v->below)
			v->below(v->arg, e, out);
	}
}

size_t c2c_pareto_print(const struct c2c_lines *l, const struct c2c_view *v, FILE *out)
{
	struct columns chosen = { .n = 0 };
	size_t left_out = c2c_pareto_choose_columns(l, v, &chosen);

	c2c_title_print("      Shared Cache Line Distribution Pareto      ", out);
	if (!l->n)
		fputs("#\n", out);
	for (size_t i = 0; i < l->n; i++)
		print_entries(l, v, i, &chosen, out);
	return left_out;
}
