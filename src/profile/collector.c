/* SPDX-License-Identifier: MIT */
#include "profile/collector.h"

#include <stdlib.h>
#include <string.h>

#include "base/cpu-list.h"
#include "base/memory.h"
#include "profile/collector-branch.h"
#include "profile/collector-memory.h"
#include "profile/collector-strip.h"
#include "profile/collector-worker.h"
#include "profile/parallelism.h"
#include "profile/reference-stacks.h"
#include "profile/stack-choice.h"
#include "profile/wall-clock.h"
#include "session/call-chain-lbr.h"
#include "session/consumer.h"
#include "session/event-switch.h"
#include "session/lbr-stitch.h"
#include "session/sample-filter.h"
#include "session/session.h"
#include "session/stack-unwind.h"
#include "symbol/symbol.h"
#include "tracepoint/field.h"
#include "wire/topology.h"

static size_t context_width(const struct collector_options *o)
{
	return o->n_keys + N_HIDDEN;
}

/*
 * Returns which inlined functions are frames. Branches are known by their addresses, so none are
 * with history.
 */
static enum inlines inlines_in(const struct collector_options *o, const struct attr *attr)
{
	return o->with_stacks && !o->history ? inlines_of(o->inlines, attr) : INLINES_NONE;
}

static enum inlines inlines_in_any(const struct collector_options *o)
{
	const struct session *s = o->env->session;
	enum inlines any = INLINES_NONE;

	for (size_t i = 0; i < session_event_count(s) && any == INLINES_NONE; i++)
		any = inlines_in(o, &session_event(s, i)->attr);
	return any;
}

static void log_init(struct collector_worker *w)
{
	const struct collector_options *o = w->options;

	if (!o->places)
		return;
	cell_log_init(&w->log.cells);
	resolver_init(&w->log.resolver, o->env->session, o->places);
}

static void log_done(struct collector_worker *w)
{
	if (!w->options->places)
		return;
	resolver_done(&w->log.resolver);
	cell_log_done(&w->log.cells);
}

/*
 * True if the node of a sample depends only on its record, its task and the maps. Without a stack
 * and text, the node is found as fast as a remembered one.
 */
static bool can_remember(const struct collector_options *o)
{
	if ((!o->with_stacks || o->leaves_only) && o->mode != REPORT_TRACEPOINT)
		return false;
	for (size_t i = 0; i < o->n_keys; i++)
		if (o->keys[i].type->flags & KEY_OF_TIME)
			return false;
	return (o->mode == REPORT_NORMAL || o->mode == REPORT_TRACEPOINT) && !o->env->forgets &&
	       !o->references && !o->lbr_registers && !o->notes && !o->blocks && !o->places &&
	       !o->with_strip && !o->only_with_parent && !o->by_place && !o->running;
}

static void collector_worker_init(struct collector_worker *w, const struct collector_options *o)
{
	*w = (struct collector_worker){ .options = o, .has_memo = can_remember(o) };
	resolver_init(&w->resolver, o->env->session, o->env->frames);
	w->resolver.inlines = inlines_in_any(o);
	stack_path_init(&w->path, &w->resolver);
	w->path.callers_first = o->callers_first;
	w->parents.regex = o->parent;
	w->ignored.regex = o->ignore_callees;
	w->values = xcalloc(context_width(o), sizeof(*w->values));
	sample_memo_init(&w->memo);
	collector_places_init(w);
	collector_strip_init(w);
	log_init(w);
	if (o->references)
		w->references = reference_stacks_new();
	if (o->lbr_registers)
		w->stitch = lbr_stitch_new(o->lbr_registers);
}

static void tally_done(struct tally *t)
{
	contexts_done(&t->contexts);
	stacks_done(&t->stacks);
	branch_blocks_done(&t->blocks);
	branch_notes_done(&t->notes);
	free(t->branch_sums.items);
}

static void collector_worker_done(struct collector_worker *w)
{
	for (size_t i = 0; i < w->n_tallies; i++) {
		tally_done(&w->tallies[i]);
		free(w->memos[i].values);
	}
	free(w->tallies);
	free(w->memos);
	free(w->values);
	frame_marks_done(&w->parents);
	frame_marks_done(&w->ignored);
	stack_path_done(&w->path);
	resolver_done(&w->resolver);
	collector_places_done(w);
	collector_strip_done(w);
	log_done(w);
	lbr_stitch_free(w->stitch);
	reference_stacks_free(w->references);
	branch_history_done(&w->history);
	sample_memo_done(&w->memo);
}

struct collector *collector_new(const struct collector_options *o)
{
	struct collector *c = xcalloc(1, sizeof(*c));

	c->options = *o;
	c->workers = xcalloc(o->n_workers, sizeof(*c->workers));
	for (unsigned i = 0; i < o->n_workers; i++)
		collector_worker_init(&c->workers[i], &c->options);
	return c;
}

void collector_free(struct collector *c)
{
	if (!c)
		return;
	for (unsigned i = 0; i < c->options.n_workers; i++)
		collector_worker_done(&c->workers[i]);
	free(c->workers);
	free(c);
}

void collector_reserve(struct collector_worker *w, size_t n)
{
	size_t width = context_width(w->options);

	if (n <= w->n_tallies)
		return;
	w->tallies = xrealloc(w->tallies, n * sizeof(*w->tallies));
	w->memos = xrealloc(w->memos, n * sizeof(*w->memos));
	for (size_t i = w->n_tallies; i < n; i++) {
		w->tallies[i] = (struct tally){ 0 };
		contexts_init(&w->tallies[i].contexts, width);
		w->memos[i] = (struct tally_memo){ .values = xcalloc(width, sizeof(uint64_t)) };
	}
	w->n_tallies = n;
	stack_path_forget(&w->path);
}

/* Returns the tally to which samples of @e are added. */
static size_t tally_index(const struct collector_options *o, const struct session_event *e)
{
	if (o->joined)
		return 0;
	return o->wall && o->wall->off == e ? o->wall->on->index : e->index;
}

static uint64_t collector_kind_of(const struct collector_options *o, const struct sample *s)
{
	bool weights = o->needs & ROW_NEEDS_WEIGHTS;

	if (!o->by_mode && !o->needs)
		return 0;
	return hidden_kind(o->by_mode ? address_mode_of(s->misc) : 0,
			   o->needs & ROW_NEEDS_MEMORY ? memory_classes_of(s->data_src) : 0,
			   weights ? s->ins_latency : 0, weights ? s->p_stage_cyc : 0);
}

/* Returns the root of the context of @ks in @t, which is made if the context is new. */
static uint32_t collector_root_of(struct collector_worker *w, const struct collected *c,
				  const struct key_sample *ks)
{
	const struct collector_options *o = w->options;
	struct tally *t = &w->tallies[tally_index(o, c->event)];
	struct tally_memo *m = &w->memos[tally_index(o, c->event)];
	size_t width = context_width(o);

	for (size_t i = 0; i < o->n_keys; i++)
		w->values[i] = o->keys[i].type->of_sample
				       ? o->keys[i].type->of_sample(&o->keys[i], o->env, ks)
				       : 0;
	w->values[o->n_keys + HIDDEN_LEFT_OUT] = c->left_out;
	w->values[o->n_keys + HIDDEN_KIND] = collector_kind_of(o, c->sample);
	w->values[o->n_keys + HIDDEN_WEIGHT] = o->needs & ROW_NEEDS_WEIGHTS ? c->sample->weight : 0;
	w->values[o->n_keys + HIDDEN_PARALLEL] = o->needs & ROW_NEEDS_LATENCY ? ks->parallelism : 0;
	if (m->valid && !memcmp(m->values, w->values, width * sizeof(*w->values)))
		return m->root;
	m->context = contexts_add(&t->contexts, w->values);
	m->root = stacks_root(&t->stacks, m->context);
	memcpy(m->values, w->values, width * sizeof(*w->values));
	m->valid = true;
	return m->root;
}

static void log_sample(struct collector_worker *w, const struct collected *c, uint32_t node)
{
	const struct sample *s = c->sample;
	const uint64_t values[N_CELL_VALUES] = {
		[CELL_EVENT] = tally_index(w->options, c->event),
		[CELL_CPU] = s->cpu,
		[CELL_PID] = c->task->pid,
		[CELL_TID] = c->task->tid,
		[CELL_COMM] = (uintptr_t)c->task->comm,
		[CELL_CGROUP] = s->cgroup,
	};

	cell_log_add(&w->log.cells, values,
		     (struct logged_cell){
			     .time = c->time,
			     .period = c->weight.period,
			     .node = node,
			     .place = resolver_sampled_frame(&w->log.resolver, c->task, c->mode,
							     c->ip, c->time),
			     .samples = (uint32_t)c->weight.samples,
		     });
}

static void add_at(struct collector_worker *w, const struct collected *c, uint32_t node)
{
	struct tally *t = &w->tallies[tally_index(w->options, c->event)];

	w->placed = node;
	stack_weight_add(&t->stacks.weights[node], c->weight, c->order, c->task->tid);
	weight_add(&t->total, c->weight);
	if (w->options->places && !c->left_out)
		log_sample(w, c, node);
}

void collected_add(struct collector_worker *w, const struct collected *c,
		   const struct key_sample *ks)
{
	struct stacks *s = &w->tallies[tally_index(w->options, c->event)].stacks;
	uint32_t node = stack_path_node(&w->path, s, collector_root_of(w, c, ks));

	if (!w->path.n || w->path.steps[w->path.n - 1].frame != ks->frame)
		node = stacks_apart(s, node, ks->frame);
	add_at(w, c, node);
}

uint32_t collected_frame(struct collector_worker *w, const struct collected *c,
			 enum address_mode mode, uint64_t ip)
{
	return resolver_sampled_frame(&w->resolver, c->task, mode, ip, c->time);
}

struct key_sample collected_key_sample(const struct collected *c)
{
	return (struct key_sample){
		.event = c->event,
		.sample = c->sample,
		.time = c->time,
		.comm = c->task->comm,
		.frame = FRAME_NONE,
		.parent = FRAME_NONE,
		.from = FRAME_NONE,
		.to = FRAME_NONE,
		.data = FRAME_NONE,
	};
}

static bool is_unresolved(const struct collector_worker *w, uint32_t frame)
{
	return !frames_get(w->options->env->frames, frame)->sym;
}

/* Removes unresolved frames from the stack. */
static void drop_unresolved(struct collector_worker *w)
{
	struct stack_path *p = &w->path;
	size_t n = 0;

	for (size_t i = 0; i < p->n; i++)
		if (!is_unresolved(w, p->steps[i].frame))
			p->steps[n++] = p->steps[i];
	stack_path_cut(p, n);
	p->n_keys = 0;
}

/* Cuts the stack for --ignore-callees: it ends at the outermost function that matches. */
static void cut_callees(struct collector_worker *w, uint32_t *sampled)
{
	struct stack_path *p = &w->path;

	for (size_t i = 0; i < p->n; i++)
		if (frame_marks_has(&w->ignored, w->options->env->frames, p->steps[i].frame)) {
			*sampled = p->steps[i].frame;
			stack_path_cut(p, i + 1);
			return;
		}
}

/* Finds the first function that matches --parent, in the direction of call trees. */
static uint32_t find_parent(struct collector_worker *w)
{
	struct stack_path *p = &w->path;

	for (size_t i = 0; i < p->n; i++) {
		size_t at = w->options->callers_first ? i : p->n - 1 - i;

		if (frame_marks_has(&w->parents, w->options->env->frames, p->steps[at].frame))
			return p->steps[at].frame;
	}
	return FRAME_NONE;
}

/* Keeps the outermost frames. With callers first, the limit drops the innermost frames. */
static void keep_outermost(struct call_chain *chain, size_t n)
{
	if (chain->n <= n)
		return;
	memmove(chain->items, &chain->items[chain->n - n], n * sizeof(*chain->items));
	chain->n = n;
}

static void collector_take_chain(struct collector_worker *w, const struct collected *c)
{
	const struct collector_options *o = w->options;
	struct call_chain *chain = &w->path.chain;
	/* Unwound stacks begin at the innermost frame in any case. */
	bool from_outside = o->callers_first && !stack_unwind_can(c->sample);
	size_t max = from_outside ? SIZE_MAX : o->max_stack;

	if (!call_chain_is_lbr(&c->event->attr) || !call_chain_take_lbr(chain, c->sample, max))
		call_chain_take(chain, o->env->session, c->sample, c->time, max);
	else if (w->stitch)
		lbr_stitch_extend(w->stitch, c->sample, chain);
	if (o->history && !call_chain_is_lbr(&c->event->attr))
		branch_history_take(&w->history, chain, c->sample);
	if (from_outside)
		keep_outermost(chain, o->max_stack);
}

/* Keeps the stack for samples without one, or gives this sample a kept stack. */
static void collector_refer(struct collector_worker *w, const struct collected *c)
{
	struct call_chain *chain = &w->path.chain;

	if (c->event->attr.sample_type & PERF_SAMPLE_CALLCHAIN)
		reference_stacks_keep(w->references, c->sample->tid, chain);
	else
		reference_stacks_get(w->references, c->sample->tid, chain);
}

static void collector_narrow(struct span *span, const struct span *by)
{
	span_since(span, by->from);
	span_before(span, by->until);
}

static void collector_take_stack(struct collector_worker *w, const struct collected *c)
{
	const struct collector_options *o = w->options;
	enum inlines inlines = inlines_in(o, &c->event->attr);

	w->path.chain.n = 0;
	w->path.chain.memo.span = SPAN_ALWAYS;
	if (o->with_stacks && !o->leaves_only)
		collector_take_chain(w, c);
	if (w->references)
		collector_refer(w, c);
	call_chain_mark_unwound(&w->path.chain, &c->event->attr);
	if (inlines == INLINES_ALL)
		call_chain_enter_calls(&w->path.chain, o->env->session, c->task->pid, c->time);
	stack_path_take(&w->path, c->task, c->time, address_mode_of(c->sample->misc), inlines);
	if (w->path.n)
		collector_narrow(&w->placed_span, &w->path.steps[w->path.n - 1].span);
	collector_narrow(&w->placed_span, &w->path.chain.memo.span);
}

/* Returns the frame at the sampled address. */
static uint32_t own_frame(struct collector_worker *w, const struct collected *c)
{
	uint32_t frame = collected_frame(w, c, address_mode_of(c->sample->misc), c->sample->ip);

	collector_narrow(&w->placed_span, &w->resolver.sampled);
	return frame;
}

/*
 * Returns the sampled frame. It is mostly the innermost one of the stack, which is known already.
 */
static uint32_t sampled_frame(struct collector_worker *w, const struct collected *c)
{
	enum address_mode mode = address_mode_of(c->sample->misc);
	const struct path_step *last = w->path.n ? &w->path.steps[w->path.n - 1] : NULL;
	const struct symbol *sym;

	if (last && last->ip == c->sample->ip && last->mode == mode) {
		sym = frames_get(w->options->env->frames, last->frame)->sym;
		if (sym && !sym->is_inlined)
			return last->frame;
	}
	return own_frame(w, c);
}

/*
 * True if the sample is not taken. Checked before the stack is processed, since that takes most of
 * the time.
 */
static bool collector_is_passed_over(struct collector_worker *w, const struct collected *c)
{
	const struct collector_options *o = w->options;
	uint32_t frame;

	if (!o->chosen)
		return false;
	frame = own_frame(w, c);
	return frame < o->n_chosen && !o->chosen[frame];
}

/* Leaves only the frames that are wanted. The sample then is at the innermost of them. */
static void collector_choose_frames(struct collector_worker *w, struct collected *c,
				    uint32_t *sampled)
{
	const struct path_step *at = stack_choose(&w->path, w->options->frames, sampled);

	if (!at)
		return;
	c->ip = at->ip;
	c->mode = at->mode;
}

static void collector_collect(struct collector_worker *w, struct collected *c)
{
	const struct collector_options *o = w->options;
	struct key_sample ks = collected_key_sample(c);

	if (o->running)
		ks.parallelism = parallelism_now(o->running);
	collector_take_stack(w, c);
	ks.frame = sampled_frame(w, c);
	if (o->hide_unresolved) {
		if (is_unresolved(w, ks.frame))
			return;
		drop_unresolved(w);
	}
	if (o->ignore_callees)
		cut_callees(w, &ks.frame);
	if (o->parent)
		ks.parent = find_parent(w);
	if (o->frames)
		collector_choose_frames(w, c, &ks.frame);
	if (o->mode == REPORT_MEMORY)
		ks.data = memory_data(w, c);
	c->left_out |= o->only_with_parent && ks.parent == FRAME_NONE;
	c->left_out |= o->by_place && collector_is_elsewhere(w, ks.frame);
	collected_add(w, c, &ks);
	if (o->blocks)
		collect_blocks(w, c);
	if (o->notes)
		collect_notes(w, c);
}

static bool collector_is_of_socket(const struct collector_options *o, uint32_t cpu)
{
	const struct cpu_place *place = topology_find(o->topology, cpu);

	return place && place->socket == o->socket;
}

static bool collector_is_left_out(const struct collector_options *o, const struct collected *c)
{
	const struct sample_filter *f = o->filter;

	if (o->topology && !collector_is_of_socket(o, c->sample->cpu))
		return true;
	if (o->parallel && !cpu_list_contains(o->parallel, parallelism_now(o->running)))
		return true;
	return f && (!sample_filter_passes_task(f, c->task->pid, c->task->tid) ||
		     !sample_filter_passes_mode(f, c->sample->misc) ||
		     !sample_filter_passes_comm(f, c->task->comm));
}

/* Returns the value of the sample's field. A value that cannot be a weight is counted. */
static uint64_t field_weight(struct collector_worker *w, const struct session_sample *s)
{
	const struct collector_options *o = w->options;
	size_t event = s->event->index;
	struct tally *t = &w->tallies[event];
	uint64_t value;

	if (event >= o->n_weights ||
	    !field_ref_number(&o->weights[event], s->sample->raw, s->sample->raw_size, &value)) {
		t->n_without++;
		return 0;
	}
	if (o->weights[event].is_signed && (int64_t)value < 0) {
		t->n_negative++;
		return 0;
	}
	return value;
}

static uint64_t period_of(const struct collector_options *o, const struct session_sample *s)
{
	return o->wall && o->wall->on == s->event && o->wall->ns_per_sample ? o->wall->ns_per_sample
									    : s->period;
}

static struct weight collector_weight_of(struct collector_worker *w, const struct session_sample *s)
{
	const struct collector_options *o = w->options;

	if (o->mode == REPORT_MEMORY)
		return memory_weight(s->sample);
	return (struct weight){ .samples = s->samples,
				.period = o->weights ? field_weight(w, s) : period_of(o, s) };
}

/*
 * Returns the digest of everything on which the node of @c depends; 0: a digest cannot decide it.
 */
static uint64_t digest_of(struct collector_worker *w, const struct session_sample *s,
			  const struct collected *c)
{
	uint64_t spaces = (uint64_t)c->task->user << 32 | c->task->kernel;

	if (!w->has_memo || stack_unwind_can(s->sample) || !sample_memo_pays(&w->memo))
		return 0;
	return sample_memo_digest(&w->memo, s, spaces, c->task->comm);
}

/*
 * Does the same as collector_collect(), but looks up the node for samples that equal an earlier
 * one.
 */
static void collect_or_repeat(struct collector_worker *w, const struct session_sample *s,
			      struct collected *c)
{
	uint64_t digest;
	uint32_t node;

	w->placed_span = SPAN_ALWAYS;
	if (collector_is_passed_over(w, c))
		return;
	digest = digest_of(w, s, c);
	if (digest && sample_memo_find(&w->memo, digest, c->time, &node)) {
		if (node != STACK_NONE)
			add_at(w, c, node);
		return;
	}
	w->placed = STACK_NONE;
	collector_collect(w, c);
	if (digest)
		sample_memo_keep(&w->memo, digest, w->placed, &w->placed_span);
}

/* Collects a sample. Returns true if a filter leaves it out. */
static bool collect_sample(struct collector_worker *w, const struct session_sample *s, bool weighs)
{
	const struct collector_options *o = w->options;
	struct collected c = {
		.event = s->event,
		.sample = s->sample,
		.time = s->time,
		.ip = s->sample->ip,
		.mode = address_mode_of(s->sample->misc),
		.order = s->time ? s->time : s->record->raw.position,
	};

	if (o->between && event_switch_leaves_out(o->between, s->event))
		return true;
	c.task = resolver_task(&w->resolver, s->sample->pid, s->sample->tid, s->time);
	c.left_out = collector_is_left_out(o, &c);
	if (w->strip && !collector_strip_take(w, &c))
		return true;
	if (weighs)
		c.weight = collector_weight_of(w, s);
	if (o->mode != REPORT_BRANCH)
		collect_or_repeat(w, s, &c);
	else if (s->event == s->record->event)
		/* Branches belong to the event that sampled them, not to its group. */
		collect_branches(w, &c);
	return c.left_out;
}

/* Prepares the worker for the samples of a new batch. */
static void collector_refresh(struct collector *c, struct collector_worker *w)
{
	if (resolver_refresh(&w->resolver)) {
		stack_path_forget(&w->path);
		sample_memo_forget(&w->memo);
	}
	if (c->options.places)
		resolver_refresh(&w->log.resolver);
	collector_reserve(w, session_event_count(c->options.env->session));
}

void collector_take(struct collector *c, const struct sample_batch *b)
{
	struct collector_worker *w = &c->workers[b->worker];

	collector_refresh(c, w);
	for (size_t i = 0; i < b->n; i++)
		collect_sample(w, &b->items[i], true);
}

uint32_t collector_place(struct collector *c, const struct session_sample *s, bool *ret_left_out)
{
	struct collector_worker *w = &c->workers[0];

	collector_refresh(c, w);
	w->placed = STACK_NONE;
	*ret_left_out = collect_sample(w, s, false);
	return w->placed;
}

/*
 * Adds @from to @to, and releases its stacks. Returns the new numbers of their nodes, which the
 * caller frees.
 */
static uint32_t *tally_merge(struct tally *to, struct tally *from)
{
	_cleanup_(freep) uint32_t *contexts = xcalloc(from->contexts.n + 1, sizeof(*contexts));
	uint32_t *nodes;

	for (uint32_t i = 0; i < from->contexts.n; i++)
		contexts[i] = contexts_add(&to->contexts, contexts_get(&from->contexts, i));
	nodes = stacks_merge(&to->stacks, &from->stacks, contexts);
	weight_add(&to->total, from->total);
	to->n_negative += from->n_negative;
	to->n_without += from->n_without;
	branch_stats_merge(&to->branches, &from->branches);
	branch_blocks_merge(&to->blocks, &from->blocks);
	stacks_done(&from->stacks);
	from->stacks = (struct stacks){ 0 };
	return nodes;
}

static void worker_merge(struct collector_worker *to, struct collector_worker *from)
{
	_cleanup_(freep) uint32_t **nodes = xcalloc(from->n_tallies + 1, sizeof(*nodes));

	for (size_t e = 0; e < from->n_tallies; e++)
		nodes[e] = tally_merge(&to->tallies[e], &from->tallies[e]);
	if (to->options->places)
		cell_log_join(&to->log.cells, &from->log.cells, nodes);
	collector_strip_merge(to, from);
	for (size_t e = 0; e < from->n_tallies; e++)
		free(nodes[e]);
}

/* Releases what is only for samples to come. */
static void collector_forget_lookups(struct collector_worker *w)
{
	resolver_forget(&w->resolver);
	if (w->options->places)
		resolver_forget(&w->log.resolver);
	sample_memo_forget(&w->memo);
}

void collector_settle(struct collector *c)
{
	struct collector_worker *first = &c->workers[0];

	collector_reserve(first, session_event_count(c->options.env->session));
	for (unsigned i = 0; i < c->options.n_workers; i++)
		collector_forget_lookups(&c->workers[i]);
	for (unsigned i = 1; i < c->options.n_workers; i++) {
		worker_merge(first, &c->workers[i]);
		collector_worker_done(&c->workers[i]);
	}
	c->options.n_workers = 1;
	for (size_t e = 0; e < first->n_tallies; e++) {
		stacks_settle(&first->tallies[e].stacks);
		branch_blocks_sort(&first->tallies[e].blocks);
	}
}

const struct tally *collector_tally(const struct collector *c, size_t index)
{
	return &c->workers[0].tallies[index];
}

const struct time_strip *collector_strip(const struct collector *c)
{
	return c->workers[0].strip;
}

struct cell_log *collector_log(const struct collector *c)
{
	return &c->workers[0].log.cells;
}
