/* SPDX-License-Identifier: MIT */
/*
 * The fields of /proc/schedstat: Documentation/scheduler/sched-stats.rst of the kernel. Version 16
 * has busy before idle, version 17 splits the imbalance.
 */
#include "base/cleanup.h"
#include "tools/sched/stats-model.h"

static const struct sched_stats_field cpu_fields[SCHEDSTAT_CPU_VALUES] = {
	{ .name = "yld_count", .description = "sched_yield() count" },
	{ .name = "array_exp", .description = "Legacy counter can be ignored" },
	{ .name = "sched_count", .description = "schedule() called" },
	{ .name = "sched_goidle",
	  .description = "schedule() left the processor idle",
	  .part_of = 3 },
	{ .name = "ttwu_count", .description = "try_to_wake_up() was called" },
	{ .name = "ttwu_local",
	  .description = "try_to_wake_up() was called to wake up the local cpu",
	  .part_of = 5 },
	{ .name = "rq_cpu_time",
	  .description = "total runtime by tasks on this processor (in jiffies)" },
	{ .name = "run_delay",
	  .description = "total waittime by tasks on this processor (in jiffies)",
	  .part_of = 7 },
	{ .name = "pcount", .description = "total timeslices run on this cpu" },
};

/* clang-format off */
#define COUNTED(kind, on) \
	{ .name = kind "_lb_count", .description = "load_balance() count on cpu " on, .in_time = true, .category = "Category " kind }, \
	{ .name = kind "_lb_balanced", .description = "load_balance() found balanced on cpu " on, .in_time = true }, \
	{ .name = kind "_lb_failed", .description = "load_balance() move task failed on cpu " on, .in_time = true }
#define PULLED(kind, on) \
	{ .name = kind "_lb_gained", .description = "pull_task() count on cpu " on }, \
	{ .name = kind "_lb_hot_gained", .description = "pull_task() when target task was cache-hot on cpu " on }, \
	{ .name = kind "_lb_nobusyq", .description = "load_balance() failed to find busier queue on cpu " on, .in_time = true }, \
	{ .name = kind "_lb_nobusyg", .description = "load_balance() failed to find busier group on cpu " on, .in_time = true, \
	  .successes = { "*" kind "_lb_success_count", "*load_balance() success count on cpu " on }, \
	  .pulled = { "*" kind "_lb_avg_pulled", \
		      "*avg task pulled per successful lb attempt (cpu " on ")" } }
#define BALANCING(kind, on) \
	COUNTED(kind, on), \
	{ .name = kind "_lb_imbalance", .description = "imbalance sum on cpu " on }, \
	PULLED(kind, on)
#define BALANCING_17(kind, on) \
	COUNTED(kind, on), \
	{ .name = kind "_lb_imbalance_load", .description = "imbalance in load on cpu " on }, \
	{ .name = kind "_lb_imbalance_util", .description = "imbalance in utilization on cpu " on }, \
	{ .name = kind "_lb_imbalance_task", .description = "imbalance in number of tasks on cpu " on }, \
	{ .name = kind "_lb_imbalance_misfit", .description = "imbalance in misfit tasks on cpu " on }, \
	PULLED(kind, on)
#define REST \
	{ .name = "alb_count", .description = "active_load_balance() count", .category = "Category active_load_balance()" }, \
	{ .name = "alb_failed", .description = "active_load_balance() move task failed" }, \
	{ .name = "alb_pushed", .description = "active_load_balance() successfully moved a task" }, \
	{ .name = "sbe_count", .description = "sbe_count is not used", .category = "Category sched_balance_exec()" }, \
	{ .name = "sbe_balanced", .description = "sbe_balanced is not used" }, \
	{ .name = "sbe_pushed", .description = "sbe_pushed is not used" }, \
	{ .name = "sbf_count", .description = "sbf_count is not used", .category = "Category sched_balance_fork()" }, \
	{ .name = "sbf_balanced", .description = "sbf_balanced is not used" }, \
	{ .name = "sbf_pushed", .description = "sbf_pushed is not used" }, \
	{ .name = "ttwu_wake_remote", .description = "try_to_wake_up() awoke a task that last ran on a diff cpu", \
	  .category = "Wakeup Info" }, \
	{ .name = "ttwu_move_affine", .description = "try_to_wake_up() moved task because cache-cold on own cpu" }, \
	{ .name = "ttwu_move_balance", .description = "try_to_wake_up() started passive balancing" }

static const struct sched_stats_field domain_15[] = {
	BALANCING("idle", "idle"), BALANCING("busy", "busy"), BALANCING("newidle", "newly idle"), REST
};
static const struct sched_stats_field domain_16[] = {
	BALANCING("busy", "busy"), BALANCING("idle", "idle"), BALANCING("newidle", "newly idle"), REST
};
static const struct sched_stats_field domain_17[] = {
	BALANCING_17("busy", "busy"), BALANCING_17("idle", "idle"),
	BALANCING_17("newidle", "newly idle"), REST
};
/* clang-format on */

const struct sched_stats_field *sched_stats_cpu_fields(void)
{
	return cpu_fields;
}

const struct sched_stats_field *sched_stats_domain_fields(uint16_t version, size_t *ret_n)
{
	*ret_n = schedstat_values(version, true);
	return version >= 17 ? domain_17 : version == 16 ? domain_16 : domain_15;
}

/* Returns the first field of the category of balancing that ends with field @last. */
static size_t first_of(uint16_t version, size_t last)
{
	return last + 1 - (version >= 17 ? 11 : 8);
}

/* Returns the field that counts pulled tasks. */
static size_t gained_of(size_t last)
{
	return last - 3;
}

uint32_t sched_stats_successes(const struct sched_stats_domain *d, uint16_t version, size_t last)
{
	const uint64_t *v = &d->values[first_of(version, last)];

	return (uint32_t)(v[0] - v[1] - v[2]);
}

double sched_stats_pulled(const struct sched_stats_domain *d, uint16_t version, size_t last)
{
	uint32_t n = sched_stats_successes(d, version, last);

	return n ? (double)d->values[gained_of(last)] / n : 0;
}
