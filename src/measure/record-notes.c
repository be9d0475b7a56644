/* SPDX-License-Identifier: MIT */
#include "measure/record-notes.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/escape.h"
#include "base/notes.h"
#include "base/text.h"
#include "capture/lost.h"
#include "event/event.h"
#include "kernel/kernel-text.h"
#include "measure/record-filter.h"
#include "measure/record-finish.h"
#include "measure/record-interpreted.h"
#include "measure/record-job.h"
#include "measure/record-stacks.h"
#include "measure/record-unwind.h"
#include "symbol/kallsyms.h"
#include "runtime/runtime.h"
#include "symbol/language-runtime.h"

#define MIB (1024.0 * 1024.0)

static void record_notes_list_events(const struct record_job *j, bool attrs)
{
	for (size_t i = 0; j->rq->on_list && i < j->opened.n; i++)
		j->rq->on_list(j->rq->arg, j->opened.items[i].event, attrs);
}

/* True if samples will lie in a kernel that does not show where its functions are. */
static bool samples_hidden_kernel(const struct record_job *j)
{
	struct kernel_text text;
	bool sees_kernel = false;

	for (size_t i = 0; i < j->opened.n; i++)
		sees_kernel |= !j->opened.items[i].event->attr.exclude_kernel;
	return sees_kernel && kernel_text_read("", &text) == -EACCES;
}

/* Notes the modifier b, which changes nothing here. */
static void tell_counters(const struct record_job *j)
{
	for (size_t i = 0; i < j->events.n; i++)
		if (j->events.items[i]->modifiers.bpf_counter)
			notes_add(j->notes, NOTE_WARNING,
				  "%s is sampled as without b: counters are shared by BPF in perf "
				  "stat alone",
				  j->events.items[i]->name);
}

void record_notes_before(const struct record_job *j)
{
	if (j->opened.fallback.without_pmu)
		notes_add(j->notes, NOTE_WARNING,
			  "this machine has no hardware counters: sampling by time (cpu-clock) "
			  "instead of cycles");
	tell_counters(j);
	if (j->opened.fallback.without_kernel)
		notes_add(
			j->notes, NOTE_WARNING,
			"only user mode is sampled: perf_event_paranoid leaves the kernel to root");
	if (j->opened.fallback.without_deferred)
		notes_add(j->notes, NOTE_WARNING,
			  "this kernel takes user stacks at once: 'defer' needs Linux 6.19");
	if (samples_hidden_kernel(j))
		notes_add(j->notes, NOTE_WARNING,
			  "the kernel's functions will have no names: it hides their addresses "
			  "(as root: " KALLSYMS_SHOW ")");
	if (!record_request_has_command(j->rq))
		notes_add(j->notes, NOTE_REMARK, "Recording %s.",
			  j->system ? "all CPUs until Ctrl-C" : "until the tasks end, or Ctrl-C");
	if (j->rq->verbose)
		notes_add(j->notes, NOTE_DETAIL, "%zu ring buffers of %zu KiB", j->rings.n,
			  j->rings.n ? j->rings.items[0].ring.size / 1024 : 0);
	if (j->rq->verbose >= 2)
		record_notes_list_events(j, true);
}

void record_notes_list(void *job, const char *options)
{
	record_notes_list_events(job, strstr(options, "-v"));
}

/* Appends how much smaller the kernel's records became. Synthesised records stay as they are. */
static void add_compression(const struct recording *l, struct text *out)
{
	if (!l->packed_bytes)
		return;
	text_addf(out, ", compressed (original %.3f MB, ratio is %.3f)",
		  (double)(l->data_bytes - l->packed_bytes + l->unpacked_bytes) / MIB,
		  (double)l->unpacked_bytes / (double)l->packed_bytes);
}

static void tell_captured(const struct record_job *j, const struct record_tally *t)
{
	_cleanup_(text_done) struct text detail = TEXT_EMPTY;

	if (j->rq->output.compression_level)
		add_compression(&j->recording, &detail);
	else if (t->samples)
		text_addf(&detail, " (%" PRIu64 " samples)", t->samples);
	notes_add(j->notes, NOTE_STATUS,
		  "[ perf record: Woken up %" PRIu64 " times to write data ]", t->passes);
	notes_add(j->notes, NOTE_STATUS, "[ perf record: Captured and wrote %.3f MB %s%s%s ]",
		  (double)j->recording.data_bytes / MIB, j->path ? j->path : "-",
		  j->recording.rotation ? ".<timestamp>" : "", detail.chars);
}

static void tell_dropped(const struct record_job *j)
{
	for (size_t i = 0; j->rq->verbose && i < j->opened.n; i++)
		if (j->opened.items[i].event->data_filter)
			notes_add(j->notes, NOTE_DETAIL,
				  "%s: the filter dropped %" PRIu64 " samples",
				  j->opened.items[i].event->name,
				  record_filters_dropped(j->filters, i));
}

static void tell_lost(const struct record_job *j, const struct record_tally *t)
{
	size_t kib = j->rings.items[0].ring.size / 1024;
	struct diag d = { 0 };

	diag_set(&d, 0,
		 "%" PRIu64 " records were lost, as the buffers of %zu KiB were full (%" PRIu64
		 " samples were saved)",
		 t->lost, kib, t->samples);
	diag_hint(&d,
		  " Give them more room (-m %zuK; as a user: sysctl kernel.perf_event_mlock_kb or "
		  "ulimit -l),",
		  2 * kib);
	diag_hint(&d, " sample less often (-F, -c), or record fewer events.");
	notes_take(j->notes, NOTE_WARNING, &d);
}

/*
 * Reports what the hardware or its driver had to leave out, in the words that are used when the
 * file is read.
 */
static void tell_trace(const struct record_job *j, const struct record_tally *t)
{
	const char *name = aux_plan_name(j->aux.type);
	size_t kib = j->aux.bytes / 1024;

	if (t->aux_truncated)
		notes_add(j->notes, NOTE_WARNING,
			  "AUX data lost %" PRIu64 " times out of %" PRIu64
			  ": %s wrote faster than its areas of %zu KiB were emptied\n"
			  " Give it more room (-m ,%zuK), or trace less.",
			  t->aux_truncated, t->aux, name, kib, 2 * kib);
	if (t->aux_partial)
		notes_add(j->notes, NOTE_WARNING,
			  "AUX data had gaps in it %" PRIu64 " times out of %" PRIu64
			  ": %s was off for a while (a guest ran, or a debugger)",
			  t->aux_partial, t->aux, name);
	if (t->aux_collided)
		notes_add(j->notes, NOTE_WARNING,
			  "AUX data detected collision %" PRIu64 " times out of %" PRIu64
			  ": samples came faster than %s could take them; raise the period (-c)",
			  t->aux_collided, t->aux, name);
}

static bool is_by_time(const struct attr *a)
{
	if (a->type == PERF_TYPE_SOFTWARE)
		return a->config == PERF_COUNT_SW_CPU_CLOCK ||
		       a->config == PERF_COUNT_SW_TASK_CLOCK;
	return a->type == PERF_TYPE_HARDWARE && a->config == PERF_COUNT_HW_CPU_CYCLES;
}

static uint64_t record_notes_ns_of(struct timeval t)
{
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_usec * 1000;
}

static void record_notes_advise(const struct record_job *j, const struct record_tally *t)
{
	const struct loop *l = &j->recording.loop;
	const struct attr *first;
	bool traces = j->aux.type != AUXTRACE_NONE, rotates = j->recording.rotation;

	/* Samples that were dropped, or that are elsewhere, are not missing. */
	if (!j->opened.n || j->rq->sampling.sample.no_samples || traces || rotates || j->filters ||
	    j->stacks || j->rq->may_be_empty || j->n_turns || t->lost)
		return;
	first = &j->opened.items[0].event->attr;
	record_advise(
		&(struct record_outcome){
			.samples = t->samples,
			.elapsed_ns = l->elapsed_ns,
			.ran_command = l->reaped &&
				       j->rq->target.pids.n + j->rq->target.tids.n == 0,
			.cpu_ns = record_notes_ns_of(l->usage.ru_utime) +
				  record_notes_ns_of(l->usage.ru_stime),
			.whole_system = j->system,
			.off_cpu = j->rq->off_cpu.wanted,
			.by_time = is_by_time(first),
			.freq = first->freq ? first->sample_freq : 0,
		},
		j->notes);
}

static void tell_runtime(const struct record_job *j, enum runtime_kind kind)
{
	_cleanup_(text_done) struct text advice = TEXT_EMPTY;

	/* The line about the language has said it. */
	if (j->stacks)
		return;
	if (j->rq->sampling.callgraph.choice.mode == CALLGRAPH_BPF)
		text_addf(&advice,
			  "%s functions have no names: reading them from the running program takes "
			  "stacks that are unwound in the kernel",
			  runtime_kind_language(kind));
	else
		language_runtime_advise(kind, &advice);
	notes_add(j->notes, NOTE_WARNING, "%s", advice.chars);
}

void record_notes_runtimes(const struct record_job *j, const struct silent_runtimes *s)
{
	/* Those that were left out on purpose are not missing. */
	unsigned silent = s->found & ~record_interpreted_named(j) &
			  ~j->rq->sampling.callgraph.not_interpreted;

	for (int i = RUNTIME_KIND_NONE + 1; i < RUNTIME_KINDS; i++)
		if (silent & 1u << i)
			tell_runtime(j, (enum runtime_kind)i);
}

void record_notes_after(const struct record_job *j)
{
	struct record_tally t = recording_tally(&j->recording);

	t.lost += lost_untold(&j->opened, &t);
	if (j->recording.loop.end == LOOP_END_SIZE)
		notes_add(j->notes, NOTE_STATUS,
			  "[ perf record: perf size limit reached (%" PRIu64
			  " KB), stopping session ]",
			  j->rq->output.max_bytes / 1024);
	tell_captured(j, &t);
	tell_dropped(j);
	record_stacks_tell(j);
	record_unwind_tell(j);
	if (t.lost)
		tell_lost(j, &t);
	if (t.missed)
		notes_add(j->notes, NOTE_WARNING,
			  "%" PRIu64 " records are missing, as they came while a buffer was read, "
			  "which stops it for that moment with --overwrite",
			  t.missed);
	if (j->aux.type != AUXTRACE_NONE)
		tell_trace(j, &t);
	record_notes_advise(j, &t);
	if (t.throttled)
		notes_add(j->notes, NOTE_WARNING,
			  "the kernel throttled the events %" PRIu64
			  " time%s, as samples came too fast: lower -F or raise -c",
			  t.throttled, t.throttled == 1 ? "" : "s");
}

/* Returns "'PATH' and 2 more", for a terminal; the caller frees it. */
static char *unnamed_text(const struct unnamed_files *u)
{
	struct text t = TEXT_EMPTY;

	text_add_char(&t, '\'');
	escape_terminal(&t, u->items[0], strlen(u->items[0]));
	text_add_char(&t, '\'');
	if (u->n > 1)
		text_addf(&t, " and %zu more", u->n - 1);
	return text_take(&t);
}

void record_notes_dumps(const struct record_job *j, const struct unnamed_files *dumps)
{
	_cleanup_(freep) char *files = dumps->n ? unnamed_text(dumps) : NULL;

	if (files)
		notes_add(j->notes, NOTE_WARNING,
			  "JIT code has names only as long as its container runs: they are in %s "
			  "in there; a perf-PID.map would be kept",
			  files);
}

void record_notes_unnamed(const struct record_job *j, const struct unnamed_files *u)
{
	_cleanup_(freep) char *files = u->n ? unnamed_text(u) : NULL;

	if (files)
		notes_add(j->notes, NOTE_WARNING,
			  "the functions of %s will have no names: the file that ran was replaced, "
			  "or its container ended; record again while it is there",
			  files);
}

#define NS_PER_S 1e9

/*
 * A command mostly waits if it was on CPUs for less than this share of a time of at least
 * WAITING_NS.
 */
#define WAITING_SHARE 0.1
#define WAITING_NS    500000000

/* A rate that gives short programs some samples and that kernels allow. */
#define FREQ_HIGH 25000

/* The default rate of perf record. */
#define FREQ_USUAL 4000

/* If a busy CPU is expected to give fewer samples than this, there may be none. */
#define SAMPLES_FEW 10

static bool record_advice_waits(const struct record_outcome *o)
{
	return o->ran_command && !o->whole_system && !o->off_cpu && o->by_time &&
	       o->elapsed_ns >= WAITING_NS &&
	       (double)o->cpu_ns < WAITING_SHARE * (double)o->elapsed_ns;
}

static void advise_off_cpu(const struct record_outcome *o, struct notes *notes)
{
	struct diag d = { 0 };
	double elapsed = (double)o->elapsed_ns / NS_PER_S, cpu = (double)o->cpu_ns / NS_PER_S;

	diag_set(
		&d, 0,
		"the command was on a CPU for %.1f %% of its time (%.3f of %.3f s); samples do not "
		"show what it waited for",
		100 * cpu / elapsed, cpu, elapsed);
	diag_hint(&d,
		  "perf record -g --off-cpu, as root, shows that too; perf trace -s which system "
		  "calls took it.");
	notes_take(notes, NOTE_WARNING, &d);
}

/* Explains that a command was too short for the rate. */
static void explain_short(const struct record_outcome *o, struct diag *d)
{
	diag_set(d, 0,
		 "no samples: the command was on a CPU for %.3f ms, and -F %" PRIu64
		 " takes a sample every %.3f ms",
		 (double)o->cpu_ns / 1e6, o->freq, 1e3 / (double)o->freq);
	if (o->freq < FREQ_HIGH)
		diag_hint(d, "Sample more often (-F %d), or run it for longer.", FREQ_HIGH);
	else
		diag_hint(d, "Run it for longer.");
}

/* True if so few samples were expected that having none does not show that the CPUs were idle. */
static bool is_rare(const struct record_outcome *o)
{
	return o->freq && (double)o->elapsed_ns / NS_PER_S * (double)o->freq < SAMPLES_FEW;
}

static void record_advice_explain_none(const struct record_outcome *o, struct notes *notes)
{
	struct diag d = { 0 };

	if (!o->by_time) {
		diag_set(&d, 0, "no samples: the events did not occur, or not often enough");
		diag_hint(&d, "perf stat -e EVENT counts how often; -c 1 takes one each time.");
	} else if (o->whole_system && is_rare(o)) {
		diag_set(&d, 0,
			 "no samples: in %.3f s, -F %" PRIu64
			 " takes few of a CPU, or none: one in %.3f s that it is busy",
			 (double)o->elapsed_ns / NS_PER_S, o->freq, 1 / (double)o->freq);
		diag_hint(&d, "Sample more often (-F %d), or record for longer.", FREQ_USUAL);
	} else if (o->whole_system) {
		diag_set(&d, 0, "no samples: every CPU was idle during the recording");
		diag_hint(&d, "Record for longer, or while there is something to do.");
	} else if (o->ran_command && o->freq) {
		explain_short(o, &d);
	} else {
		diag_set(&d, 0, "no samples: the processes were not on a CPU during the recording");
		diag_hint(&d, "perf record -g --off-cpu, as root, shows what it waited for.");
	}
	notes_take(notes, NOTE_WARNING, &d);
}

void record_advise(const struct record_outcome *o, struct notes *notes)
{
	if (record_advice_waits(o))
		advise_off_cpu(o, notes);
	else if (!o->samples)
		record_advice_explain_none(o, notes);
}
