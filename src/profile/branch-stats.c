/* SPDX-License-Identifier: MIT */
#include "profile/branch-stats.h"

#include "wire/sample.h"

#define PAGE_BITS      12
#define HUGE_PAGE_BITS 21

void branch_stats_add(struct branch_stats *s, const struct branch *b)
{
	unsigned kind = branch_kind(b->flags);

	if (kind == BRANCH_UNKNOWN || !b->from)
		return;
	s->kinds[kind]++;
	if (kind == BRANCH_CONDITIONAL) {
		s->forward += b->to > b->from;
		s->backward += b->to <= b->from;
	}
	if (b->from >> HUGE_PAGE_BITS != b->to >> HUGE_PAGE_BITS)
		s->cross_2m++;
	else if (b->from >> PAGE_BITS != b->to >> PAGE_BITS)
		s->cross_4k++;
}

void branch_stats_merge(struct branch_stats *s, const struct branch_stats *from)
{
	for (unsigned i = 0; i < BRANCH_KINDS; i++)
		s->kinds[i] += from->kinds[i];
	s->forward += from->forward;
	s->backward += from->backward;
	s->cross_4k += from->cross_4k;
	s->cross_2m += from->cross_2m;
}

uint64_t branch_stats_total(const struct branch_stats *s)
{
	uint64_t total = 0;

	for (unsigned i = 0; i < BRANCH_KINDS; i++)
		total += s->kinds[i];
	return total;
}
