/* SPDX-License-Identifier: MIT */
#include "tools/sched/map-view.h"

#include <string.h>

#include "base/cpu-list.h"
#include "base/digits.h"
#include "base/escape.h"
#include "base/id-list.h"
#include "tools/sched/map-model.h"
#include "view/text-flush.h"

/* The colours with which Linux's perf highlights tasks and CPUs. */
#define BLUE   "\033[34m"
#define ON_RED "\033[41m"
#define NORMAL "\033[m"
#define WIDTH  2 /* the width of a sign */

static bool is_marked(const struct sched_map_look *look, const struct sched_map_task *t)
{
	for (size_t i = 0; look->colour && look->pids && i < look->pids->n; i++)
		if (look->pids->items[i] == t->tid || look->pids->items[i] == t->pid)
			return true;
	return false;
}

static void add_star(struct sched_map_look *look, unsigned cpu)
{
	if (look->colour && look->marks && cpu_list_contains(look->marks, cpu))
		text_add(&look->line, ON_RED "*" NORMAL);
	else
		text_add_char(&look->line, '*');
}

static void add_sign(struct sched_map_look *look, const struct sched_map_task *t, bool is_out)
{
	static const char other[] = { SCHED_MAP_OTHER, 0 };
	const char *sign = !t ? "" : is_out ? other : t->sign;
	bool marked = t && is_marked(look, t);

	if (marked)
		text_add(&look->line, BLUE);
	text_add(&look->line, sign);
	text_add_bytes(&look->line, "   ", WIDTH + 1 - strlen(sign));
	if (marked)
		text_add(&look->line, NORMAL);
}

static bool sched_map_is_shown(const struct sched_map_look *look, unsigned cpu)
{
	return !look->cpus || cpu_list_contains(look->cpus, cpu);
}

static void sched_map_add_columns(struct sched_map_look *look, const struct sched_map *m,
				  const struct sched_map_line *l)
{
	size_t n = look->compact ? m->seen.n : m->cpus.n;

	for (size_t i = 0; i < n; i++) {
		unsigned cpu = look->compact ? m->seen.items[i] : (unsigned)i;

		if (!look->all_columns && !sched_map_is_shown(look, cpu))
			continue;
		if (cpu == l->cpu)
			add_star(look, cpu);
		else
			text_add_char(&look->line, ' ');
		add_sign(look, m->cpus.items[cpu].task, l->is_out && cpu == l->cpu);
	}
}

/* Appends seconds, truncated to microseconds, in 12 columns. */
static void sched_map_add_time(struct text *line, uint64_t ns)
{
	char digits[48], *end;

	end = digits_decimal_right(digits, ns / 1000000000, 5, ' ');
	*end++ = '.';
	end = digits_decimal_right(end, ns % 1000000000 / 1000, 6, '0');
	text_add_bytes(line, "  ", 2);
	text_add_bytes(line, digits, (size_t)(end - digits));
	text_add_bytes(line, " secs ", 6);
}

static void sched_map_add_name(struct sched_map_look *look, struct sched_map_task *t)
{
	bool marked = is_marked(look, t);

	text_addf(&look->line, "%s%-*s => ", marked ? BLUE : "", WIDTH, t->sign);
	escape_terminal(&look->line, t->comm, strlen(t->comm));
	text_addf(&look->line, ":%d%s", t->tid, marked ? NORMAL : "");
	t->is_renamed = false;
}

void sched_map_print(struct sched_map_look *look, const struct sched_map *m,
		     const struct sched_map_line *l)
{
	bool shown = sched_map_is_shown(look, l->cpu);

	if (!shown && look->all_columns)
		return;
	text_add_bytes(&look->line, "  ", 2);
	sched_map_add_columns(look, m, l);
	if (shown) {
		sched_map_add_time(&look->line, l->time);
		if (l->told)
			sched_map_add_name(look, l->told);
		if (look->compact && l->is_new_cpu)
			text_addf(&look->line, " (CPU %u)", l->cpu);
	}
	text_add_char(&look->line, '\n');
	text_flush(&look->line, look->out, false);
}

void sched_map_finish(struct sched_map_look *look)
{
	text_flush(&look->line, look->out, true);
	text_done(&look->line);
}
