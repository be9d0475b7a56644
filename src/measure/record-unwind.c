/* SPDX-License-Identifier: MIT */
#include "measure/record-unwind.h"

#include <errno.h>
#include <inttypes.h>
#include <unistd.h>

#include "arch/arch.h"
#include "base/cleanup.h"
#include "base/diag.h"
#include "base/notes.h"
#include "base/text.h"
#include "kernel/perf-event.h"
#include "measure/record-job.h"
#include "transform/unwinding.h"
#include "transform/unwound-sample.h"

/*
 * The sizes of stacks and rings. Stacks that do not go into the file may be larger: with 8 KiB
 * each, some percent of the stacks of python3 and gcc are cut; with 32 KiB none are. This needs
 * rings that hold enough of them, and samples that do not arrive in bursts, as those of tracepoints
 * do.
 */
#define STACK_BYTES ((uint32_t)32 << 10)
#define RING_BYTES  ((size_t)4 << 20)
#define FREQ_MAX    20000

static bool record_unwind_has_stacks(const struct record_job *j)
{
	for (size_t i = 0; i < j->events.n; i++)
		if (attr_has_stacks(&j->events.items[i]->attr))
			return true;
	return false;
}

static bool record_unwind_overwrites(const struct record_job *j)
{
	for (size_t i = 0; i < j->events.n; i++)
		if (j->events.items[i]->attr.write_backward)
			return true;
	return false;
}

/* Returns the registers of this machine; NULL: the machine is unknown. */
static const struct arch_registers *host_registers(void)
{
	const struct arch *host = arch_host();

	return host ? host->registers : NULL;
}

/* Returns why stacks cannot be unwound while they are recorded; NULL: they can. */
static const char *record_unwind_obstacle(const struct record_job *j)
{
	if (!host_registers())
		return "this machine's registers are not known";
	if (j->rq->buffer.threads.kind != THREADS_ONE)
		return "with --threads nobody sees all that happens";
	if (j->aux.type != AUXTRACE_NONE)
		return "a hardware trace is recorded with it";
	if (record_unwind_overwrites(j))
		return "with --overwrite it is known only at the end what is kept";
	if (j->rq->sampling.sideband.tail_synthesize)
		return "with --tail-synthesize it is known only at the end what was mapped";
	return NULL;
}

/*
 * True if the rings are large enough. An ordinary user may lock less memory than such rings take.
 */
static bool has_large_rings(const struct record_job *j)
{
	const struct record_request *rq = j->rq;
	uint64_t pages = rq->buffer.size.data_pages;

	if (pages)
		return pages * (uint64_t)sysconf(_SC_PAGESIZE) >= RING_BYTES;
	return !rq->output.max_bytes && !rq->output.rotate.bytes &&
	       (geteuid() == 0 || perf_event_paranoid() < 0);
}

static bool is_steady(const struct attr *a)
{
	return a->freq && a->sample_freq <= FREQ_MAX;
}

static void enlarge_stacks(struct record_job *j)
{
	for (size_t i = 0; i < j->events.n; i++) {
		struct event *e = j->events.items[i];

		if (attr_has_stacks(&e->attr) && is_steady(&e->attr) &&
		    !(e->settings.given & 1U << EVENT_SETTING_STACK_SIZE))
			e->attr.sample_stack_user = STACK_BYTES;
	}
}

void record_unwind_choose(struct record_job *j)
{
	const char *why;

	if (!record_unwind_has_stacks(j) || j->rq->unwind == RECORD_UNWIND_LATER)
		return;
	why = record_unwind_obstacle(j);
	if (why)
		notes_add(j->notes, NOTE_WARNING,
			  "stacks are copied into the file, to be unwound later: %s", why);
	j->unwinds = !why;
	if (j->unwinds && !j->rq->sampling.callgraph.choice.stack_given && has_large_rings(j))
		enlarge_stacks(j);
}

struct attr record_unwind_attr(const struct record_job *j, const struct attr *opened)
{
	if (!j->unwinds || !attr_has_stacks(opened))
		return *opened;
	return unwound_attr(opened, j->rq->sampling.sample.user_regs);
}

static void measure_record_unwind_tell(void *arg, const void *records, size_t size)
{
	unwinding_learn(arg, records, size);
}

static void record_unwind_write_to(void *arg, struct writer *w)
{
	unwinding_write_to(arg, w);
}

static void record_unwind_take(void *arg, const struct iovec pieces[2])
{
	unwinding_take(arg, pieces);
}

static int record_unwind_end_pass(void *arg)
{
	return unwinding_end_pass(arg);
}

static int record_unwind_settle(void *arg, bool last)
{
	return unwinding_settle(arg, last);
}

int record_unwind_start(struct record_job *j)
{
	const struct unwinding_options o = {
		.opened = j->facts.opened,
		.written = j->facts.events,
		.n = j->facts.n,
		.kept = j->kept,
		.sp_register = host_registers()->sp,
		.compress = j->rq->output.compression_level,
		.is_rest = j->stacks,
	};

	if (!j->unwinds)
		return 0;
	j->unwinding = unwinding_new(&o);
	if (!j->unwinding)
		return diag_set(j->diag, -EAGAIN, "no thread can be started to unwind stacks");
	j->sink = (struct record_sink){ measure_record_unwind_tell, record_unwind_write_to,
					record_unwind_take,         record_unwind_end_pass,
					record_unwind_settle,       j->unwinding };
	for (size_t i = 0; i < j->n_drains; i++)
		j->drains[i].sink = &j->sink;
	return 0;
}

void record_unwind_done(struct record_job *j)
{
	unwinding_free(j->unwinding);
	j->unwinding = NULL;
}

static void record_unwind_add_part(struct text *t, uint64_t n, const char *what)
{
	if (n)
		text_addf(t, ", %" PRIu64 " %s", n, what);
}

/* The ways in which incomplete stacks ended. */
static const char *const incomplete[UNWIND_ENDS] = {
	[UNWIND_CUT] = "cut",
	[UNWIND_MAX] = "too deep",
	[UNWIND_NO_FILE] = "without the file of a function",
	[UNWIND_NO_CFI] = "without unwind rules",
	[UNWIND_OTHER_STACK] = "on a second stack",
	[UNWIND_UNTOUCHED] = "with a frame that is not there yet",
	[UNWIND_LOST] = "lost",
};

void record_unwind_tell(const struct record_job *j)
{
	_cleanup_(text_done) struct text parts = TEXT_EMPTY;
	struct unwinding_counts c;

	if (!j->unwinding)
		return;
	c = unwinding_counts(j->unwinding);
	if (c.ends.ended[UNWIND_ROOT] == c.ends.stacks)
		text_add(&parts, ", all complete");
	else
		record_unwind_add_part(&parts, c.ends.ended[UNWIND_ROOT], "complete");
	if (c.from_memory)
		text_addf(&parts, " (%" PRIu64 " by the process's own memory)", c.from_memory);
	for (size_t i = 0; i < UNWIND_ENDS; i++)
		if (incomplete[i])
			record_unwind_add_part(&parts, c.ends.ended[i], incomplete[i]);
	if (c.ends.stacks)
		notes_add(j->notes, NOTE_STATUS, "[ perf record: Unwound %" PRIu64 " stacks%s ]",
			  c.ends.stacks, parts.chars);
}
