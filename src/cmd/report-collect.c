/* SPDX-License-Identifier: MIT */
/*
 * What was asked for becomes a plan, and the samples become weighed stacks. The events of a stream
 * are known only with its first samples, so that the plan is made then.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/workers.h"
#include "cmd/report-job.h"
#include "cmd/report-opts.h"
#include "datafile/features-topology.h"
#include "profile/shared-values.h"
#include "session/consumer.h"
#include "session/lbr-stitch.h"
#include "session/sample-filter.h"

#define WORKERS_MAX    16
#define HISTORY_SORT   "srcline,symbol,dso"
#define DEFAULT_PARENT "^sys_|^do_page_fault"

bool report_callers_first(const struct report_job *j)
{
	enum calltree_order order = j->opts->calltree.layout.order;

	return order == CALLTREE_ORDER_DEFAULT ? j->opts->calltree.children != CHOICE_NO
					       : order == CALLTREE_ORDER_CALLER;
}

/* PERF_SAMPLE_* that any of the events has. */
static uint64_t recorded(const struct session *s)
{
	uint64_t types = 0;

	for (size_t i = 0; i < session_event_count(s); i++)
		types |= session_event(s, i)->attr.sample_type;
	return types;
}

static bool wants_history(const struct report_opts *o)
{
	return o->branch_history || o->calltree.layout.branch;
}

uint64_t report_stack_types(const struct report_opts *o)
{
	return PERF_SAMPLE_CALLCHAIN | (wants_history(o) ? PERF_SAMPLE_BRANCH_STACK : 0);
}

static int choose_mode(struct report_job *j)
{
	const struct report_opts *o = j->opts;
	const struct report_mode_request request = {
		.memory = o->mem_mode,
		.branches = o->branch_stack == CHOICE_YES || o->total_cycles,
		.no_branches = o->branch_stack == CHOICE_NO || o->branch_history,
	};

	return report_mode_choose(&request, j->session, &j->mode, j->diag);
}

/* The hardware's registers, if what they have forgotten is to be found in earlier samples. */
static uint64_t lbr_to_stitch(const struct report_job *j)
{
	return j->opts->symbols.stitch_lbr ? lbr_registers(session_features(j->session)) : 0;
}

/* Trees were asked for by -g, and there is nothing to make them of. */
static int check_trees(const struct report_job *j)
{
	const struct calltree_layout *l = &j->opts->calltree.layout;
	uint64_t stacks = PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_BRANCH_STACK;

	if (l->print == CALLTREE_PRINT_NONE || !l->asked || recorded(j->session) & stacks)
		return 0;
	diag_set(j->diag, -ENODATA, "-g shows stacks, but the profile has none");
	diag_hint(j->diag, "Record with -g, or leave -g out.");
	return -ENODATA;
}

static int check_parent(const struct report_job *j)
{
	if (!(j->plan.key_flags & KEY_WANTS_PARENT) || recorded(j->session) & PERF_SAMPLE_CALLCHAIN)
		return 0;
	diag_set(j->diag, -ENODATA,
		 "the key 'parent' looks for callers in stacks, but the profile has none");
	diag_hint(j->diag, "Record with -g, or sort by other keys.");
	return -ENODATA;
}

/* What --sort is, or what other options make of it. */
static const char *sort_of(const struct report_opts *o)
{
	return !o->sort && o->branch_history ? HISTORY_SORT : o->sort;
}

static int make_plan(struct report_job *j)
{
	const struct report_opts *o = j->opts;
	uint64_t types = recorded(j->session);

	return report_plan_make(
		&(struct report_request){
			.sort = sort_of(o),
			.fields = o->fields,
			.mode = j->mode,
			.children = o->calltree.children != CHOICE_NO &&
				    types & PERF_SAMPLE_CALLCHAIN && j->mode != REPORT_BRANCH &&
				    j->mode != REPORT_MEMORY,
			.hierarchy = o->hierarchy,
			.parent = o->parent,
			.nr_samples = o->show_nr_samples,
			.total_period = o->show_total_period,
			.cpu_utilization = o->show_cpu_utilization,
			.one_comm = sample_filter_only_name(o->filter.comms),
			.one_dso = sample_filter_only_name(o->filter.dsos),
			.one_symbol = sample_filter_only_name(o->filter.symbols),
		},
		&j->env, &j->plan, j->diag);
}

/* The options have been parsed with these expressions: they compile. */
static const regex_t *compile(const char *text, regex_t *regex, bool *has)
{
	*has = text && !regcomp(regex, text, REG_EXTENDED | REG_NOSUB);
	return *has ? regex : NULL;
}

static const char *parent_of(const struct report_job *j)
{
	if (!j->opts->parent && !(j->plan.key_flags & KEY_WANTS_PARENT) && !j->opts->exclude_other)
		return NULL;
	return j->opts->parent ? j->opts->parent : DEFAULT_PARENT;
}

/* Call trees, rows of callers, and what looks for callers. */
static bool wants_stacks(const struct report_job *j)
{
	const struct report_opts *o = j->opts;

	return j->plan.children || o->calltree.layout.print != CALLTREE_PRINT_NONE ||
	       parent_of(j) || o->calltree.ignore_callees;
}

static int begin(void *arg, struct consumer *c)
{
	struct report_job *j = arg;
	const struct report_opts *o = j->opts;
	int r;

	(void)c;
	j->env.session = j->session;
	j->env.values = shared_values_new();
	j->env.time_quantum_ns = o->time_quantum_ns;
	j->env.raw_trace = o->raw_trace;
	j->env.full_source_paths = o->symbols.full_source_path;
	j->env.verbose = o->verbosity.verbose;
	r = event_switch_init(&j->between, j->session, o->filter.switch_on, o->filter.switch_off,
			      j->diag);
	j->between.shows = o->filter.show_on_off_events;
	if (r >= 0)
		r = choose_mode(j);
	if (r >= 0)
		r = check_trees(j);
	if (r >= 0)
		r = make_plan(j);
	if (r >= 0)
		r = check_parent(j);
	if (r < 0)
		return r;
	j->env.has_image_key = report_plan_has_key(&j->plan, "dso");
	j->env.frames = frames_new(j->plan.key_flags & KEY_BY_ADDRESS ||
				   o->calltree.layout.key != CALLTREE_KEY_FUNCTION ||
				   o->branch_history);
	if (o->socket >= 0)
		features_topology(session_features(j->session), &j->topology);
	j->collector = collector_new(&(struct collector_options){
		.env = &j->env,
		.keys = j->plan.keys.items,
		.n_keys = j->plan.keys.n,
		.mode = j->mode,
		.filter = j->filter,
		.between = o->filter.switch_on || o->filter.switch_off ? &j->between : NULL,
		.topology = o->socket >= 0 ? &j->topology : NULL,
		.socket = o->socket,
		.with_stacks = wants_stacks(j),
		.inlines = symbol_request_inlines(&o->symbols),
		.by_mode = j->plan.by_mode,
		.callers_first = report_callers_first(j),
		.hide_unresolved = o->hide_unresolved,
		.references = o->show_ref_call_graph && j->plan.children,
		.history = wants_history(o),
		.notes = o->branch_history,
		.blocks = o->total_cycles,
		.lbr_registers = lbr_to_stitch(j),
		.max_stack = o->calltree.max_stack,
		.parent = compile(parent_of(j), &j->parent, &j->has_parent),
		.only_with_parent = o->exclude_other,
		.ignore_callees = compile(o->calltree.ignore_callees, &j->ignored, &j->has_ignored),
		.n_workers = workers_count(j->workers),
	});
	return 0;
}

static int on_samples(void *arg, const struct sample_batch *b)
{
	struct report_job *j = arg;

	collector_take(j->collector, b);
	return 0;
}

static bool wants_order(const struct report_opts *o)
{
	return o->symbols.stitch_lbr || o->branch_history || o->show_ref_call_graph ||
	       o->filter.switch_on || o->filter.switch_off;
}

int report_collect(struct report_job *j)
{
	const struct consumer consumer = {
		.order = wants_order(j->opts) ? CONSUMER_IN_ORDER : CONSUMER_ANY_ORDER,
		.filter = j->filter,
		.begin = begin,
		.samples = on_samples,
		.arg = j,
	};
	int r;

	j->workers = workers_new(0, WORKERS_MAX);
	r = session_feed(j->session, j->workers, &consumer, j->diag);
	if (r < 0)
		return r;
	collector_settle(j->collector);
	j->env.wraps = frames_wrap(j->env.frames);
	return 0;
}

void report_collect_done(struct report_job *j)
{
	collector_free(j->collector);
	frames_free(j->env.frames);
	report_plan_done(&j->plan);
	shared_values_free(j->env.values);
	if (j->has_parent)
		regfree(&j->parent);
	if (j->has_ignored)
		regfree(&j->ignored);
	topology_done(&j->topology);
	workers_free(j->workers);
}
