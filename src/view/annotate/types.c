/* SPDX-License-Identifier: MIT */
#include "view/annotate/types.h"

#include <inttypes.h>
#include <string.h>

#include "base/c-type.h"
#include "base/cleanup.h"
#include "base/escape.h"
#include "base/text.h"
#include "profile/type-weights.h"
#include "symbol/symbolizer.h"

#define FIGURE_WIDTH 8
#define PERIOD_WIDTH 12
#define OFFSET_WIDTH 11
#define INDENT       4

/* The maximum depth. Structures are not nested deeper. */
#define DEPTH_MAX 32

#define TYPE_RULE "============================================================================\n"
#define STAT_RULE "-----------------------------------------------------------\n"

static int annotate_types_figure_width(const struct types_view *v)
{
	return v->figure == ANNOTATE_PERIOD ? PERIOD_WIDTH : FIGURE_WIDTH;
}

static void annotate_types_add_escaped(struct text *out, const char *s)
{
	escape_terminal(out, s, strlen(s));
}

static void annotate_types_add_title(struct text *out, const struct types_view *v,
				     const struct weighed_type *t)
{
	static const char *const heads[] = {
		[ANNOTATE_PERCENT] = "Percent",
		[ANNOTATE_SAMPLES] = "Samples",
		[ANNOTATE_PERIOD] = "Period",
	};
	uint64_t samples = 0;

	for (size_t i = 0; i < v->n_events; i++)
		samples += t->totals[v->columns[i]].samples;
	text_add(out, "Annotate type: '");
	annotate_types_add_escaped(out, t->type->name);
	text_add(out, "' in ");
	annotate_types_add_escaped(out, image_long_name(t->type->image));
	text_addf(out, " (%" PRIu64 " samples):\n", samples);
	for (size_t i = 0; v->n_events > 1 && i < v->n_events; i++) {
		text_addf(out, " event[%zu] = ", i);
		annotate_types_add_escaped(out, v->events[i]);
		text_add_char(out, '\n');
	}
	text_add(out, TYPE_RULE);
	text_addf(out, "%*s %*s %*s  %s\n", annotate_types_figure_width(v) * (int)v->n_events,
		  heads[v->figure], OFFSET_WIDTH - 1, "offset", OFFSET_WIDTH - 1, "size", "field");
}

static double annotate_types_share(const struct types_view *v, struct weight part,
				   struct weight whole)
{
	uint64_t n = v->by_samples ? part.samples : part.period;
	uint64_t of = v->by_samples ? whole.samples : whole.period;

	return of ? 100.0 * (double)n / (double)of : 0;
}

static void annotate_types_add_figures(struct text *out, const struct types_view *v,
				       const struct weighed_type *t, uint64_t start, uint64_t end)
{
	for (size_t i = 0; i < v->n_events; i++) {
		struct weight w = weighed_type_between(t, v->columns[i], start, end);

		if (v->figure == ANNOTATE_PERCENT)
			text_addf(out, "%*.2f", annotate_types_figure_width(v),
				  annotate_types_share(v, w, t->totals[v->columns[i]]));
		else
			text_addf(out, "%*" PRIu64, annotate_types_figure_width(v),
				  v->figure == ANNOTATE_SAMPLES ? w.samples : w.period);
	}
}

/* A member while it is printed. @offset is counted from the beginning of the whole type. */
struct annotate_types_member {
	const struct c_type *type;
	const char *type_name, *name;
	uint64_t offset, size;
	unsigned bit_size;
	unsigned depth;
};

static void annotate_types_add_member(struct text *out, const struct types_view *v,
				      const struct weighed_type *t,
				      const struct annotate_types_member *m);

static void annotate_types_add_members(struct text *out, const struct types_view *v,
				       const struct weighed_type *t,
				       const struct annotate_types_member *m,
				       const struct c_field *fields, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		_cleanup_(freep) char *type_name = c_type_name(fields[i].type);

		annotate_types_add_member(out, v, t,
					  &(struct annotate_types_member){
						  .type = fields[i].type,
						  .type_name = type_name,
						  .name = fields[i].name ? fields[i].name : "",
						  .offset = m->offset + fields[i].offset,
						  .size = fields[i].size,
						  .bit_size = fields[i].bit_size,
						  .depth = m->depth + 1 });
	}
}

static void annotate_types_add_blanks(struct text *out, size_t n)
{
	text_addf(out, "%*s", (int)n, "");
}

static void annotate_types_add_member(struct text *out, const struct types_view *v,
				      const struct weighed_type *t,
				      const struct annotate_types_member *m)
{
	const struct c_field *fields = NULL;
	size_t n = m->depth < DEPTH_MAX ? c_type_fields(c_type_bare(m->type), &fields) : 0;

	annotate_types_add_figures(out, v, t, m->offset, m->offset + m->size);
	text_addf(out, " %#*" PRIx64 " %#*" PRIx64 "  ", OFFSET_WIDTH - 1, m->offset,
		  OFFSET_WIDTH - 1, m->size);
	annotate_types_add_blanks(out, INDENT * (size_t)m->depth);
	annotate_types_add_escaped(out, m->type_name);
	text_add_char(out, '\t');
	annotate_types_add_escaped(out, m->name);
	if (m->bit_size)
		text_addf(out, ":%u", m->bit_size);
	if (!n) {
		text_add(out, ";\n");
		return;
	}
	text_add(out, " {\n");
	annotate_types_add_members(out, v, t, m, fields, n);
	annotate_types_add_blanks(out, (size_t)annotate_types_figure_width(v) * v->n_events +
					       2 * OFFSET_WIDTH + 2 + INDENT * (size_t)m->depth);
	text_add(out, "};\n");
}

void annotate_type_add(struct text *out, const struct types_view *v, const struct weighed_type *t)
{
	annotate_types_add_title(out, v, t);
	annotate_types_add_member(out, v, t,
				  &(struct annotate_types_member){ .type = t->type->type,
								   .type_name = t->type->name,
								   .name = "",
								   .size = t->type->size });
	text_add_char(out, '\n');
}

static void annotate_types_add_totals(struct text *out, uint64_t total, uint64_t good)
{
	double share_good = total ? 100.0 * (double)good / (double)total : 0;
	double share_bad = total ? 100.0 * (double)(total - good) / (double)total : 0;

	text_addf(out, "total %" PRIu64 ", ok %" PRIu64 " (%.1f%%), bad %" PRIu64 " (%.1f%%)\n",
		  total, good, share_good, total - good, share_bad);
}

void annotate_type_stats_add(struct text *out, const struct type_stats *s)
{
	static const char *const names[N_ACCESS_STATUS] = {
		[ACCESS_NO_SYMBOL] = "no_sym",        [ACCESS_NO_CODE] = "no_insn",
		[ACCESS_NO_MEMORY] = "no_mem_ops",    [ACCESS_NO_DEBUGINFO] = "no_dbginfo",
		[ACCESS_NO_UNIT] = "no_cuinfo",       [ACCESS_NO_VARIABLE] = "no_var",
		[ACCESS_NO_TYPEINFO] = "no_typeinfo", [ACCESS_BAD_OFFSET] = "bad_offset",
	};

	text_add(out, "Annotate data type stats:\n");
	annotate_types_add_totals(out, type_stats_total(s), type_stats_good(s));
	text_add(out, STAT_RULE);
	for (size_t i = 0; i < N_ACCESS_STATUS; i++)
		if (names[i] && s->by_status[i])
			text_addf(out, "%10" PRIu64 " : %s\n", s->by_status[i], names[i]);
	if (s->followed)
		text_addf(out, "%10" PRIu64 " : insn_track\n", s->followed);
	text_add_char(out, '\n');
}

void annotate_instruction_stats_add(struct text *out, const struct type_stats *s)
{
	uint64_t good = 0, bad = 0;

	for (size_t i = 0; i < s->instructions.n; i++) {
		good += s->instructions.items[i].good;
		bad += s->instructions.items[i].bad;
	}
	text_add(out, "Annotate Instruction stats\n");
	annotate_types_add_totals(out, good + bad, good);
	text_addf(out, "\n  %-20s: %5s %5s\n", "Name/opcode", "Good", "Bad");
	text_add(out, STAT_RULE);
	for (size_t i = 0; i < s->instructions.n; i++) {
		const struct type_stat_instruction *in = &s->instructions.items[i];

		text_addf(out, "  %-20s: %5" PRIu64 " %5" PRIu64 "\n", in->name, in->good, in->bad);
	}
	text_add_char(out, '\n');
}

void annotate_access_add(struct text *out, const struct access_type *a)
{
	_cleanup_(text_done) struct text field = TEXT_EMPTY;

	if (!a->type || a->status != ACCESS_TYPED)
		return;
	text_add(out, "\t\t# data-type: ");
	annotate_types_add_escaped(out, a->type->name);
	text_addf(out, " +%#" PRIx64, a->offset);
	access_type_field(a, &field);
	if (!field.length)
		return;
	text_add(out, " (");
	annotate_types_add_escaped(out, field.chars);
	text_add_char(out, ')');
}
