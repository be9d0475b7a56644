/* SPDX-License-Identifier: MIT */
#include "cmd/record-notes.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "arch/arch.h"
#include "base/cleanup.h"
#include "base/diag.h"
#include "base/escape.h"
#include "base/memory.h"
#include "base/text.h"
#include "capture/sampling-regs.h"
#include "cli/command.h"
#include "cmd/record-finish.h"
#include "cmd/record-job.h"
#include "cmd/record-opts.h"
#include "cmd/record-sampling.h"
#include "cmd/record-unwind.h"
#include "datafile/writer.h"
#include "kernel/kernel-text.h"
#include "kernel/perf-event.h"
#include "view/attr-text.h"

#define MIB (1024.0 * 1024.0)

static bool is_quiet(const struct record_job *j)
{
	return j->o->verbosity.quiet;
}

void record_notes_warn(const struct record_job *j, const char *format, ...)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	va_list ap;

	if (is_quiet(j))
		return;
	va_start(ap, format);
	_cleanup_(freep) char *sentence = xvasprintf(format, ap);
	va_end(ap);
	diag_set(&diag, 0, "%s", sentence);
	command_warn(j->inv, &diag);
}

static void print_events(const struct record_job *j, bool attrs)
{
	for (size_t i = 0; i < j->opened.n; i++) {
		const struct event *e = j->opened.items[i].event;

		fputs(e->name, j->inv->err);
		if (attrs) {
			struct attr a = e->attr;

			a.size = perf_event_attr_size(&a);
			fputs(": ", j->inv->err);
			attr_print(&a, j->inv->err);
		}
		fputc('\n', j->inv->err);
	}
}

/* Whether samples will lie in a kernel that does not say where its functions are. */
static bool samples_hidden_kernel(const struct record_job *j)
{
	struct kernel_text text;
	bool sees_kernel = false;

	for (size_t i = 0; i < j->opened.n; i++)
		sees_kernel |= !j->opened.items[i].event->attr.exclude_kernel;
	return sees_kernel && kernel_text_read("", &text) == -EACCES;
}

void record_notes_before(const struct record_job *j)
{
	if (j->opened.fallback.without_pmu)
		record_notes_warn(j, "this machine shows no hardware counters: sampling by time "
				     "(cpu-clock) instead of cycles");
	if (j->opened.fallback.without_kernel)
		record_notes_warn(j, "only user mode is sampled: perf_event_paranoid leaves the "
				     "kernel to root");
	if (samples_hidden_kernel(j))
		record_notes_warn(j, "the kernel's functions will have no names: "
				     "kernel.kptr_restrict hides their addresses");
	if (j->o->verbosity.verbose)
		fprintf(j->inv->err, "%zu ring buffers of %zu KiB\n", j->rings.n,
			j->rings.n ? j->rings.items[0].ring.size / 1024 : 0);
	if (j->o->verbosity.verbose < 2)
		return;
	print_events(j, true);
}

static void on_switch(void *arg, bool enabled)
{
	const struct record_job *j = arg;

	if (!is_quiet(j))
		fprintf(j->inv->err, "Events %s\n", enabled ? "enabled" : "disabled");
}

static void on_list(void *arg, const char *options)
{
	print_events(arg, strstr(options, "-v"));
}

static void on_remark(void *arg, const char *sentence)
{
	record_notes_warn(arg, "%s", sentence);
}

static void on_dump(void *arg, const char *name)
{
	const struct record_job *j = arg;

	if (!is_quiet(j))
		fprintf(j->inv->err, "[ perf record: Dump %s ]\n", name);
}

struct record_hooks record_notes_hooks(struct record_job *j)
{
	return (struct record_hooks){ on_switch, on_list, on_remark, on_dump, j };
}

/* How much smaller the kernel's records became; what is synthesised stays as it is. */
static void add_compression(const struct record_loop *l, struct text *out)
{
	if (!l->packed_bytes)
		return;
	text_addf(out, ", compressed (original %.3f MB, ratio is %.3f)",
		  (double)(l->data_bytes - l->packed_bytes + l->unpacked_bytes) / MIB,
		  (double)l->unpacked_bytes / (double)l->packed_bytes);
}

static void print_captured(const struct record_job *j, const struct record_tally *t)
{
	_cleanup_(text_done) struct text detail = TEXT_EMPTY;

	if (j->o->output.compression_level)
		add_compression(&j->loop, &detail);
	else if (t->samples)
		text_addf(&detail, " (%" PRIu64 " samples)", t->samples);
	fprintf(j->inv->err, "[ perf record: Woken up %" PRIu64 " times to write data ]\n",
		t->passes);
	fprintf(j->inv->err, "[ perf record: Captured and wrote %.3f MB %s%s%s ]\n",
		(double)j->loop.data_bytes / MIB, j->path ? j->path : "-",
		j->loop.rotation ? ".<timestamp>" : "", detail.chars);
}

static void print_lost(const struct record_job *j, const struct record_tally *t)
{
	size_t kib = j->rings.items[0].ring.size / 1024;

	if (t->lost) {
		record_notes_warn(j,
				  "%" PRIu64 " records were lost, as the buffers of %zu KiB were "
				  "full (%" PRIu64 " samples were saved)",
				  t->lost, kib, t->samples);
		fprintf(j->inv->err,
			" Give them more room (-m %zuK; as a user: sysctl "
			"kernel.perf_event_mlock_kb or ulimit -l),\n"
			" sample less often (-F, -c), or record fewer events.\n",
			2 * kib);
	}
	if (t->missed)
		record_notes_warn(j,
				  "%" PRIu64
				  " records are missing, as they came while a buffer was "
				  "read, which stops it for that moment with --overwrite",
				  t->missed);
	if (t->throttled)
		record_notes_warn(j,
				  "the kernel throttled the events %" PRIu64 " times, as samples "
				  "came too fast: lower -F or raise -c",
				  t->throttled);
}

void record_notes_after(const struct record_job *j)
{
	struct record_tally t = record_loop_tally(&j->loop);

	if (is_quiet(j))
		return;
	if (j->loop.end == RECORD_END_SIZE)
		fprintf(j->inv->err,
			"[ perf record: perf size limit reached (%" PRIu64 " KB), "
			"stopping session ]\n",
			j->o->output.max_bytes / 1024);
	print_captured(j, &t);
	record_unwind_tell(j);
	print_lost(j, &t);
}

void record_notes_unnamed(const struct record_job *j, const struct unnamed_files *u)
{
	_cleanup_(text_done) struct text path = TEXT_EMPTY, more = TEXT_EMPTY;

	if (!u->n)
		return;
	escape_terminal(&path, u->items[0], strlen(u->items[0]));
	if (u->n > 1)
		text_addf(&more, " and %zu more", u->n - 1);
	record_notes_warn(j,
			  "the functions of '%s'%s will have no names: the file that ran was "
			  "replaced, or its container ended; record again while it is there",
			  path.chars, more.chars);
}

void record_notes_registers(uint64_t mask, FILE *out)
{
	_cleanup_(text_done) struct text names = TEXT_EMPTY;

	sampling_regs_list(arch_host(), mask, &names);
	fprintf(out, "available registers: %s\n", names.chars);
}
