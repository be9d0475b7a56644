/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "base/digits.h"
#include "base/escape.h"
#include "tools/trace/tasks-model.h"
#include "tools/trace/writer-view.h"

/* Space for a time, a CPU and a duration with its colours. */
#define HEAD_MAX 128

#define COLOUR_RED "\033[31m"

#define NS_PER_MS 1000000
/* The limits above which Linux's perf shows a duration in red, or in yellow. */
#define LONG_NS 1000000
#define SLOW_NS 10000

/* Integers up to this are exact as a double. */
#define EXACT_MAX (UINT64_C(1) << 53)

/*
 * Returns microseconds, rounded like printf's %.3f rounds the milliseconds in a double. The double
 * of a time in the middle is a little more or less than the time: fma() determines which, without
 * an error.
 */
static uint64_t rounded_us(uint64_t ns)
{
	uint64_t us = ns / 1000;
	uint64_t rest = ns % 1000;
	double error;

	if (rest != 500 || ns > EXACT_MAX)
		return us + (rest >= 500);
	error = fma((double)ns / NS_PER_MS, NS_PER_MS, -(double)ns);
	if (error == 0)
		return us + us % 2;
	return us + (error > 0);
}

/* Writes milliseconds like %*.3f. */
static char *put_ms(char *at, uint64_t ns, unsigned width)
{
	uint64_t us = rounded_us(ns);

	at = digits_decimal_right(at, us / 1000, width - 4, ' ');
	*at++ = '.';
	return digits_decimal_right(at, us % 1000, 3, '0');
}

static char *trace_line_head_put_time(const struct trace_lines *l, char *at,
				      const struct trace_line_head *h)
{
	uint64_t since = l->style.full_time ? 0 : l->start_ns;

	if (!h->has_time)
		return mempcpy(at, "         ? ", 11);
	/* A call may have begun before the first event. */
	if (h->time_ns < since)
		at += sprintf(at, "%10.3f", (double)(since - h->time_ns) / -NS_PER_MS);
	else
		at = put_ms(at, h->time_ns - since, 10);
	*at++ = ' ';
	return at;
}

static const char *trace_line_head_colour_of(const struct trace_lines *l, uint64_t duration_ns)
{
	if (!l->style.is_coloured)
		return NULL;
	if (duration_ns >= LONG_NS)
		return COLOUR_RED;
	return duration_ns >= SLOW_NS ? TRACE_COLOUR_YELLOW : NULL;
}

static char *put_duration(const struct trace_lines *l, char *at, const struct trace_line_head *h)
{
	const char *colour;

	if (!h->has_duration)
		return mempcpy(at, "(         ): ", 13);
	*at++ = '(';
	colour = trace_line_head_colour_of(l, h->duration_ns);
	if (colour)
		at = stpcpy(at, colour);
	at = put_ms(at, h->duration_ns, 6);
	at = mempcpy(at, " ms", 3);
	if (colour)
		at = stpcpy(at, TRACE_COLOUR_OFF);
	return mempcpy(at, "): ", 3);
}

/* Appends "ls/28994 ", ":28994/28994 " without a name, or "28994 " with --no-comm. */
static void trace_line_head_add_task(struct trace_lines *l, const struct trace_task *task)
{
	struct text *t = &l->text;
	char *at;

	if (!l->style.hides_comm) {
		if (*task->comm) {
			escape_terminal(t, task->comm, strlen(task->comm));
		} else {
			at = text_room(t, DIGITS_MAX + 1);
			*at++ = ':';
			text_filled(t, digits_decimal(at, task->tid));
		}
		text_add_char(t, '/');
	}
	at = digits_decimal(text_room(t, DIGITS_MAX + 1), task->tid);
	*at++ = ' ';
	text_filled(t, at);
}

void trace_line_head(struct trace_lines *l, const struct trace_line_head *h)
{
	char *at = text_room(&l->text, HEAD_MAX);

	if (!l->style.hides_time)
		at = trace_line_head_put_time(l, at, h);
	if (l->style.shows_cpu && h->cpu != UINT32_MAX) {
		*at++ = '[';
		at = digits_decimal_right(at, h->cpu, 3, '0');
		at = mempcpy(at, "] ", 2);
	}
	if (!l->style.hides_duration && (h->has_duration || !l->style.only_events))
		at = put_duration(l, at, h);
	text_filled(&l->text, at);
	if (h->task)
		trace_line_head_add_task(l, h->task);
}
