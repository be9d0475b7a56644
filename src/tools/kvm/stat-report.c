/* SPDX-License-Identifier: MIT */
/* perf kvm stat report: shows the number of exits of guests and their reasons, from a recording. */
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/notes.h"
#include "base/text.h"
#include "cli/command.h"
#include "options/input.h"
#include "tools/kvm/opts.h"
#include "tools/kvm/stat-view.h"
#include "tools/kvm/stat-work.h"

struct opts {
	const char *input;
	bool force;
	struct kvm_stat_opts stat;
};

static const struct option options[] = {
	OPT_STRING('i', "input", struct opts, input, "file",
		   "profile to read (default: perf.data.guest; - is standard input)"),
	OPT_FORCE(struct opts, force),
	OPT_SET(struct opts, stat, kvm_stat_options),
	OPT_NOTHING(0, "stdio", NULL, "print text", NULL),
	OPT_END,
};

static const struct opts defaults = { .stat = KVM_STAT_OPTS_DEFAULT };

static void kvm_stat_report_print(struct invocation *inv, const struct kvm_stat *m,
				  enum kvm_stat_key key)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	_cleanup_(freep) struct kvm_stat_row **rows = NULL;

	size_t n = kvm_stat_rows(m, key, &rows);

	kvm_stat_add_table(&t, m, rows, n);
	fwrite(t.chars, 1, t.length, inv->out);
}

static int kvm_stat_report_run(struct invocation *inv)
{
	const struct opts *o = inv->opts;
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(kvm_stat_done) struct kvm_stat m = { 0 };
	struct notes notes = command_notes(inv);
	const struct kvm_stat_request rq = {
		.recorded = { .path = o->input,
			      .force = o->force,
			      .progress = command_progress(inv, false, false) },
		.model = { .kind = o->stat.kind, .vcpu = o->stat.vcpu, .pids = o->stat.pids }
	};
	int r;

	if (inv->argc) {
		diag_set(&diag, 0, "'%s' is too much: a recording is read", inv->argv[0]);
		return command_usage(inv, &diag);
	}
	r = kvm_stat_read(&rq, &m, &notes, &diag);
	if (r < 0)
		return command_fail(inv, r, &diag);
	kvm_stat_report_print(inv, &m, o->stat.key);
	return EXIT_OK;
}

static void kvm_stat_report_done(void *opts)
{
	id_list_done(&((struct opts *)opts)->stat.pids);
}

static const char *const usage[] = { "[<options>]", NULL };

const struct command cmd_kvm_stat_report = {
	.name = "kvm stat report",
	.summary = "how often guests stopped and why, from a recording",
	.usage = usage,
	.options = options,
	.opts_size = sizeof(struct opts),
	.defaults = &defaults,
	.flags = COMMAND_PAGED,
	.run = kvm_stat_report_run,
	.done = kvm_stat_report_done,
};
