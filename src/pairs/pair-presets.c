/* SPDX-License-Identifier: MIT */
#include "pairs/pair-presets.h"

#include <string.h>

#include "base/cleanup.h"
#include "session/session.h"

static const struct pair_rule block[] = {
	{ PAIR_BEGIN, "block:block_rq_issue", "dev,sector", NULL, 0, 0 },
	{ PAIR_END, "block:block_rq_complete", "dev,sector", NULL, 0, 0 },
};

static const struct pair_rule futex[] = {
	{ PAIR_BEGIN, "syscalls:sys_enter_futex", "tid", NULL, 0, 0 },
	{ PAIR_END, "syscalls:sys_exit_futex", "tid", NULL, 0, 0 },
};

static const struct pair_rule raw_syscalls[] = {
	{ PAIR_BEGIN, "raw_syscalls:sys_enter", "tid,id", NULL, 0, 0 },
	{ PAIR_END, "raw_syscalls:sys_exit", "tid,id", NULL, 0, 0 },
};

static const struct pair_rule syscalls[] = {
	{ PAIR_BEGIN, "syscalls:sys_enter_*", "tid,__syscall_nr", NULL, 0, 0 },
	{ PAIR_END, "syscalls:sys_exit_*", "tid,__syscall_nr", NULL, 0, 0 },
};

/*
 * A thread waits for a CPU from the moment it is woken, or from the moment it is switched out
 * although it could go on (prev_state without a bit of TASK_REPORT, which are the lowest eight),
 * until it is switched in. A wake-up of a thread that is still running ends no wait: the next
 * switch away from it cancels that begin.
 */
static const struct pair_rule sched[] = {
	{ PAIR_BEGIN, "sched:sched_wakeup", "pid", NULL, 0, 0 },
	{ PAIR_BEGIN, "sched:sched_wakeup_new", "pid", NULL, 0, 0 },
	{ PAIR_END, "sched:sched_switch", "next_pid", NULL, 0, 0 },
	{ PAIR_CANCEL, "sched:sched_switch", "prev_pid", NULL, 0, 0 },
	{ PAIR_BEGIN, "sched:sched_switch", "prev_pid", "prev_state", 0xff, 0 },
};

/* The same pairs from the event that `perf sched record` prefers. */
static const struct pair_rule sched_waking[] = {
	{ PAIR_BEGIN, "sched:sched_waking", "pid", NULL, 0, 0 },
	{ PAIR_BEGIN, "sched:sched_wakeup_new", "pid", NULL, 0, 0 },
	{ PAIR_END, "sched:sched_switch", "next_pid", NULL, 0, 0 },
	{ PAIR_CANCEL, "sched:sched_switch", "prev_pid", NULL, 0, 0 },
	{ PAIR_BEGIN, "sched:sched_switch", "prev_pid", "prev_state", 0xff, 0 },
};

static const struct pair_rule softirq[] = {
	{ PAIR_BEGIN, "irq:softirq_entry", "cpu,vec", NULL, 0, 0 },
	{ PAIR_END, "irq:softirq_exit", "cpu,vec", NULL, 0, 0 },
};

static const struct pair_rule irq[] = {
	{ PAIR_BEGIN, "irq:irq_handler_entry", "cpu,irq", NULL, 0, 0 },
	{ PAIR_END, "irq:irq_handler_exit", "cpu,irq", NULL, 0, 0 },
};

static const struct pair_rule net[] = {
	{ PAIR_BEGIN, "net:net_dev_queue", "skbaddr", NULL, 0, 0 },
	{ PAIR_END, "net:net_dev_xmit", "skbaddr", NULL, 0, 0 },
};

#define RULES(r) .rules = (r), .n_rules = ARRAY_SIZE(r)

static const struct pair_spec block_specs[] = { { RULES(block) } };
static const struct pair_spec futex_specs[] = { { RULES(futex) } };
static const struct pair_spec syscall_specs[] = {
	{ RULES(raw_syscalls), .n_compared = 1 },
	{ RULES(syscalls), .n_compared = 1 },
};
static const struct pair_spec sched_specs[] = {
	{ RULES(sched), .skips_zero = true, .key_is_task = true },
	{ RULES(sched_waking), .skips_zero = true, .key_is_task = true },
};
static const struct pair_spec softirq_specs[] = { { RULES(softirq) } };
static const struct pair_spec irq_specs[] = { { RULES(irq) } };
static const struct pair_spec net_specs[] = { { RULES(net) } };

#define SPECS(s) (s), ARRAY_SIZE(s)

/* futex stands before syscall, because the patterns of syscall match its events too. */
static const struct pair_preset presets[] = {
	{ "block", "block device requests, from issue to completion", "Block I/O latency",
	  "-e block:block_rq_issue,block:block_rq_complete -a", SPECS(block_specs) },
	{ "futex", "futex system calls: waiting for locks", "futex latency",
	  "-e syscalls:sys_enter_futex,syscalls:sys_exit_futex -a", SPECS(futex_specs) },
	{ "syscall", "system calls, from entry to return", "System call latency",
	  "-e raw_syscalls:sys_enter,raw_syscalls:sys_exit -a", SPECS(syscall_specs) },
	{ "sched", "threads that are ready to run, until they run", "Run queue latency",
	  "-e sched:sched_wakeup,sched:sched_wakeup_new,sched:sched_switch -a",
	  SPECS(sched_specs) },
	{ "softirq", "soft interrupts, from entry to exit", "Soft interrupt duration",
	  "-e irq:softirq_entry,irq:softirq_exit -a", SPECS(softirq_specs) },
	{ "irq", "interrupt handlers, from entry to exit", "Interrupt handler duration",
	  "-e irq:irq_handler_entry,irq:irq_handler_exit -a", SPECS(irq_specs) },
	{ "net", "network packets, from the queue of their device to transmission",
	  "Network queue latency", "-e net:net_dev_queue,net:net_dev_xmit -a", SPECS(net_specs) },
};

/* Other common words for the presets. */
static const struct {
	const char *alias, *name;
} aliases[] = {
	{ "runq", "sched" }, { "runqueue", "sched" },   { "syscalls", "syscall" },
	{ "blk", "block" },  { "softirqs", "softirq" },
};

const struct pair_preset *pair_presets(size_t *ret_n)
{
	*ret_n = ARRAY_SIZE(presets);
	return presets;
}

const struct pair_preset *pair_preset_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(aliases); i++)
		if (!strcmp(aliases[i].alias, name))
			name = aliases[i].name;
	for (size_t i = 0; i < ARRAY_SIZE(presets); i++)
		if (!strcmp(presets[i].name, name))
			return &presets[i];
	return NULL;
}

static bool is_recorded(const struct pair_rule *rule, const struct session *s)
{
	for (size_t i = 0; i < session_event_count(s); i++)
		if (pair_rule_is_about(rule, session_event(s, i)))
			return true;
	return false;
}

static size_t count_recorded(const struct pair_spec *spec, const struct session *s)
{
	size_t n = 0;

	for (size_t i = 0; i < spec->n_rules; i++)
		n += is_recorded(&spec->rules[i], s);
	return n;
}

static const struct pair_spec *recorded_spec(const struct pair_preset *preset,
					     const struct session *s)
{
	const struct pair_spec *best = NULL;
	size_t most = 0;

	for (size_t i = 0; i < preset->n_specs; i++) {
		const struct pair_spec *spec = &preset->specs[i];
		size_t n = pair_spec_has_events(spec, s) ? count_recorded(spec, s) : 0;

		if (n <= most)
			continue;
		most = n;
		best = spec;
	}
	return best;
}

const struct pair_spec *pair_preset_spec(const struct pair_preset *preset, const struct session *s)
{
	const struct pair_spec *spec = recorded_spec(preset, s);

	return spec ? spec : &preset->specs[0];
}

const struct pair_preset *pair_preset_of(const struct session *s)
{
	for (size_t i = 0; i < ARRAY_SIZE(presets); i++)
		if (recorded_spec(&presets[i], s))
			return &presets[i];
	return NULL;
}
