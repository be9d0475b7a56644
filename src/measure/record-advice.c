/* SPDX-License-Identifier: MIT */
#include "measure/record-advice.h"

#include <inttypes.h>

#include "base/diag.h"
#include "base/notes.h"

#define NS_PER_S 1e9

/* A command that was on CPUs for less than this share, of a time that is worth it, waits. */
#define WAITING_SHARE 0.1
#define WAITING_NS    500000000

/* A rate that gives short programs some samples, and that kernels allow. */
#define FREQ_HIGH 25000

/* The rate of perf record itself. */
#define FREQ_USUAL 4000

/* If a busy CPU gives no more than these, there may be none. */
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

/* A command that was too short for the rate. */
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

/* Whether so few samples were to be expected that none says nothing of the CPUs. */
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
