/* SPDX-License-Identifier: MIT */
/* perf kvm stat live: shows in a table why guests stop, at intervals. */
#include <errno.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/notes.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/live-table.h"
#include "options/buffer.h"
#include "options/value.h"
#include "options/verbosity.h"
#include "tools/kvm/opts.h"
#include "tools/kvm/stat-live-work.h"
#include "tools/kvm/stat-view.h"

#define MS_PER_S    1000
#define NS_PER_USEC 1000

/* The lines of a table apart from its rows. */
#define HEAD_LINES 8

struct opts {
	struct kvm_stat_opts stat;
	struct buffer_size buffer;
	bool all_cpus;
	uint64_t display_s, duration_usec;
};

static const struct option options[] = {
	OPT_FLAG('a', "all-cpus", struct opts, all_cpus, "all virtual machines (default)"),
	OPT_SET(struct opts, stat, kvm_stat_options),
	OPT_UINT('d', "display", struct opts, display_s, "seconds",
		 "time between two tables (default: 1)"),
	OPT_UINT(0, "duration", struct opts, duration_usec, "usec",
		 "a line for each event that takes longer, but for a guest that halts"),
	OPT_CALL('m', "mmap-pages", struct opts, buffer, "pages",
		 "size of each ring buffer, in pages or with B, K, M, G", .set = buffer_size_set),
	OPT_NOTHING(0, "proc-map-timeout", "ms", "how long to read the maps of a process",
		    "no maps of processes are read"),
	OPT_VERBOSE_NOTHING,
	OPT_END,
};

static const struct opts defaults = { .stat = KVM_STAT_OPTS_DEFAULT, .display_s = 1 };

struct kvm_stat_live_watch {
	const struct opts *o;
	struct live_table table;
	struct text long_ones; /* lines about events that took long */
};

static void kvm_stat_live_ended(void *arg, const struct kvm_stat *m,
				const struct kvm_stat_span *span)
{
	struct kvm_stat_live_watch *w = arg;
	enum kvm_isa isa = m->events.isa;
	bool is_return = isa == KVM_ISA_ARM64 && span->info != KVM_ARM64_TRAP;

	if (span->ns / NS_PER_USEC < w->o->duration_usec)
		return;
	if (m->o.kind != KVM_STAT_EXITS || !kvm_exit_is_idle(isa, span->code, is_return))
		kvm_stat_add_span(&w->long_ones, m, span);
}

static int kvm_stat_live_show(void *arg, struct kvm_stat *m, bool is_last)
{
	struct kvm_stat_live_watch *w = arg;
	_cleanup_(freep) struct kvm_stat_row **rows = NULL;
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	size_t height = live_table_size(&w->table).rows;
	size_t n = kvm_stat_rows(m, w->o->stat.key, &rows),
	       room = height > HEAD_LINES ? height - HEAD_LINES : 0;

	if (is_last && w->table.in_place)
		return 0;
	text_add(&t, w->long_ones.chars);
	text_clear(&w->long_ones);
	kvm_stat_add_table(&t, m, rows, n < room ? n : room);
	fputs(t.chars, live_table_page(&w->table));
	live_table_end(&w->table);
	kvm_stat_clear(m);
	return 0;
}

static int kvm_stat_live_watch(struct invocation *inv, struct diag *diag)
{
	const struct opts *o = inv->opts;
	struct kvm_stat_live_watch w = { .o = o, .long_ones = TEXT_EMPTY };
	struct notes notes = command_notes(inv);
	struct record_result result;
	const struct kvm_live_request rq = {
		.model = { .kind = o->stat.kind,
			   .vcpu = o->stat.vcpu,
			   .pids = o->stat.pids,
			   .ended = o->duration_usec ? kvm_stat_live_ended : NULL,
			   .arg = &w },
		.all_cpus = o->all_cpus,
		.data_pages = o->buffer.data_pages,
		.interval_ms = o->display_s * MS_PER_S,
		.on_interval = kvm_stat_live_show,
		.arg = &w
	};
	int r;

	live_table_open(&w.table, inv, inv->out, false);
	r = kvm_stat_watch(&rq, &notes, &result, diag);
	live_table_close(&w.table, true);
	text_done(&w.long_ones);
	if (r == -ENOENT)
		kvm_hint_missing(diag);
	return r;
}

static int kvm_stat_live_run(struct invocation *inv)
{
	const struct opts *o = inv->opts;
	_cleanup_(diag_done) struct diag diag = { 0 };
	int r = 0;

	if (inv->argc)
		r = diag_set(&diag, -EINVAL, "'%s' is too much: -p names a virtual machine",
			     inv->argv[0]);
	else if (!o->display_s || o->display_s > 3600)
		r = diag_set(&diag, -EINVAL, "-d takes seconds from 1 to 3600");
	if (r < 0)
		return command_usage(inv, &diag);
	r = kvm_stat_live_watch(inv, &diag);
	return r < 0 ? command_fail(inv, r, &diag) : EXIT_OK;
}

static void kvm_stat_live_done(void *opts)
{
	id_list_done(&((struct opts *)opts)->stat.pids);
}

static const char *const usage[] = { "[<options>]", NULL };

const struct command cmd_kvm_stat_live = {
	.name = "kvm stat live",
	.summary = "why guests stop now, every second",
	.usage = usage,
	.options = options,
	.opts_size = sizeof(struct opts),
	.defaults = &defaults,
	.run = kvm_stat_live_run,
	.done = kvm_stat_live_done,
};
