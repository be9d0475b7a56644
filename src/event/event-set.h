/* SPDX-License-Identifier: MIT */
#pragma once
/* The events that `perf stat` counts when none is named. */
#include <stdbool.h>

struct diag;
struct event_env;
struct event_list;

/*
 * Appends the default events; where CPUs are counted and no task is, the clock is the CPUs'.
 * Stalled cycles are among them only where the PMU `cpu` names them.
 */
int event_set_default(struct event_list *l, struct event_env *env, bool cpus, struct diag *diag);

/* Appends what -d (@level 1), -dd (2) and -ddd (3) add, all up to that level. */
int event_set_detailed(struct event_list *l, struct event_env *env, unsigned level,
		       struct diag *diag);

/*
 * Appends the events of -T, --topdown and --smi-cost. -EOPNOTSUPP with @diag set: the machine has
 * none of them.
 */
int event_set_transaction(struct event_list *l, struct event_env *env, struct diag *diag);
int event_set_topdown(struct event_list *l, struct event_env *env, struct diag *diag);
int event_set_smi_cost(struct event_list *l, struct event_env *env, struct diag *diag);
