/* SPDX-License-Identifier: MIT */
#include "event/event-set.h"

#include <errno.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/text.h"
#include "event/env.h"
#include "event/event.h"
#include "kernel/pmu.h"

static bool pmu_names(struct event_env *env, const char *pmu, const char *event)
{
	const struct pmu *p = pmu_list_find(event_env_pmus(env), pmu);

	return p && pmu_alias_find(p, event);
}

static int event_set_add(struct event_list *l, const char *text, struct event_env *env,
			 struct diag *diag)
{
	return event_list_parse(l, text, env, EVENT_USE_COUNTING, diag);
}

int event_set_default(struct event_list *l, struct event_env *env, bool cpus, struct diag *diag)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	text_addf(&t, "%s,context-switches,cpu-migrations,page-faults,cycles",
		  cpus ? "cpu-clock" : "task-clock");
	if (pmu_names(env, "cpu", "stalled-cycles-frontend"))
		text_add(&t, ",stalled-cycles-frontend");
	if (pmu_names(env, "cpu", "stalled-cycles-backend"))
		text_add(&t, ",stalled-cycles-backend");
	text_add(&t, ",instructions,branches,branch-misses");
	return event_set_add(l, t.chars, env, diag);
}

int event_set_detailed(struct event_list *l, struct event_env *env, unsigned level,
		       struct diag *diag)
{
	static const char *const levels[] = {
		"L1-dcache-loads,L1-dcache-load-misses,LLC-loads,LLC-load-misses",
		("L1-icache-loads,L1-icache-load-misses,dTLB-loads,dTLB-load-misses,"
		 "iTLB-loads,iTLB-load-misses"),
		"L1-dcache-prefetches,L1-dcache-prefetch-misses",
	};
	int r = 0;

	for (size_t i = 0; i < ARRAY_SIZE(levels) && i < level && r >= 0; i++)
		r = event_set_add(l, levels[i], env, diag);
	return r;
}

int event_set_transaction(struct event_list *l, struct event_env *env, struct diag *diag)
{
	if (!pmu_names(env, "cpu", "tx-start") || !pmu_names(env, "cpu", "cycles-t")) {
		diag_set(diag, -EOPNOTSUPP, "this CPU has no events of hardware transactions");
		diag_hint(diag, "They need an Intel CPU with TSX that is not switched off.");
		return -EOPNOTSUPP;
	}
	if (pmu_names(env, "cpu", "cycles-ct") && pmu_names(env, "cpu", "el-start"))
		return event_set_add(l,
				     "task-clock,{instructions,cycles,cpu/cycles-t/,cpu/tx-start/,"
				     "cpu/el-start/,cpu/cycles-ct/}",
				     env, diag);
	return event_set_add(l, "task-clock,{instructions,cycles,cpu/cycles-t/,cpu/tx-start/}", env,
			     diag);
}

int event_set_topdown(struct event_list *l, struct event_env *env, struct diag *diag)
{
	static const char *const events[] = { "topdown-total-slots", "topdown-slots-retired",
					      "topdown-recovery-bubbles", "topdown-fetch-bubbles",
					      "topdown-slots-issued" };
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	for (size_t i = 0; i < ARRAY_SIZE(events); i++) {
		if (!pmu_names(env, "cpu", events[i])) {
			diag_set(diag, -EOPNOTSUPP, "System does not support topdown");
			diag_hint(diag, "The kernel shows no event '%s' for this CPU.", events[i]);
			return -EOPNOTSUPP;
		}
		text_addf(&t, "%s%s", i ? "," : "{", events[i]);
	}
	text_add_char(&t, '}');
	return event_set_add(l, t.chars, env, diag);
}

int event_set_smi_cost(struct event_list *l, struct event_env *env, struct diag *diag)
{
	if (!pmu_names(env, "msr", "smi") || !pmu_names(env, "msr", "aperf")) {
		diag_set(diag, -EOPNOTSUPP,
			 "this machine does not count system management interrupts");
		diag_hint(diag, "They need msr/smi/ and msr/aperf/, which Intel's CPUs have.");
		return -EOPNOTSUPP;
	}
	return event_set_add(l, "{msr/aperf/,msr/smi/,cycles}", env, diag);
}
