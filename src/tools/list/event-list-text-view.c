/* SPDX-License-Identifier: MIT */
/*
 * Prints the rows that users grep for: the name in the first 50 columns, its kind in brackets;
 * vendors' events under their topics with a description; metrics under their groups.
 */
#include <string.h>

#include "base/escape.h"
#include "base/text.h"
#include "base/wrap.h"
#include "event/catalog.h"
#include "tools/list/event-list-view.h"
#include "tracepoint/format.h"

#define NAME_COLUMNS 50
#define INDENT       8

struct event_list_printer {
	const struct catalog *catalog;
	const struct event_list_style *style;
	const char *topic; /* the previous entry's topic */
	struct text text;
};

static void list_event_list_text_add(struct text *t, const char *s)
{
	escape_terminal(t, s, strlen(s));
}

/*
 * Returns the width of the name. Kinds begin in one column, but on a narrow terminal long ones
 * begin earlier.
 */
static size_t name_columns(const struct event_list_printer *p, const char *label)
{
	size_t beside = strlen("   []") + (label ? strlen(label) : 0);

	if (!p->style->columns || p->style->columns >= beside + NAME_COLUMNS)
		return NAME_COLUMNS;
	return p->style->columns > beside ? p->style->columns - beside : 0;
}

/* "  name      [kind]". @label NULL: only the padded name. */
static void list_event_list_text_add_row(struct event_list_printer *p, const char *name,
					 const char *second, const char *label)
{
	struct text *t = &p->text;
	size_t begin = t->length + 2;

	text_add(t, "  ");

	size_t from = t->length;

	list_event_list_text_add(t, name);
	if (second) {
		text_add(t, " OR ");
		list_event_list_text_add(t, second);
	}
	text_pad(t, from, name_columns(p, label), 0, ' ');
	if (label && p->style->columns && t->length - begin + strlen(label) + 5 > p->style->columns)
		text_addf(t, "\n%*s", INDENT - 1, "");
	if (label)
		text_addf(t, " [%s]", label);
	text_add_char(t, '\n');
}

/* "       [sentence]", broken between words two columns early, as the ']' is not counted. */
static void list_event_list_text_add_wrapped(struct text *t, const char *sentence, unsigned width)
{
	size_t column = INDENT, limit = width > INDENT + 20 ? width - 2 : INDENT + 20;
	bool first = true;

	text_addf(t, "%*s", INDENT, "[");
	for (const char *word = sentence; *word;) {
		size_t n = strcspn(word, " ");

		if (!first && column + 1 + n > limit) {
			text_addf(t, "\n%*s", INDENT, "");
			column = INDENT;
		} else if (!first) {
			text_add_char(t, ' ');
			column++;
		}
		escape_terminal(t, word, n);
		column += n;
		first = false;
		word += n;
		word += strspn(word, " ");
	}
	text_add(t, "]\n");
}

/* "        title@s", broken between words on a terminal. */
static void list_event_list_text_add_line(struct event_list_printer *p, const char *title,
					  const char *s, const char *end)
{
	struct text line = TEXT_EMPTY;

	text_addf(&p->text, "%*s%s", INDENT, "", title);
	list_event_list_text_add(&line, s);
	text_add(&line, end);
	text_add_wrapped(&p->text, line.chars, INDENT + 2, p->style->columns);
	text_done(&line);
}

static void add_encoding(struct event_list_printer *p, const struct catalog_entry *e)
{
	if (!p->style->details || !e->encoding)
		return;
	list_event_list_text_add_line(p, "", e->encoding, " ");
}

static void add_topic(struct event_list_printer *p, const char *topic)
{
	if (p->topic && !strcmp(p->topic, topic))
		return;
	p->topic = topic;
	text_addf(&p->text, "\n%s:\n", topic);
}

/*
 * Appends a description with its unit, because several chips may have a sensor of the same name,
 * and several drivers the same key.
 */
static void add_what(struct event_list_printer *p, const struct catalog_entry *e, const char *what)
{
	struct text t = TEXT_EMPTY;
	bool stopped = what[0] && what[strlen(what) - 1] == '.';

	text_add(&t, what);
	if (e->kind == CATALOG_HWMON || e->kind == CATALOG_DRM)
		text_addf(&t, "%s Unit: %s", stopped ? "" : ".", e->pmu);
	list_event_list_text_add_wrapped(&p->text, t.chars, p->style->width);
	text_done(&t);
}

static void add_pmu_event(struct event_list_printer *p, const struct catalog_entry *e)
{
	const char *what = p->style->description && e->description ? e->description : e->brief;

	if (!p->style->brief || !what) {
		list_event_list_text_add_row(p, e->alias ? e->alias : e->name,
					     e->alias ? e->name : NULL,
					     catalog_kind_label(e->kind));
	} else {
		add_topic(p, e->topic);
		list_event_list_text_add_row(p, e->name, e->kind == CATALOG_HWMON ? e->alias : NULL,
					     NULL);
		add_what(p, e, what);
	}
	add_encoding(p, e);
}

/* Appends the fields that a filter can use, and the kernel's format for printing them. */
static void list_event_list_text_add_format(struct event_list_printer *p,
					    const struct tracepoint_format *f)
{
	struct text *t = &p->text;
	size_t widest = 0;

	for (size_t i = 0; i < f->n_fields; i++)
		if (!f->fields[i].is_common && strlen(f->fields[i].name) > widest)
			widest = strlen(f->fields[i].name);
	for (size_t i = 0; i < f->n_fields; i++) {
		if (f->fields[i].is_common)
			continue;
		text_addf(t, "%*s", INDENT, "");

		size_t from = t->length;

		list_event_list_text_add(t, f->fields[i].name);
		text_pad(t, from, widest + 1, 1, ' ');
		list_event_list_text_add(t, f->fields[i].type);
		text_add_char(t, '\n');
	}
	if (*f->print_fmt)
		list_event_list_text_add_line(p, "print fmt: ", f->print_fmt, "");
}

/* True if the same probe is in several programs. Only then the program is printed. */
static bool is_ambiguous(const struct catalog *c, const struct catalog_entry *e)
{
	const struct catalog_entry *end = c->items + c->n;

	return (e > c->items && e[-1].kind == CATALOG_SDT && !strcmp(e[-1].name, e->name)) ||
	       (e + 1 < end && e[1].kind == CATALOG_SDT && !strcmp(e[1].name, e->name));
}

static void add_sdt(struct event_list_printer *p, const struct catalog_entry *e)
{
	struct text name = TEXT_EMPTY;

	text_add(&name, e->name);
	if (is_ambiguous(p->catalog, e))
		text_addf(&name, "@%s(%.12s)", e->image, e->build_id);
	list_event_list_text_add_row(p, name.chars, NULL, catalog_kind_label(e->kind));
	text_done(&name);
}

static void add_bracketed(struct event_list_printer *p, const char *s)
{
	struct text line = TEXT_EMPTY;

	text_addf(&line, "%s]", s);
	text_addf(&p->text, "%*s", INDENT, "[");
	text_add_wrapped(&p->text, line.chars, INDENT, p->style->columns);
	text_done(&line);
}

static void list_event_list_text_add_metric(struct event_list_printer *p,
					    const struct catalog_entry *e)
{
	text_addf(&p->text, "  %s\n", e->name);
	/*
	 * In files these are not broken into lines: metrics never were, and a formula should stay
	 * in one piece.
	 */
	add_bracketed(p, e->brief);
	if (p->style->details)
		add_bracketed(p, e->expression);
}

static void list_event_list_text_add_entry(struct event_list_printer *p,
					   const struct catalog_entry *e)
{
	switch (e->kind) {
	case CATALOG_PMU:
	case CATALOG_HWMON:
	case CATALOG_DRM:
	case CATALOG_PFM:
		add_pmu_event(p, e);
		break;
	case CATALOG_SDT:
		add_sdt(p, e);
		break;
	case CATALOG_METRIC:
		list_event_list_text_add_metric(p, e);
		break;
	case CATALOG_METRIC_GROUP:
		text_addf(&p->text, "%s%s\n", e->name,
			  p->catalog->kinds & 1u << CATALOG_METRIC ? ":" : "");
		break;
	default:
		list_event_list_text_add_row(p, e->name, e->alias, catalog_kind_label(e->kind));
		if (p->style->generic && p->style->brief && e->brief)
			list_event_list_text_add_wrapped(&p->text, e->brief, p->style->width);
		if (e->format)
			list_event_list_text_add_format(p, e->format);
	}
}

/* Appends the title, which is printed even above an empty list, unless a search found nothing. */
static void add_metrics_title(struct event_list_printer *p)
{
	if (p->catalog->kinds & 1u << CATALOG_METRIC_GROUP)
		text_add(&p->text, "\nMetric Groups:\n\n");
	else if (p->catalog->kinds & 1u << CATALOG_METRIC)
		text_add(&p->text, "\nMetrics:\n\n");
}

void event_list_print_title(FILE *out)
{
	fputs("\nList of pre-defined events (to be used in -e or -M):\n\n", out);
}

void event_list_print_text(const struct catalog *c, const struct event_list_style *s, FILE *out)
{
	struct event_list_printer p = { .catalog = c, .style = s, .text = TEXT_EMPTY };
	bool titled = false;

	for (size_t i = 0; i < c->n; i++) {
		if (!titled && c->items[i].kind >= CATALOG_METRIC) {
			add_metrics_title(&p);
			titled = true;
		}
		list_event_list_text_add_entry(&p, &c->items[i]);
	}
	if (!titled)
		add_metrics_title(&p);
	fwrite(p.text.chars, 1, p.text.length, out);
	text_done(&p.text);
}

void event_list_print_names(const struct catalog *c, FILE *out)
{
	bool grouped = c->kinds & 1u << CATALOG_METRIC_GROUP,
	     metrics = c->kinds & 1u << CATALOG_METRIC;

	for (size_t i = 0; i < c->n; i++) {
		const struct catalog_entry *e = &c->items[i];
		bool last = i + 1 == c->n || c->items[i + 1].kind == CATALOG_METRIC_GROUP;

		if (e->kind == CATALOG_RAW || e->kind == CATALOG_BREAKPOINT)
			continue;
		fputs(e->name, out);
		fputc(e->kind == CATALOG_METRIC && last ? '\n' : ' ', out);
	}
	/* A list that consists only of metrics ends with a newline even when it is empty. */
	if (metrics && !grouped && c->n == 0)
		fputc('\n', out);
}
