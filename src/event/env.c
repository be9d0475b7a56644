/* SPDX-License-Identifier: MIT */
#include "event/env.h"

#include <errno.h>
#include <stdlib.h>

#include "base/diag.h"
#include "base/memory.h"
#include "kernel/pmu.h"
#include "kernel/tracefs.h"

struct event_env {
	char *devices;
	char *tracing; /* NULL: found by tracefs_open() */
	struct pmu_list *pmus;
	const struct pmu *cores; /* the kind that is wanted; NULL: all */
	struct tracefs *tracefs;
	enum event_worlds worlds;
	event_programs_fn *programs; /* NULL: nobody */
	void *programs_arg;
};

struct event_env *event_env_new(const char *devices, const char *tracing)
{
	struct event_env *env = xcalloc(1, sizeof(*env));

	env->devices = xstrdup(devices ? devices : PMU_DEVICES);
	env->tracing = tracing ? xstrdup(tracing) : NULL;
	return env;
}

void event_env_free(struct event_env *env)
{
	if (!env)
		return;
	pmu_list_free(env->pmus);
	tracefs_free(env->tracefs);
	free(env->devices);
	free(env->tracing);
	free(env);
}

void event_env_set_worlds(struct event_env *env, enum event_worlds worlds)
{
	env->worlds = worlds;
}

enum event_worlds event_env_worlds(const struct event_env *env)
{
	return env->worlds;
}

struct pmu_list *event_env_pmus(struct event_env *env)
{
	if (!env->pmus)
		env->pmus = pmu_list_open(env->devices);
	return env->pmus;
}

int event_env_limit_cores(struct event_env *env, const char *pmu, struct diag *diag)
{
	const struct pmu *found = pmu_list_find(event_env_pmus(env), pmu);

	if (!found || !found->core)
		return diag_set(diag, -ENOENT, "there are no cores of a kind '%s' here", pmu);
	env->cores = found;
	return 0;
}

bool event_env_wants_cores(const struct event_env *env, const struct pmu *pmu)
{
	return !env->cores || env->cores == pmu;
}

int event_env_tracefs(struct event_env *env, struct tracefs **ret, struct diag *diag)
{
	if (!env->tracefs) {
		int r = tracefs_open(env->tracing, &env->tracefs, diag);

		if (r < 0)
			return r;
	}
	*ret = env->tracefs;
	return 0;
}

void event_env_set_programs(struct event_env *env, event_programs_fn *fn, void *arg)
{
	env->programs = fn;
	env->programs_arg = arg;
}

int event_env_programs(struct event_env *env, const struct event_node *node, const char *source,
		       struct event_list *list, struct diag *diag)
{
	return env->programs ? env->programs(env->programs_arg, node, source, env, list, diag)
			     : -EOPNOTSUPP;
}
