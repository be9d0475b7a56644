/* SPDX-License-Identifier: MIT */
/*
 * The request becomes a plan, and the samples become weighed stacks. The events of a stream are
 * known only with its first samples, so the plan is made then.
 */
#include "profile/profile.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/diag.h"
#include "base/memory.h"
#include "base/workers.h"
#include "datafile/features-topology.h"
#include "foreign/any-session.h"
#include "profile/call-tree.h"
#include "profile/collector.h"
#include "profile/frames.h"
#include "profile/key.h"
#include "profile/keys.h"
#include "profile/report.h"
#include "profile/shared-values.h"
#include "session/consumer.h"
#include "session/group-read.h"
#include "session/lbr-stitch.h"
#include "session/reading.h"
#include "session/session.h"
#include "symbol/symbolizer.h"
#include "tracepoint/field.h"

#define WORKERS_MAX    16
#define DEFAULT_PARENT "^sys_|^do_page_fault"

static int profile_open_session(struct profile *p, struct diag *diag)
{
	const struct profile_request *rq = &p->rq;
	const struct reading_symbols how = {
		.request = &rq->symbols,
		.buildid_dir = rq->buildid_dir,
		.ignore_vmlinux = rq->ignore_vmlinux,
		.any_owner = rq->force,
		.with_parameters = rq->verbose,
		.progress = rq->progress,
	};
	struct itrace traces = itrace_wanted(&rq->filter.itrace, false);
	const struct session_options so = {
		.path = rq->path,
		.force = rq->force,
		.symbolizer = p->symbolizer = rq->shared ? rq->shared : reading_symbolizer(&how),
		.in_file_order = rq->in_file_order,
		.guest_code = rq->symbols.guest_code,
		.progress = rq->progress,
		.first_bytes = rq->first_bytes,
		.stop = rq->stop,
		.traces = &traces,
	};
	int r = reading_check_files(&how, diag);

	traces.for_profile = !rq->filter.itrace.typed;
	return r < 0 ? r : any_session_open(&so, &p->session, diag);
}

/* Opens a filter that passes samples of all times: the collector knows which are only counted. */
static int open_untimed(struct profile *p, struct diag *diag)
{
	p->untimed_request = filter_request_of_samples(&p->rq.filter, NULL);
	p->untimed_request.n_spans = 0;
	return sample_filter_new(&p->untimed_request, &p->untimed, diag);
}

static int profile_open_filter(struct profile *p, struct diag *diag)
{
	const struct filter_request *f = &p->rq.filter;
	int r = reading_spans(&f->time, p->session, &p->spans, diag);

	if (r < 0)
		return r;
	p->filter_request = filter_request_of_samples(f, p->spans);
	r = sample_filter_new(&p->filter_request, &p->filter, diag);
	return r < 0 || !p->rq.with_strip ? r : open_untimed(p, diag);
}

int profile_open(struct profile *p, const struct profile_request *rq, struct diag *diag)
{
	int r;

	*p = (struct profile){ .rq = *rq };
	r = profile_open_session(p, diag);
	return r < 0 ? r : profile_open_filter(p, diag);
}

void profile_done(struct profile *p)
{
	collector_free(p->collector);
	frames_free(p->env.frames);
	frames_free(p->places);
	report_plan_done(&p->plan);
	shared_values_free(p->env.values);
	if (p->has_parent)
		regfree(&p->parent);
	if (p->has_ignored)
		regfree(&p->ignored);
	free(p->weights);
	free(p->heavy);
	cpu_list_done(&p->parallel);
	topology_done(&p->topology);
	workers_free(p->workers);
	sample_filter_free(p->untimed);
	sample_filter_free(p->filter);
	free(p->spans);
	if (p->is_live)
		return;
	session_free(p->session);
	if (!p->rq.shared)
		symbolizer_free(p->symbolizer);
}

/*
 * Returns the sample types that hardware traces may have though no event was recorded with them:
 * stacks, which --itrace requests. Without --itrace, they cannot be ruled out.
 */
static uint64_t trace_sample_types(const struct profile *p)
{
	const struct itrace_request *rq = &p->rq.filter.itrace;
	bool all = !rq->typed && !session_is_stream(p->session) &&
		   features_have(session_features(p->session), FEATURE_AUXTRACE);

	return all || rq->words.call_chain || rq->words.add_call_chain ? PERF_SAMPLE_CALLCHAIN : 0;
}

uint64_t profile_sample_types(const struct profile *p)
{
	uint64_t types = trace_sample_types(p);

	for (size_t i = 0; i < session_event_count(p->session); i++)
		types |= session_event(p->session, i)->attr.sample_type;
	return types;
}

bool profile_shows_names(const struct profile *p)
{
	uint64_t stacks = PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_BRANCH_STACK;

	return p->rq.with_log || p->plan.key_flags & KEY_OF_NAMES ||
	       (p->rq.with_stacks && profile_sample_types(p) & stacks);
}

static int check_stacks(const struct profile *p, struct diag *diag)
{
	/* Branches are rows of their own, or stacks. */
	uint64_t stacks = p->mode == REPORT_BRANCH
				  ? PERF_SAMPLE_CALLCHAIN
				  : PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_BRANCH_STACK;

	if (!p->rq.requires_stacks || profile_sample_types(p) & stacks)
		return 0;
	diag_set(diag, -ENODATA, "-g shows stacks, but the profile has none");
	diag_hint(diag, "Record with -g, or leave -g out.");
	return -ENODATA;
}

static int check_parent(const struct profile *p, struct diag *diag)
{
	if (!(p->plan.key_flags & KEY_WANTS_PARENT) ||
	    profile_sample_types(p) & PERF_SAMPLE_CALLCHAIN)
		return 0;
	diag_set(diag, -ENODATA,
		 "the key 'parent' looks for callers in stacks, but the profile has none");
	diag_hint(diag, "Record with -g, or sort by other keys.");
	return -ENODATA;
}

static int check_others(const struct profile *p, struct diag *diag)
{
	if (!p->rq.exclude_other || p->mode != REPORT_BRANCH)
		return 0;
	diag_set(diag, -EINVAL, "-x looks for callers, and rows of branches have none");
	diag_hint(diag, "perf report --no-branch-stack shows samples with their callers.");
	return -EINVAL;
}

static int check_frames(const struct profile *p, struct diag *diag)
{
	if (!p->rq.frames || p->mode != REPORT_BRANCH)
		return 0;
	diag_set(diag, -EINVAL, "--frames is for frames of stacks, and rows of branches have none");
	diag_hint(diag, "perf report --no-branch-stack shows samples with their stacks.");
	return -EINVAL;
}

/*
 * True if the file was made by Linux's perf 6.15 or newer. These versions record for latencies
 * whenever they record switches.
 */
static bool is_by_newer_perf(const struct features *f)
{
	unsigned major, minor;

	return f->version && sscanf(f->version, "%u.%u", &major, &minor) == 2 &&
	       (major > 6 || (major == 6 && minor >= 15));
}

/* True if the file was made by `perf record --latency`, or may have been. */
static bool is_for_latency(const struct profile *p)
{
	const struct features *f = session_features(p->session);
	bool found = is_by_newer_perf(f);

	if (session_is_stream(p->session) || !parallelism_is_known(p->session))
		return false;
	for (size_t i = 0; i < f->cmdline.n && !found; i++)
		found = !strcmp(f->cmdline.items[i], "--latency");
	return found;
}

/* Returns the latency columns that the request demands, once the recording is known. */
static enum latency_columns latency_columns(const struct profile *p)
{
	enum latency_columns l = p->rq.plan.latency;

	if (l != LATENCY_AUTO)
		return l;
	return is_for_latency(p) ? LATENCY_BESIDE : LATENCY_NONE;
}

static bool is_latency(const char *key)
{
	return !strcasecmp(key, "latency") || !strcasecmp(key, "latency_children");
}

/* True if the number of running threads is needed for @key. */
static bool needs_parallelism(const char *key)
{
	const struct key_type *type = key_type_find(key);

	return is_latency(key) || (type && type->flags & KEY_WANTS_PARALLELISM);
}

/* True if @is_such holds for a key of @list. "+" before the first one adds to the default keys. */
static bool profile_keys_include(const char *list, bool (*is_such)(const char *key))
{
	bool found = false;

	list = list ? list + (*list == '+') : "";
	while (*list && !found) {
		size_t n = strcspn(list, ", ");
		_cleanup_(freep) char *key = xstrndup(list, n);

		found = n && is_such(key);
		list += n + (list[n] != '\0');
	}
	return found;
}

static bool wants_parallelism(const struct profile *p)
{
	const struct report_request *plan = &p->rq.plan;

	return p->rq.parallelism || latency_columns(p) != LATENCY_NONE ||
	       profile_keys_include(plan->sort, needs_parallelism) ||
	       profile_keys_include(plan->fields, needs_parallelism);
}

static int check_parallelism(const struct profile *p, struct diag *diag)
{
	bool asked = p->plan.needs & ROW_NEEDS_LATENCY || p->rq.parallelism ||
		     p->plan.key_flags & KEY_WANTS_PARALLELISM;

	if (!asked || (parallelism_is_known(p->session) && !p->is_live))
		return 0;
	diag_set(diag, -ENODATA,
		 "latency and parallelism go by context switches, but the profile has none");
	diag_hint(diag, "Record with perf record --latency.");
	return -ENODATA;
}

static int check_branches(const struct profile *p, struct diag *diag)
{
	if (!(p->plan.needs & ROW_NEEDS_BRANCHES) || p->rq.history_notes)
		return 0;
	diag_set(diag, -EINVAL,
		 "callchain_branch_* tells of branches in stacks, and there are none");
	diag_hint(diag, "perf report --branch-history makes stacks of branches.");
	return -EINVAL;
}

static int profile_make_plan(struct profile *p, struct diag *diag)
{
	const struct filter_request *f = &p->rq.filter;
	struct report_request plan = p->rq.plan;

	plan.mode = p->mode;
	plan.latency = latency_columns(p);
	plan.children = plan.children && profile_sample_types(p) & PERF_SAMPLE_CALLCHAIN &&
			p->mode != REPORT_BRANCH && p->mode != REPORT_MEMORY;
	plan.one_comm = sample_filter_only_name(f->comms);
	plan.one_dso = sample_filter_only_name(f->dsos);
	plan.one_symbol = sample_filter_only_name(f->symbols);
	return report_plan_make(&plan, &p->env, &p->plan, diag);
}

/*
 * Compiles @text, which is known to be a valid expression, because the parser of the request has
 * checked it.
 */
static const regex_t *profile_compile(const char *text, regex_t *regex, bool *has)
{
	*has = text && !regcomp(regex, text, REG_EXTENDED | REG_NOSUB);
	return *has ? regex : NULL;
}

static const char *profile_parent_of(const struct profile *p)
{
	if (!p->rq.parent && !(p->plan.key_flags & KEY_WANTS_PARENT) && !p->rq.exclude_other)
		return NULL;
	return p->rq.parent ? p->rq.parent : DEFAULT_PARENT;
}

/*
 * Returns the number of the hardware's registers, if calls that they have forgotten are to be found
 * in earlier samples.
 */
static uint64_t lbr_to_stitch(const struct profile *p)
{
	return p->rq.symbols.stitch_lbr ? lbr_registers(session_features(p->session)) : 0;
}

static bool has_switch(const struct profile *p)
{
	return p->rq.filter.switch_on || p->rq.filter.switch_off;
}

/* Finds the field in all events that have it. */
static int bind_weights(struct profile *p, struct diag *diag)
{
	size_t n = session_event_count(p->session), found = 0;
	const char *name = p->rq.weight_field;

	if (!name)
		return 0;
	p->weights = xcalloc(n + 1, sizeof(*p->weights));
	for (size_t i = 0; i < n; i++) {
		p->weights[i] = tracepoint_field_bind(session_event(p->session, i)->format, name,
						      session_is_swapped(p->session));
		found += p->weights[i].kind == FIELD_NUMBER;
	}
	if (found)
		return 0;
	diag_set(diag, -EINVAL, "no event has a numeric field '%s'", name);
	diag_hint(diag, "'perf evlist --trace-fields' lists the fields of tracepoints.");
	return -EINVAL;
}

/* Names the event that has all of the time. */
static int join_wall_clock(struct profile *p, struct diag *diag)
{
	int r = wall_clock_find(p->session, &p->wall, diag);

	if (r >= 0)
		session_name_event(p->session, p->wall.on->index, WALL_CLOCK_NAME);
	return r;
}

static int plan_all(struct profile *p, struct diag *diag)
{
	const struct filter_request *f = &p->rq.filter;
	int r = event_switch_init(&p->between, p->session, f->switch_on, f->switch_off, diag);

	p->between.shows = f->show_on_off_events;
	if (r >= 0)
		r = report_mode_choose(&p->rq.mode, p->session, &p->mode, diag);
	if (r >= 0)
		r = check_stacks(p, diag);
	if (r >= 0)
		r = bind_weights(p, diag);
	if (r >= 0 && p->rq.wall)
		r = join_wall_clock(p, diag);
	if (r >= 0)
		r = profile_make_plan(p, diag);
	if (r >= 0)
		r = check_parallelism(p, diag);
	if (r >= 0)
		r = check_branches(p, diag);
	if (r >= 0)
		r = check_others(p, diag);
	if (r >= 0)
		r = check_frames(p, diag);
	return r < 0 ? r : check_parent(p, diag);
}

static struct collector *make_collector(struct profile *p)
{
	const struct profile_request *rq = &p->rq;
	const char *parent = profile_parent_of(p);

	return collector_new(&(struct collector_options){
		.env = &p->env,
		.keys = p->plan.keys.items,
		.n_keys = p->plan.keys.n,
		.mode = p->mode,
		.filter = p->filter,
		.between = has_switch(p) ? &p->between : NULL,
		.topology = rq->of_socket ? &p->topology : NULL,
		.socket = rq->socket,
		/* For call trees, rows of callers, and options that look for callers. */
		.with_stacks = rq->with_stacks || p->plan.children || parent ||
			       rq->ignore_callees || rq->frames ||
			       p->plan.needs & ROW_NEEDS_BRANCHES,
		.inlines = reading_inlines(&rq->symbols),
		.by_mode = p->plan.by_mode,
		.needs = p->plan.needs,
		.callers_first = rq->callers_first,
		.hide_unresolved = rq->hide_unresolved,
		.frames = rq->frames,
		.references = rq->references && p->plan.children,
		.history = rq->history,
		.notes = rq->history_notes,
		.blocks = rq->blocks,
		.places = p->places,
		.with_strip = rq->with_strip,
		.lbr_registers = lbr_to_stitch(p),
		.max_stack = rq->max_stack,
		.parent = profile_compile(parent, &p->parent, &p->has_parent),
		.only_with_parent = rq->exclude_other,
		.by_place = p->plan.mixes_places && p->filter &&
			    sample_filter_has_places(p->filter),
		.ignore_callees = profile_compile(rq->ignore_callees, &p->ignored, &p->has_ignored),
		.weights = p->weights,
		.wall = rq->wall ? &p->wall : NULL,
		.running = wants_parallelism(p) ? &p->running : NULL,
		.parallel = rq->parallelism ? &p->parallel : NULL,
		.n_weights = p->weights ? session_event_count(p->session) : 0,
		.leaves_only = p->leaves_first && !p->heavy,
		.chosen = p->heavy,
		.n_chosen = p->heavy ? p->n_heavy : 0,
		.n_workers = p->workers ? workers_count(p->workers) : 1,
	});
}

static bool profile_wants_order(const struct profile *p)
{
	return wants_parallelism(p) || p->rq.symbols.stitch_lbr || p->rq.history_notes ||
	       p->rq.references || has_switch(p);
}

/* True if samples may pass in any order, and twice. */
static bool can_be_read_twice(const struct profile *p)
{
	const struct session *s = p->session;

	if (p->is_live || session_is_stream(s) || profile_wants_order(p) ||
	    features_have(session_features(s), FEATURE_AUXTRACE) ||
	    features_have(session_features(s), FEATURE_COMPRESSED))
		return false;
	for (size_t i = 0; i < session_event_count(s); i++)
		if (group_reads_wanted(session_event(s, i)))
			return false;
	return true;
}

/* True if only the call trees of rows use stacks. */
static bool stacks_are_for_trees(const struct profile *p)
{
	const struct profile_request *rq = &p->rq;

	return rq->with_stacks && !p->plan.children && !p->plan.levels && !p->plan.needs &&
	       !profile_parent_of(p) && !rq->ignore_callees && !rq->hide_unresolved &&
	       !rq->frames && !rq->history && !rq->blocks && !rq->with_log && !rq->with_strip &&
	       !rq->wall && (p->mode == REPORT_NORMAL || p->mode == REPORT_TRACEPOINT);
}

/*
 * True if samples are counted without their stacks first. Most rows are too light for a call tree,
 * so only the samples of heavy rows are read again, with stacks. Stacks that have to be unwound are
 * taken at once, because notes about them are about all of them. Rows that are not functions count
 * as heavy.
 */
static bool wants_leaves_first(const struct profile *p)
{
	uint64_t types = profile_sample_types(p);

	return p->rq.trees_from > 0 && types & PERF_SAMPLE_CALLCHAIN &&
	       !(types & PERF_SAMPLE_STACK_USER) && p->plan.key_flags & KEY_OF_NAMES &&
	       stacks_are_for_trees(p) && can_be_read_twice(p);
}

static int begin_with(struct profile *p, struct shared_values *values, struct diag *diag)
{
	int r;

	p->env = (struct key_env){
		.session = p->session,
		.values = values,
		.forgets = p->is_live,
		.time_quantum_ns = p->rq.time_quantum_ns,
		.time_shift_ns = p->rq.time_shift_ns,
		.raw_trace = p->rq.raw_trace,
		.full_source_paths = p->rq.symbols.full_source_path,
		.verbose = p->rq.verbose,
	};
	r = plan_all(p, diag);
	if (r < 0)
		return r;
	parallelism_init(&p->running, p->session);
	if (p->rq.parallelism && !p->parallel.n)
		cpu_list_parse(p->rq.parallelism, &p->parallel);
	p->env.has_image_key = report_plan_has_key(&p->plan, "dso");
	p->env.frames = frames_new(p->plan.key_flags & KEY_BY_ADDRESS || p->rq.by_address);
	if (p->is_live)
		frames_copy_maps(p->env.frames);
	if (p->rq.of_socket)
		features_topology(session_features(p->session), &p->topology);
	if (p->rq.with_log)
		p->places = frames_new_places();
	p->leaves_first = wants_leaves_first(p);
	p->collector = make_collector(p);
	return 0;
}

int profile_begin(struct profile *p, struct diag *diag)
{
	return begin_with(p, shared_values_new(), diag);
}

int profile_begin_live(struct profile *p, const struct profile_request *rq, struct session *s,
		       struct shared_values *values, struct diag *diag)
{
	int r;

	*p = (struct profile){ .rq = *rq, .session = s, .is_live = true };
	r = profile_open_filter(p, diag);
	return r < 0 ? r
		     : begin_with(p, values ? shared_values_share(values) : shared_values_new(),
				  diag);
}

static int profile_do_begin(void *arg, struct consumer *c)
{
	struct profile *p = arg;
	int r = profile_begin(p, p->diag);

	c->is_costly = p->plan.keys.types != NULL;
	return r;
}

static int profile_on_samples(void *arg, const struct sample_batch *b)
{
	struct profile *p = arg;

	collector_take(p->collector, b);
	return 0;
}

/* Does the same for samples among switches, in order, on one thread. */
static int on_samples_among_switches(void *arg, const struct sample_batch *b)
{
	struct profile *p = arg;

	if (parallelism_now(&p->running) == 1)
		p->n_alone += b->n;
	else
		p->n_together += b->n;
	return profile_on_samples(arg, b);
}

/*
 * True if both shares are the same, because threads hardly ever ran side by side: as in Linux's
 * perf.
 */
static bool shows_latency_twice(const struct profile *p)
{
	const struct report_request *plan = &p->rq.plan;

	return plan->latency == LATENCY_AUTO && !profile_keys_include(plan->sort, is_latency) &&
	       !profile_keys_include(plan->fields, is_latency) &&
	       p->n_alone * 100 >= (p->n_alone + p->n_together) * 99;
}

/* Takes switches, in order among the samples. */
static int on_switches(void *arg, const struct record_batch *b)
{
	struct profile *p = arg;

	for (size_t i = 0; i < b->n; i++)
		parallelism_take(&p->running, &b->items[i]);
	return 0;
}

void profile_settle(struct profile *p)
{
	collector_settle(p->collector);
	p->env.wraps = frames_wrap(p->env.frames);
}

/* Finds the heavy ones among the functions that @leaves has. */
static void find_heavy(struct profile *p, const struct collector *leaves)
{
	const struct report_options o = {
		.env = &p->env,
		.keys = p->plan.keys.items,
		.n_keys = p->plan.keys.n,
		.unsorted = true,
	};

	p->n_heavy = frames_count(p->env.frames);
	p->heavy = heavy_frames_find(&o, p->session, leaves, p->rq.trees_from);
}

/*
 * Collects stacks after all samples were counted without them: the samples of heavy rows get
 * stacks, and the rest is added without.
 */
static int collect_stacks(struct profile *p, const struct consumer *consumer, struct diag *diag)
{
	_cleanup_(collector_freep) struct collector *leaves = TAKE(p->collector);
	struct consumer again = *consumer;
	int r;

	collector_settle(leaves);
	find_heavy(p, leaves);
	p->collector = make_collector(p);
	again.begin = NULL;
	r = session_feed(p->session, p->workers, &again, diag);
	if (r >= 0)
		collector_add_leaves(p->collector, leaves);
	return r;
}

int profile_collect(struct profile *p, struct diag *diag)
{
	bool switches = wants_parallelism(p);
	const struct consumer consumer = {
		.order = profile_wants_order(p) ? CONSUMER_IN_ORDER : CONSUMER_ANY_ORDER,
		.filter = p->untimed ? p->untimed : p->filter,
		.begin = profile_do_begin,
		.samples = switches ? on_samples_among_switches : profile_on_samples,
		.types = switches ? parallelism_types() : 0,
		.records = switches ? on_switches : NULL,
		.arg = p,
	};
	int r;

	p->diag = diag;
	p->workers = workers_new(0, WORKERS_MAX);
	r = session_feed(p->session, p->workers, &consumer, diag);
	if (r >= 0 && p->leaves_first)
		r = collect_stacks(p, &consumer, diag);
	if (r < 0)
		return r;
	if (switches && shows_latency_twice(p))
		report_plan_drop_latency(&p->plan);
	profile_settle(p);
	return 0;
}

bool profile_has_samples(const struct profile *p)
{
	for (size_t i = 0; i < session_event_count(p->session); i++)
		if (collector_tally(p->collector, i)->total.samples)
			return true;
	return false;
}

void profile_note(const struct profile *p, struct notes *notes)
{
	reading_note_damage(p->session, notes);
	reading_note_losses(p->session, notes);
	reading_note_stacks(p->session, notes);
}

static void heavy_frames_mark(const struct report_rows *r, const struct report_row *row,
			      bool *heavy)
{
	const struct stacks *s = &r->tally->stacks;

	for (uint32_t i = row->first_self; i != STACK_NONE; i = r->next_self[i])
		heavy[s->nodes[i].frame] = true;
}

bool *heavy_frames_find(const struct report_options *o, const struct session *session,
			const struct collector *c, double threshold)
{
	bool *heavy = xcalloc(frames_count(o->env->frames) + 1, sizeof(*heavy));

	for (size_t i = 0; i < session_event_count(session); i++) {
		const struct tally *t = collector_tally(c, i);
		_cleanup_(report_rows_freep) struct report_rows *r =
			report_rows_new(o, session_event(session, i), t);
		const struct call_tree_options tree = { .threshold = threshold,
							.whole = t->total.period };
		uint64_t least = call_tree_least(&tree, 0);

		for (size_t k = 0; k < r->n; k++)
			if (r->rows[k].self.period >= least)
				heavy_frames_mark(r, &r->rows[k], heavy);
	}
	return heavy;
}
