/* SPDX-License-Identifier: MIT */
#include "tools/sched/timehist-chains-view.h"

#include <stdlib.h>

#include "base/memory.h"
#include "session/sched-event.h"

void timehist_chains_done(struct timehist_chains *c)
{
	sched_chain_done(&c->chain);
	u64_map_done(&c->numbers);
	free(c->list.items);
	intern_done(&c->texts);
	if (c->text.chars)
		text_done(&c->text);
}

uint32_t timehist_chain_of(struct timehist_chains *c, const struct sched_event *e)
{
	const char *text;
	uintptr_t number;

	if (!c->text.chars)
		c->text = (struct text)TEXT_EMPTY;
	text_clear(&c->text);
	if (!sched_chain_add(&c->chain, e->sample, &c->text))
		return 0;
	text = intern_text(&c->texts, c->text.chars);
	number = (uintptr_t)u64_map_find(&c->numbers, (uintptr_t)text);
	if (!number) {
		*ARRAY_ADD(&c->list) = text;
		number = c->list.n;
		u64_map_put(&c->numbers, (uintptr_t)text, (void *)number);
	}
	return (uint32_t)number;
}

const char *timehist_chain_text(const struct timehist_chains *c, uint32_t number)
{
	return c->list.items[number - 1];
}
