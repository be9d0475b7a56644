/* SPDX-License-Identifier: MIT */
#include "tools/sched/stats-model.h"

#include <errno.h>
#include <stdlib.h>

#include "base/cpu-list.h"
#include "base/memory.h"

void sched_stats_done(struct sched_stats *s)
{
	for (size_t i = 0; i < s->cpus.n; i++)
		free(s->cpus.items[i].domains.items);
	free(s->cpus.items);
}

static struct sched_stats_cpu *sched_stats_cpu_of(struct sched_stats *s, uint32_t cpu)
{
	struct sched_stats_cpu *c;

	/* Lines are grouped by CPU, so the search begins with the last CPU. */
	for (size_t i = s->cpus.n; i-- > 0;)
		if (s->cpus.items[i].cpu == cpu)
			return &s->cpus.items[i];
	c = ARRAY_ADD(&s->cpus);
	c->cpu = cpu;
	return c;
}

static struct sched_stats_domain *sched_stats_model_find_domain(const struct sched_stats_cpu *c,
								uint16_t domain)
{
	for (size_t i = 0; i < c->domains.n; i++)
		if (c->domains.items[i].domain == domain)
			return &c->domains.items[i];
	return NULL;
}

/* Computes the increase. Values of 32 bits may overflow. */
static void sched_stats_grow(uint64_t *values, const struct schedstat_line *l)
{
	size_t n = schedstat_values(l->version, l->is_domain);

	for (size_t i = 0; i < n; i++) {
		bool is_short = l->is_domain || i < 6;

		values[i] = l->values[i] - values[i];
		if (is_short)
			values[i] = (uint32_t)values[i];
	}
}

static int sched_stats_add_values(uint64_t *values, bool is_new, bool *has_ended,
				  const struct schedstat_line *l)
{
	size_t n = schedstat_values(l->version, l->is_domain);

	if (is_new) {
		for (size_t i = 0; i < n; i++)
			values[i] = l->values[i];
		return 0;
	}
	if (*has_ended)
		return -EINVAL;
	sched_stats_grow(values, l);
	*has_ended = true;
	return 0;
}

static int add_domain(struct sched_stats_cpu *c, const struct schedstat_line *l)
{
	struct sched_stats_domain *d = sched_stats_model_find_domain(c, l->domain);
	bool is_new = !d;

	if (is_new && c->domains.n == SCHED_STATS_DOMAINS_MAX)
		return -EINVAL;
	if (is_new) {
		d = ARRAY_ADD(&c->domains);
		d->domain = l->domain;
	}
	return sched_stats_add_values(d->values, is_new, &d->has_ended, l);
}

int sched_stats_add(struct sched_stats *s, const struct schedstat_line *l)
{
	size_t n = s->cpus.n;
	struct sched_stats_cpu *c;

	if ((s->version && s->version != l->version) || l->cpu >= CPU_MAX)
		return -EINVAL;
	if (!s->version) {
		s->version = l->version;
		s->begin = l->time;
	}
	s->end = l->time;
	c = sched_stats_cpu_of(s, l->cpu);
	return l->is_domain ? add_domain(c, l)
			    : sched_stats_add_values(c->values, s->cpus.n > n, &c->has_ended, l);
}

static void sched_stats_add_all(uint64_t *sums, const uint64_t *values, size_t n)
{
	for (size_t i = 0; i < n; i++)
		sums[i] += values[i];
}

static void divide_all(uint64_t *sums, size_t n, size_t divisor)
{
	for (size_t i = 0; i < n; i++)
		sums[i] /= divisor;
}

void sched_stats_average(const struct sched_stats *s, struct sched_stats *ret)
{
	struct sched_stats_cpu *all;
	size_t counts[SCHED_STATS_DOMAINS_MAX] = { 0 };

	*ret = (struct sched_stats){ .version = s->version, .begin = s->begin, .end = s->end };
	if (!s->cpus.n)
		return;
	all = ARRAY_ADD(&ret->cpus);
	for (size_t i = 0; i < s->cpus.n; i++) {
		const struct sched_stats_cpu *c = &s->cpus.items[i];

		sched_stats_add_all(all->values, c->values, SCHEDSTAT_CPU_VALUES);
		for (size_t k = 0; k < c->domains.n; k++) {
			const struct sched_stats_domain *d = &c->domains.items[k];
			struct sched_stats_domain *sum = sched_stats_model_find_domain(all,
										       d->domain);

			if (!sum && all->domains.n == SCHED_STATS_DOMAINS_MAX)
				continue;
			if (!sum) {
				sum = ARRAY_ADD(&all->domains);
				sum->domain = d->domain;
			}
			sched_stats_add_all(sum->values, d->values, SCHEDSTAT_DOMAIN_VALUES);
			counts[sum - all->domains.items]++;
		}
	}
	divide_all(all->values, SCHEDSTAT_CPU_VALUES, s->cpus.n);
	for (size_t k = 0; k < all->domains.n; k++)
		divide_all(all->domains.items[k].values, SCHEDSTAT_DOMAIN_VALUES, counts[k]);
}
