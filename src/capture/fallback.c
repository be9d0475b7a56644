/* SPDX-License-Identifier: MIT */
#include "capture/fallback.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "capture/sampling.h"
#include "event/event.h"
#include "kernel/perf-event.h"

/* Renames "cycles" to "cycles:u", "cycles:p" to "cycles:pu", "cpu/x/p" to "cpu/x/pu". */
static void name_user_only(struct event *e)
{
	char *slash = strrchr(e->name, '/');
	char *colon = e->tracepoint ? NULL : strrchr(slash ? slash : e->name, ':');
	char *name = xasprintf("%s%su", e->name, slash || colon ? "" : ":");

	free(e->name);
	e->name = name;
}

/*
 * Excludes the kernel. At level 2 and above an ordinary user may count events in user mode only. An
 * event that excludes user mode ("cycles:k") would count nothing.
 */
static bool exclude_kernel(struct event *e, struct attr *wanted)
{
	if (e->attr.exclude_kernel || e->attr.exclude_user || e->tracepoint ||
	    perf_event_paranoid() < 2)
		return false;
	e->attr.exclude_kernel = wanted->exclude_kernel = 1;
	e->attr.exclude_hv = wanted->exclude_hv = !e->unnamed;
	name_user_only(e);
	return true;
}

static bool drop_bits(uint64_t *word, uint64_t bits, uint64_t instead)
{
	if (!(*word & bits))
		return false;
	*word = (*word & ~bits) | instead;
	return true;
}

/*
 * Each of these functions drops one feature, whose kernel version is named, and returns whether the
 * attr had it.
 */
static bool drop_deferred_stacks(struct attr *a)
{
	bool had = a->defer_callchain || a->defer_output; /* 6.19 */

	a->defer_callchain = 0;
	a->defer_output = 0;
	return had;
}

static bool drop_inherited_reads(struct attr *a)
{
	bool had = a->inherit && a->sample_type & PERF_SAMPLE_READ; /* 6.12 */

	if (had)
		a->inherit = 0;
	return had;
}

static bool drop_lost(struct attr *a)
{
	return drop_bits(&a->read_format, PERF_FORMAT_LOST, 0); /* 6.0 */
}

static bool drop_weight_struct(struct attr *a)
{
	return drop_bits(&a->sample_type, PERF_SAMPLE_WEIGHT_STRUCT, PERF_SAMPLE_WEIGHT); /* 5.12 */
}

static bool drop_build_ids(struct attr *a)
{
	bool had = a->build_id; /* 5.12 */

	a->build_id = 0;
	return had;
}

static bool drop_branch_index(struct attr *a)
{
	return drop_bits(&a->branch_sample_type, PERF_SAMPLE_BRANCH_HW_INDEX, 0); /* 5.7 */
}

static bool drop_kernel_symbols(struct attr *a)
{
	bool had = a->ksymbol || a->bpf_event; /* 5.1 */

	a->ksymbol = 0;
	a->bpf_event = 0;
	return had;
}

/* Drops registers that not every CPU has, such as the length of vectors on aarch64; 5.19. */
static bool drop_optional_registers(struct attr *a)
{
	const struct arch *host = arch_host();
	uint64_t optional = host && host->registers ? host->registers->optional : 0;

	return drop_bits(&a->sample_regs_user, optional, 0);
}

static bool (*const newer[])(struct attr *) = {
	drop_deferred_stacks, drop_inherited_reads, drop_lost,         drop_optional_registers,
	drop_weight_struct,   drop_build_ids,       drop_branch_index, drop_kernel_symbols,
};

void fallback_begin(const struct fallback *f, struct attr *a)
{
	for (size_t i = 0; i < ARRAY_SIZE(newer); i++)
		if (f->lacks & 1U << i)
			newer[i](a);
}

/* Drops the newest feature of @a that has not been dropped yet. */
static bool drop_newest(struct fallback *f, struct attr *a)
{
	for (size_t i = 0; i < ARRAY_SIZE(newer); i++) {
		if (f->lacks & 1U << i)
			continue;
		f->lacks |= 1U << i;
		if (newer[i](a)) {
			f->without_deferred |= newer[i] == drop_deferred_stacks;
			return true;
		}
	}
	return false;
}

static bool is_cycles(const struct attr *a)
{
	return a->type == PERF_TYPE_HARDWARE && (uint32_t)a->config == PERF_COUNT_HW_CPU_CYCLES;
}

/*
 * True if @error means that there is no such event. EOPNOTSUPP: counters without interrupts, or
 * without the exclusions that the event requests.
 */
static bool means_no_such_event(const struct attr *a, int error)
{
	return error == -ENOENT || error == -ENXIO || error == -ENODEV ||
	       (error == -EOPNOTSUPP && !a->exclude_idle);
}

/* Replaces cycles by time where there are no counters. */
static bool fallback_take_clock(struct event *e, const struct attr *wanted, int error)
{
	if (!is_cycles(&e->attr) || !means_no_such_event(&e->attr, error) ||
	    e->attr.sample_type & PERF_SAMPLE_BRANCH_STACK)
		return false;
	e->attr.type = PERF_TYPE_SOFTWARE;
	e->attr.config = PERF_COUNT_SW_CPU_CLOCK;
	e->attr.precise_ip = wanted->precise_ip;
	sampling_name(e);
	return true;
}

static bool lower_precision(struct event *e)
{
	if (!e->modifiers.max_precise || !e->attr.precise_ip)
		return false;
	e->attr.precise_ip--;
	return true;
}

/*
 * Drops the distinction of guests: many PMUs (breakpoints, uprobes, uncore) cannot tell host from
 * guest.
 */
static bool forget_guests(struct attr *a)
{
	bool had = a->exclude_guest || a->exclude_host;

	a->exclude_guest = 0;
	a->exclude_host = 0;
	return had;
}

bool fallback_next(struct fallback *f, struct event *e, struct attr *wanted, int error)
{
	bool any;

	if (error == -EACCES || error == -EPERM) {
		any = exclude_kernel(e, wanted);
		f->without_kernel |= any;
		return any;
	}
	if (lower_precision(e))
		return true;
	if (f->clock_for_cycles && fallback_take_clock(e, wanted, error)) {
		f->without_pmu = true;
		return true;
	}
	switch (-error) {
	case E2BIG:
		return drop_newest(f, &e->attr);
	case EINVAL:
		return drop_newest(f, &e->attr) || forget_guests(&e->attr);
	case EOPNOTSUPP:
		/* Software events have no extended registers, whatever the CPU has. */
		return drop_optional_registers(&e->attr) || forget_guests(&e->attr);
	default:
		return false;
	}
}

bool fallback_is_unsupported(int error)
{
	switch (-error) {
	case EINVAL:
	case ENOENT:
	case ENODEV:
	case ENXIO:
	case ENOSYS:
	case EOPNOTSUPP:
		return true;
	default:
		return false;
	}
}
