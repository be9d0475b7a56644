/* SPDX-License-Identifier: MIT */
/* perf kwork top: what CPUs spent their time on: tasks, interrupts and softirqs. */
#include <limits.h>

#include "analysis/kwork/order.h"
#include "analysis/kwork/usage.h"
#include "base/cleanup.h"
#include "base/diag.h"
#include "base/notes.h"
#include "base/text.h"
#include "cli/command.h"
#include "cmd/kwork-opts.h"
#include "cmd/raw-dump.h"
#include "job/kwork-usage.h"
#include "job/recorded.h"
#include "view/kwork/top.h"

struct opts {
	struct kwork_reading_opts reading;
	struct kwork_order order;
};

static int order_set(void *field, const struct option *o, const char *value, bool negated,
		     struct diag *diag)
{
	(void)o, (void)negated;
	return kwork_order_parse(value, kwork_usage_key_names, field, diag);
}

static const struct option options[] = {
	OPT_SET(struct opts, reading, kwork_reading_options),
	OPT_CALL('s', "sort", struct opts, order, "key[,key2...]",
		 "order of the rows: rate, runtime, tid", .set = order_set,
		 .flags = OPTION_NO_NEGATION),
	OPT_END,
};

static const struct opts defaults = {
	.order = { .keys = { KWORK_USE_BY_SHARE, KWORK_USE_BY_RUNTIME }, .n = 2 },
};

static struct kwork_classes classes_of(const struct opts *o)
{
	static const struct kwork_classes usual = {
		.items = { KWORK_IRQ, KWORK_SOFTIRQ, KWORK_SCHED },
		.n = 3,
	};

	return o->reading.common.classes.n ? o->reading.common.classes : usual;
}

static void show(const struct invocation *inv, const struct opts *o, const struct kwork_usage *u)
{
	_cleanup_(kwork_usage_rows_done) struct kwork_usage_rows rows;
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	kwork_usage_rows(u,
			 &(struct kwork_usage_choice){ .order = &o->order,
						       .name = o->reading.name,
						       .cpus = &o->reading.filter.cpus },
			 &rows);
	kwork_top_add(&t, &rows, ULONG_MAX);
	fwrite(t.chars, 1, t.length, inv->out);
}

static int run(struct invocation *inv)
{
	const struct opts *o = inv->opts;
	struct recorded_request rq = kwork_recorded_request(&o->reading, inv);
	const struct kwork_classes classes = classes_of(o);
	_cleanup_(kwork_usage_done) struct kwork_usage u = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct notes notes = command_notes(inv);
	int r = 0;

	/* Tasks that moved have their name from other CPUs. */
	rq.filter.cpus = (struct cpu_list){ 0 };
	if (o->reading.common.dump_raw)
		r = command_dump_raw(inv, o->reading.input, rq.force, &diag);
	if (r == 0)
		r = kwork_usage_read(&rq, &classes, &u, &notes, &diag);
	if (r < 0)
		return command_fail(inv, r, &diag);
	if (r == 0)
		show(inv, o, &u);
	return EXIT_OK;
}

static void done(void *opts)
{
	kwork_reading_done(&((struct opts *)opts)->reading);
}

static const char *const usage[] = { "[<options>]", NULL };

const struct command cmd_kwork_top = {
	.name = "kwork top",
	.summary = "what CPUs spent their time on: tasks and interrupts",
	.usage = usage,
	.options = options,
	.opts_size = sizeof(struct opts),
	.defaults = &defaults,
	.flags = COMMAND_PAGED,
	.run = run,
	.done = done,
};
