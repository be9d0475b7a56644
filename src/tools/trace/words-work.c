/* SPDX-License-Identifier: MIT */
#include "tools/trace/words-work.h"

#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "base/cleanup.h"
#include "base/diag.h"
#include "base/id-list.h"
#include "base/memory.h"
#include "base/text.h"
#include "event/env.h"
#include "event/event.h"
#include "measure/bpf-events.h"
#include "tools/trace/internal-work.h"
#include "tools/trace/select-work.h"

#define CALLS "raw_syscalls:sys_enter,raw_syscalls:sys_exit"

void trace_words_done(struct trace_words *w)
{
	event_words_done(&w->events);
	for (size_t i = 0; i < w->texts.n; i++)
		free(w->texts.items[i]);
	free(w->texts.items);
	*w = (struct trace_words){ 0 };
}

bool trace_wants_stacks(const struct trace_request *rq)
{
	return rq->what.sampling.callgraph.choice.mode != CALLGRAPH_NONE;
}

static void trace_words_add_event(struct trace_words *w, const char *text)
{
	event_words_add(&w->events, EVENT_WORD_EVENT, text);
}

/* Adds @filter, if there is one, and keeps it. */
static void trace_words_add_filter(struct trace_words *w, char *filter)
{
	if (!filter)
		return;
	*ARRAY_ADD(&w->texts) = filter;
	event_words_add(&w->events, EVENT_WORD_FILTER, filter);
}

static void add_faults(struct trace_words *w, unsigned faults)
{
	if (faults & TRACE_FAULTS_MAJOR)
		trace_words_add_event(w, "major-faults/period=1,name=major-faults/");
	if (faults & TRACE_FAULTS_MINOR)
		trace_words_add_event(w, "minor-faults/period=1,name=minor-faults/");
}

static bool trace_words_is_named(const struct event_words *words, const char *event)
{
	for (size_t i = 0; i < words->n; i++)
		if (words->items[i].text && !strcmp(words->items[i].text, event))
			return true;
	return false;
}

/* Adds events that options other than -e require. */
static void add_others(struct trace_words *w, const struct trace_request *rq)
{
	const char *others[] = { rq->accrues_runtime ? "sched:sched_stat_runtime" : NULL,
				 rq->switch_on, rq->switch_off };

	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		if (others[i] && !trace_words_is_named(&w->events, others[i]))
			trace_words_add_event(w, others[i]);
}

/* True if the event is a tracepoint, or if all its events are. */
static bool has_fields(const char *word, struct event_env *env)
{
	_cleanup_(event_list_done) struct event_list l = { 0 };
	_cleanup_(diag_done) struct diag why = { 0 };
	bool all = event_list_parse(&l, word, env, EVENT_USE_SAMPLING, &why) >= 0;

	for (size_t i = 0; i < l.n; i++)
		all &= l.items[i]->tracepoint != NULL;
	return all;
}

static void add_selected(struct trace_words *w, const struct event_words *selected,
			 const struct id_list *left_out)
{
	_cleanup_(event_env_freep) struct event_env *env = event_env_new(NULL, NULL);

	for (size_t i = 0; i < selected->n; i++) {
		const struct event_word *s = &selected->items[i];

		event_words_add(&w->events, s->kind, s->text);
		if (s->kind == EVENT_WORD_EVENT && left_out->n && has_fields(s->text, env))
			trace_words_add_filter(w, trace_pid_filter(left_out));
	}
}

/* Calls come last, because the cgroups of the events before them do not apply to calls. */
void trace_words_make(struct trace_words *w, const struct trace_request *rq,
		      const struct id_list *left_out, bool with_bpf)
{
	const struct event_words *selected = &rq->selection.events;
	bool calls = rq->selection.takes_calls && (!with_bpf || trace_wants_stacks(rq));

	/* A cgroup without an event would be rejected. */
	if (calls || rq->faults || rq->accrues_runtime ||
	    event_words_have(selected, EVENT_WORD_EVENT))
		add_selected(w, selected, left_out);
	add_faults(w, rq->faults);
	add_others(w, rq);
	if (!calls)
		return;
	trace_words_add_event(w, with_bpf ? "raw_syscalls:sys_exit" : CALLS);
	trace_words_add_filter(w, trace_ring_filter(&rq->selection, left_out));
}

int trace_words_limits(const struct trace_words *w, struct trace_job *j)
{
	_cleanup_(event_env_freep) struct event_env *env = event_env_new(NULL, NULL);
	_cleanup_(event_list_done) struct event_list l = { 0 };
	_cleanup_(freep) size_t *before = xcalloc(w->events.n + 1, sizeof(*before));
	bool any = false;
	int r;

	event_env_set_programs(env, bpf_events_pass, &j->has_programs);
	r = event_words_resolve(&w->events, env, EVENT_USE_SAMPLING, &l, before, j->diag);

	for (size_t i = 0; i < l.n; i++)
		any |= l.items[i]->settings.max_events != 0;
	if (r < 0 || !any)
		return r;
	free(j->left);
	j->n_left = l.n;
	j->left = xcalloc(l.n, sizeof(*j->left));
	for (size_t i = 0; i < l.n; i++)
		j->left[i] = l.items[i]->settings.max_events ? l.items[i]->settings.max_events
							     : UINT64_MAX;
	return 0;
}

/* The kernel's perf_event_set_filter() accepts a page; the smallest page has 4096 bytes. */
#define FILTER_CHARS 4000

static void add_pids(struct text *t, const struct id_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		text_addf(t, "%scommon_pid != %d", t->length ? " && " : "", l->items[i]);
}

char *trace_pid_filter(const struct id_list *left_out)
{
	struct text t = TEXT_EMPTY;

	add_pids(&t, left_out);
	return t.length && t.length < FILTER_CHARS ? text_take(&t) : NULL;
}

/* Adds a list of the wanted calls or, if that is longer, of the unwanted ones. */
static void trace_ring_filter_add_ids(struct text *t, uint64_t *const wanted[SYSCALL_N_ABIS],
				      unsigned abi)
{
	unsigned n = syscall_count(abi), n_wanted = 0;
	bool negated, first = true;

	for (unsigned nr = 0; nr < n; nr++)
		n_wanted += trace_set_has(wanted, abi, (int32_t)nr);
	negated = n_wanted > n / 2;
	text_add(t, t->length ? " && (" : "(");
	for (unsigned nr = 0; nr < n; nr++) {
		if (trace_set_has(wanted, abi, (int32_t)nr) == negated)
			continue;
		text_addf(t, "%sid %s %u",
			  first     ? ""
			  : negated ? " && "
				    : " || ",
			  negated ? "!=" : "==", nr);
		first = false;
	}
	text_add(t, first ? "id >= 0)" : ")");
}

char *trace_ring_filter(const struct trace_selection *s, const struct id_list *left_out)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	add_pids(&t, left_out);
	if (s->names_calls)
		trace_ring_filter_add_ids(&t, s->wanted,
					  syscall_abi_of(arch_host()->elf_machine, false));
	return t.length && t.length < FILTER_CHARS ? text_take(&t) : trace_pid_filter(left_out);
}
