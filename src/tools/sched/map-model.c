/* SPDX-License-Identifier: MIT */
#include "tools/sched/map-model.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "session/machine.h"
#include "session/sched-event.h"

#define LETTERS 26
#define SIGNS   (LETTERS * 10)

void sched_map_init(struct sched_map *m, const struct sched_map_options *o)
{
	*m = (struct sched_map){ .options = *o };
	while (m->cpus.n < o->n_cpus && m->cpus.n < SCHED_MAP_CPUS_MAX)
		ARRAY_ADD(&m->cpus);
}

void sched_map_done(struct sched_map *m)
{
	free(m->cpus.items);
	free(m->seen.items);
	u64_map_done(&m->by_tid);
	arena_done(&m->arena);
}

static struct sched_map_task *sched_map_task_of(struct sched_map *m, uint32_t tid)
{
	struct sched_map_task *t = u64_map_find(&m->by_tid, tid);

	if (t)
		return t;
	t = arena_alloc(&m->arena, sizeof(*t));
	/* The idle task's name is shown when the task is first shown, not when it is first seen. */
	*t = (struct sched_map_task){ .tid = (int32_t)tid, .is_renamed = !tid };
	u64_map_put(&m->by_tid, tid, t);
	return t;
}

void sched_map_rename(struct sched_map *m, uint32_t pid, uint32_t tid, bool was_before)
{
	struct sched_map_task *t = sched_map_task_of(m, tid);

	t->pid = (int32_t)pid;
	t->comm = NULL;
	if (!was_before)
		t->is_renamed = true;
}

void sched_map_forget(struct sched_map *m, uint32_t pid, uint32_t tid)
{
	u64_map_remove(&m->by_tid, tid);
	sched_map_task_of(m, tid)->pid = (int32_t)pid;
}

static void sched_map_find_comm(const struct sched_map *m, struct sched_map_task *t, uint64_t time)
{
	if (t->comm)
		return;
	t->comm = machine_comm(m->options.session, (uint32_t)t->tid, (uint32_t)t->tid, time);
	t->is_idle = !strcmp(t->comm, "swapper");
}

/* True if @comm equals the name of @length bytes at @name, or, with @is_part, contains it. */
static bool name_fits(const char *comm, const char *name, size_t length, bool is_part)
{
	return is_part ? memmem(comm, strlen(comm), name, length) != NULL
		       : strlen(comm) == length && !memcmp(comm, name, length);
}

static bool sched_map_is_wanted(const struct sched_map *m, const struct sched_map_task *t)
{
	const char *name = m->options.task_names;

	if (!name)
		return true;
	while (*name) {
		size_t n = strcspn(name, ",");

		if (n && name_fits(t->comm, name, n, m->options.fuzzy))
			return true;
		name += n + (name[n] == ',');
	}
	return false;
}

/* Gives @t its sign, which it keeps even if its name changes. */
static void make_sign(struct sched_map *m, struct sched_map_task *t, bool wanted)
{
	if (t->is_idle || !wanted) {
		t->sign[0] = t->is_idle ? '.' : SCHED_MAP_OTHER;
		return;
	}
	t->sign[0] = (char)('A' + m->next_sign % LETTERS);
	t->sign[1] = (char)('0' + m->next_sign / LETTERS);
	m->next_sign = (m->next_sign + 1) % SIGNS;
}

/* Makes the column of @cpu. True if this is its first switch. */
static bool see_cpu(struct sched_map *m, unsigned cpu)
{
	while (m->cpus.n <= cpu)
		ARRAY_ADD(&m->cpus);
	if (m->cpus.items[cpu].is_seen)
		return false;
	m->cpus.items[cpu].is_seen = true;
	*ARRAY_ADD(&m->seen) = cpu;
	return true;
}

/* Puts @t on the CPU of @line. True if that has to be shown. */
static bool sched_map_comes(struct sched_map *m, struct sched_map_task *t,
			    struct sched_map_line *line)
{
	bool wanted, is_new = !t->sign[0];

	sched_map_find_comm(m, t, line->time);
	m->cpus.items[line->cpu].task = t;
	wanted = sched_map_is_wanted(m, t);
	if (is_new)
		make_sign(m, t, wanted);
	line->told = is_new || t->is_renamed ? t : NULL;
	return wanted;
}

/*
 * True if it has to be shown that @t leaves: names were requested, @t is one of them, and a switch
 * to it was seen.
 */
static bool sched_map_leaves(const struct sched_map *m, struct sched_map_task *t, uint64_t time)
{
	if (!m->options.task_names || !t->sign[0])
		return false;
	sched_map_find_comm(m, t, time);
	return sched_map_is_wanted(m, t);
}

size_t sched_map_take(struct sched_map *m, const struct sched_event *e,
		      struct sched_map_line lines[2])
{
	struct sched_map_line line = { .time = e->time, .cpu = e->cpu };
	size_t n = 0;

	if (e->cpu >= SCHED_MAP_CPUS_MAX) {
		m->left_out++;
		return 0;
	}
	line.is_new_cpu = see_cpu(m, e->cpu);
	if (sched_map_comes(m, sched_map_task_of(m, e->next_tid), &line))
		lines[n++] = line;
	if (sched_map_leaves(m, sched_map_task_of(m, e->tid), e->time))
		lines[n++] =
			(struct sched_map_line){ .time = e->time, .cpu = e->cpu, .is_out = true };
	return n;
}
