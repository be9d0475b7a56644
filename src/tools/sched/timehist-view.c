/* SPDX-License-Identifier: MIT */
#include "tools/sched/timehist-view.h"

#include <inttypes.h>
#include <string.h>

#include "base/digits.h"
#include "base/escape.h"
#include "session/sched-event.h"
#include "tools/sched/timehist-model.h"
#include "view/text-flush.h"

#define NAME_WIDTH     30
#define NAME_WIDTH_MIN 16
/* The length to which "next: " and the task after it are cut, as in Linux's perf. */
#define NEXT_MAX  29
#define NS_PER_US 1000
#define NS_PER_MS 1000000
#define NS_PER_S  1000000000
/* Capacity for the parts of a row that have a fixed width. Numbers may have any length. */
#define FIXED_ROOM (64 + 6 * DIGITS_MAX)

/* Returns the width of a line without the name of its task. */
static size_t columns_beside(const struct timehist_style *s)
{
	return strlen("--------------- ------  ") + strlen("  ---------  ---------  --------- ") +
	       (s->cpu_visual ? s->n_cpus + 3 : 0) + (s->prio ? 10 : 0) +
	       (s->pre_migrations ? 11 : 0) + (s->state ? 7 : 0);
}

/*
 * Returns the width of names. It is smaller on a narrow terminal, down to a minimum, beyond which
 * lines get too long.
 */
static size_t timehist_name_width(const struct timehist_style *s)
{
	size_t beside = columns_beside(s);

	if (!s->columns || s->columns >= beside + NAME_WIDTH)
		return NAME_WIDTH;
	return s->columns > beside + NAME_WIDTH_MIN ? s->columns - beside : NAME_WIDTH_MIN;
}

void timehist_lines_init(struct timehist_lines *l, const struct timehist_style *style, FILE *out)
{
	*l = (struct timehist_lines){ .style = *style,
				      .out = out,
				      .text = TEXT_EMPTY,
				      .name_width = timehist_name_width(style) };
}

void timehist_lines_done(struct timehist_lines *l)
{
	sched_chain_done(&l->chain);
	task_labels_done(&l->labels);
	text_done(&l->text);
}

int timehist_lines_flush(struct timehist_lines *l)
{
	int r = l->error ? l->error : text_flush(&l->text, l->out, true);

	return r;
}

static char *timehist_blanks(char *at, size_t n)
{
	memset(at, ' ', n);
	return at + n;
}

static void timehist_add_blanks(struct text *t, size_t n)
{
	text_filled(t, timehist_blanks(text_room(t, n), n));
}

static void add_filled(struct text *t, size_t n, char c)
{
	text_filled(t, (char *)memset(text_room(t, n), c, n) + n);
}

static void timehist_add_padded(struct text *t, const char *s, size_t width)
{
	size_t from = t->length;

	text_add(t, s);
	text_pad(t, from, width, 0, ' ');
}

/* Appends "0123456789abcdef0123...": one digit for each CPU, and one more. */
static void add_cpu_digits(struct text *t, unsigned n_cpus)
{
	text_add_char(t, ' ');
	for (unsigned i = 0; i <= n_cpus; i++)
		text_add_char(t, "0123456789abcdef"[i % 16]);
	text_add_char(t, ' ');
}

static void add_first_head(struct timehist_lines *l)
{
	struct text *t = &l->text;
	const struct timehist_style *s = &l->style;

	text_addf(t, "%15s %6s ", "time", "cpu");
	if (s->cpu_visual)
		add_cpu_digits(t, s->n_cpus);
	text_add_char(t, ' ');
	timehist_add_padded(t, "task name", l->name_width);
	if (s->prio)
		text_add(t, "  prio    ");
	text_add(t, "  wait time  sch delay   run time");
	if (s->pre_migrations)
		text_add(t, "  pre-mig time");
	text_add(t, s->state ? "  state\n" : "\n");
}

static void add_second_head(struct timehist_lines *l)
{
	struct text *t = &l->text;
	const struct timehist_style *s = &l->style;

	text_addf(t, "%15s %6s ", "", "");
	if (s->cpu_visual)
		timehist_add_blanks(t, s->n_cpus + 3);
	text_add_char(t, ' ');
	timehist_add_padded(t, "[tid/pid]", l->name_width);
	if (s->prio)
		timehist_add_blanks(t, 10);
	text_add(t, "     (msec)     (msec)     (msec)");
	if (s->pre_migrations)
		text_add(t, "     (msec)");
	text_add(t, s->state && !s->newer ? "       \n" : "\n");
}

static void add_rule(struct timehist_lines *l)
{
	struct text *t = &l->text;
	const struct timehist_style *s = &l->style;

	text_add(t, "--------------- ------ ");
	if (s->cpu_visual) {
		text_add_char(t, ' ');
		add_filled(t, s->n_cpus + 1, '-');
		text_add_char(t, ' ');
	}
	text_add_char(t, ' ');
	add_filled(t, l->name_width, '-');
	if (s->prio)
		text_add(t, "  --------");
	text_add(t, "  ---------  ---------  ---------");
	if (s->pre_migrations)
		text_add(t, "  ---------");
	text_add(t, s->state ? "  -----\n" : "\n");
}

void timehist_print_head(struct timehist_lines *l)
{
	add_first_head(l);
	add_second_head(l);
	add_rule(l);
}

/* Writes a number like %03u. */
static char *add_3(char *at, unsigned v)
{
	at[0] = (char)('0' + v / 100);
	at[1] = (char)('0' + v / 10 % 10);
	at[2] = (char)('0' + v % 10);
	return at + 3;
}

/* "   12345.678901 " */
static char *timehist_add_time(char *at, uint64_t time_ns)
{
	unsigned us = (unsigned)(time_ns % NS_PER_S) / NS_PER_US;

	at = digits_decimal_right(at, time_ns / NS_PER_S, 8, ' ');
	*at++ = '.';
	at = add_3(add_3(at, us / 1000), us % 1000);
	*at++ = ' ';
	return at;
}

/* "   12345.678901 [0003] " */
static void timehist_add_place(struct text *t, const struct timehist_row *row)
{
	char *at = timehist_add_time(text_room(t, FIXED_ROOM), row->time_ns);

	*at++ = '[';
	at = digits_decimal_right(at, row->cpu, 4, '0');
	*at++ = ']';
	*at++ = ' ';
	text_filled(t, at);
}

/* Appends a column for each CPU, with @mark in that of the row. */
static void timehist_add_cpus(struct timehist_lines *l, const struct timehist_row *row, char mark)
{
	size_t n = l->style.n_cpus + 1, border = row->kind == TIMEHIST_MIGRATION ? 2 : 1;
	size_t from = l->text.length;

	timehist_add_blanks(&l->text, n + 2 * border);
	if (mark && row->cpu < n)
		l->text.chars[from + border + row->cpu] = mark;
}

static void timehist_add_name(struct timehist_lines *l, const struct timehist_task *task)
{
	const struct task_label *label = task_label(&l->labels, task);
	char *at;

	if (label->length > l->name_width)
		l->name_width = label->length;
	at = text_room(&l->text, l->name_width + 2);
	*at++ = ' ';
	memcpy(at, label->chars, label->length);
	at = timehist_blanks(at + label->length, l->name_width - label->length + 1);
	text_filled(&l->text, at);
}

/* Formats " %5lu.%03lu ": milliseconds, truncated. Most are below 10. */
static char *add_ms(char *at, uint64_t ns)
{
	uint64_t ms = ns / NS_PER_MS;

	if (ms < 10) {
		memcpy(at, "      ", 6);
		at[5] = (char)('0' + ms);
		at += 6;
	} else {
		*at++ = ' ';
		at = digits_decimal_right(at, ms, 5, ' ');
	}
	*at++ = '.';
	at = add_3(at, (unsigned)(ns % NS_PER_MS) / NS_PER_US);
	*at++ = ' ';
	return at;
}

static void timehist_view_add_times(struct timehist_lines *l, const struct timehist_row *row)
{
	const struct timehist_style *s = &l->style;
	char *at = text_room(&l->text, FIXED_ROOM), *from;

	if (s->prio) {
		*at++ = ' ';
		from = at;
		at = digits_signed(at, row->event->prio);
		if (at < from + 8)
			at = timehist_blanks(at, (size_t)(from + 8 - at));
		*at++ = ' ';
	}
	at = add_ms(at, row->wait_ns);
	at = add_ms(at, row->delay_ns);
	at = add_ms(at, row->run_ns);
	if (s->pre_migrations)
		at = add_ms(at, row->pre_migration_ns);
	if (s->state) {
		at = timehist_blanks(at, 5);
		*at++ = row->state;
		*at++ = ' ';
	}
	text_filled(&l->text, at);
}

static void add_next(struct timehist_lines *l, const struct sched_event *e)
{
	struct text *t = &l->text;
	size_t from;

	text_add_char(t, ' ');
	from = t->length;
	text_add_bytes(t, "next: ", 6);
	escape_terminal(t, e->next_comm.chars, sched_comm_length(e->next_comm));
	text_add_char(t, '[');
	text_filled(t, digits_signed(text_room(t, DIGITS_MAX), (int32_t)e->next_tid));
	text_add_char(t, ']');
	if (t->length - from > NEXT_MAX)
		text_filled(t, t->chars + from + NEXT_MAX);
	text_pad(t, from, l->name_width, 0, ' ');
}

static void timehist_add_chain(struct timehist_lines *l, const struct timehist_row *row)
{
	size_t from = l->text.length;

	text_add_bytes(&l->text, "  ", 2);
	if (!sched_chain_add(&l->chain, row->event->sample, &l->text))
		text_filled(&l->text, l->text.chars + from);
}

static void timehist_add_switch(struct timehist_lines *l, const struct timehist_row *row)
{
	const struct timehist_style *s = &l->style;

	timehist_add_place(&l->text, row);
	if (s->cpu_visual)
		timehist_add_cpus(l, row, row->task->is_idle ? 'i' : 's');
	timehist_add_name(l, row->task);
	timehist_view_add_times(l, row);
	if (s->next)
		add_next(l, row->event);
	else if (s->wakeups)
		timehist_add_blanks(&l->text, l->name_width + 2);
	if (s->chains && !row->task->is_idle)
		timehist_add_chain(l, row);
}

static void timehist_add_label(struct timehist_lines *l, const struct timehist_task *task)
{
	const struct task_label *label = task_label(&l->labels, task);

	if (label->length > l->name_width)
		l->name_width = label->length;
	text_add_bytes(&l->text, label->chars, label->length);
}

static void add_other(struct timehist_lines *l, const struct timehist_row *row)
{
	bool moves = row->kind == TIMEHIST_MIGRATION;

	timehist_add_place(&l->text, row);
	if (l->style.cpu_visual)
		timehist_add_cpus(l, row, moves ? 'm' : '\0');
	timehist_add_name(l, row->task);
	timehist_add_blanks(&l->text, 34);
	text_add(&l->text, moves ? "migrated: " : "awakened: ");
	timehist_add_label(l, row->other);
	if (moves)
		text_addf(&l->text, " cpu %d => %d", (int)row->event->from_cpu,
			  (int)row->event->target_cpu);
}

void timehist_print_row(struct timehist_lines *l, const struct timehist_row *row)
{
	if (row->kind == TIMEHIST_SWITCH)
		timehist_add_switch(l, row);
	else if (row->kind == TIMEHIST_WAKEUP ? l->style.wakeups : l->style.migrations)
		add_other(l, row);
	else
		return;
	text_add_char(&l->text, '\n');
	if (!l->error)
		l->error = text_flush(&l->text, l->out, false);
}

void timehist_print_lost(struct timehist_lines *l, uint64_t time_ns, uint32_t cpu, uint64_t n)
{
	text_filled(&l->text, timehist_add_time(text_room(&l->text, FIXED_ROOM), time_ns));
	text_addf(&l->text, "lost %" PRIu64 " events on cpu %d\n", n, (int)cpu);
}
