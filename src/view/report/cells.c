/* SPDX-License-Identifier: MIT */
#include "view/report/cells.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/digits.h"
#include "base/memory.h"
#include "profile/report-group.h"
#include "profile/report-plan.h"
#include "view/report/key-layout.h"
#include "view/report/report-view.h"

/* The shares from which on there is a colour: the first one, and the one for large shares. */
#define PERCENT_GREEN 0.5
#define PERCENT_RED   5.0

/* Shorter names, including their mark, are not cut. */
#define CUT_MIN 4

/* The widths of a figure's column for each event. */
#define SHARE_WIDTH 8
#define COUNT_WIDTH 12

/* The width of a class of a breakdown. */
#define CLASS_WIDTH 7

/* The contents of a column. */
struct cell_source {
	const struct figure *figure; /* NULL: the column is a key */
	/* For a breakdown: the shown classes. */
	uint8_t classes[MEMORY_CLASSES_MAX];
	size_t n_classes;
	size_t key;
	size_t part; /* the part of the key, in JSON */
	const struct key_layout *layout;
	bool is_first; /* see struct key_at */
	size_t asked;  /* the width given by -w; 0: none */
};

/* Returns the @i-th number of "8,0,20". */
static size_t width_asked(const char *widths, size_t i)
{
	for (; widths && i; i--) {
		widths = strchr(widths, ',');
		if (widths)
			widths++;
	}
	return widths ? strtoul(widths, NULL, 10) & 0xffff : 0;
}

static size_t report_cells_larger(size_t a, size_t b)
{
	return a > b ? a : b;
}

static const struct key *report_cells_key_of(const struct report_cells *c,
					     const struct cell_source *s)
{
	return &c->view->plan->keys.items[s->key];
}

const char *report_share_colour(const struct report_view *v, double percent)
{
	if (!v->form.colour || v->form.separator)
		return "";
	return percent >= PERCENT_RED ? "\033[31m" : percent > PERCENT_GREEN ? "\033[32m" : "";
}

/* Adds a blank, and the digits, right-aligned in @width columns. */
static size_t report_cells_add_number(struct text *out, const char *digits, size_t n, size_t width)
{
	size_t blanks = 1 + (n < width ? width - n : 0);
	char *at = text_room(out, blanks + n);

	memset(at, ' ', blanks);
	text_filled(out, mempcpy(at + blanks, digits, n));
	return blanks + n;
}

/* Draws a value. Returns the number of columns that it took. */
static size_t draw_value(const struct report_cells *c, const struct value *v, size_t room,
			 struct text *out)
{
	const char *colour = "";
	char digits[DIGITS_MAX + 1];
	size_t n, taken;

	if (v->type == VALUE_NONE) {
		n = (size_t)(stpcpy(digits, "N/A") - digits);
	} else if (v->type == VALUE_PERCENT) {
		n = (size_t)(digits_hundredths(digits, v->percent) - digits);
		digits[n++] = '%';
		colour = report_share_colour(c->view, v->percent);
	} else if (v->type == VALUE_MEAN) {
		n = (size_t)snprintf(digits, sizeof(digits), "%.1f", v->mean);
	} else {
		n = (size_t)(digits_decimal(digits, v->number) - digits);
	}
	text_add(out, colour);
	taken = report_cells_add_number(
		out, digits, n, c->view->form.separator && v->type != VALUE_NONE ? 0 : room - 1);
	text_add(out, *colour ? "\033[m" : "");
	return taken;
}

static size_t report_cells_figure_width(const struct figure *f)
{
	if (f->what.by == ROW_BY_LATENCY_TOTAL)
		return strlen(f->title);
	return f->share || f->what.by == ROW_BY_WEIGHT
		       ? report_cells_larger(SHARE_WIDTH, strlen(f->title))
		       : COUNT_WIDTH;
}

/* Draws a figure. A group has a number for each member, but only one N/A for all. */
static size_t draw_figure(const struct cell *at, size_t width, struct text *out)
{
	const struct report_cells *c = at->model;
	const struct cell_source *s = at->column->arg;
	size_t room = s->asked ? s->asked : report_cells_figure_width(s->figure), taken = 0;

	(void)width;
	for (size_t i = 0; i < c->group->n_members; i++) {
		struct value v = report_group_figure(c->group, s->figure, at->row, i);

		taken += draw_value(c, &v, room, out);
		if (v.type == VALUE_NONE)
			break;
	}
	return taken;
}

/* Prints values of branches, left-aligned, one for each member. */
static void report_cells_print_branches(struct cell *at, struct text *out)
{
	const struct report_cells *c = at->model;
	const struct cell_source *s = at->column->arg;

	for (size_t i = 0; i < c->group->n_members; i++) {
		struct value v = report_group_figure(c->group, s->figure, at->row, i);

		text_add(out, i ? " " : "");
		if (v.type == VALUE_NONE)
			text_add(out, "N/A");
		else if (v.type == VALUE_PERCENT)
			text_addf(out, "%.1f%%", v.percent);
		else
			text_addf(out, "%" PRIu64, v.number);
	}
}

/* Draws a number for each class of each member. */
static size_t draw_breakdown(const struct cell *at, size_t width, struct text *out)
{
	const struct report_cells *c = at->model;
	const struct cell_source *s = at->column->arg;

	(void)width;
	for (size_t m = 0; m < c->group->n_members; m++)
		for (size_t i = 0; i < s->n_classes; i++)
			text_addf(
				out, "%*.1f%%", CLASS_WIDTH - 1,
				report_group_class(c->group, s->figure, s->classes[i], at->row, m));
	return c->group->n_members * s->n_classes * CLASS_WIDTH;
}

static struct value get_class(const struct cell *at)
{
	const struct report_cells *c = at->model;
	const struct cell_source *s = at->column->arg;
	size_t n = c->group->n_members;

	for (size_t i = 0; i < n; i++)
		c->figures[i] = value_percent(
			report_group_class(c->group, s->figure, s->classes[0], at->row, i));
	return n == 1 ? c->figures[0]
		      : (struct value){ .type = VALUE_LIST, .list = { c->figures, n } };
}

static struct value get_figure(const struct cell *at)
{
	const struct report_cells *c = at->model;
	const struct cell_source *s = at->column->arg;
	size_t n = c->group->n_members;

	for (size_t i = 0; i < n; i++)
		c->figures[i] = report_group_figure(c->group, s->figure, at->row, i);
	return n == 1 ? c->figures[0]
		      : (struct value){ .type = VALUE_LIST, .list = { c->figures, n } };
}

/*
 * The arguments of a query for a key. It is filled in, and valid until the cell's scratch changes.
 */
struct key_question {
	struct key_at at;
	struct key_cell cell;
	struct value parts[KEY_PARTS_MAX];
};

static void ask_key(struct key_question *q, const struct cell *at)
{
	const struct report_cells *c = at->model;
	const struct cell_source *s = at->column->arg;
	const struct report_entry *e = at->row;

	q->cell = report_row_cell(e->row, s->key);
	q->at = (struct key_at){
		.key = report_cells_key_of(c, s),
		.env = e->rows->options->env,
		.cell = &q->cell,
		.parts = q->parts,
		.view = c->view,
		.name_room = c->name_room,
		.image_room = c->image_room,
		.is_first = s->is_first,
	};
	key_value(q->at.key, q->at.env, &q->cell, at->scratch, q->parts);
}

static struct value get_part(const struct cell *at)
{
	const struct cell_source *s = at->column->arg;
	struct key_question q;

	ask_key(&q, at);
	return q.parts[s->part];
}

static void print_key(struct cell *at, struct text *out)
{
	const struct cell_source *s = at->column->arg;
	size_t from = out->length;
	struct key_question q;

	ask_key(&q, at);
	key_layout_print(s->layout, &q.at, out);
	at->uncut = s->layout->cuts_names && out->length - from > CUT_MIN &&
		    !strncmp(out->chars + from + CUT_MIN, "0x", 2);
}

static size_t measure_key(const struct cell *at)
{
	const struct cell_source *s = at->column->arg;
	struct key_question q;

	ask_key(&q, at);
	return s->layout->measure(&q.at);
}

static void add_branch_figure(struct column *ret, struct cell_source *s,
			      const struct report_column *column)
{
	*ret = (struct column){
		.title = column->title,
		.name = s->figure->name,
		.type = s->figure->what.index == BRANCHES_PREDICTED ? VALUE_PERCENT
								    : VALUE_UNSIGNED,
		.flags = COLUMN_PADDED | COLUMN_FILLS,
		.align = ALIGN_LEFT,
		.title_align = ALIGN_LEFT,
		.width = report_cells_larger(s->asked, strlen(column->title)),
		.get = get_figure,
		.print = report_cells_print_branches,
		.arg = s,
	};
}

static void report_cells_add_figure(struct report_cells *c, struct column *ret,
				    struct cell_source *s, const struct report_column *column)
{
	size_t title = strlen(column->title), n = c->group->n_members;
	size_t width = s->asked ? s->asked : report_cells_figure_width(s->figure);

	if (s->figure->what.by == ROW_BY_BRANCHES) {
		add_branch_figure(ret, s, column);
		return;
	}
	if (n > 1)
		width = report_cells_larger(width, n * report_cells_figure_width(s->figure));
	*ret = (struct column){
		.title = column->title,
		.name = s->figure->name,
		.type = s->figure->share                      ? VALUE_PERCENT
			: s->figure->what.by == ROW_BY_WEIGHT ? VALUE_MEAN
							      : VALUE_UNSIGNED,
		.flags = COLUMN_FIXED | COLUMN_PADDED,
		.width = report_cells_larger(width, title),
		.get = get_figure,
		.draw = draw_figure,
		.arg = s,
	};
}

/* Returns "------ Memory -------", or " Memory" for a single class. */
static const char *title_above(struct report_cells *c, const struct cell_source *s, size_t width)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	size_t n = strlen(s->figure->title), left;

	if (width <= CLASS_WIDTH) {
		text_addf(&t, "%*s", CLASS_WIDTH, s->figure->title);
	} else {
		left = (width - n - 2) / 2;
		for (size_t i = 0; i < left; i++)
			text_add_char(&t, '-');
		text_addf(&t, " %s ", s->figure->title);
		while (t.length < width)
			text_add_char(&t, '-');
	}
	return arena_strndup(&c->arena, t.chars, t.length);
}

/* Adds a breakdown. Only classes that occur in a row are shown. */
static void add_breakdown(struct report_cells *c, struct column *ret, struct cell_source *s)
{
	const struct memory_class *classes = memory_classes((unsigned)s->figure->breakdown);
	_cleanup_(text_done) struct text title = TEXT_EMPTY;
	size_t width;

	for (uint8_t i = 0; i < MEMORY_CLASSES_MAX && classes[i].title; i++)
		if (report_group_has_class(c->group, s->figure, i))
			s->classes[s->n_classes++] = i;
	for (size_t m = 0; m < c->group->n_members; m++)
		for (size_t i = 0; i < s->n_classes; i++)
			text_addf(&title, "%*s", CLASS_WIDTH, classes[s->classes[i]].title);
	width = title.length;
	*ret = (struct column){
		.title = arena_strndup(&c->arena, width ? title.chars : "", width),
		.above = width ? title_above(c, s, width) : NULL,
		.flags = COLUMN_FIXED | COLUMN_PADDED,
		.width = report_cells_larger(width, s->asked),
		.draw = draw_breakdown,
		.arg = s,
	};
}

/* True if the event of @s has no key before @s. */
static bool report_cells_is_first(const struct report_cells *c, const struct cell_source *s)
{
	const struct key *keys = c->view->plan->keys.items;

	for (size_t i = 0; i < s->key; i++)
		if (!keys[i].event || keys[i].event == keys[s->key].event)
			return false;
	return true;
}

static void view_report_cells_add_key(struct report_cells *c, struct column *ret,
				      struct cell_source *s, const struct report_column *column)
{
	const struct key *k = report_cells_key_of(c, s);
	const struct key_layout *l = key_layout_of(k);

	s->layout = l;
	s->is_first = report_cells_is_first(c, s);
	*ret = (struct column){
		.title = l->title ? l->title : column->title,
		.type = k->parts[0].type,
		.flags = l->flags | COLUMN_PADDED | COLUMN_BYTES,
		.align = l->align,
		.title_align = l->title_align,
		.width = s->asked ? s->asked : key_layout_width(k, c->view),
		.print = print_key,
		.measure = l->measure ? measure_key : NULL,
		.arg = s,
	};
	if (s->asked)
		ret->flags |= COLUMN_FIXED;
	if (c->view->form.columns)
		ret->flags &= ~(unsigned)COLUMN_BYTES;
	if (l->cuts_names && s->asked >= CUT_MIN)
		ret->flags |= COLUMN_CUTS;
}

/*
 * True if the column is shown. A field of a tracepoint has a column only if that tracepoint is
 * shown.
 */
static bool report_cells_is_shown(const struct report_cells *c, const struct report_column *column)
{
	const struct session_event *event = column->figure
						    ? NULL
						    : c->view->plan->keys.items[column->key].event;

	for (size_t i = 0; event && i < c->group->n_members; i++)
		if (c->group->members[i]->event == event)
			return true;
	return !event;
}

static void report_cells_begin(struct report_cells *ret, const struct report_view *v,
			       const struct report_group *g, size_t n_columns)
{
	*ret = (struct report_cells){
		.view = v,
		.group = g,
		.columns = xcalloc(n_columns + 1, sizeof(*ret->columns)),
		.sources = xcalloc(n_columns + 1, sizeof(*ret->sources)),
		.figures = xcalloc(g->n_members + 1, sizeof(*ret->figures)),
	};
}

static void report_cells_end(struct report_cells *c, size_t n)
{
	const struct table_style style = { .separator = c->view->form.separator,
					   .escape = c->view->form.escape,
					   .trims = c->view->form.columns != 0 };

	table_init(&c->table, c->columns, n, c, &style);
}

void report_cells_init(struct report_cells *ret, const struct report_view *v,
		       const struct report_group *g, const struct report_columns *columns,
		       const char *widths)
{
	size_t n = 0;

	report_cells_begin(ret, v, g, columns->n);
	for (size_t i = 0; i < columns->n; i++) {
		const struct report_column *column = &columns->items[i];
		struct cell_source *s = &ret->sources[n];

		if (!report_cells_is_shown(ret, column))
			continue;
		s->figure = column->figure;
		s->key = column->key;
		s->asked = width_asked(widths, i);
		if (s->figure && s->figure->breakdown != NO_BREAKDOWN)
			add_breakdown(ret, &ret->columns[n++], s);
		else if (s->figure)
			report_cells_add_figure(ret, &ret->columns[n++], s, column);
		else
			view_report_cells_add_key(ret, &ret->columns[n++], s, column);
	}
	report_cells_end(ret, n);
}

/* The minimum width of names. A name without enough space is worse than a broken line. */
#define NAME_ROOM_MIN 24
/*
 * Most names of C fit the first width. Images are narrowed for it, but not below the width of most
 * of them.
 */
#define NAME_ROOM_GOOD 34
#define IMAGE_ROOM_MIN 21

static bool is_image(const struct report_cells *c, size_t i)
{
	return c->sources[i].layout && c->sources[i].layout->is_image;
}

/* Makes columns of images narrower by @lacking columns in total, if possible. */
static size_t limit_images(struct report_cells *c, size_t lacking)
{
	struct table *t = &c->table;
	size_t widest = 0, won = 0;

	for (size_t i = 0; i < t->n; i++)
		if (is_image(c, i) && t->widths[i] > widest)
			widest = t->widths[i];
	for (; widest > IMAGE_ROOM_MIN && won < lacking; widest--)
		for (size_t i = 0; i < t->n; i++)
			if (is_image(c, i) && t->widths[i] == widest) {
				t->widths[i]--;
				won++;
			}
	if (won)
		c->image_room = widest;
	return won;
}

void report_cells_limit(struct report_cells *c, size_t before)
{
	struct table *t = &c->table;
	size_t names = 0, others = before, wanted = 0, room;

	for (size_t i = 0; i < t->n; i++) {
		bool is_name = c->sources[i].layout && c->sources[i].layout->is_name;

		names += is_name;
		if (is_name)
			wanted += t->widths[i] < NAME_ROOM_GOOD ? t->widths[i] : NAME_ROOM_GOOD;
		others += (i ? strlen(table_gap(t)) : 0) + (is_name ? 0 : t->widths[i]);
	}
	if (!c->view->form.columns || !names)
		return;
	if (others + wanted > c->view->form.columns)
		others -= limit_images(c, others + wanted - c->view->form.columns);
	room = c->view->form.columns > others ? (c->view->form.columns - others) / names : 0;
	c->name_room = room > NAME_ROOM_MIN ? room : NAME_ROOM_MIN;
	for (size_t i = 0; i < t->n; i++)
		if (c->sources[i].layout && c->sources[i].layout->is_name &&
		    t->widths[i] > c->name_room)
			t->widths[i] = c->name_room;
}

static const char *report_cells_first_name(const struct report_cells *c,
					   const struct report_column *column)
{
	return column->figure ? column->figure->name
			      : c->view->plan->keys.items[column->key].parts[0].name;
}

/* True if a column of @sets has the name @name. */
static bool is_column(const struct report_cells *c, const struct report_columns *const *sets,
		      size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < sets[i]->n; k++)
			if (!strcmp(report_cells_first_name(c, &sets[i]->items[k]), name))
				return true;
	return false;
}

/* True if @name is @wanted, or @wanted with a number. */
static bool report_cells_is_called(const char *name, const char *wanted)
{
	size_t n = strlen(wanted);

	return !strncmp(name, wanted, n) && (!name[n] || name[n] == '#');
}

/* Returns @name, with a number if the first @n columns contain it already. */
static const char *unique_name(struct report_cells *c, size_t n, const char *name)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	size_t same = 1;

	for (size_t i = 0; i < n; i++)
		same += report_cells_is_called(c->columns[i].name, name);
	if (same == 1)
		return name;
	text_addf(&t, "%s#%zu", name, same);
	return arena_strndup(&c->arena, t.chars, t.length);
}

static void report_cells_add_member(struct report_cells *c, size_t n,
				    const struct report_column *column, size_t part)
{
	struct cell_source *s = &c->sources[n];
	const struct key *k;

	*s = (struct cell_source){ .figure = column->figure, .key = column->key, .part = part };
	if (s->figure) {
		report_cells_add_figure(c, &c->columns[n], s, column);
		return;
	}
	k = report_cells_key_of(c, s);
	c->columns[n] = (struct column){
		.title = column->title,
		.name = unique_name(c, n, k->parts[part].name),
		.type = k->parts[part].type,
		.flags = part || k->event ? COLUMN_OPTIONAL : 0,
		.get = get_part,
		.arg = s,
	};
}

/* Adds each class of a breakdown as a member. Returns the number of classes. */
static size_t add_classes(struct report_cells *c, size_t at, const struct report_column *column)
{
	const struct memory_class *classes = memory_classes((unsigned)column->figure->breakdown);
	size_t n = 0;

	for (; n < MEMORY_CLASSES_MAX && classes[n].title; n++) {
		struct cell_source *s = &c->sources[at + n];

		*s = (struct cell_source){ .figure = column->figure, .classes = { (uint8_t)n } };
		c->columns[at + n] = (struct column){
			.title = classes[n].title,
			.name = classes[n].name,
			.type = VALUE_PERCENT,
			.get = get_class,
			.arg = s,
		};
	}
	return n;
}

static bool report_cells_is_member(const struct report_cells *c,
				   const struct report_columns *const *sets, size_t n,
				   const struct key_part *part)
{
	return part->name && (!part->verbose || c->view->form.verbose) &&
	       !is_column(c, sets, n, part->name);
}

void report_cells_init_json(struct report_cells *ret, const struct report_view *v,
			    const struct report_group *g, const struct report_columns *const *sets,
			    size_t n)
{
	size_t n_columns = 0, at = 0;

	for (size_t i = 0; i < n; i++)
		n_columns += sets[i]->n * (KEY_PARTS_MAX + MEMORY_CLASSES_MAX);
	report_cells_begin(ret, v, g, n_columns);
	ret->starts = xcalloc(n + 1, sizeof(*ret->starts));
	for (size_t i = 0; i < n; i++) {
		ret->starts[i] = at;
		for (size_t k = 0; k < sets[i]->n; k++) {
			const struct report_column *column = &sets[i]->items[k];

			if (column->figure && column->figure->breakdown != NO_BREAKDOWN) {
				at += add_classes(ret, at, column);
				continue;
			}
			report_cells_add_member(ret, at++, column, 0);
			for (size_t p = 1; p < KEY_PARTS_MAX && !column->figure; p++)
				if (report_cells_is_member(
					    ret, sets, n,
					    &v->plan->keys.items[column->key].parts[p]))
					report_cells_add_member(ret, at++, column, p);
		}
	}
	ret->starts[n] = at;
	report_cells_end(ret, at);
}

void report_cells_add_key(const struct report_cells *c, size_t i, const struct report_entry *e,
			  struct text *out)
{
	const struct cell_source *s = &c->sources[i];
	struct key_cell cell;

	if (s->figure)
		return;
	cell = report_row_cell(e->row, s->key);
	key_value_add(report_cells_key_of(c, s), e->rows->options->env, &cell, out);
}

struct table report_cells_set(const struct report_cells *c, size_t i)
{
	struct table t = c->table;

	t.columns += c->starts[i];
	t.n = c->starts[i + 1] - c->starts[i];
	return t;
}

void report_cells_done(struct report_cells *c)
{
	table_done(&c->table);
	free(c->columns);
	free(c->sources);
	free(c->figures);
	free(c->starts);
	arena_done(&c->arena);
}
