/* SPDX-License-Identifier: MIT */
#pragma once
/* The events that `perf stat` counts by default. */
#include <stdbool.h>

struct diag;
struct event_env;
struct event_list;

/*
 * Appends the default events; if CPUs are counted and no task is, the clock is that of the CPUs.
 * Stalled cycles are included only if the PMU `cpu` names them.
 */
int event_set_default(struct event_list *l, struct event_env *env, bool cpus, struct diag *diag);

/* Appends the events that -d (@level 1), -dd (2) and -ddd (3) add, up to that level. */
int event_set_detailed(struct event_list *l, struct event_env *env, unsigned level,
		       struct diag *diag);

/*
 * Append the events of -T, --topdown and --smi-cost. -EOPNOTSUPP with @diag set: the machine has
 * none of them.
 */
int event_set_transaction(struct event_list *l, struct event_env *env, struct diag *diag);
int event_set_topdown(struct event_list *l, struct event_env *env, struct diag *diag);
int event_set_smi_cost(struct event_list *l, struct event_env *env, struct diag *diag);
