/* SPDX-License-Identifier: MIT */
/* perf kwork timehist: shows each run of an interrupt, softirq or work item. */
#include <stdint.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/text.h"
#include "cli/command.h"
#include "tools/kwork/kwork-work.h"
#include "tools/kwork/opts.h"
#include "tools/kwork/timehist-view.h"
#include "view/sched/chain.h"

/* Lines are written in pieces of about this size. */
#define PIECE_BYTES (64 << 10)

struct opts {
	struct kwork_reading_opts reading;
	bool call_graph;
	uint64_t max_stack;
};

static const struct opts defaults = { .max_stack = SCHED_MAX_STACK };

/*
 * Sets a class or a file. `perf kwork -k irq timehist` chooses a class, and `perf kwork timehist -k
 * vmlinux` names a file; both arrive here as the same word.
 */
static int classes_or_vmlinux_set(void *field, const struct option *o, const char *value,
				  bool negated, struct diag *diag)
{
	struct kwork_reading_opts *opts = field;
	_cleanup_(diag_done) struct diag ignored = { 0 };

	(void)diag;
	if (negated || kwork_classes_set(&opts->common.classes, o, value, false, &ignored) < 0)
		opts->symbols.vmlinux = negated ? NULL : value;
	return 0;
}

static const struct option options[] = {
	OPT_INCLUDE(kwork_filter_options),
	OPT_CALL('k', "vmlinux", struct opts, reading, "file",
		 "take kernel symbols from this vmlinux; or classes, as --kwork takes them",
		 .set = classes_or_vmlinux_set),
	OPT_FLAG('g', "call-graph", struct opts, call_graph,
		 "where each run began, if stacks were recorded"),
	OPT_UINT(0, "max-stack", struct opts, max_stack, "n",
		 "frames of a stack, besides the first two (default: 5)"),
	OPT_STRING(0, "kallsyms", struct opts, reading.symbols.kallsyms, "file",
		   "take kernel symbols from this copy of /proc/kallsyms"),
	OPT_STRING(0, "symfs", struct opts, reading.symbols.symfs, "directory",
		   "look for programs and libraries below this directory"),
	OPT_CALL(0, "kwork", struct opts, reading.common.classes, "class[,class...]",
		 "kinds of work: irq, softirq, workqueue, sched", .set = kwork_classes_set),
	OPT_SET(struct opts, reading.common, kwork_common_options),
	OPT_END,
};

struct kwork_timehist_show {
	struct invocation *inv;
	struct text lines;
	bool narrow;
	struct sched_chain chain;
};

static void kwork_timehist_flush(struct kwork_timehist_show *s)
{
	fwrite(s->lines.chars, 1, s->lines.length, s->inv->out);
	text_clear(&s->lines);
}

static void kwork_timehist_begin(void *arg, const struct session *session)
{
	struct kwork_timehist_show *s = arg;

	s->chain.session = session;
	kwork_timehist_heads(s->narrow, s->inv->out);
}

static char *kwork_timehist_stack(void *arg, const struct session_sample *sample)
{
	struct kwork_timehist_show *s = arg;
	struct text t = TEXT_EMPTY;

	text_add_char(&t, ' ');
	if (sched_chain_add(&s->chain, sample, &t))
		return text_take(&t);
	text_done(&t);
	return NULL;
}

static void kwork_timehist_ran(void *arg, const struct kwork_run *run)
{
	struct kwork_timehist_show *s = arg;

	kwork_timehist_add(&s->lines, s->narrow, run);
	if (s->lines.length > PIECE_BYTES)
		kwork_timehist_flush(s);
}

static int kwork_timehist_run(struct invocation *inv)
{
	const struct opts *o = inv->opts;
	/* All softirqs begin in __do_softirq, so stacks do not show it. */
	struct kwork_timehist_show s = {
		.inv = inv,
		.lines = TEXT_EMPTY,
		.narrow = kwork_timehist_is_narrow(command_columns(inv, inv->out)),
		.chain = { .max_stack = o->max_stack < UINT16_MAX ? (unsigned)o->max_stack
								  : UINT16_MAX,
			   .hidden = "__do_softirq" }
	};
	struct kwork_request read = { .model = { .mode = KWORK_HISTORY,
						 .ran = kwork_timehist_ran,
						 .stack = o->call_graph ? kwork_timehist_stack
									: NULL,
						 .arg = &s },
				      .begin = kwork_timehist_begin };
	_cleanup_(kwork_done) struct kwork_model m = { 0 };
	struct kwork_reading reading;
	int status = kwork_read_for(inv, &o->reading, &read, &m, &reading);

	kwork_timehist_flush(&s);
	text_done(&s.lines);
	sched_chain_done(&s.chain);
	return status >= 0 ? status : EXIT_OK;
}

static void kwork_timehist_done(void *opts)
{
	kwork_reading_done(&((struct opts *)opts)->reading);
}

static const char *const usage[] = { "[<options>]", NULL };

const struct command cmd_kwork_timehist = {
	.name = "kwork timehist",
	.summary = "each of their runs, with its delay",
	.usage = usage,
	.options = options,
	.opts_size = sizeof(struct opts),
	.defaults = &defaults,
	.flags = COMMAND_PAGED,
	.run = kwork_timehist_run,
	.done = kwork_timehist_done,
};
