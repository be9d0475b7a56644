/* SPDX-License-Identifier: MIT */
#include "profile/collector-branch.h"

#include "base/memory.h"
#include "profile/collector-worker.h"
#include "session/session.h"

void collector_places_init(struct collector_worker *w)
{
	if (!w->options->blocks)
		return;
	w->places.frames = frames_new(true);
	resolver_init(&w->places.resolver, w->options->env->session, w->places.frames);
}

void collector_places_done(struct collector_worker *w)
{
	if (!w->places.frames)
		return;
	resolver_done(&w->places.resolver);
	frames_free(w->places.frames);
}

/*
 * Returns the mode of an address. Branch records have no mode, but kernel addresses are high on
 * every machine.
 */
static enum address_mode collector_branch_mode_of(uint64_t addr)
{
	return addr >> 63 ? ADDRESS_KERNEL : ADDRESS_USER;
}

/*
 * Returns the frame of one end of a branch. Addresses at which nothing is known are marked as the
 * hypervisor's.
 */
static uint32_t collector_branch_end_of(struct collector_worker *w, const struct collected *c,
					uint64_t addr)
{
	uint32_t frame = collected_frame(w, c, collector_branch_mode_of(addr), addr);

	if (frames_get(w->options->env->frames, frame)->image)
		return frame;
	return collected_frame(w, c, ADDRESS_HYPERVISOR, addr);
}

static bool collector_branch_is_hidden(const struct collector_worker *w,
				       const struct key_sample *ks)
{
	const struct frames *f = w->options->env->frames;

	return w->options->hide_unresolved &&
	       !(frames_get(f, ks->from)->sym && frames_get(f, ks->to)->sym);
}

static const struct frame *collector_branch_place_of(struct collector_worker *w,
						     const struct collected *c, uint64_t addr)
{
	uint32_t frame = resolver_sampled_frame(&w->places.resolver, c->task,
						collector_branch_mode_of(addr), addr, c->time);

	return frames_get(w->places.frames, frame);
}

/*
 * Adds the blocks. The block that ends with branch @i began at the target of the older branch @i +
 * 1.
 */
void collect_blocks(struct collector_worker *w, const struct collected *c)
{
	struct branch_blocks *blocks = &w->tallies[c->event->index].blocks;
	size_t n = c->sample->branches.n / 3;

	resolver_refresh(&w->places.resolver);
	for (size_t i = 0; i < n; i++) {
		struct branch b = sample_branch(c->sample, i);
		const struct frame *start = NULL;

		if (i + 1 < n)
			start = collector_branch_place_of(w, c, sample_branch(c->sample, i + 1).to);
		branch_blocks_add(blocks, start, collector_branch_place_of(w, c, b.from),
				  branch_cycles(b.flags));
	}
}

void collect_branches(struct collector_worker *w, const struct collected *c)
{
	struct branch_stats *stats = &w->tallies[c->event->index].branches;
	struct collected one = *c;
	struct key_sample ks = collected_key_sample(c);

	one.weight = (struct weight){ .period = 1, .samples = 1 };
	stack_path_cut(&w->path, 0);
	for (size_t i = 0; i < c->sample->branches.n / 3; i++) {
		struct branch b = sample_branch(c->sample, i);

		ks.from = collector_branch_end_of(w, c, b.from);
		ks.to = collector_branch_end_of(w, c, b.to);
		ks.branch_flags = b.flags;
		ks.frame = ks.to;
		if (collector_branch_is_hidden(w, &ks))
			continue;
		branch_stats_add(stats, &b);
		collected_add(w, &one, &ks);
	}
	if (w->options->blocks)
		collect_blocks(w, c);
}

static void collector_branch_sum_up(struct tally *t, uint32_t node, const struct branch_history *h)
{
	struct branch_sums sums = { 0 };

	for (size_t i = 0; i < h->n; i++) {
		uint64_t flags = h->items[i].branch.flags;

		if (h->items[i].part != HISTORY_TO)
			continue;
		branch_sums_add(&sums, &(struct branch_sums){ 1, !!(flags & BRANCH_PREDICTED),
							      !!(flags & BRANCH_ABORT),
							      branch_cycles(flags) });
	}
	while (t->branch_sums.n <= node)
		ARRAY_ADD(&t->branch_sums);
	branch_sums_add(&t->branch_sums.items[node], &sums);
}

void collect_notes(struct collector_worker *w, const struct collected *c)
{
	struct tally *t = &w->tallies[c->event->index];
	const struct stack_path *p = &w->path;

	if (w->options->needs & ROW_NEEDS_BRANCHES)
		collector_branch_sum_up(t, w->placed, &w->history);
	/* Options have removed frames, and their places with them. */
	if ((w->options->hide_unresolved || w->options->frames) && p->n != p->chain.n)
		return;
	for (size_t i = 0; i < w->history.n && i < p->n; i++) {
		const struct history_entry *e = &w->history.items[w->history.n - 1 - i];

		history_entry_note(
			e, branch_notes_at(&t->notes, stacks_find(&t->stacks, p->steps[i].key)));
	}
}
