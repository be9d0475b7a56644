/* SPDX-License-Identifier: MIT */
/* perf kwork top: shows the tasks, interrupts and softirqs on which CPUs spent their time. */
#include <errno.h>
#include <stdio.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/notes.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/live-table.h"
#include "measure/record.h"
#include "options/raw-dump.h"
#include "profile/recorded.h"
#include "tools/kwork/count-work.h"
#include "tools/kwork/opts.h"
#include "tools/kwork/order-model.h"
#include "tools/kwork/top-view.h"
#include "tools/kwork/usage-model.h"
#include "tools/kwork/usage-work.h"

/* The lines of a table apart from CPUs and tasks. */
#define HEAD_LINES 7

#define MS_PER_S 1000

struct opts {
	struct kwork_reading_opts reading;
	struct kwork_order order;
	uint64_t interval, interval_ms; /* in seconds; in milliseconds, 0: a table at the end */
};

static int kwork_top_order_set(void *field, const struct option *o, const char *value, bool negated,
			       struct diag *diag)
{
	(void)o, (void)negated;
	return kwork_order_parse(value, kwork_usage_key_names, field, diag);
}

static const struct option options[] = {
	OPT_SET(struct opts, reading, kwork_reading_options),
	OPT_SET(struct opts, reading, kwork_bpf_options),
	OPT_CALL('s', "sort", struct opts, order, "key[,key2...]",
		 "order of the rows: rate, runtime, tid", .set = kwork_top_order_set,
		 .flags = OPTION_NO_NEGATION),
	OPT_UINT(0, "interval", struct opts, interval, "seconds",
		 "with -b: a table every so often, of the time since the one before"),
	OPT_UINT('I', "interval-print", struct opts, interval_ms, "ms", "the same in milliseconds"),
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

static void kwork_top_print(const struct invocation *inv, const struct kwork_items *items,
			    struct live_table *table)
{
	const struct opts *o = inv->opts;
	_cleanup_(kwork_usage_rows_done) struct kwork_usage_rows rows;
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	size_t height = live_table_size(table).rows, head;

	kwork_usage_rows(items,
			 &(struct kwork_usage_choice){ .order = &o->order,
						       .name = o->reading.name,
						       .cpus = &o->reading.filter.cpus },
			 &rows);
	head = HEAD_LINES + rows.n_cpus;
	kwork_top_add(&t, &rows, height > head ? height - head : 0);
	fputs(t.chars, live_table_page(table));
	live_table_end(table);
}

/* Returns the exit status, or a negative errno. */
static int kwork_top_show_recorded(struct invocation *inv, struct diag *diag)
{
	const struct opts *o = inv->opts;
	struct recorded_request rq = kwork_recorded_request(&o->reading, inv);
	const struct kwork_classes classes = classes_of(o);
	_cleanup_(kwork_usage_done) struct kwork_usage u = { 0 };
	struct notes notes = command_notes(inv);
	int r = 0;

	/*
	 * Tasks that moved get their names from events of other CPUs, so CPUs are not filtered
	 * here.
	 */
	rq.filter.cpus = (struct cpu_list){ 0 };
	if (o->reading.common.dump_raw)
		r = command_dump_raw(inv, o->reading.input, rq.force, diag);
	if (r != 0)
		return r < 0 ? r : EXIT_OK;
	r = kwork_usage_read(&rq, &classes, &u, &notes, diag);
	if (r >= 0)
		kwork_top_print(inv, &u.items, &(struct live_table){ .out = inv->out });
	return r;
}

struct kwork_top_live {
	const struct invocation *inv;
	struct live_table table;
	size_t n_tables;
	struct kwork_items before; /* at the time of the previous table */
};

static int kwork_top_tell(void *arg, const struct kwork_counted *c, bool is_last)
{
	struct kwork_top_live *l = arg;
	struct kwork_items since, nothing;

	/*
	 * The last full table stays on the terminal. A table of the incomplete last interval would
	 * be less useful.
	 */
	if (is_last && l->table.in_place && l->n_tables)
		return 0;
	l->n_tables++;
	kwork_items_init(&since);
	kwork_items_subtract(&c->items, &l->before, &since);
	kwork_top_print(l->inv, &since, &l->table);
	kwork_items_done(&since);
	kwork_items_done(&l->before);
	kwork_items_init(&l->before);
	kwork_items_init(&nothing);
	kwork_items_subtract(&c->items, &nothing, &l->before);
	kwork_items_done(&nothing);
	return 0;
}

static uint64_t interval_ms(const struct opts *o)
{
	return o->interval_ms ? o->interval_ms : o->interval * MS_PER_S;
}

static int kwork_top_show_counted(struct invocation *inv, struct diag *diag)
{
	const struct opts *o = inv->opts;
	struct kwork_top_live live = { .inv = inv, .table.out = inv->out };
	struct notes notes = command_notes(inv);
	struct record_result result;
	const struct kwork_count_request rq = { .usage = true,
						.classes = classes_of(o),
						.cpus = &o->reading.filter.cpus,
						.argv = inv->argv,
						.interval_ms = interval_ms(o),
						.tell = kwork_top_tell,
						.arg = &live };
	int r;

	kwork_items_init(&live.before);
	if (rq.interval_ms)
		live_table_open(&live.table, inv, inv->out, inv->argc > 0);
	r = kwork_count(&rq, &notes, &result, diag);
	live_table_close(&live.table, true);
	kwork_items_done(&live.before);
	return r < 0 ? r : record_result_status(&result);
}

static int kwork_top_run(struct invocation *inv)
{
	const struct opts *o = inv->opts;
	_cleanup_(diag_done) struct diag diag = { 0 };
	int r = kwork_check_bpf(inv, &o->reading, &diag);

	if (r >= 0 && o->interval && o->interval_ms)
		r = diag_set(&diag, -EINVAL, "-I and --interval are the same: choose one");
	if (r >= 0 && interval_ms(o) && !o->reading.use_bpf)
		r = diag_set(&diag, -EINVAL, "--interval goes with -b: a recording has one table");
	if (r < 0)
		return command_usage(inv, &diag);
	r = o->reading.use_bpf ? kwork_top_show_counted(inv, &diag)
			       : kwork_top_show_recorded(inv, &diag);
	return r < 0 ? command_fail(inv, r, &diag) : r;
}

static void kwork_top_done(void *opts)
{
	kwork_reading_done(&((struct opts *)opts)->reading);
}

static const char *const usage[] = { "[<options>]", "-b [<options>] [<command>]", NULL };

const struct command cmd_kwork_top = {
	.name = "kwork top",
	.summary = "what CPUs spent their time on: tasks and interrupts",
	.usage = usage,
	.options = options,
	.opts_size = sizeof(struct opts),
	.defaults = &defaults,
	.flags = COMMAND_WORKLOAD,
	.run = kwork_top_run,
	.done = kwork_top_done,
};
