/* SPDX-License-Identifier: MIT */
#include "bpf/hist.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/memory.h"
#include "bpf/field.h"
#include "bpf/image.h"
#include "bpf/module.h"
#include "event/event.h"

/* The number of begins that may be open at once. An entry takes about 120 bytes. */
#define BEGINS_MAX 65536

struct bpf_hist {
	struct bpf_module *module;
	size_t n_rows;
};

void bpf_hist_free(struct bpf_hist *h)
{
	if (!h)
		return;
	bpf_module_free(h->module);
	free(h);
}

static void set_bounds(struct hist_constants *c, const struct bpf_hist_request *rq)
{
	c->n_bounds = (uint32_t)rq->n_bounds;
	memcpy(c->bounds, rq->bounds, rq->n_bounds * sizeof(rq->bounds[0]));
	for (c->first_step = 1; c->first_step * 2 <= c->n_bounds;)
		c->first_step *= 2;
}

static int prepare_field(struct hist_constants *c, const struct bpf_hist_request *rq,
			 struct bpf_module *m, struct diag *diag)
{
	int r = bpf_field_of(&rq->field, &c->field);

	if (r < 0)
		return diag_set(diag, r, "BPF programs do not get this field of %s",
				rq->event->name);
	return bpf_module_want(m, "count_field");
}

/* True if all rules find a pair by its task alone. */
static bool is_by_task(const struct bpf_hist_pairs *p)
{
	if (p->n_keys != 1)
		return false;
	for (uint32_t i = 0; i < p->n_rules; i++)
		if (!p->key_is_task && p->rules[i].keys[0].kind != HIST_KEY_TID)
			return false;
	return true;
}

static void set_pairs(struct hist_constants *c, const struct bpf_hist_pairs *p)
{
	memcpy(c->rules, p->rules, sizeof(c->rules));
	c->n_rules = p->n_rules;
	c->n_keys = p->n_keys;
	c->n_all_keys = p->n_keys + p->n_compared;
	c->skips_zero = p->skips_zero;
	c->key_is_task = p->key_is_task;
	c->keeps_begins = is_by_task(p);
}

/* Returns the program that the events of pairs run. */
static const char *pair_program(const struct bpf_hist_request *rq)
{
	return rq->is_function ? "count_function" : "count_pair";
}

static int prepare_pairs(struct hist_constants *c, const struct bpf_hist_request *rq,
			 struct bpf_module *m)
{
	const struct bpf_hist_pairs *p = rq->pairs;
	int r = bpf_module_size(m, "begins", BEGINS_MAX);

	set_pairs(c, p);
	c->sums_up = rq->sums_up;
	if (r >= 0)
		r = bpf_module_key_size(m, "begins", p->n_keys * (uint32_t)sizeof(uint64_t));
	if (r >= 0 && c->keeps_begins)
		r = bpf_module_want(m, "forget_task");
	return r < 0 ? r : bpf_module_want(m, pair_program(rq));
}

/* Sets everything that must be known before the program is loaded. */
static int bpf_hist_prepare(const struct bpf_hist_request *rq, struct bpf_module *m,
			    struct diag *diag)
{
	struct hist_constants *c = bpf_module_constants(m, sizeof(*c));
	int r;

	if (!c || rq->n_bounds > HIST_BOUNDS_MAX)
		return diag_set(diag, -EOPNOTSUPP, "BPF cannot count %zu rows", rq->n_bounds + 1);
	set_bounds(c, rq);
	r = rq->event ? prepare_field(c, rq, m, diag) : prepare_pairs(c, rq, m);
	return r < 0 ? r : bpf_targets_prepare(&rq->targets, rq->env, m, &c->targets, diag);
}

static int bpf_hist_attach(const struct bpf_hist_request *rq, struct bpf_module *m,
			   struct diag *diag)
{
	int r = 0;

	if (rq->event)
		return bpf_module_attach(m, "count_field", &rq->event->attr, 0, rq->event->name,
					 diag);
	if (is_by_task(rq->pairs))
		r = bpf_targets_attach(m, "forget_task", rq->env, "sched_process_exit", diag);
	/* Ends are attached first, because a begin without an end would stay. */
	for (uint32_t i = rq->pairs->n_events; i-- > 0 && r >= 0;)
		r = bpf_module_attach(m, pair_program(rq), &rq->pairs->events[i]->attr, i,
				      rq->pairs->events[i]->name, diag);
	return r;
}

int bpf_hist_begin(const struct bpf_hist_request *rq, struct bpf_hist **ret, struct diag *diag)
{
	_cleanup_(bpf_hist_freep) struct bpf_hist *h = xcalloc(1, sizeof(*h));
	int r = bpf_module_open(&bpf_image_hist, &h->module, diag);

	h->n_rows = rq->n_bounds + 1;
	if (r >= 0)
		r = bpf_hist_prepare(rq, h->module, diag);
	if (r >= 0)
		r = bpf_module_load(h->module, diag);
	if (r >= 0)
		r = bpf_targets_begin(&rq->targets, rq->env, h->module, diag);
	if (r >= 0)
		r = bpf_hist_attach(rq, h->module, diag);
	if (r >= 0)
		*ret = TAKE(h);
	return r;
}

int bpf_hist_read(const struct bpf_hist *h, uint64_t *ret, struct diag *diag)
{
	return bpf_module_sum(h->module, "counts", h->n_rows, ret, diag);
}

int bpf_hist_sums(const struct bpf_hist *h, struct hist_sums *ret, struct diag *diag)
{
	int n_cpus = bpf_module_cpus(), r;
	_cleanup_(freep) struct hist_sums *each = NULL;
	struct hist_sums all = { 0 };
	uint32_t zero = 0;

	if (n_cpus < 0)
		return diag_set(diag, n_cpus, "BPF: the number of CPUs is unknown");
	each = xcalloc((size_t)n_cpus, sizeof(*each));
	r = bpf_module_look_up(h->module, "sums", &zero, each, diag);
	for (int i = 0; i < n_cpus && r >= 0; i++) {
		if (!each[i].count)
			continue;
		if (!all.count || each[i].min_ns < all.min_ns)
			all.min_ns = each[i].min_ns;
		if (each[i].max_ns > all.max_ns)
			all.max_ns = each[i].max_ns;
		all.total_ns += each[i].total_ns;
		all.count += each[i].count;
	}
	if (r >= 0)
		*ret = all;
	return r;
}

int bpf_hist_losses(const struct bpf_hist *h, struct bpf_hist_losses *ret, struct diag *diag)
{
	uint64_t losses[HIST_LOSSES];
	int r = bpf_module_sum(h->module, "losses", HIST_LOSSES, losses, diag);

	if (r >= 0)
		r = bpf_targets_lost(h->module, &ret->tasks, diag);
	if (r >= 0)
		ret->begins = losses[HIST_LOST_BEGINS];
	ret->events = bpf_module_missed(h->module);
	return r;
}
