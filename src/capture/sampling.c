/* SPDX-License-Identifier: MIT */
#include "capture/sampling.h"

#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "base/cleanup.h"
#include "base/text.h"
#include "capture/sampling-regs.h"
#include "event/event.h"
#include "event/names.h"
#include "kernel/cpuid.h"

/* The CPU's record of calls, without flags and cycles, which would only take space. */
#define BRANCHES_OF_STACK                                                                          \
	(PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_CALL_STACK | PERF_SAMPLE_BRANCH_NO_FLAGS |   \
	 PERF_SAMPLE_BRANCH_NO_CYCLES | PERF_SAMPLE_BRANCH_HW_INDEX)

#define PRECISE_MAX 3

static bool sampling_is_dummy(const struct event *e)
{
	return e->attr.type == PERF_TYPE_SOFTWARE && e->attr.config == PERF_COUNT_SW_DUMMY;
}

static bool sampling_is_given(const struct event *e, enum event_setting setting)
{
	return e->settings.given & 1U << setting;
}

static bool sampling_leads(const struct event_list *l, size_t i)
{
	return l->items[i]->leader == i;
}

static bool is_amd(void)
{
	_cleanup_(freep) char *id = NULL;

	return cpuid_read_plain("", 0, &id) >= 0 && !strncmp(id, "AuthenticAMD", 12);
}

int sampling_add_default(struct event_list *l, struct event_env *env, struct diag *diag)
{
	size_t first = l->n;
	int r = event_list_parse(l, "cycles", env, EVENT_USE_SAMPLING, diag);

	for (size_t i = first; i < l->n; i++) {
		l->items[i]->modifiers.max_precise = true;
		l->items[i]->unnamed = true;
		/* IBS, which provides the precision there, cannot tell guests from the host. */
		if (is_amd())
			l->items[i]->attr.exclude_guest = 0;
	}
	return r;
}

/*
 * Sets the defaults of tracepoints, breakpoints and BPF output: a sample each time, with all data.
 */
static void set_kind(struct event *e)
{
	struct attr *a = &e->attr;
	bool raw = a->type == PERF_TYPE_TRACEPOINT ||
		   (a->type == PERF_TYPE_SOFTWARE && a->config == PERF_COUNT_SW_BPF_OUTPUT);

	if (raw)
		a->sample_type |= PERF_SAMPLE_RAW | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU |
				  PERF_SAMPLE_PERIOD;
	if (raw || a->type == PERF_TYPE_BREAKPOINT)
		a->sample_period = 1;
	/* perf's own counters cannot sample, but are permitted, as events that never happen. */
	if (e->tool != EVENT_TOOL_NONE) {
		a->type = PERF_TYPE_SOFTWARE;
		a->config = PERF_COUNT_SW_DUMMY;
	}
	if (e->modifiers.max_precise)
		a->precise_ip = PRECISE_MAX;
}

static void set_freq(struct attr *a, uint64_t freq)
{
	a->freq = 1;
	a->sample_freq = freq;
	a->sample_type |= PERF_SAMPLE_PERIOD;
}

static void sampling_set_rate(const struct sampling *s, struct attr *a)
{
	if (a->sample_period && !s->freq_given && !s->period)
		return;
	if (s->period)
		a->sample_period = s->period;
	else
		set_freq(a, s->freq);
}

/* Requests registers and a copy of the stack, which are unwound later. */
static void set_dwarf(const struct sampling *s, struct attr *a, uint32_t bytes)
{
	a->sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER | PERF_SAMPLE_ADDR |
			  PERF_SAMPLE_DATA_SRC;
	a->sample_regs_user = s->user_regs ? s->user_regs | sampling_regs_unwind(s->arch)
					   : s->all_user_regs;
	a->sample_stack_user = bytes;
	a->exclude_callchain_user = 1;
}

static void set_stack(const struct sampling *s, struct attr *a, enum callgraph_mode mode,
		      uint32_t bytes)
{
	if (mode == CALLGRAPH_NONE)
		return;
	a->sample_type |= PERF_SAMPLE_CALLCHAIN;
	a->exclude_callchain_user = s->rq.callgraph.kernel_only;
	a->exclude_callchain_kernel = s->rq.callgraph.user_only;
	if (callgraph_copies(mode))
		set_dwarf(s, a, bytes);
	/* The CPU records calls in user mode only; otherwise frame pointers are used. */
	if (mode == CALLGRAPH_LBR && !a->exclude_user) {
		a->sample_type |= PERF_SAMPLE_BRANCH_STACK;
		a->branch_sample_type = BRANCHES_OF_STACK;
	}
}

static void sampling_forget_stack(struct attr *a)
{
	a->sample_type &= ~(PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER);
	a->sample_stack_user = 0;
	if (a->branch_sample_type & PERF_SAMPLE_BRANCH_CALL_STACK) {
		a->sample_type &= ~PERF_SAMPLE_BRANCH_STACK;
		a->branch_sample_type = 0;
	}
}

static enum callgraph_mode sampling_mode_of(const char *word)
{
	static const char *const words[] = {
		[CALLGRAPH_NONE] = "no",
		[CALLGRAPH_FP] = "fp",
		[CALLGRAPH_DWARF] = "dwarf",
		[CALLGRAPH_LBR] = "lbr",
	};
	size_t mode = 0;

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (!strcmp(words[i], word))
			mode = i;
	return (enum callgraph_mode)mode;
}

/*
 * Applies call-graph=, max-stack= and stack-size= of the event itself; max-stack= alone means fp.
 */
static void set_own_stack(const struct sampling *s, struct event *e)
{
	const struct event_settings *own = &e->settings;
	bool has_depth = sampling_is_given(e, EVENT_SETTING_MAX_STACK);
	bool has_mode = sampling_is_given(e, EVENT_SETTING_CALL_GRAPH);
	enum callgraph_mode mode = has_mode ? sampling_mode_of(own->call_graph) : CALLGRAPH_FP;
	uint32_t bytes = sampling_is_given(e, EVENT_SETTING_STACK_SIZE) ? own->stack_size / 8 * 8
									: CALLGRAPH_STACK_DEFAULT;

	if (!has_mode && !has_depth)
		return;
	sampling_forget_stack(&e->attr);
	set_stack(s, &e->attr, mode, bytes);
	if (has_depth && mode != CALLGRAPH_NONE)
		e->attr.sample_max_stack = own->max_stack;
}

static void set_own_branches(struct event *e)
{
	if (!sampling_is_given(e, EVENT_SETTING_BRANCH_TYPE))
		return;
	e->attr.branch_sample_type = e->settings.branch_type;
	if (e->settings.branch_type)
		e->attr.sample_type |= PERF_SAMPLE_BRANCH_STACK;
	else
		e->attr.sample_type &= ~PERF_SAMPLE_BRANCH_STACK;
}

/* Applies the event's terms, which override the options. */
static void apply_settings(const struct sampling *s, struct event *e)
{
	const struct event_settings *own = &e->settings;
	struct attr *a = &e->attr;

	if (sampling_is_given(e, EVENT_SETTING_PERIOD)) {
		a->freq = 0;
		a->sample_period = own->period;
		a->sample_type &= ~PERF_SAMPLE_PERIOD;
	}
	if (sampling_is_given(e, EVENT_SETTING_FREQ))
		set_freq(a, own->freq);
	if (sampling_is_given(e, EVENT_SETTING_TIME))
		a->sample_type = own->time ? a->sample_type | PERF_SAMPLE_TIME
					   : a->sample_type & ~PERF_SAMPLE_TIME;
	if (sampling_is_given(e, EVENT_SETTING_INHERIT))
		a->inherit = own->inherit;
	if (sampling_is_given(e, EVENT_SETTING_AUX_OUTPUT))
		a->aux_output = own->aux_output;
	if (sampling_is_given(e, EVENT_SETTING_OVERWRITE))
		a->write_backward = own->overwrite;
	set_own_stack(s, e);
	set_own_branches(e);
}

/*
 * Returns the field for weights: PERF_SAMPLE_WEIGHT_STRUCT splits the weight where the CPU measures
 * several latencies.
 */
static uint64_t weight_field(const struct arch *a)
{
	return a && a->has_split_weights ? PERF_SAMPLE_WEIGHT_STRUCT : PERF_SAMPLE_WEIGHT;
}

static uint64_t sampling_fields_of(const struct sample_request *s, const struct arch *a)
{
	const struct {
		bool wanted;
		uint64_t bits;
	} all[] = {
		{ s->data_addr, PERF_SAMPLE_ADDR },
		{ choice_or(s->memory_info, s->data_addr), PERF_SAMPLE_DATA_SRC },
		{ s->phys_addr, PERF_SAMPLE_PHYS_ADDR },
		{ s->data_page_size, PERF_SAMPLE_DATA_PAGE_SIZE },
		{ s->code_page_size, PERF_SAMPLE_CODE_PAGE_SIZE },
		{ s->weight, weight_field(a) },
		{ s->transaction, PERF_SAMPLE_TRANSACTION },
		{ s->raw, PERF_SAMPLE_RAW | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU },
		{ s->cpu, PERF_SAMPLE_CPU },
	};
	uint64_t bits = 0;

	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		bits |= all[i].wanted ? all[i].bits : 0;
	return bits;
}

static void set_fields(const struct sampling *s, struct event *e)
{
	enum choice time = s->rq.sample.timestamp;
	struct attr *a = &e->attr;

	a->sample_type |= PERF_SAMPLE_IP | PERF_SAMPLE_TID |
			  sampling_fields_of(&s->rq.sample, s->arch);
	if (e->modifiers.latency)
		a->sample_type |= weight_field(s->arch);
	if (s->system)
		a->sample_type |= PERF_SAMPLE_CPU;
	if (time == CHOICE_YES || (time == CHOICE_UNSAID && !s->per_thread))
		a->sample_type |= PERF_SAMPLE_TIME;
	if (s->rq.sideband.all_cgroups)
		a->sample_type |= PERF_SAMPLE_CGROUP;
	/* A dummy has no samples that could contain registers and branches. */
	if (sampling_is_dummy(e))
		return;
	a->sample_regs_user = s->user_regs;
	a->sample_regs_intr = s->intr_regs;
	if (s->user_regs)
		a->sample_type |= PERF_SAMPLE_REGS_USER;
	if (s->intr_regs)
		a->sample_type |= PERF_SAMPLE_REGS_INTR;
	if (s->rq.branch_filter) {
		a->sample_type |= PERF_SAMPLE_BRANCH_STACK;
		a->branch_sample_type = s->rq.branch_filter;
	}
}

static void set_modes(const struct sampling *s, struct attr *a)
{
	if (s->rq.all_user) {
		a->exclude_kernel = 1;
		a->exclude_user = 0;
	}
	if (s->rq.all_kernel) {
		a->exclude_kernel = 0;
		a->exclude_user = 1;
	}
}

static void set_common(const struct sampling *s, struct attr *a)
{
	a->sample_id_all = 1;
	a->inherit = s->inherit;
	a->inherit_stat = s->rq.sample.thread_counts;
	a->read_format = PERF_FORMAT_ID | PERF_FORMAT_LOST;
	if (s->rq.sample.thread_counts || s->rq.sample.running_time)
		a->read_format |= PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	a->use_clockid = s->rq.sample.clock.given;
	a->clockid = s->rq.sample.clock.given ? s->rq.sample.clock.id : 0;
	a->wakeup_events = s->no_buffering;
	a->write_backward = s->overwrite;
	set_modes(s, a);
}

static void sampling_complete(const struct sampling *s, struct event *e)
{
	struct attr *a = &e->attr;
	const struct callgraph_choice *asked = &s->rq.callgraph.choice;
	enum callgraph_mode stack = sampling_is_dummy(e) && asked->mode == CALLGRAPH_LBR
					    ? CALLGRAPH_FP
					    : asked->mode;
	enum choice period = s->rq.sample.period;

	set_kind(e);
	set_common(s, a);
	sampling_set_rate(s, a);
	set_fields(s, e);
	set_stack(s, a, stack, asked->stack_bytes);
	if (stack == CALLGRAPH_FP) {
		a->sample_max_stack = (uint16_t)asked->depth;
		a->defer_callchain = asked->defer && !sampling_is_dummy(e);
	}
	apply_settings(s, e);
	if (asked->mode == CALLGRAPH_FP && sampling_regs_leaf(s->arch) && !sampling_is_dummy(e)) {
		a->sample_type |= PERF_SAMPLE_REGS_USER;
		a->sample_regs_user |= sampling_regs_leaf(s->arch);
	}
	if (period == CHOICE_YES)
		a->sample_type |= PERF_SAMPLE_PERIOD;
	else if (period == CHOICE_NO)
		a->sample_type &= ~PERF_SAMPLE_PERIOD;
	if (s->rq.sample.no_samples)
		a->sample_period = 0;
}

static void sampling_track(const struct sampling *s, struct attr *a)
{
	a->mmap = 1;
	a->mmap2 = 1;
	a->comm = 1;
	a->comm_exec = 1;
	a->task = 1;
	a->ksymbol = 1;
	a->bpf_event = !s->rq.sideband.no_bpf_event;
	a->mmap_data = choice_or(s->rq.sample.data_maps, a->sample_type & PERF_SAMPLE_ADDR);
	a->namespaces = s->rq.sideband.namespaces;
	a->cgroup = s->rq.sideband.all_cgroups;
	a->context_switch = s->rq.sideband.switch_events == CHOICE_YES;
	a->build_id = s->build_ids;
	a->defer_output = s->rq.callgraph.choice.defer;
}

/*
 * Sets how the event starts. A group starts with its leader. The side-band of CPUs, and of tasks
 * whose events start late, is needed from the beginning.
 */
static void set_start(const struct sampling *s, struct attr *a, bool leader, bool sideband)
{
	bool at_exec = s->command && (!s->delayed || sideband);

	if (sideband && !at_exec)
		return;
	a->disabled = leader;
	a->enable_on_exec = leader && at_exec;
}

/* True if the group that @leader leads has a :S, and more than one event. */
static bool reads_group(const struct event_list *l, size_t leader)
{
	size_t n = 0;
	bool reads = false;

	for (size_t i = 0; i < l->n; i++) {
		if (l->items[i]->leader != leader)
			continue;
		n++;
		reads |= l->items[i]->modifiers.sample_read;
	}
	return reads && n > 1;
}

/*
 * Prepares groups with :S, which sample only the leader and read the counts of all members with it.
 * The members' records look like the leader's, because a single reader handles both.
 */
static void read_groups(const struct sampling *s, struct event_list *l)
{
	for (size_t i = 0; i < l->n; i++) {
		struct event *e = l->items[i];
		const struct attr *leader = &l->items[e->leader]->attr;

		if (e->modifiers.sample_read)
			e->attr.sample_type |= PERF_SAMPLE_READ;
		if (!reads_group(l, e->leader))
			continue;
		e->attr.sample_type |= PERF_SAMPLE_READ;
		e->attr.read_format |= PERF_FORMAT_GROUP;
		/* Readers would take the counts of inherited events for those of a task. */
		if (s->system)
			e->attr.inherit = 0;
		if (sampling_leads(l, i))
			continue;
		e->attr.sample_type = leader->sample_type;
		e->attr.freq = 0;
		e->attr.sample_period = sampling_is_given(e, EVENT_SETTING_PERIOD)
						? e->settings.period
						: 0;
	}
}

/*
 * Chooses how records identify their event if there are several: by ID if all have the same sample
 * layout, else by IDENTIFIER, which is always in the same place.
 */
static void sampling_identify(const struct sampling *s, struct event_list *l)
{
	bool alike = true;
	uint64_t bit;

	for (size_t i = 1; i < l->n; i++)
		alike &= l->items[i]->attr.sample_type == l->items[0]->attr.sample_type;
	if (l->n == 1 && !s->rq.sample.identifier && !s->aux &&
	    !(l->items[0]->attr.sample_type & PERF_SAMPLE_READ))
		return;
	bit = alike && !s->rq.sample.identifier && !s->aux ? PERF_SAMPLE_ID
							   : PERF_SAMPLE_IDENTIFIER;
	for (size_t i = 0; i < l->n; i++)
		l->items[i]->attr.sample_type |= bit;
}

static int add_dummy(struct event_list *l, struct event_env *env, struct diag *diag)
{
	int r = event_list_parse(l, "dummy", env, EVENT_USE_SAMPLING, diag);

	if (r < 0)
		return r;

	struct event *e = l->items[l->n - 1];

	e->attr.exclude_guest = 0;
	e->attr.sample_period = 1;
	sampling_name(e);
	return 0;
}

/* Adds a dummy of user mode, which every user may open. */
static int add_user_dummy(struct event_list *l, bool whole_cpus, struct event_env *env,
			  struct diag *diag)
{
	int r = event_list_parse(l, "dummy:u", env, EVENT_USE_SAMPLING, diag);

	if (r < 0)
		return r;
	l->items[l->n - 1]->attr.sample_period = 1;
	l->items[l->n - 1]->whole_cpus = whole_cpus;
	return 0;
}

/*
 * Adds the events beside a hardware trace: for switches, the side-band and changes of kernel code.
 */
static int add_trace_dummies(const struct aux_dummies *d, struct event_list *l,
			     size_t *ret_tracking, struct event_env *env, struct diag *diag)
{
	int r = d->switches ? add_user_dummy(l, true, env, diag) : 0;

	*ret_tracking = l->n;
	if (r >= 0)
		r = add_user_dummy(l, false, env, diag);
	if (r >= 0 && d->pokes)
		r = add_user_dummy(l, true, env, diag);
	return r;
}

/*
 * Prepares these events. They see whole CPUs from the start, because nothing else reports what
 * happens there.
 */
static void set_trace_dummies(const struct sampling *s, const struct aux_dummies *d,
			      struct event_list *l, size_t tracking)
{
	struct attr *a = &l->items[tracking]->attr;

	aux_plan_finish(s->aux, l, &s->aux_target, tracking);
	if (d->switches) {
		struct attr *switches = &l->items[tracking - 1]->attr;

		switches->sample_type |= PERF_SAMPLE_TIME | PERF_SAMPLE_CPU;
		switches->context_switch = 1;
	}
	if (d->pokes) {
		struct attr *pokes = &l->items[tracking + 1]->attr;

		pokes->sample_type |= PERF_SAMPLE_TIME;
		if (s->aux_target.per_cpu)
			pokes->sample_type |= PERF_SAMPLE_CPU;
		pokes->ksymbol = 1;
		pokes->text_poke = 1;
		a->ksymbol = 0;
	}
}

int sampling_apply(const struct sampling *s, struct event_list *l, struct event_env *env,
		   struct diag *diag)
{
	bool late = s->system || s->delayed;
	struct aux_dummies dummies = { 0 };
	size_t tracking = 0;
	int r = 0;

	if (s->aux) {
		dummies = aux_plan_dummies(s->aux, l, &s->aux_target);
		r = add_trace_dummies(&dummies, l, &tracking, env, diag);
	} else if (late && !sampling_is_dummy(l->items[0])) {
		tracking = l->n;
		r = add_dummy(l, env, diag);
	}
	if (r < 0)
		return r;
	for (size_t i = 0; i < l->n; i++)
		sampling_complete(s, l->items[i]);
	sampling_track(s, &l->items[tracking]->attr);
	if (s->aux)
		set_trace_dummies(s, &dummies, l, tracking);
	read_groups(s, l);
	for (size_t i = 0; i < l->n; i++)
		if (!l->items[i]->whole_cpus)
			set_start(s, &l->items[i]->attr, sampling_leads(l, i),
				  late && i == tracking && sampling_leads(l, i));
	sampling_identify(s, l);
	return 0;
}

/* Returns the short name of a hardware event: cycles, branches. */
static const char *kernel_name(const struct attr *a)
{
	size_t n;
	const struct named_event *names = named_events(&n);

	for (size_t i = 0; i < n; i++)
		if (names[i].type == a->type && names[i].config == a->config)
			return a->type == PERF_TYPE_HARDWARE && names[i].alias ? names[i].alias
									       : names[i].name;
	return NULL;
}

/*
 * Appends the letters of the modifiers. H and G are added only if the other letters do not imply
 * them.
 */
static void add_letters(const struct attr *a, struct text *t)
{
	bool chosen = a->exclude_user || a->exclude_kernel || a->exclude_hv;
	bool implied = chosen || a->precise_ip;
	bool guests = a->exclude_host || a->exclude_guest == implied;

	if (!implied && !guests)
		return;
	text_add_char(t, ':');
	if (chosen) {
		text_add(t, a->exclude_kernel ? "" : "k");
		text_add(t, a->exclude_user ? "" : "u");
		text_add(t, a->exclude_hv ? "" : "h");
	}
	for (unsigned i = 0; i < a->precise_ip; i++)
		text_add_char(t, 'p');
	if (guests) {
		text_add(t, a->exclude_host ? "" : "H");
		text_add(t, a->exclude_guest ? "" : "G");
	}
}

void sampling_name(struct event *e)
{
	const char *name = kernel_name(&e->attr);
	struct text t = TEXT_EMPTY;

	if (!name)
		return;
	text_add(&t, name);
	add_letters(&e->attr, &t);
	free(e->name);
	e->name = text_take(&t);
}
