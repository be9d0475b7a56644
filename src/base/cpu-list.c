/* SPDX-License-Identifier: MIT */
#include "base/cpu-list.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

void cpu_list_done(struct cpu_list *l)
{
	free(l->items);
	*l = (struct cpu_list){ 0 };
}

/* Parses a CPU number of digits only: strtoul() would also accept signs and blanks. */
static int cpu_list_take_cpu(const char **s, unsigned *ret)
{
	size_t n = strspn(*s, "0123456789");

	if (!n)
		return -EINVAL;

	unsigned long cpu = strtoul(*s, NULL, 10);

	if (cpu >= CPU_MAX)
		return -ERANGE;
	*s += n;
	*ret = (unsigned)cpu;
	return 0;
}

static int cpu_list_by_number(const void *a, const void *b)
{
	unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;

	return x < y ? -1 : x > y;
}

static void sort_unique(struct cpu_list *l)
{
	size_t kept = 0;

	if (!l->n)
		return;
	qsort(l->items, l->n, sizeof(l->items[0]), cpu_list_by_number);
	for (size_t i = 1; i < l->n; i++)
		if (l->items[i] != l->items[kept])
			l->items[++kept] = l->items[i];
	l->n = kept + 1;
}

static int cpu_list_take_range(const char **s, struct cpu_list *l)
{
	unsigned first, last;
	int r = cpu_list_take_cpu(s, &first);

	if (r < 0)
		return r;
	last = first;
	if (**s == '-') {
		(*s)++;
		r = cpu_list_take_cpu(s, &last);
		if (r < 0)
			return r;
	}
	if (last < first)
		return -ERANGE;
	/* "0-65535,0-65535,..." must not grow without bound. */
	if (l->n > 4 * CPU_MAX)
		sort_unique(l);
	for (unsigned cpu = first; cpu <= last; cpu++)
		*ARRAY_ADD(l) = cpu;
	return 0;
}

int cpu_list_parse(const char *s, struct cpu_list *ret)
{
	struct cpu_list l = { 0 };
	int r = 0;

	while (*s && r >= 0) {
		r = cpu_list_take_range(&s, &l);
		if (r >= 0 && *s && (*s != ',' || !s[1]))
			r = -EINVAL;
		else if (r >= 0 && *s)
			s++;
	}
	if (r < 0) {
		cpu_list_done(&l);
		return r;
	}
	sort_unique(&l);
	*ret = l;
	return 0;
}

bool cpu_list_contains(const struct cpu_list *l, unsigned cpu)
{
	return l->n && bsearch(&cpu, l->items, l->n, sizeof(cpu), cpu_list_by_number);
}

char *cpu_list_format(const struct cpu_list *l)
{
	struct text t = TEXT_EMPTY;

	for (size_t i = 0; i < l->n; i++) {
		size_t last = i;

		while (last + 1 < l->n && l->items[last + 1] == l->items[last] + 1)
			last++;
		text_addf(&t, "%s%u", i ? "," : "", l->items[i]);
		if (last > i)
			text_addf(&t, "-%u", l->items[last]);
		i = last;
	}
	return text_take(&t);
}
