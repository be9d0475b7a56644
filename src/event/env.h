/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Where event names come from: this machine's sysfs and tracefs, or a copy of another's.
 *
 * Both are looked at when first needed: `-e cycles` reads neither.
 */
#include "base/cleanup.h"

struct diag;
struct event_env;
struct pmu_list;
struct tracefs;

/* @devices and @tracing may be NULL: this machine's own. The strings are copied. */
struct event_env *event_env_new(const char *devices, const char *tracing);
void event_env_free(struct event_env *env);
DEFINE_FREEP(event_env)

struct pmu_list *event_env_pmus(struct event_env *env);

/* Opens tracefs on first use. Errors as tracefs_open(). */
int event_env_tracefs(struct event_env *env, struct tracefs **ret, struct diag *diag);
