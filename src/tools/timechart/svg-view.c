/* SPDX-License-Identifier: MIT */
/*
 * Draws the picture of a time chart. A row has one column for each pixel of the plot. In each
 * column, the heights of the colours are the shares of the states in its time. The size of the file
 * therefore depends on rows and width, and not on the number of events. timechart.js replaces the
 * picture with a chart that can be zoomed; without scripts, readers have this picture.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/digits.h"
#include "base/escape.h"
#include "base/memory.h"
#include "base/text.h"
#include "tools/timechart/rows-model.h"
#include "tools/timechart/timechart-model.h"
#include "tools/timechart/timechart-view.h"
#include "tools/timechart/wakes-model.h"
#include "view/embedded.h"
#include "view/picture/scale.h"
#include "view/picture/svg.h"
#include "view/picture/text-fit.h"

#define MARGIN   12
#define LABEL    190 /* the width of names, left of the plot */
#define ROW      20
#define BAR      15 /* the height of a row's bar; the rest is a gap */
#define STRIP    5  /* for I/O calls and idle states, below the bar */
#define FONT     12
#define LINE     17
#define TICK     110 /* approximate pixels between marks of the time axis */
#define WAKES    200
#define PLOT_MIN 100

/* The words of the legend, and the classes of timechart.css, by state. */
static const char *const state_words[CHART_STATES] = {
	[CHART_RUNNING] = "running",        [CHART_RUNNABLE] = "waiting for a CPU",
	[CHART_SLEEPING] = "sleeping",      [CHART_BLOCKED] = "blocked",
	[CHART_IO_WAIT] = "blocked on I/O", [CHART_STOPPED] = "stopped",
};

static const char *const io_words[CHART_IO_KINDS] = {
	[CHART_IO_READ] = "read", [CHART_IO_WRITE] = "write", [CHART_IO_RECEIVE] = "receive",
	[CHART_IO_SEND] = "send", [CHART_IO_SYNC] = "sync",   [CHART_IO_POLL] = "poll",
};

typedef double column_ns[LANE_STATES];

struct timechart_drawing {
	struct svg svg;
	const struct timechart_picture *p;
	struct scale time;
	size_t n_columns;
	column_ns *columns;
	struct text text;
	double y;
	double first_row; /* the y of the first thread's row */
	double *rows;     /* y of each drawn row */
};

static const struct chart *chart_of(const struct timechart_drawing *d)
{
	return d->p->chart;
}

static double x_of(const struct timechart_drawing *d, uint64_t time)
{
	return scale_place(&d->time, (double)(time - chart_of(d)->first));
}

static void draw_rect(struct timechart_drawing *d, const char *class, double x, double y,
		      double width, double height)
{
	svg_open(&d->svg, "rect");
	svg_attr(&d->svg, "class", class);
	svg_attr_decimal(&d->svg, "x", x, 1);
	svg_attr_decimal(&d->svg, "y", y, 1);
	svg_attr_decimal(&d->svg, "width", width, 1);
	svg_attr_decimal(&d->svg, "height", height, 1);
	svg_close(&d->svg);
}

static void draw_path(struct timechart_drawing *d, const char *class, const char *path)
{
	svg_open(&d->svg, "path");
	svg_attr(&d->svg, "class", class);
	svg_attr(&d->svg, "d", path);
	svg_close(&d->svg);
}

static void timechart_svg_add_number(struct text *t, char command, double value)
{
	text_add_char(t, command);
	text_filled(t, digits_short(text_room(t, DIGITS_MAX), value, 1));
}

/* --- rows ---------------------------------------------------------------------------------- */

/* Computes the states of a lane in each column of the plot. */
static void fill_columns(struct timechart_drawing *d, uint32_t lane)
{
	const struct chart *c = chart_of(d);

	memset(d->columns, 0, d->n_columns * sizeof(*d->columns));
	if (lane != LANE_NONE)
		lane_columns(&c->lanes, &c->lanes.items[lane], c->first, c->last, d->n_columns,
			     d->columns);
}

/* Returns the height of the first @n of @states in column @i. A share above 0 is always visible. */
static double height_of(const struct timechart_drawing *d, size_t i, const uint8_t *states,
			size_t n, double height)
{
	double column_length = (d->time.high - d->time.low) / (double)d->n_columns;
	double sum = 0, h;

	for (size_t k = 0; k < n; k++)
		sum += d->columns[i][states[k]];
	h = column_length > 0 ? round(fmin(sum / column_length, 1) * height * 2) / 2 : 0;
	return sum > 0 && h < 1 ? 1 : h;
}

/*
 * Adds the outline of the first @n of @states in each column, from @base upwards. False: there is
 * none.
 */
static bool add_outline(struct timechart_drawing *d, const uint8_t *states, size_t n, double base,
			double height)
{
	double now = 0;

	text_clear(&d->text);
	timechart_svg_add_number(&d->text, 'M', d->time.from);
	timechart_svg_add_number(&d->text, ' ', base);
	for (size_t i = 0; i <= d->n_columns; i++) {
		double h = i < d->n_columns ? height_of(d, i, states, n, height) : 0;

		if (h == now)
			continue;
		timechart_svg_add_number(&d->text, 'H', d->time.from + (double)i);
		timechart_svg_add_number(&d->text, 'V', base - h);
		now = h;
	}
	text_add_char(&d->text, 'z');
	return strchr(d->text.chars, 'H');
}

static bool has_state(const struct timechart_drawing *d, uint8_t state)
{
	for (size_t i = 0; i < d->n_columns; i++)
		if (d->columns[i][state] > 0)
			return true;
	return false;
}

/*
 * Draws stacked states: the outline of all of them in the colour of the last one, on top of it that
 * of all except the last, and so on.
 */
static void draw_stack(struct timechart_drawing *d, const char *prefix, const uint8_t *states,
		       size_t n, double y, double height)
{
	char class[16];

	for (size_t k = n; k > 0; k--) {
		snprintf(class, sizeof(class), "%s%u", prefix, states[k - 1]);
		if (has_state(d, states[k - 1]) && add_outline(d, states, k, y + height, height))
			draw_path(d, class, d->text.chars);
	}
}

static void draw_label(struct timechart_drawing *d, double y, const char *name, const char *figure)
{
	double width = text_width(figure, strlen(figure), FONT);
	size_t n = text_fit(name, strlen(name), FONT, LABEL - 2 * MARGIN - width - 6);

	svg_open(&d->svg, "text");
	svg_attr_decimal(&d->svg, "x", MARGIN, 1);
	svg_attr_decimal(&d->svg, "y", y + 12, 1);
	svg_text_bytes(&d->svg, name, n);
	if (n < strlen(name))
		svg_text(&d->svg, TEXT_ELLIPSIS);
	svg_close(&d->svg);
	svg_words(&d->svg, "note end", LABEL - 8, y + 12, figure);
}

static void timechart_svg_add_time(struct text *t, uint64_t ns)
{
	scale_label(t, SCALE_TIME, (double)ns);
}

/* --- CPUs ---------------------------------------------------------------------------------- */

static void draw_idle(struct timechart_drawing *d, const struct chart_cpu *cpu, double y)
{
	static const uint8_t states[] = { 1, 2, 3, 4, 5, 6 };

	if (cpu->idle_lane == LANE_NONE)
		return;
	fill_columns(d, cpu->idle_lane);
	draw_stack(d, "c", states, sizeof(states), y + BAR, STRIP);
}

static uint32_t highest_frequency(const struct chart *c)
{
	uint32_t highest = 1;

	for (size_t i = 0; i < c->cpus.n; i++) {
		uint32_t number = c->cpus.items[i].frequency_lane;
		const struct lane *lane = number == LANE_NONE ? NULL : &c->lanes.items[number];

		for (size_t k = 0; lane && k < lane->n; k++)
			if (lane->items[k].mark.by > highest)
				highest = lane->items[k].mark.by;
	}
	return highest;
}

/*
 * Draws a line whose height is the share of the highest frequency. Steps below a pixel are omitted.
 */
static void draw_frequency(struct timechart_drawing *d, const struct chart_cpu *cpu, double y)
{
	const struct chart *c = chart_of(d);
	const struct lane *lane;
	uint32_t highest = highest_frequency(c);
	double last = -1;

	if (cpu->frequency_lane == LANE_NONE)
		return;
	lane = &c->lanes.items[cpu->frequency_lane];
	text_clear(&d->text);
	for (size_t i = 0; i < lane->n; i++) {
		double x = floor(x_of(d, lane->items[i].start));

		if (x == last)
			continue;
		timechart_svg_add_number(&d->text, i ? 'H' : 'M', x);
		timechart_svg_add_number(&d->text, i ? 'V' : ' ',
					 y + BAR * (1 - (double)lane->items[i].mark.by / highest));
		last = x;
	}
	timechart_svg_add_number(&d->text, 'H', d->time.to);
	draw_path(d, "frequency", d->text.chars);
}

static void draw_cpu(struct timechart_drawing *d, const struct chart_cpu *cpu)
{
	static const uint8_t busy[] = { CHART_BUSY };
	const struct chart *c = chart_of(d);
	uint64_t ns = c->lanes.items[cpu->lane].ns[CHART_BUSY];
	_cleanup_(text_done) struct text name = TEXT_EMPTY, share = TEXT_EMPTY, title = TEXT_EMPTY;

	text_addf(&name, "CPU %u", cpu->number);
	if (c->lanes.items[cpu->lane].n)
		text_addf(&share, "%.0f%% busy",
			  c->last > c->first ? (double)ns * 100 / (double)(c->last - c->first) : 0);
	text_addf(&title, "%s: ", name.chars);
	timechart_svg_add_time(&title, ns);
	text_add(&title, " busy");
	svg_open(&d->svg, "g");
	svg_element(&d->svg, "title", title.chars);
	draw_label(d, d->y, name.chars, share.chars);
	draw_rect(d, "lane", d->time.from, d->y, d->time.to - d->time.from, BAR);
	fill_columns(d, cpu->lane);
	draw_stack(d, "s", busy, sizeof(busy), d->y, BAR);
	draw_idle(d, cpu, d->y);
	draw_frequency(d, cpu, d->y);
	svg_close(&d->svg);
	svg_line(&d->svg);
	d->y += ROW + (cpu->idle_lane == LANE_NONE ? 0 : STRIP);
}

/* --- threads ------------------------------------------------------------------------------- */

/* Appends the name. It is escaped first, so that the measured text is the one that is drawn. */
static void add_task_name(struct text *t, const struct chart_task *task)
{
	size_t n = strnlen(task->comm, CHART_COMM_MAX);

	if (n)
		escape_terminal(t, task->comm, n);
	else
		text_add_char(t, '?');
	text_addf(t, " %u", task->tid);
}

static void add_task_times(struct text *t, const struct chart *c, const struct chart_task *task)
{
	const char *before = ": ";

	for (size_t s = CHART_RUNNING; s < CHART_STATES; s++) {
		uint64_t ns = chart_task_ns(c, task, (enum chart_state)s);

		if (!ns)
			continue;
		text_add(t, before);
		text_addf(t, "%s ", state_words[s]);
		timechart_svg_add_time(t, ns);
		before = ", ";
	}
	for (size_t k = CHART_IO_READ; task->io && k < CHART_IO_KINDS; k++) {
		if (!task->io->calls[k])
			continue;
		text_add(t, before);
		text_addf(t, "%s ", io_words[k]);
		timechart_svg_add_time(t, task->io->ns[k]);
		before = ", ";
	}
}

static void timechart_svg_add_figure(struct text *t, const struct chart *c,
				     const struct chart_task *task)
{
	if (c->lanes.items[task->lane].n)
		timechart_svg_add_time(t, chart_task_ns(c, task, CHART_RUNNING));
	else
		scale_label(t, SCALE_BYTES, (double)chart_task_bytes(task));
}

/* Marks runs of at least the requested duration, unless the whole thread is marked. */
static void draw_long_runs(struct timechart_drawing *d, const struct lane *lane, double y)
{
	for (size_t i = 0; d->p->highlight_ns && i < lane->n; i++) {
		const struct lane_piece *p = &lane->items[i];
		uint64_t end = lane_piece_end(lane, i);
		double x = x_of(d, p->start);

		if (p->fold == LANE_NONE && p->mark.state == CHART_RUNNING &&
		    end - p->start >= d->p->highlight_ns)
			draw_rect(d, "marked", x, y, fmax(x_of(d, end) - x, 1), BAR);
	}
}

static void draw_calls(struct timechart_drawing *d, const struct chart_task *t, double y)
{
	static const uint8_t in[] = { CHART_IO_READ, CHART_IO_RECEIVE, CHART_IO_POLL };
	static const uint8_t out[] = { CHART_IO_WRITE, CHART_IO_SEND, CHART_IO_SYNC };

	if (t->io_lane == LANE_NONE)
		return;
	fill_columns(d, t->io_lane);
	draw_rect(d, "lane", d->time.from, y, d->time.to - d->time.from, 2 * STRIP + 1);
	draw_stack(d, "i", in, sizeof(in), y, STRIP);
	draw_stack(d, "i", out, sizeof(out), y + STRIP + 1, STRIP);
}

/* Draws a mark for failed calls below their strip: at most one for each pixel. */
static void draw_errors(struct timechart_drawing *d, const struct chart_task *t, double y)
{
	const struct lane *lane;
	double last = -1;

	if (t->io_lane == LANE_NONE)
		return;
	lane = &chart_of(d)->lanes.items[t->io_lane];
	text_clear(&d->text);
	for (size_t i = 0; i < lane->n; i++) {
		double x = floor(x_of(d, lane->items[i].start));

		if (!(lane->items[i].mark.flags & CHART_FAILED) || x == last)
			continue;
		timechart_svg_add_number(&d->text, 'M', x);
		timechart_svg_add_number(&d->text, ' ', y);
		text_add(&d->text, "h1");
		last = x;
	}
	if (d->text.length)
		draw_path(d, "failed", d->text.chars);
}

static void draw_states(struct timechart_drawing *d, const struct chart_task *t)
{
	static const uint8_t states[] = { CHART_RUNNING, CHART_RUNNABLE, CHART_IO_WAIT,
					  CHART_BLOCKED, CHART_STOPPED };
	const struct lane *lane = &chart_of(d)->lanes.items[t->lane];
	double from = x_of(d, lane->begin), to = x_of(d, lane->end);
	bool marked = d->p->highlight && chart_task_is(t, d->p->highlight);

	if (!lane->n)
		return;
	draw_rect(d, "span", from, d->y, fmax(to - from, 1), BAR);
	fill_columns(d, t->lane);
	if (marked)
		svg_open(&d->svg, "g"), svg_attr(&d->svg, "class", "chosen");
	draw_stack(d, "s", states, sizeof(states), d->y, BAR);
	if (marked)
		svg_close(&d->svg);
	draw_long_runs(d, lane, d->y);
}

static void draw_task(struct timechart_drawing *d, const struct chart_task *t)
{
	const struct chart *c = chart_of(d);
	_cleanup_(text_done) struct text name = TEXT_EMPTY, title = TEXT_EMPTY, figure = TEXT_EMPTY;
	bool has_states = c->lanes.items[t->lane].n, has_calls = t->io_lane != LANE_NONE;
	double calls = d->y + (has_states ? BAR + 1 : 2);

	add_task_name(&name, t);
	text_add(&title, name.chars);
	add_task_times(&title, c, t);
	timechart_svg_add_figure(&figure, c, t);
	svg_open(&d->svg, "g");
	svg_element(&d->svg, "title", title.chars);
	draw_label(d, d->y, name.chars, figure.chars);
	draw_states(d, t);
	draw_calls(d, t, calls);
	draw_errors(d, t, calls + 2 * STRIP + 1.5);
	svg_close(&d->svg);
	svg_line(&d->svg);
	d->y += ROW + (has_states && has_calls ? 2 * STRIP + 3 : 0);
}

/* --- wake-ups ------------------------------------------------------------------------------ */

static void draw_wakes(struct timechart_drawing *d)
{
	_cleanup_(freep) struct chart_wake *wakes = NULL;
	size_t n = chart_wakes(chart_of(d), d->p->rows, WAKES, &wakes);

	text_clear(&d->text);
	for (size_t i = 0; i < n; i++) {
		double x = x_of(d, wakes[i].time), to = d->rows[wakes[i].to] + BAR / 2.0;
		bool down = d->rows[wakes[i].from] < d->rows[wakes[i].to];

		timechart_svg_add_number(&d->text, 'M', x);
		timechart_svg_add_number(&d->text, ' ', d->rows[wakes[i].from] + BAR / 2.0);
		timechart_svg_add_number(&d->text, 'V', to);
		text_add(&d->text, down ? "m-2-4l2 4 2-4" : "m-2 4l2-4 2 4");
	}
	if (n)
		draw_path(d, "wake", d->text.chars);
}

/* --- head and axis ------------------------------------------------------------------------- */

static double draw_swatch(struct timechart_drawing *d, double x, const char *class,
			  const char *words)
{
	draw_rect(d, class, x, d->y - 10, 12, 12);
	svg_words(&d->svg, "note", x + 16, d->y, words);
	return x + 16 + text_width(words, strlen(words), FONT) + 16;
}

static bool any_state(const struct chart *c, enum chart_state s)
{
	for (size_t i = 0; i < c->tasks.n; i++)
		if (chart_task_ns(c, &c->tasks.items[i], s))
			return true;
	return false;
}

static bool any_call(const struct chart *c, enum chart_io k)
{
	for (size_t i = 0; i < c->tasks.n; i++)
		if (c->tasks.items[i].io && c->tasks.items[i].io->calls[k])
			return true;
	return false;
}

static void timechart_svg_draw_legend(struct timechart_drawing *d)
{
	double x = MARGIN;
	char class[16];

	for (size_t s = CHART_RUNNING; s < CHART_STATES; s++) {
		snprintf(class, sizeof(class), s == CHART_SLEEPING ? "span" : "s%zu", s);
		if (any_state(chart_of(d), (enum chart_state)s))
			x = draw_swatch(d, x, class, state_words[s]);
	}
	for (size_t k = CHART_IO_READ; k < CHART_IO_KINDS; k++) {
		snprintf(class, sizeof(class), "i%zu", k);
		if (any_call(chart_of(d), (enum chart_io)k))
			x = draw_swatch(d, x, class, io_words[k]);
	}
	svg_line(&d->svg);
}

static void timechart_svg_draw_head(struct timechart_drawing *d)
{
	const struct chart *c = chart_of(d);
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	svg_words(&d->svg, "title", MARGIN, d->y = 24, d->p->title);
	timechart_svg_add_time(&t, c->last - c->first);
	text_addf(&t, ", %zu CPUs, %zu threads", c->cpus.n, d->p->rows->n);
	if (d->p->with_tasks && d->p->rows->n_drawn < d->p->rows->n)
		text_addf(&t, ", of which %zu are drawn: those that %s", d->p->rows->n_drawn,
			  d->p->rows->by_bytes ? "moved most" : "ran longest");
	svg_words(&d->svg, "note", MARGIN, d->y += LINE, t.chars);
	svg_line(&d->svg);
	d->y += LINE + 4;
	timechart_svg_draw_legend(d);
	d->y += LINE + 4;
}

static void draw_axis(struct timechart_drawing *d, double to)
{
	size_t wanted = (size_t)((d->time.to - d->time.from) / TICK);
	struct scale_ticks ticks = scale_ticks(&d->time, wanted < 2 ? 2 : wanted);

	for (size_t i = 0; i < ticks.n; i++) {
		double x = scale_place(&d->time, ticks.values[i]);

		text_clear(&d->text);
		scale_label(&d->text, SCALE_TIME, ticks.values[i]);
		svg_words(&d->svg, x + TICK / 4.0 < d->time.to ? "note middle" : "note end",
			  fmin(x, d->time.to), d->y, d->text.chars);
		draw_rect(d, "tick", x, d->y + 5, 1, to - d->y - 5);
	}
	svg_line(&d->svg);
}

/* --- the file ------------------------------------------------------------------------------ */

static double rows_height(const struct timechart_drawing *d)
{
	const struct timechart_picture *p = d->p;
	double height = 0;

	for (size_t i = 0; p->with_cpus && i < p->chart->cpus.n; i++)
		height += ROW + (p->chart->cpus.items[i].idle_lane == LANE_NONE ? 0 : STRIP);
	for (size_t i = 0; p->with_tasks && i < p->rows->n_drawn; i++) {
		const struct chart_task *t = &p->chart->tasks.items[p->rows->tasks[i]];
		bool both = t->io_lane != LANE_NONE && p->chart->lanes.items[t->lane].n;

		height += ROW + (both ? 2 * STRIP + 3 : 0);
	}
	return height;
}

static void timechart_svg_draw_rows(struct timechart_drawing *d)
{
	const struct timechart_picture *p = d->p;

	for (size_t i = 0; p->with_cpus && i < p->chart->cpus.n; i++)
		draw_cpu(d, &p->chart->cpus.items[p->cpus[i]]);
	d->y += 8;
	for (size_t i = 0; p->with_tasks && i < p->rows->n_drawn; i++) {
		d->rows[i] = d->y;
		draw_task(d, &p->chart->tasks.items[p->rows->tasks[i]]);
	}
	if (p->with_tasks)
		draw_wakes(d);
}

static void timechart_svg_draw_style(struct timechart_drawing *d)
{
	svg_verbatim(&d->svg, "style", embedded_timechart_css.text, embedded_timechart_css.size);
	draw_rect(d, "page", 0, 0, d->p->width, 1e6);
	svg_line(&d->svg);
}

static void timechart_svg_draw_data_and_script(struct timechart_drawing *d)
{
	text_clear(&d->text);
	timechart_data_add(&d->text, d->p);
	svg_element(&d->svg, "metadata", d->text.chars);
	svg_line(&d->svg);
	svg_verbatim(&d->svg, "script", embedded_timechart_js.text, embedded_timechart_js.size);
}

#define HEAD (24 + 3 * LINE + 8)

static void timechart_svg_draw(struct timechart_drawing *d)
{
	double height = HEAD + 12 + rows_height(d) + 8 + MARGIN;
	_cleanup_(text_done) struct text view_box = TEXT_EMPTY;

	text_addf(&view_box, "0 0 %u %.0f", d->p->width, height);
	svg_document(&d->svg);
	svg_attr_unsigned(&d->svg, "width", d->p->width);
	svg_attr_decimal(&d->svg, "height", height, 0);
	svg_attr(&d->svg, "viewBox", view_box.chars);
	svg_attr(&d->svg, "class", "timechart");
	svg_line(&d->svg);
	svg_element(&d->svg, "title", d->p->title);
	svg_line(&d->svg);
	timechart_svg_draw_style(d);
	timechart_svg_draw_head(d);
	draw_axis(d, height - MARGIN);
	d->y += 12;
	timechart_svg_draw_rows(d);
	timechart_svg_draw_data_and_script(d);
	svg_close(&d->svg);
	svg_line(&d->svg);
}

int timechart_svg_print(const struct timechart_picture *p, FILE *out)
{
	const struct chart *c = p->chart;
	double plot = (double)p->width - LABEL - MARGIN;
	struct timechart_drawing d = {
		.p = p,
		.time = { .low = 0,
			  .high = c->last > c->first ? (double)(c->last - c->first) : 1,
			  .from = LABEL,
			  .to = LABEL + floor(plot > PLOT_MIN ? plot : PLOT_MIN),
			  .unit = SCALE_TIME },
		.text = TEXT_EMPTY,
	};
	int r;

	d.n_columns = (size_t)(d.time.to - d.time.from);
	d.columns = xcalloc(d.n_columns, sizeof(*d.columns));
	d.rows = xcalloc(p->rows->n_drawn + 1, sizeof(*d.rows));
	svg_init(&d.svg, out);
	timechart_svg_draw(&d);
	r = svg_done(&d.svg);
	free(d.columns);
	free(d.rows);
	text_done(&d.text);
	return r;
}
