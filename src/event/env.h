/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The source of event names: this machine's sysfs and tracefs, or a copy of another's.
 *
 * Both are read when first needed: `-e cycles` reads neither.
 */
#include <stdbool.h>

#include "base/cleanup.h"

struct diag;
struct drm_list;
struct drm_source;
struct event_env;
struct event_list;
struct event_node;
struct hwmon_list;
struct pmu;
struct pmu_list;
struct tracefs;

/*
 * Makes an environment. @devices and @tracing may be NULL: this machine's own. The strings are
 * copied.
 */
struct event_env *event_env_new(const char *devices, const char *tracing);
void event_env_free(struct event_env *env);
DEFINE_FREEP(event_env)

/* The worlds that events without :G or :H count. */
enum event_worlds {
	EVENT_HOST,
	EVENT_GUESTS,
	EVENT_HOST_AND_GUESTS,
};

/* Sets the worlds; the default is EVENT_HOST. */
void event_env_set_worlds(struct event_env *env, enum event_worlds worlds);
enum event_worlds event_env_worlds(const struct event_env *env);

/* True if it is this machine's own sysfs. */
bool event_env_is_here(const struct event_env *env);

struct pmu_list *event_env_pmus(struct event_env *env);

/* Returns the sensors of this machine, or of the directory @class, which is copied. */
const struct hwmon_list *event_env_hwmon(struct event_env *env);
void event_env_set_hwmon(struct event_env *env, const char *class);

/*
 * Returns the data of this machine's DRM drivers about processes, or those of @from, which is
 * copied.
 */
const struct drm_list *event_env_drm(struct event_env *env);
void event_env_set_drm(struct event_env *env, const struct drm_source *from);

/*
 * Limits hardware events that name no PMU to @pmu ("cpu_atom") alone, on machines with several
 * kinds of cores. -ENOENT with @diag set: there is no such kind of cores.
 */
int event_env_limit_cores(struct event_env *env, const char *pmu, struct diag *diag);

/* True if such events also belong to @pmu. */
bool event_env_wants_cores(const struct event_env *env, const struct pmu *pmu);

/*
 * Limits several PMUs of one kind (hisi_sicl0_cpa0, hisi_sicl2_cpa0) to those that @pattern, which
 * is copied, selects as a name, a prefix or a glob.
 */
void event_env_limit_units(struct event_env *env, const char *pattern);
bool event_env_wants_unit(const struct event_env *env, const char *pmu);

/* Opens tracefs on first use. Errors as for tracefs_open(). */
int event_env_tracefs(struct event_env *env, struct tracefs **ret, struct diag *diag);

/*
 * Makes events of a BPF source or object: appends the events for @node, a part of @source, to
 * @list, none if its programs are attached to no event. Errors with @diag set.
 */
typedef int event_programs_fn(void *arg, const struct event_node *node, const char *source,
			      struct event_env *env, struct event_list *list, struct diag *diag);

/* Sets this function; without one, BPF programs are not events. @arg is borrowed. */
void event_env_set_programs(struct event_env *env, event_programs_fn *fn, void *arg);

/* Calls this function. -EOPNOTSUPP (no message): there is none. */
int event_env_programs(struct event_env *env, const struct event_node *node, const char *source,
		       struct event_list *list, struct diag *diag);
