/* SPDX-License-Identifier: MIT */
#include "profile/annotation.h"

#include <stdlib.h>
#include <string.h>

#include "base/bisect.h"
#include "base/memory.h"
#include "profile/branch-blocks.h"
#include "profile/frames.h"
#include "profile/resolver.h"
#include "profile/skid.h"
#include "profile/stacks.h"
#include "session/consumer.h"
#include "session/sample-filter.h"
#include "session/session.h"
#include "symbol/symbolizer.h"
#include "wire/branch.h"
#include "wire/topology.h"

/* The samples of an event, by the number of the frame that they are in. */
struct address_weights {
	struct weight *items;
	size_t n, room;
	struct weight total;
	struct branch_blocks blocks;
};

struct annotation_worker {
	struct resolver resolver;
	struct {
		struct address_weights *items;
		size_t n, room;
	} events;
};

struct annotation {
	struct annotation_options options;
	struct frames *frames; /* frames are told apart by address */
	struct annotation_worker *workers;
	uint64_t random; /* the random state that chooses samples to forget */
};

struct annotation *annotation_new(const struct annotation_options *o)
{
	struct annotation *a = xcalloc(1, sizeof(*a));

	a->options = *o;
	a->frames = frames_new(true);
	if (o->forgets)
		frames_copy_maps(a->frames);
	a->workers = xcalloc(o->n_workers, sizeof(*a->workers));
	for (unsigned i = 0; i < o->n_workers; i++)
		resolver_init(&a->workers[i].resolver, o->session, a->frames);
	return a;
}

void annotation_free(struct annotation *a)
{
	if (!a)
		return;
	for (unsigned i = 0; i < a->options.n_workers; i++) {
		struct annotation_worker *w = &a->workers[i];

		for (size_t k = 0; k < w->events.n; k++) {
			free(w->events.items[k].items);
			branch_blocks_done(&w->events.items[k].blocks);
		}
		free(w->events.items);
		resolver_done(&w->resolver);
	}
	free(a->workers);
	frames_free(a->frames);
	free(a);
}

static struct address_weights *annotation_event_of(struct annotation_worker *w, size_t event)
{
	while (w->events.n <= event)
		ARRAY_ADD(&w->events);
	return &w->events.items[event];
}

static void annotation_add(struct annotation_worker *w, size_t event, uint32_t frame,
			   struct weight weight)
{
	struct address_weights *e = annotation_event_of(w, event);

	/* Frame numbers are dense, so few entries are unused. */
	while (e->n <= frame)
		ARRAY_ADD(e);
	weight_add(&e->items[frame], weight);
	weight_add(&e->total, weight);
}

static bool annotation_passes(const struct annotation *a, uint32_t frame)
{
	const struct sample_filter *f = a->options.filter;
	const struct frame *at = frames_get(a->frames, frame);

	return !f || !sample_filter_has_places(f) ||
	       sample_filter_passes_place(f, &(struct location){ .addr = at->ip,
								 .map = at->map,
								 .image_addr = at->addr,
								 .sym = at->sym });
}

static bool annotation_is_of_socket(const struct annotation_options *o, uint32_t cpu)
{
	const struct cpu_place *place = o->topology ? topology_find(o->topology, cpu) : NULL;

	return !o->topology || (place && place->socket == o->socket);
}

/* True if the sample's thread passes the filter. */
static bool passes_task(const struct annotation *a, const struct resolved_task *task)
{
	const struct sample_filter *f = a->options.filter;

	return !f || (sample_filter_passes_task(f, task->pid, task->tid) &&
		      sample_filter_passes_comm(f, task->comm));
}

static const struct frame *branch_place(struct annotation *a, struct annotation_worker *w,
					const struct resolved_task *task, uint64_t addr,
					uint64_t time)
{
	/* Branch records have no mode, but kernel addresses are high on every machine. */
	enum address_mode mode = addr >> 63 ? ADDRESS_KERNEL : ADDRESS_USER;

	return frames_get(a->frames, resolver_sampled_frame(&w->resolver, task, mode, addr, time));
}

/*
 * Takes the blocks between branches. The block that ends with branch @i began at the target of the
 * older branch @i + 1.
 */
static void take_blocks(struct annotation *a, struct annotation_worker *w,
			const struct session_sample *s, const struct resolved_task *task)
{
	struct branch_blocks *blocks = &annotation_event_of(w, s->event->index)->blocks;
	size_t n = s->sample->branches.n / 3;

	for (size_t i = 0; i < n; i++) {
		struct branch b = sample_branch(s->sample, i);
		const struct frame *start = NULL;

		if (!branch_cycles(b.flags))
			continue;
		if (i + 1 < n)
			start = branch_place(a, w, task, sample_branch(s->sample, i + 1).to,
					     s->time);
		branch_blocks_add(blocks, start, branch_place(a, w, task, b.from, s->time),
				  branch_cycles(b.flags));
	}
}

static void annotation_take_sample(struct annotation *a, struct annotation_worker *w,
				   const struct session_sample *s)
{
	const struct sample *sample = s->sample;
	const struct resolved_task *task = resolver_task(&w->resolver, sample->pid, sample->tid,
							 s->time);
	uint32_t frame;

	if (!passes_task(a, task) || !annotation_is_of_socket(&a->options, sample->cpu))
		return;
	/* Branch records that hold a stack of calls give no blocks. */
	if (a->options.with_blocks && sample->branches.n &&
	    !(s->event->attr.branch_sample_type & PERF_SAMPLE_BRANCH_CALL_STACK))
		take_blocks(a, w, s, task);
	frame = resolver_sampled_frame(&w->resolver, task, address_mode_of(sample->misc),
				       sample->ip, s->time);
	if (annotation_passes(a, frame))
		annotation_add(w, s->event->index, frame,
			       (struct weight){ .samples = s->samples, .period = s->period });
}

void annotation_take(struct annotation *a, const struct sample_batch *b)
{
	struct annotation_worker *w = &a->workers[b->worker];

	resolver_refresh(&w->resolver);
	for (size_t i = 0; i < b->n; i++)
		annotation_take_sample(a, w, &b->items[i]);
}

void annotation_settle(struct annotation *a)
{
	for (unsigned i = 1; i < a->options.n_workers; i++) {
		struct annotation_worker *w = &a->workers[i];

		for (size_t e = 0; e < w->events.n; e++) {
			branch_blocks_merge(&annotation_event_of(&a->workers[0], e)->blocks,
					    &w->events.items[e].blocks);
			for (size_t f = 0; f < w->events.items[e].n; f++)
				if (w->events.items[e].items[f].samples)
					annotation_add(&a->workers[0], e, (uint32_t)f,
						       w->events.items[e].items[f]);
		}
	}
}

static void profile_annotation_fade(struct address_weights *w, unsigned left, unsigned of,
				    uint64_t *random)
{
	w->total = (struct weight){ 0 };
	for (size_t i = 0; i < w->n; i++) {
		weight_thin(&w->items[i], left, of, random);
		weight_add(&w->total, w->items[i]);
	}
}

void annotation_fade(struct annotation *a, unsigned left, unsigned of)
{
	for (size_t e = 0; e < a->workers[0].events.n; e++)
		profile_annotation_fade(&a->workers[0].events.items[e], left, of, &a->random);
}

static const struct address_weights *weights_of(const struct annotation *a, size_t event)
{
	static const struct address_weights none;

	return event < a->workers[0].events.n ? &a->workers[0].events.items[event] : &none;
}

struct weight annotation_total(const struct annotation *a, size_t index)
{
	return weights_of(a, index)->total;
}

void annotation_unnamed(const struct annotation *a,
			void (*each)(void *arg, const struct image *im, uint64_t samples),
			void *arg)
{
	for (size_t e = 0; e < a->workers[0].events.n; e++) {
		const struct address_weights *w = weights_of(a, e);

		for (uint32_t id = 0; id < w->n; id++) {
			const struct frame *f = w->items[id].samples ? frames_get(a->frames, id)
								     : NULL;

			if (f && !f->sym)
				each(arg, f->image, w->items[id].samples);
		}
	}
}

/* An address with samples. */
struct annotation_point {
	const struct frame *frame;
	uint32_t id;
};

struct points {
	struct annotation_point *items;
	size_t n, room;
};

/* Compares two points. The addresses of a function stand together, ascending. */
static int annotation_by_place(const void *a, const void *b)
{
	return frame_compare_places(((const struct annotation_point *)a)->frame,
				    ((const struct annotation_point *)b)->frame);
}

static void annotation_find_points(const struct annotation *a, size_t first, size_t n,
				   struct points *points)
{
	for (uint32_t id = 0; id < frames_count(a->frames); id++) {
		const struct frame *f = frames_get(a->frames, id);

		for (size_t e = first; f->sym && e < first + n; e++) {
			const struct address_weights *w = weights_of(a, e);

			if (id >= w->n || !w->items[id].samples)
				continue;
			*ARRAY_ADD(points) = (struct annotation_point){ .frame = f, .id = id };
			break;
		}
	}
	if (points->n)
		qsort(points->items, points->n, sizeof(points->items[0]), annotation_by_place);
}

/* Adds the function that @points begins with; returns how many points are in it. */
static size_t annotation_add_function(const struct annotation *a, size_t first, size_t n_events,
				      const struct annotation_point *points, size_t n,
				      struct annotated_functions *ret)
{
	const struct frame *f = points[0].frame;
	struct weight *totals = arena_alloc(&ret->arena, n_events * sizeof(*totals));
	struct weight *weights;
	uint64_t *addrs;
	size_t count = 1;

	while (count < n && points[count].frame->sym == f->sym &&
	       points[count].frame->image == f->image)
		count++;
	addrs = arena_alloc(&ret->arena, count * sizeof(*addrs));
	weights = arena_alloc(&ret->arena, count * n_events * sizeof(*weights));
	for (size_t i = 0; i < count; i++) {
		addrs[i] = points[i].frame->addr;
		for (size_t e = 0; e < n_events; e++) {
			const struct address_weights *w = weights_of(a, first + e);

			if (points[i].id >= w->n)
				continue;
			weights[i * n_events + e] = w->items[points[i].id];
			weight_add(&totals[e], w->items[points[i].id]);
		}
	}
	*ARRAY_ADD(ret) = (struct annotated_function){ .image = f->image,
						       .sym = f->sym,
						       .moved = f->ip - f->addr,
						       .totals = totals,
						       .n = count,
						       .addrs = addrs,
						       .weights = weights };
	return count;
}

static int annotation_by_end(const void *a, const void *b)
{
	const struct branch_block *x = *(struct branch_block *const *)a;
	const struct branch_block *y = *(struct branch_block *const *)b;

	if (x->image != y->image)
		return (uintptr_t)x->image < (uintptr_t)y->image ? -1 : 1;
	return (x->end > y->end) - (x->end < y->end);
}

/*
 * Returns the blocks of the first event that has any, by image and end. The caller frees the list.
 */
static const struct branch_block **sort_blocks(const struct annotation *a, size_t first, size_t n,
					       size_t *ret_n)
{
	const struct branch_blocks *blocks = NULL;
	const struct branch_block **sorted;

	for (size_t e = first; e < first + n && !(blocks && blocks->n); e++)
		blocks = &weights_of(a, e)->blocks;
	*ret_n = blocks ? blocks->n : 0;
	sorted = xcalloc(*ret_n + 1, sizeof(*sorted));
	for (size_t i = 0; i < *ret_n; i++)
		sorted[i] = &blocks->items[i];
	qsort(sorted, *ret_n, sizeof(*sorted), annotation_by_end);
	return sorted;
}

static void annotation_add_blocks(struct annotated_functions *all, struct annotated_function *f,
				  const struct branch_block *const *sorted, size_t n)
{
	const struct branch_block key = { .image = f->image, .end = f->sym->start };
	const struct branch_block *wanted = &key;
	size_t at = BISECT(k, n, annotation_by_end(&sorted[k], &wanted) < 0), count = 0;
	struct annotated_block *blocks;

	while (at + count < n && sorted[at + count]->image == f->image &&
	       sorted[at + count]->end < f->sym->end)
		count++;
	if (!count)
		return;
	blocks = arena_alloc(&all->arena, count * sizeof(*blocks));
	for (size_t i = 0; i < count; i++) {
		const struct branch_block *b = sorted[at + i];

		blocks[i] = (struct annotated_block){ .start = b->start,
						      .end = b->end,
						      .cycles = b->cycles,
						      .count = b->count,
						      .whole_cycles = b->whole_cycles,
						      .whole_count = b->whole_count,
						      .least = b->least,
						      .most = b->most };
	}
	f->blocks = blocks;
	f->n_blocks = count;
}

static int annotation_by_weight(const void *a, const void *b)
{
	const struct annotated_function *x = a, *y = b;
	int order;

	if (x->totals[0].period != y->totals[0].period)
		return x->totals[0].period < y->totals[0].period ? 1 : -1;
	order = strcmp(image_short_name(x->image), image_short_name(y->image));
	if (!order)
		order = strcmp(x->sym->name, y->sym->name);
	return order ? order : (x->sym->start > y->sym->start) - (x->sym->start < y->sym->start);
}

static const bool *find_skids(const struct annotation *a, size_t first, size_t n,
			      struct arena *arena)
{
	bool *skids = arena_alloc(arena, n * sizeof(*skids));

	for (size_t i = 0; i < n; i++)
		skids[i] = event_skids(session_event(a->options.session, first + i));
	return skids;
}

void annotation_functions(const struct annotation *a, size_t first, size_t n,
			  struct annotated_functions *ret)
{
	struct points points = { 0 };

	ret->n_events = n;
	ret->skids = find_skids(a, first, n, &ret->arena);
	annotation_find_points(a, first, n, &points);
	for (size_t i = 0; i < points.n;)
		i += annotation_add_function(a, first, n, &points.items[i], points.n - i, ret);
	if (ret->n)
		qsort(ret->items, ret->n, sizeof(ret->items[0]), annotation_by_weight);
	free(points.items);
	if (a->options.with_blocks) {
		size_t n_blocks;
		const struct branch_block **sorted = sort_blocks(a, first, n, &n_blocks);

		for (size_t i = 0; i < ret->n; i++)
			annotation_add_blocks(ret, &ret->items[i], sorted, n_blocks);
		free(sorted);
	}
}

void annotated_functions_done(struct annotated_functions *f)
{
	free(f->items);
	arena_done(&f->arena);
}

struct weight annotated_weight(const struct annotated_functions *all,
			       const struct annotated_function *f, size_t event, uint64_t start,
			       uint64_t end)
{
	struct weight sum = { 0 };
	size_t i = BISECT(k, f->n, f->addrs[k] < start);

	for (; i < f->n && f->addrs[i] < end; i++)
		weight_add(&sum, f->weights[i * all->n_events + event]);
	return sum;
}
