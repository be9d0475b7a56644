/* SPDX-License-Identifier: MIT */
#include "view/report/title.h"

#include <inttypes.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/text.h"
#include "view/tips.h"

static void report_title_print_text(FILE *out, const char *s)
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
	report_title_print_text(out, value);
	fputc('\n', out);
}

void report_header_hint_print(unsigned columns, FILE *out)
{
	static const char line[] = "# To display the perf.data header info, please use "
				   "--header/--header-only options.";

	fprintf(out, "%s\n#\n",
		columns && columns < strlen(line) ? "# --header shows how this was recorded."
						  : line);
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

static void report_title_add_text(struct text *out, const char *s)
{
	escape_terminal(out, s, strlen(s));
}

/* Appends the events. With --no-group the leader of a group is alone. */
static void report_title_add_events(const struct report_title *t, struct text *out)
{
	bool braces = t->is_group && t->n_events > 1;

	if (braces) {
		bool named = t->group_name && strcmp(t->group_name, "{anon_group}") != 0;

		report_title_add_text(out, named ? t->group_name : "anon group");
		text_add(out, " { ");
	}
	for (size_t i = 0; i < t->n_events; i++) {
		text_add(out, i ? ", " : "");
		report_title_add_text(out, t->events[i]);
	}
	text_add(out, braces ? " }" : "");
}

/* Appends "Samples: 3K of event 'cycles' (time slices: 1,2), show reference callgraph". */
static void report_title_add_samples(const struct report_title *t, struct text *out)
{
	char unit;
	uint64_t samples = report_number_shorten(t->samples, &unit);

	text_addf(out, "Samples: %" PRIu64 "%c of event%s '", samples, unit,
		  t->n_events > 1 || t->is_group ? "s" : "");
	report_title_add_events(t, out);
	text_add_char(out, '\'');
	if (t->time_slices) {
		text_add(out, " (time slices: ");
		report_title_add_text(out, t->time_slices);
		text_add_char(out, ')');
	}
	text_add(out, t->borrows_stacks ? ", show reference callgraph" : "");
}

void report_title_line(const struct report_title *t, const char *rate, struct text *out)
{
	report_title_add_samples(t, out);
	if (rate)
		text_addf(out, ", %s", rate);
	text_addf(out, ", Event count (approx.): %" PRIu64, t->period);
}

static void print_amount(const struct report_title *t, FILE *out)
{
	if (!t->sort_order) {
		fprintf(out, "# Event count (approx.): %" PRIu64 "\n", t->period);
		return;
	}
	fprintf(out, "# Total weight : %" PRIu64 "\n", t->period);
	if (!*t->sort_order)
		return;
	fputs("# Sort order   : ", out);
	report_title_print_text(out, t->sort_order);
	fputc('\n', out);
}

void report_title_print(const struct report_title *t, FILE *out)
{
	_cleanup_(text_done) struct text line = TEXT_EMPTY;

	report_title_add_samples(t, &line);
	fprintf(out, "# %s\n", line.chars);
	print_amount(t, out);
	if (t->socket >= 0)
		fprintf(out, "# Processor Socket: %" PRId64 "\n", t->socket);
	fputs("#\n", out);
}

/* Returns the length of as many words as fit @columns, at least one. */
static size_t line_length(const char *words, size_t columns)
{
	size_t n = strcspn(words, " ");

	while (words[n]) {
		size_t next = n + 1 + strcspn(words + n + 1, " ");

		if (next > columns)
			break;
		n = next;
	}
	return n;
}

void report_tip_print(uint64_t seed, unsigned columns, FILE *out)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY, tip = TEXT_EMPTY;

	text_addf(&tip, "(Tip: %s)", tip_choose(seed));
	for (const char *line = tip.chars; *line;) {
		size_t n = line_length(line, columns > 2 ? columns - 2 : SIZE_MAX);

		text_add(&t, "# ");
		text_add_bytes(&t, line, n);
		text_add_char(&t, '\n');
		line += n + strspn(line + n, " ");
	}
	fprintf(out, "#\n%s#\n", t.chars);
}
