/* SPDX-License-Identifier: MIT */
#include "measure/record-sampling.h"

#include <errno.h>
#include <inttypes.h>
#include <sys/auxv.h>
#include <time.h>

#include "arch/arch.h"
#include "base/diag.h"
#include "base/notes.h"
#include "capture/sampling-regs.h"
#include "capture/sampling.h"
#include "kernel/perf-event.h"
#include "measure/record-request.h"

uint64_t record_user_registers(void)
{
	return sampling_regs_user(arch_host(), getauxval(AT_HWCAP));
}

static int refuse_frequency(uint64_t max, struct diag *diag)
{
	diag_set(diag, -EINVAL, "Maximum frequency rate (%" PRIu64 " Hz) exceeded.", max);
	diag_hint(diag, "Please use -F freq option with a lower value or consider");
	diag_hint(diag, "tweaking /proc/sys/kernel/perf_event_max_sample_rate.");
	return -EINVAL;
}

static void tell_lowered(struct notes *notes, const struct sampling *s, uint64_t max)
{
	if (!s->freq_given)
		notes_add(notes, NOTE_STATUS,
			  "Lowering default frequency rate from %" PRIu64 " to %" PRIu64 ".\n"
			  "Please consider tweaking /proc/sys/kernel/perf_event_max_sample_rate.",
			  s->freq, max);
	else
		notes_add(
			notes, NOTE_STATUS,
			"warning: Maximum frequency rate (%" PRIu64
			" Hz) exceeded, throttling from %" PRIu64 " Hz to %" PRIu64 " Hz.\n"
			"         The limit can be raised via "
			"/proc/sys/kernel/perf_event_max_sample_rate.\n"
			"         The kernel will lower it when perf's interrupts take too long.\n"
			"         Use --strict-freq to disable this throttling, refusing to "
			"record.",
			max, s->freq, max);
}

static int record_sampling_set_rate(const struct sampling_request *rq, struct notes *notes,
				    struct sampling *s, struct diag *diag)
{
	const struct sampling_rate *rate = &rq->rate;
	uint64_t max = perf_event_max_sample_rate();

	s->freq = rate->kind == SAMPLING_FREQ ? rate->number : SAMPLING_FREQ_DEFAULT;
	s->freq_given = rate->kind == SAMPLING_FREQ || rate->kind == SAMPLING_FREQ_MAX;
	s->period = rate->kind == SAMPLING_PERIOD ? rate->number : 0;
	if (!max)
		return 0;
	if (rate->kind == SAMPLING_FREQ_MAX) {
		s->freq = max;
		notes_add(notes, NOTE_STATUS,
			  "info: Using a maximum frequency rate of %" PRIu64 " Hz", max);
	}
	if (s->freq <= max || s->period)
		return 0;
	if (rq->strict_freq)
		return refuse_frequency(max, diag);
	tell_lowered(notes, s, max);
	s->freq = max;
	return 0;
}

static int set_registers(const struct sample_request *rq, struct sampling *s, struct diag *diag)
{
	const struct arch *a = s->arch;
	int r = 0;

	s->all_user_regs = record_user_registers();
	if (rq->user_regs)
		r = sampling_regs_parse(a, s->all_user_regs, "user-regs", rq->user_regs,
					&s->user_regs, diag);
	if (r >= 0 && rq->intr_regs)
		r = sampling_regs_parse(a, sampling_regs_all(a), "intr-regs", rq->intr_regs,
					&s->intr_regs, diag);
	return r;
}

int record_check_registers(const struct sample_request *rq, struct diag *diag)
{
	struct sampling s = { .arch = arch_host() };

	return set_registers(rq, &s, diag);
}

static bool record_sampling_inherits(const struct record_request *rq)
{
	if (rq->target.per_thread)
		return false;
	if (rq->no_inherit == CHOICE_UNSAID)
		return !rq->target.tids.n;
	return rq->no_inherit == CHOICE_NO;
}

/*
 * True if the monotonic clock is needed: BPF programs in the kernel cannot read the clock that
 * events use otherwise.
 */
static bool needs_monotonic(const struct sampling_request *rq)
{
	return rq->callgraph.choice.mode == CALLGRAPH_BPF && !rq->sample.clock.given;
}

int record_sampling(const struct record_request *rq, bool command, struct notes *notes,
		    struct sampling *ret, struct diag *diag)
{
	struct sampling s = {
		.arch = arch_host(),
		.system = target_is_system(&rq->target, record_request_has_command(rq)),
		.command = command,
		.per_thread = rq->target.per_thread,
		.delayed = rq->control.delay.disabled || rq->control.delay.n,
		.inherit = record_sampling_inherits(rq),
		.rq = rq->sampling,
		.build_ids = rq->output.map_build_ids,
		.no_buffering = rq->buffer.no_buffering,
		.overwrite = rq->buffer.overwrite,
	};
	int r = record_sampling_set_rate(&rq->sampling, notes, &s, diag);

	if (needs_monotonic(&rq->sampling))
		s.rq.sample.clock = (struct clock_choice){ true, CLOCK_MONOTONIC };
	if (r >= 0)
		r = set_registers(&rq->sampling.sample, &s, diag);
	if (r < 0)
		return r;
	*ret = s;
	return 0;
}
