/* SPDX-License-Identifier: MIT */
#include "view/report/title.h"

#include <inttypes.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/text.h"
#include "view/tips.h"

static void print_text(FILE *out, const char *s)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	escape_terminal(&t, s, strlen(s));
	fputs(t.chars, out);
}

static void print_constant(FILE *out, const char *column, const char *value)
{
	if (!value)
		return;
	fprintf(out, "# %s: ", column);
	print_text(out, value);
	fputc('\n', out);
}

void report_header_hint_print(FILE *out)
{
	fputs("# To display the perf.data header info, please use --header/--header-only "
	      "options.\n#\n",
	      out);
}

void report_head_print(const struct report_head *h, FILE *out)
{
	print_constant(out, "comm", h->comm);
	print_constant(out, "dso", h->dso);
	print_constant(out, "symbol", h->symbol);
	if (!h->quiet)
		fprintf(out, "#\n# Total Lost Samples: %" PRIu64 "\n#\n", h->lost_samples);
}

uint64_t report_number_shorten(uint64_t n, char *ret_unit)
{
	const char *unit = " KMGTPE";

	while (n > 1000) {
		n /= 1000;
		unit++;
	}
	*ret_unit = *unit;
	return n;
}

/* With --no-group the leader of a group stands alone. */
static void print_events(const struct report_title *t, FILE *out)
{
	bool braces = t->is_group && t->n_events > 1;

	if (braces) {
		bool named = t->group_name && strcmp(t->group_name, "{anon_group}") != 0;

		print_text(out, named ? t->group_name : "anon group");
		fputs(" { ", out);
	}
	for (size_t i = 0; i < t->n_events; i++) {
		fputs(i ? ", " : "", out);
		print_text(out, t->events[i]);
	}
	fputs(braces ? " }" : "", out);
}

static void print_amount(const struct report_title *t, FILE *out)
{
	if (!t->sort_order) {
		fprintf(out, "# Event count (approx.): %" PRIu64 "\n", t->period);
		return;
	}
	fprintf(out, "# Total weight : %" PRIu64 "\n# Sort order   : ", t->period);
	print_text(out, t->sort_order);
	fputc('\n', out);
}

void report_title_print(const struct report_title *t, FILE *out)
{
	char unit;
	uint64_t samples = report_number_shorten(t->samples, &unit);

	fprintf(out, "# Samples: %" PRIu64 "%c of event%s '", samples, unit,
		t->n_events > 1 || t->is_group ? "s" : "");
	print_events(t, out);
	fputc('\'', out);
	if (t->time_slices) {
		fputs(" (time slices: ", out);
		print_text(out, t->time_slices);
		fputc(')', out);
	}
	fputs(t->borrows_stacks ? ", show reference callgraph\n" : "\n", out);
	print_amount(t, out);
	if (t->socket >= 0)
		fprintf(out, "# Processor Socket: %" PRId64 "\n", t->socket);
	fputs("#\n", out);
}

void report_tip_print(uint64_t seed, FILE *out)
{
	fprintf(out, "#\n# (Tip: %s)\n#\n", tip_choose(seed));
}
