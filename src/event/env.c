/* SPDX-License-Identifier: MIT */
#include "event/env.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/memory.h"
#include "kernel/drm.h"
#include "kernel/hwmon.h"
#include "kernel/pmu.h"
#include "kernel/tracefs.h"

struct event_env {
	char *devices;
	char *tracing; /* NULL: found by tracefs_open() */
	struct pmu_list *pmus;
	const struct pmu *cores; /* the selected kind; NULL: all */
	char *units;             /* the selected PMUs, of several alike; NULL: all */
	struct tracefs *tracefs;
	char *hwmon_class; /* NULL: there are no sensors */
	struct hwmon_list hwmon;
	bool hwmon_read;
	char *proc; /* NULL: there are no GPUs */
	unsigned drm_major;
	struct drm_list drm;
	bool drm_read;
	enum event_worlds worlds;
	event_programs_fn *programs; /* NULL: nobody */
	void *programs_arg;
};

struct event_env *event_env_new(const char *devices, const char *tracing)
{
	struct event_env *env = xcalloc(1, sizeof(*env));

	env->devices = xstrdup(devices ? devices : PMU_DEVICES);
	env->tracing = tracing ? xstrdup(tracing) : NULL;
	if (!devices) {
		env->hwmon_class = xstrdup(HWMON_CLASS);
		event_env_set_drm(env, &drm_here);
	}
	return env;
}

void event_env_free(struct event_env *env)
{
	if (!env)
		return;
	pmu_list_free(env->pmus);
	tracefs_free(env->tracefs);
	hwmon_list_done(&env->hwmon);
	free(env->hwmon_class);
	drm_list_done(&env->drm);
	free(env->proc);
	free(env->devices);
	free(env->tracing);
	free(env->units);
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

bool event_env_is_here(const struct event_env *env)
{
	return !strcmp(env->devices, PMU_DEVICES);
}

struct pmu_list *event_env_pmus(struct event_env *env)
{
	if (!env->pmus)
		env->pmus = pmu_list_open(env->devices);
	return env->pmus;
}

const struct hwmon_list *event_env_hwmon(struct event_env *env)
{
	if (!env->hwmon_read && env->hwmon_class)
		hwmon_list_read(env->hwmon_class, &env->hwmon);
	env->hwmon_read = true;
	return &env->hwmon;
}

void event_env_set_hwmon(struct event_env *env, const char *class)
{
	free(env->hwmon_class);
	env->hwmon_class = xstrdup(class);
}

const struct drm_list *event_env_drm(struct event_env *env)
{
	const struct drm_source from = { env->proc, env->drm_major };

	if (!env->drm_read && env->proc)
		drm_list_read(&from, NULL, 0, &env->drm);
	env->drm_read = true;
	return &env->drm;
}

void event_env_set_drm(struct event_env *env, const struct drm_source *from)
{
	free(env->proc);
	env->proc = xstrdup(from->proc);
	env->drm_major = from->major;
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

void event_env_limit_units(struct event_env *env, const char *pattern)
{
	free(env->units);
	env->units = xstrdup(pattern);
}

bool event_env_wants_unit(const struct event_env *env, const char *pmu)
{
	return !env->units || !strcmp(env->units, pmu) || pmu_name_matches(pmu, env->units);
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
