/* SPDX-License-Identifier: MIT */
#include "profile/stack-numbers.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "profile/frames.h"
#include "profile/resolver.h"
#include "profile/stack-path.h"
#include "session/consumer.h"

/* The first occurrence of a stack. */
struct first_seen {
	uint64_t time, position;
};

#define NEVER                                                                                      \
	(struct first_seen)                                                                        \
	{                                                                                          \
		UINT64_MAX, UINT64_MAX                                                             \
	}

struct numbers_worker {
	struct resolver resolver;
	struct stack_path path;
	struct stacks stacks;
	uint32_t root;
	struct first_seen *seen; /* indexed by node */
	size_t seen_room, n_seen;
	uint32_t *nodes; /* the nodes of the current batch */
	size_t nodes_room;
	uint32_t *numbers; /* by node, set once it is settled */
};

struct stack_numbers {
	const struct session *session;
	size_t max_stack;
	struct frames *frames;
	struct numbers_worker *workers;
	unsigned n_workers;
	/* Set by stack_numbers_settle(): */
	struct stacks stacks;
	uint32_t *first; /* the node of each number */
	size_t n;
	uint32_t *frame_numbers; /* by frame; 0: none */
	uint32_t *frame_list;    /* indexed by number */
	size_t n_frames;
};

static void stack_numbers_worker_init(struct stack_numbers *n, struct numbers_worker *w)
{
	const struct session *s = n->session;

	resolver_init(&w->resolver, s, n->frames);
	for (size_t i = 0; i < session_event_count(s) && w->resolver.inlines == INLINES_NONE; i++)
		w->resolver.inlines = inlines_of(INLINES_UNWOUND, &session_event(s, i)->attr);
	stack_path_init(&w->path, &w->resolver);
	w->root = stacks_root(&w->stacks, 0);
}

static void stack_numbers_worker_done(struct numbers_worker *w)
{
	stack_path_done(&w->path);
	resolver_done(&w->resolver);
	stacks_done(&w->stacks);
	free(w->seen);
	free(w->nodes);
	free(w->numbers);
}

struct stack_numbers *stack_numbers_new(const struct session *s, size_t max_stack,
					unsigned n_workers)
{
	struct stack_numbers *n = xcalloc(1, sizeof(*n));

	n->session = s;
	n->max_stack = max_stack;
	n->frames = frames_new(false);
	n->n_workers = n_workers;
	n->workers = xcalloc(n_workers, sizeof(*n->workers));
	for (unsigned i = 0; i < n_workers; i++)
		stack_numbers_worker_init(n, &n->workers[i]);
	return n;
}

void stack_numbers_free(struct stack_numbers *n)
{
	if (!n)
		return;
	for (unsigned i = 0; i < n->n_workers; i++)
		stack_numbers_worker_done(&n->workers[i]);
	free(n->workers);
	frames_free(n->frames);
	stacks_done(&n->stacks);
	free(n->first);
	free(n->frame_numbers);
	free(n->frame_list);
	free(n);
}

static bool stack_numbers_is_before(const struct first_seen *a, const struct first_seen *b)
{
	return a->time != b->time ? a->time < b->time : a->position < b->position;
}

static void note_seen(struct numbers_worker *w, uint32_t node, const struct session_sample *s)
{
	const struct first_seen now = { s->time, s->record->raw.position };

	w->seen = array_reserve(w->seen, &w->seen_room, w->stacks.n, sizeof(*w->seen));
	for (; w->n_seen < w->stacks.n; w->n_seen++)
		w->seen[w->n_seen] = NEVER;
	if (stack_numbers_is_before(&now, &w->seen[node]))
		w->seen[node] = now;
}

static uint32_t stack_numbers_take_stack(struct stack_numbers *n, struct numbers_worker *w,
					 const struct session_sample *s)
{
	struct call_chain *chain = &w->path.chain;
	const struct attr *attr = &s->event->attr;
	const struct resolved_task *task;
	uint32_t node;

	if (!(attr->sample_type & PERF_SAMPLE_CALLCHAIN))
		return STACK_NONE;
	chain->n = 0;
	call_chain_take(chain, n->session, s->sample, s->time, n->max_stack);
	if (!chain->n)
		return STACK_NONE;
	call_chain_mark_unwound(chain, attr);
	task = resolver_task(&w->resolver, s->sample->pid, s->sample->tid, s->time);
	stack_path_take(&w->path, task, s->time, address_mode_of(s->sample->misc),
			inlines_of(INLINES_UNWOUND, attr));
	node = stack_path_node(&w->path, &w->stacks, w->root);
	if (node == w->root)
		return STACK_NONE;
	note_seen(w, node, s);
	return node;
}

void stack_numbers_take(struct stack_numbers *n, const struct sample_batch *b,
			const uint32_t **ret_nodes)
{
	struct numbers_worker *w = &n->workers[b->worker];

	if (resolver_refresh(&w->resolver))
		stack_path_forget(&w->path);
	w->nodes = array_reserve(w->nodes, &w->nodes_room, b->n, sizeof(*w->nodes));
	for (size_t i = 0; i < b->n; i++)
		w->nodes[i] = stack_numbers_take_stack(n, w, &b->items[i]);
	*ret_nodes = w->nodes;
}

struct numbered {
	struct first_seen seen;
	uint32_t node;
};

static int stack_numbers_compare_seen(const void *a, const void *b)
{
	const struct numbered *x = a, *y = b;

	if (stack_numbers_is_before(&x->seen, &y->seen))
		return -1;
	if (stack_numbers_is_before(&y->seen, &x->seen))
		return 1;
	return x->node < y->node ? -1 : x->node > y->node;
}

/*
 * Numbers the nodes that occurred, in the order of their first occurrence. Returns the number of
 * each node.
 */
static uint32_t *stack_numbers_number_nodes(struct stack_numbers *n, const struct first_seen *seen)
{
	struct numbered *all = xmalloc((n->stacks.n + 1) * sizeof(*all));
	uint32_t *numbers = xcalloc(n->stacks.n + 1, sizeof(*numbers));

	for (uint32_t i = 0; i < n->stacks.n; i++)
		if (seen[i].position != UINT64_MAX)
			all[n->n++] = (struct numbered){ seen[i], i };
	qsort(all, n->n, sizeof(*all), stack_numbers_compare_seen);
	n->first = xmalloc((n->n + 1) * sizeof(*n->first));
	for (size_t i = 0; i < n->n; i++) {
		n->first[i] = all[i].node;
		numbers[all[i].node] = (uint32_t)i + 1;
	}
	free(all);
	return numbers;
}

static void number_frames(struct stack_numbers *n)
{
	size_t count = frames_count(n->frames);

	n->frame_numbers = xcalloc(count + 1, sizeof(*n->frame_numbers));
	n->frame_list = xmalloc((count + 1) * sizeof(*n->frame_list));
	for (size_t i = 0; i < n->n; i++)
		for (uint32_t at = n->first[i]; !stacks_is_root(&n->stacks, at);
		     at = n->stacks.nodes[at].parent) {
			uint32_t frame = n->stacks.nodes[at].frame;

			if (n->frame_numbers[frame])
				continue;
			n->frame_list[n->n_frames++] = frame;
			n->frame_numbers[frame] = (uint32_t)n->n_frames;
		}
}

void stack_numbers_settle(struct stack_numbers *n)
{
	static const uint32_t context = 0;
	uint32_t **merged = xcalloc(n->n_workers, sizeof(*merged));
	struct first_seen *seen;
	uint32_t *numbers;

	for (unsigned i = 0; i < n->n_workers; i++)
		merged[i] = stacks_merge(&n->stacks, &n->workers[i].stacks, &context);
	seen = xmalloc((n->stacks.n + 1) * sizeof(*seen));
	for (size_t i = 0; i < n->stacks.n; i++)
		seen[i] = NEVER;
	for (unsigned i = 0; i < n->n_workers; i++)
		for (size_t k = 0; k < n->workers[i].n_seen; k++)
			if (stack_numbers_is_before(&n->workers[i].seen[k], &seen[merged[i][k]]))
				seen[merged[i][k]] = n->workers[i].seen[k];
	numbers = stack_numbers_number_nodes(n, seen);
	for (unsigned i = 0; i < n->n_workers; i++) {
		struct numbers_worker *w = &n->workers[i];

		w->numbers = xmalloc((w->stacks.n + 1) * sizeof(*w->numbers));
		for (size_t k = 0; k < w->stacks.n; k++)
			w->numbers[k] = numbers[merged[i][k]];
		free(merged[i]);
	}
	free(merged);
	free(seen);
	free(numbers);
	number_frames(n);
}

uint32_t stack_numbers_of(const struct stack_numbers *n, unsigned worker, uint32_t node)
{
	return node == STACK_NONE ? 0 : n->workers[worker].numbers[node];
}

size_t stack_numbers_count(const struct stack_numbers *n)
{
	return n->n;
}

size_t stack_numbers_frame_count(const struct stack_numbers *n)
{
	return n->n_frames;
}

uint32_t stack_numbers_first(const struct stack_numbers *n, uint32_t number)
{
	return n->first[number - 1];
}

uint32_t stack_numbers_outer(const struct stack_numbers *n, uint32_t place)
{
	uint32_t parent = n->stacks.nodes[place].parent;

	return stacks_is_root(&n->stacks, parent) ? STACK_NONE : parent;
}

uint32_t stack_numbers_frame_at(const struct stack_numbers *n, uint32_t place)
{
	return n->frame_numbers[n->stacks.nodes[place].frame];
}

const struct frame *stack_numbers_frame(const struct stack_numbers *n, uint32_t number)
{
	return frames_get(n->frames, n->frame_list[number - 1]);
}
