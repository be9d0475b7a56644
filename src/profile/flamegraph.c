/* SPDX-License-Identifier: MIT */
#include "profile/flamegraph.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/notes.h"
#include "base/text.h"
#include "profile/flame-compare.h"
#include "profile/flamegraph-compare.h"
#include "profile/flamegraph-waits.h"
#include "profile/folded-input.h"
#include "session/reading.h"
#include "session/session.h"

#define SAMPLES "samples"

const struct flame_roots *flamegraph_roots(const struct flamegraph_request *rq)
{
	static const struct flame_roots comm = { .items = { FLAME_ROOT_COMM }, .n = 1 };
	static const struct flame_roots thread = { .items = { FLAME_ROOT_THREAD }, .n = 1 };

	if (rq->choice.has_roots)
		return &rq->choice.roots;
	return rq->choice.wall ? &thread : &comm;
}

static bool is_weight(const struct flamegraph_request *rq, const char *word)
{
	return rq->choice.weight && !strcmp(rq->choice.weight, word);
}

static bool flamegraph_counts_samples(const struct flamegraph_request *rq)
{
	return !rq->choice.weight || is_weight(rq, SAMPLES);
}

void flamegraph_done(struct flamegraph *g)
{
	flame_free(g->flame);
	flame_free(g->samples);
	profile_done(&g->profile);
}

static uint64_t flamegraph_samples_of(const struct profile *p, size_t event)
{
	return collector_tally(p->collector, event)->total.samples;
}

/* Returns the first event that has samples, or the requested one. */
static const struct session_event *flamegraph_find_event(const struct profile *p, const char *name)
{
	const struct session_event *part = NULL;

	for (size_t i = 0; i < session_event_count(p->session); i++) {
		const struct session_event *e = session_event(p->session, i);

		if (name ? !strcmp(e->name, name) : flamegraph_samples_of(p, i) > 0)
			return e;
		if (name && !part && strstr(e->name, name))
			part = e;
	}
	return part;
}

/* Appends "cycles, instructions": the events with samples, except for @but. */
static void flamegraph_add_events(struct text *t, const struct profile *p,
				  const struct session_event *but)
{
	for (size_t i = 0; i < session_event_count(p->session); i++) {
		const struct session_event *e = session_event(p->session, i);

		if (e == but || !flamegraph_samples_of(p, i))
			continue;
		text_add(t, t->length ? ", " : "");
		text_add(t, e->name);
	}
}

static int flamegraph_refuse_event(const struct profile *p, const char *name,
				   const struct session_event *e, struct diag *diag)
{
	_cleanup_(text_done) struct text others = TEXT_EMPTY;

	flamegraph_add_events(&others, p, NULL);
	if (e)
		diag_set(diag, -ENODATA, "event '%s' has no samples", e->name);
	else
		diag_set(diag, -ENODATA, "there is no event '%s' in the recording", name);
	diag_hint(diag, "These have samples: %s.", others.chars);
	return -ENODATA;
}

static int flamegraph_refuse_empty(const struct profile *p, struct diag *diag)
{
	bool filtered = session_counts(p->session)->samples;

	diag_set(diag, -ENODATA, "%s has no samples%s", session_path(p->session),
		 filtered ? " that pass the filters" : "");
	if (!filtered)
		diag_hint(diag, "'perf record -g COMMAND' or 'perf record -a -g sleep 10' records "
				"some.");
	return -ENODATA;
}

/* Checks that the data that roots need from samples was recorded. */
int flamegraph_check_roots(const struct flamegraph_request *rq, const struct session_event *e,
			   struct diag *diag)
{
	static const struct {
		uint64_t type;
		const char *what, *how;
	} needs[] = {
		{ PERF_SAMPLE_TID, "threads", "--root none does without." },
		{ PERF_SAMPLE_CPU, "CPUs", "Record with -a, -C or --sample-cpu." },
		{ PERF_SAMPLE_CGROUP, "cgroups", "Record with --all-cgroups." },
	};
	uint64_t lacks = flame_roots_sample_types(flamegraph_roots(rq)) & ~e->attr.sample_type;

	for (size_t i = 0; i < ARRAY_SIZE(needs); i++)
		if (lacks & needs[i].type) {
			diag_set(diag, -EINVAL, "the samples of %s do not tell %s", e->name,
				 needs[i].what);
			diag_hint(diag, "%s", needs[i].how);
			return -EINVAL;
		}
	return 0;
}

static int flamegraph_choose_event(struct flamegraph *g, const struct flamegraph_request *rq,
				   const struct session_event **ret, struct notes *notes,
				   struct diag *diag)
{
	_cleanup_(text_done) struct text others = TEXT_EMPTY;
	const struct profile *p = &g->profile;
	const struct session_event *e = flamegraph_find_event(p, rq->choice.event);
	int r;

	if (!profile_has_samples(p))
		return flamegraph_refuse_empty(p, diag);
	if (!e || !flamegraph_samples_of(p, e->index))
		return flamegraph_refuse_event(p, rq->choice.event, e, diag);
	r = flamegraph_check_roots(rq, e, diag);
	if (r < 0)
		return r;
	flamegraph_add_events(&others, p, e);
	if (others.length && !rq->choice.event)
		notes_add(notes, NOTE_REMARK, "The samples are of %s. --event chooses another: %s",
			  e->name, others.chars);
	*ret = e;
	return 0;
}

static void note_weights(const struct tally *t, const struct flamegraph_request *rq,
			 struct notes *notes)
{
	if (t->n_without)
		notes_add(notes, NOTE_WARNING,
			  "%" PRIu64 " of %" PRIu64 " samples have no number '%s': they weigh "
			  "nothing",
			  t->n_without, t->total.samples, rq->choice.weight);
	if (t->n_negative)
		notes_add(notes, NOTE_WARNING,
			  "%" PRIu64 " of %" PRIu64 " samples have a '%s' below 0: they weigh "
			  "nothing",
			  t->n_negative, t->total.samples, rq->choice.weight);
}

static void note_no_stacks(const char *what, struct notes *notes)
{
	struct diag d = { 0 };

	diag_set(&d, 0, "%s have no stacks: every function stands by itself", what);
	diag_hint(&d, "'perf record -g' records stacks, 'perf record --call-graph dwarf' those of "
		      "programs without frame pointers too.");
	notes_take(notes, NOTE_WARNING, &d);
}

static int check_weight(const struct flamegraph *g, struct diag *diag)
{
	const struct flame_value *v = g->flame->boxes[0].value;

	if (v[FLAME_AFTER].total || v[FLAME_BEFORE].total)
		return 0;
	if (!strcmp(g->unit, SAMPLES))
		return diag_set(diag, -ENODATA, "no samples pass the filters");
	return diag_set(diag, -ENODATA, "all samples that are left have 0 as their %s", g->unit);
}

struct flame_stacks_options flamegraph_stacks(struct flamegraph *g,
					      const struct flamegraph_request *rq)
{
	struct profile *p = &g->profile;

	return (struct flame_stacks_options){
		.env = &p->env,
		.keys = p->plan.keys.items,
		.n_keys = p->plan.keys.n,
		.filter = p->filter,
		.part = rq->part,
		.roots = flamegraph_roots(rq),
		.by_period = !flamegraph_counts_samples(rq),
		.reverse = rq->reverse,
		.folded_names = rq->folded_names,
		.folded_kinds = rq->folded_kinds,
	};
}

static struct flame *flame_of_tally(const struct tally *t, const struct flame_stacks_options *o)
{
	_cleanup_(flame_builder_freep) struct flame_builder *b = flame_builder_new("all");

	flame_add_stacks(b, o, t);
	return flame_builder_finish(b, false);
}

/* Returns the unit of the periods of @e. */
static const char *flamegraph_unit_of(const struct session_event *e)
{
	return attr_is_clock(&e->attr) ? "ns" : e->name;
}

static int flamegraph_add_tally(struct flamegraph *g, const struct flamegraph_request *rq,
				const struct session_event *e, struct notes *notes,
				struct diag *diag)
{
	struct profile *p = &g->profile;
	const struct tally *t = collector_tally(p->collector, e->index);
	struct flame_stacks_options o = flamegraph_stacks(g, rq);
	int r;

	g->flame = flame_of_tally(t, &o);
	if (rq->with_samples && o.by_period) {
		o.by_period = false;
		g->samples = flame_of_tally(t, &o);
	}
	g->event = e->name;
	g->unit = flamegraph_counts_samples(rq) ? SAMPLES
		  : p->weights                  ? rq->choice.weight
						: flamegraph_unit_of(e);
	if (p->weights)
		note_weights(t, rq, notes);
	r = check_weight(g, diag);
	if (r >= 0 && g->flame->depth <= flamegraph_roots(rq)->n + 1 && !rq->without_stacks)
		note_no_stacks("the samples", notes);
	return r;
}

struct profile_request flamegraph_profile(const struct flamegraph_request *rq, const char *sort)
{
	struct profile_request pr = rq->profile;

	pr.plan = (struct report_request){ .sort = sort };
	pr.mode = (struct report_mode_request){ .no_branches = true };
	pr.with_stacks = !rq->without_stacks;
	return pr;
}

static int flamegraph_collect(struct flamegraph *g, const struct flamegraph_request *rq,
			      struct diag *diag)
{
	_cleanup_(freep) char *sort = flame_roots_sort(flamegraph_roots(rq));
	struct profile_request pr = flamegraph_profile(rq, sort);
	int r;

	if (!flamegraph_counts_samples(rq) && !is_weight(rq, "period"))
		pr.weight_field = rq->choice.weight;
	r = profile_open(&g->profile, &pr, diag);
	if (r >= 0)
		r = profile_collect(&g->profile, diag);
	/* The text of the keys is freed on return and is not used any more. */
	g->profile.rq.plan.sort = NULL;
	return r < 0 ? r : reading_check_samples(g->profile.session, diag);
}

static int make_of_recording(struct flamegraph *g, const struct flamegraph_request *rq,
			     struct notes *notes, struct diag *diag)
{
	const struct session_event *e = NULL;
	int r = flamegraph_collect(g, rq, diag);

	if (r >= 0)
		r = flamegraph_choose_event(g, rq, &e, notes, diag);
	if (r >= 0)
		r = flamegraph_add_tally(g, rq, e, notes, diag);
	if (g->profile.filter)
		profile_note(&g->profile, notes);
	return r;
}

static int refuse_no_lines(const char *path, const struct folded_facts *facts, struct diag *diag)
{
	const char *name = strcmp(path, "-") ? path : "standard input";

	if (facts->n_bad)
		diag_set(diag, -ENODATA,
			 "%s has %s stacks: line %" PRIu64 " is left out because %s", name,
			 facts->n_lines ? "hardly any" : "no", facts->first_bad, facts->why);
	else
		diag_set(diag, -ENODATA, "%s is empty", name);
	diag_hint(diag, "Lines look like 'comm;outer;inner 12'; 'perf script --folded' writes "
			"them.");
	return -ENODATA;
}

static void note_lines(const struct folded_facts *facts, struct notes *notes)
{
	if (facts->n_bad)
		notes_add(notes, NOTE_WARNING,
			  "%" PRIu64 " of %" PRIu64 " lines are left out: line %" PRIu64
			  " because %s",
			  facts->n_bad, facts->n_bad + facts->n_lines, facts->first_bad,
			  facts->why);
	if (!facts->has_functions)
		note_no_stacks("the lines", notes);
}

static bool flamegraph_has_filter(const struct profile_request *rq)
{
	const struct filter_request *f = &rq->filter;

	return f->time.n || f->cpus.n || f->pids.n || f->tids.n || f->comms || f->dsos ||
	       f->symbols || f->switch_on || f->switch_off || rq->of_socket ||
	       rq->hide_unresolved || rq->frames || rq->parent || rq->exclude_other ||
	       rq->ignore_callees;
}

/* Checks the request: folded lines contain only names and counts. */
static int check_lines(const struct flamegraph_request *rq, struct diag *diag)
{
	const char *what = flamegraph_has_filter(&rq->profile) || rq->part ? "filters"
			   : rq->choice.event                              ? "--event"
			   : rq->choice.weight                             ? "--weight"
			   : rq->choice.has_roots                          ? "--root"
			   : rq->choice.off_cpu                            ? "--off-cpu"
			   : rq->choice.wall                               ? "--wall"
									   : NULL;

	if (!what)
		return 0;
	diag_set(diag, -EINVAL, "folded lines have only names and counts: %s cannot be applied",
		 what);
	diag_hint(diag, "'perf script --folded', which makes the lines, can apply them; grep "
			"filters lines.");
	return -EINVAL;
}

static int make_of_lines(struct flamegraph *g, const struct flamegraph_request *rq,
			 struct notes *notes, struct diag *diag)
{
	_cleanup_(folded_reader_freep) struct folded_reader *reader =
		folded_reader_new(flame_builder_new("all"), FLAME_AFTER, true, rq->reverse);
	_cleanup_(flame_builder_freep) struct flame_builder *b = NULL;
	struct folded_facts facts;
	int r = check_lines(rq, diag);

	if (r >= 0)
		r = folded_input_read(rq->profile.path, reader, diag);
	if (r < 0)
		return r;
	g->is_folded = true;
	g->unit = SAMPLES;
	b = folded_reader_end(reader, &facts);
	if (!facts.n_lines || facts.n_lines < facts.n_bad)
		return refuse_no_lines(rq->profile.path, &facts, diag);
	g->flame = flame_builder_finish(b, facts.is_comparison);
	if (facts.is_comparison)
		flame_compare_counts(g->flame);
	note_lines(&facts, notes);
	return check_weight(g, diag);
}

int flamegraph_make(struct flamegraph *g, const struct flamegraph_request *rq, struct notes *notes,
		    struct diag *diag)
{
	bool waits = rq->choice.off_cpu || rq->choice.wall;

	*g = (struct flamegraph){ 0 };
	if (!waits && (rq->choice.min_wait_ns || rq->choice.max_wait_ns))
		return diag_set(diag, -EINVAL,
				"--min-wait and --max-wait need --off-cpu or --wall");
	if (rq->sides)
		return flamegraph_compare(g, rq, notes, diag);
	if (folded_input_is(rq->profile.path))
		return make_of_lines(g, rq, notes, diag);
	return waits ? flamegraph_make_waits(g, rq, notes, diag)
		     : make_of_recording(g, rq, notes, diag);
}
