/* SPDX-License-Identifier: MIT */
#include "cmd/record-sampling.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/auxv.h>

#include "arch/arch.h"
#include "base/diag.h"
#include "capture/sampling-regs.h"
#include "capture/sampling.h"
#include "cli/command.h"
#include "cmd/record-opts.h"
#include "kernel/perf-event.h"
#include "wire/abi.h"

uint64_t record_user_registers(void)
{
	return sampling_regs_user(arch_host(), getauxval(AT_HWCAP));
}

/* PERF_SAMPLE_WEIGHT_STRUCT splits the weight where the CPU measures several latencies. */
static uint64_t weight_field(const struct arch *a)
{
	return a && a->has_split_weights ? PERF_SAMPLE_WEIGHT_STRUCT : PERF_SAMPLE_WEIGHT;
}

static uint64_t fields_of(const struct record_opts *o, const struct arch *a)
{
	const struct sample_opts *s = &o->sample;
	const struct {
		bool wanted;
		uint64_t bits;
	} all[] = {
		{ s->data_addr, PERF_SAMPLE_ADDR | PERF_SAMPLE_DATA_SRC },
		{ s->phys_addr, PERF_SAMPLE_PHYS_ADDR },
		{ s->data_page_size, PERF_SAMPLE_DATA_PAGE_SIZE },
		{ s->code_page_size, PERF_SAMPLE_CODE_PAGE_SIZE },
		{ s->weight, weight_field(a) },
		{ s->transaction, PERF_SAMPLE_TRANSACTION },
		{ s->raw, PERF_SAMPLE_RAW | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU },
		{ s->cpu, PERF_SAMPLE_CPU },
	};
	uint64_t bits = 0;

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		bits |= all[i].wanted ? all[i].bits : 0;
	return bits;
}

static enum sampling_say say(enum choice c)
{
	return c == CHOICE_YES ? SAMPLING_YES : c == CHOICE_NO ? SAMPLING_NO : SAMPLING_AS_USUAL;
}

static int refuse_frequency(uint64_t max, struct diag *diag)
{
	diag_set(diag, -EINVAL, "Maximum frequency rate (%" PRIu64 " Hz) exceeded.", max);
	diag_hint(diag, "Please use -F freq option with a lower value or consider");
	diag_hint(diag, "tweaking /proc/sys/kernel/perf_event_max_sample_rate.");
	return -EINVAL;
}

static void tell_lowered(const struct invocation *inv, uint64_t from, uint64_t max)
{
	fprintf(inv->err,
		"warning: Maximum frequency rate (%" PRIu64 " Hz) exceeded, throttling from "
		"%" PRIu64 " Hz to %" PRIu64 " Hz.\n"
		"         The limit can be raised via "
		"/proc/sys/kernel/perf_event_max_sample_rate.\n"
		"         The kernel will lower it when perf's interrupts take too long.\n"
		"         Use --strict-freq to disable this throttling, refusing to record.\n",
		max, from, max);
}

static int set_rate(const struct invocation *inv, const struct record_opts *o, struct sampling *s,
		    struct diag *diag)
{
	const struct sampling_rate *rate = &o->sampling.rate;
	uint64_t max = perf_event_max_sample_rate();
	bool quiet = o->verbosity.quiet;

	s->freq = rate->kind == SAMPLING_FREQ ? rate->number : SAMPLING_FREQ_DEFAULT;
	s->freq_given = rate->kind == SAMPLING_FREQ || rate->kind == SAMPLING_FREQ_MAX;
	s->period = rate->kind == SAMPLING_PERIOD ? rate->number : 0;
	if (!max)
		return 0;
	if (rate->kind == SAMPLING_FREQ_MAX) {
		s->freq = max;
		if (!quiet)
			fprintf(inv->err,
				"info: Using a maximum frequency rate of %" PRIu64 " Hz\n", max);
	}
	if (s->freq <= max || s->period)
		return 0;
	if (o->sampling.strict_freq)
		return refuse_frequency(max, diag);
	if (!quiet && s->freq_given)
		tell_lowered(inv, s->freq, max);
	else if (!quiet)
		fprintf(inv->err,
			"Lowering default frequency rate from %" PRIu64 " to %" PRIu64 ".\n"
			"Please consider tweaking /proc/sys/kernel/perf_event_max_sample_rate.\n",
			s->freq, max);
	s->freq = max;
	return 0;
}

static int set_registers(const struct sample_opts *o, struct sampling *s, struct diag *diag)
{
	const struct arch *a = s->arch;
	int r = 0;

	s->all_user_regs = record_user_registers();
	if (o->user_regs)
		r = sampling_regs_parse(a, s->all_user_regs, "user-regs", o->user_regs,
					&s->user_regs, diag);
	if (r >= 0 && o->intr_regs)
		r = sampling_regs_parse(a, sampling_regs_all(a), "intr-regs", o->intr_regs,
					&s->intr_regs, diag);
	return r;
}

int record_check_registers(const struct sample_opts *o, struct diag *diag)
{
	struct sampling s = { .arch = arch_host() };

	return set_registers(o, &s, diag);
}

static void set_stack(const struct callgraph_opts *c, struct sampling *s)
{
	static const enum sampling_stack modes[] = {
		[CALLGRAPH_NONE] = SAMPLING_STACK_NONE,
		[CALLGRAPH_FP] = SAMPLING_STACK_FP,
		[CALLGRAPH_DWARF] = SAMPLING_STACK_DWARF,
		[CALLGRAPH_LBR] = SAMPLING_STACK_LBR,
	};

	s->stack = modes[c->choice.mode];
	s->stack_bytes = c->choice.stack_bytes;
	s->stack_depth = (uint16_t)c->choice.depth;
	s->kernel_only_stacks = c->kernel_only;
	s->user_only_stacks = c->user_only;
}

static bool inherits(const struct record_opts *o)
{
	if (o->target.per_thread)
		return false;
	if (o->no_inherit == CHOICE_UNSAID)
		return !o->target.tids.n;
	return o->no_inherit == CHOICE_NO;
}

int record_sampling(const struct invocation *inv, const struct record_opts *o, bool system,
		    bool command, struct sampling *ret, struct diag *diag)
{
	const struct arch *a = arch_host();
	struct sampling s = {
		.arch = a,
		.system = system,
		.command = command,
		.per_thread = o->target.per_thread,
		.delayed = o->control.delay.disabled || o->control.delay.n,
		.inherit = inherits(o),
		.no_samples = o->sample.no_samples,
		.fields = fields_of(o, a),
		.time = say(o->sample.timestamp),
		.period_field = say(o->sample.period),
		.identifier = o->sample.identifier,
		.thread_counts = o->sample.thread_counts,
		.running_time = o->sample.running_time,
		.branch_filter = o->branch.filter,
		.use_clock = o->sample.clock.given,
		.clock = o->sample.clock.id,
		.all_user = o->all_user,
		.all_kernel = o->all_kernel,
		.data_maps = o->sample.data_addr,
		.namespaces = o->sideband.namespaces,
		.cgroups = o->sideband.all_cgroups,
		.switches = o->sideband.switch_events == CHOICE_YES,
		.no_bpf_event = o->sideband.no_bpf_event,
		.build_ids = o->output.buildid_mmap,
		.no_buffering = o->buffer.no_buffering,
		.overwrite = o->buffer.overwrite,
	};
	int r = set_rate(inv, o, &s, diag);

	set_stack(&o->callgraph, &s);
	if (r >= 0)
		r = set_registers(&o->sample, &s, diag);
	if (r < 0)
		return r;
	*ret = s;
	return 0;
}
