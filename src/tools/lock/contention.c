/* SPDX-License-Identifier: MIT */
/*
 * perf lock contention: shows which callers or tasks wait for locks, and how long; from a
 * recording, or live.
 */
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "cli/command.h"
#include "options/value.h"
#include "tools/lock/contention-view.h"
#include "tools/lock/lock-work.h"
#include "tools/lock/opts.h"

#define ENTRIES_DEFAULT INT32_MAX
/* The separator must not be a character that occurs in a caller or a stack. */
#define USED_IN_VALUES ".:+"

struct opts {
	struct lock_opts common;
	struct lock_request rq;
	enum lock_field key;
	struct lock_columns columns;
	int64_t entries, stack_skip;
	const char *separator;
	bool threads, addrs, cgroups;
};

/* Appends the words of @list, which are separated by commas or blanks and live as long as argv. */
static void lock_contention_add_words(const char *list, const char ***items, size_t *n,
				      size_t *room)
{
	/* Each word gets its own terminating NUL in argv, which the command may modify. */
	for (char *rest = (char *)list, *word; (word = strtok_r(rest, ", ", &rest));) {
		*items = array_reserve(*items, room, *n + 1, sizeof(**items));
		(*items)[(*n)++] = word;
	}
}

static int types_set(void *field, const struct option *o, const char *value, bool negated,
		     struct diag *diag)
{
	struct lock_filters *f = field;

	(void)o;
	if (!negated)
		return lock_types_parse(&f->types, value, diag);
	lock_types_done(&f->types);
	return 0;
}

static int locks_set(void *field, const struct option *o, const char *value, bool negated,
		     struct diag *diag)
{
	struct lock_filters *f = field;

	(void)o, (void)diag;
	if (negated)
		f->locks.n = 0;
	else
		lock_contention_add_words(value, &f->locks.items, &f->locks.n, &f->locks.room);
	return 0;
}

static int callers_set(void *field, const struct option *o, const char *value, bool negated,
		       struct diag *diag)
{
	struct lock_filters *f = field;

	(void)o, (void)diag;
	if (negated)
		f->callers.n = 0;
	else
		lock_contention_add_words(value, &f->callers.items, &f->callers.n,
					  &f->callers.room);
	return 0;
}

static int separator_set(void *field, const struct option *o, const char *value, bool negated,
			 struct diag *diag)
{
	size_t at = negated ? 0 : strcspn(value, USED_IN_VALUES);

	if (!negated && value[at])
		return value_refuse(diag, o, value, at, 1, "'%c' is part of the values", value[at]);
	*(const char **)field = negated || !*value ? NULL : value;
	return 0;
}

static const struct option options[] = {
	OPT_SET(struct opts, common, lock_options),

	OPT_HEADING("What happens now, in place of a recording:"),
	OPT_FLAG('b', "use-bpf", struct opts, rq.use_bpf,
		 "count in the kernel, by a BPF program: no event is copied"),
	OPT_FLAG('a', "all-cpus", struct opts, rq.target.all_cpus,
		 "the whole system: every process on every CPU"),
	OPT_CALL('C', "cpu", struct opts, rq.target.cpus, "cpu",
		 "on these CPUs only: 0,2-3; also of a recording", .set = cpu_list_set),
	OPT_CALL('p', "pid", struct opts, rq.target.pids, "pid",
		 "these processes: 12,34; also of a recording", .set = id_list_set),
	OPT_CALL(0, "tid", struct opts, rq.target.tids, "tid",
		 "these threads: 12,34; also of a recording", .set = id_list_set),
	OPT_UINT('M', "map-nr-entries", struct opts, rq.map_entries, "n",
		 "with -b: room for so many rows, stacks and threads in the kernel"),
	OPT_STRING('J', "inject-delay", struct opts, rq.inject_delay, "time@function",
		   "with -b: whoever gets this lock spins for so long first (at most 10ms)"),

	OPT_HEADING("Rows:"),
	OPT_FLAG('t', "threads", struct opts, threads, "one for each thread that waits"),
	OPT_FLAG('l', "lock-addr", struct opts, addrs, "one for each lock"),
	OPT_FLAG('o', "lock-owner", struct opts, rq.owners,
		 "with -b: for each stack of who has the lock; with -t for each such thread"),
	OPT_FLAG(0, "lock-cgroup", struct opts, cgroups, "one for each cgroup"),
	OPT_UINT(0, "max-stack", struct opts, rq.max_stack, "n",
		 "look at so many functions of a stack (default: 8)"),
	OPT_INT(0, "stack-skip", struct opts, stack_skip, "n",
		"pass over so many functions to find the caller (default: 3)"),

	OPT_HEADING("Which waits:"),
	OPT_FLAG(0, "user", struct opts, rq.user,
		 "for locks of user space, too: futexes, by the names of their variables"),
	OPT_FLAG(0, "user-only", struct opts, rq.user_only,
		 "for locks of user space, and none of the kernel"),
	OPT_CALL('Y', "type-filter", struct opts, rq.filters, "type[,type...]",
		 "only for these types of locks: mutex,rwsem:R", .set = types_set),
	OPT_CALL('L', "lock-filter", struct opts, rq.filters, "lock[,lock...]",
		 "only for these locks, by address or symbol", .set = locks_set),
	OPT_CALL('S', "callstack-filter", struct opts, rq.filters, "name[,name...]",
		 "only with a function whose name has one of these parts", .set = callers_set),
	OPT_STRING('G', "cgroup-filter", struct opts, rq.cgroups, "cgroup[,cgroup...]",
		   "only in these cgroups"),

	OPT_HEADING("Output:"),
	OPT_CALL('k', "key", struct opts, key, "field",
		 "sort by wait_total (the default), contended, avg_wait, wait_max or wait_min",
		 .set = lock_wait_key_set, .flags = OPTION_NO_NEGATION),
	OPT_CALL('F', "field", struct opts, columns, "field[,field...]",
		 "columns: the names of --key (default: contended,wait_total,wait_max,avg_wait)",
		 .set = lock_wait_columns_set, .flags = OPTION_NO_NEGATION),
	OPT_INT('E', "entries", struct opts, entries, "n", "show so many rows (default: all)"),
	OPT_UINT('I', "interval", struct opts, rq.interval_ms, "ms",
		 "what was counted so far, every so many milliseconds"),
	OPT_CALL('x', "field-separator", struct opts, separator, "separator",
		 "CSV, with this between the values", .set = separator_set),
	OPT_END,
};

static const struct opts defaults = {
	.key = LOCK_FIELD_WAIT_TOTAL,
	.entries = ENTRIES_DEFAULT,
	.stack_skip = LOCK_STACK_SKIP,
	.rq.max_stack = LOCK_STACK_DEPTH,
};

static int lock_contention_settle_rows(struct opts *o, struct diag *diag)
{
	if (o->threads + o->addrs + o->cgroups > 1)
		return diag_set(diag, -EINVAL,
				"-t, -l and --lock-cgroup are three kinds of rows: choose one");
	o->rq.by = o->threads   ? LOCK_BY_TASK
		   : o->addrs   ? LOCK_BY_ADDR
		   : o->cgroups ? LOCK_BY_CGROUP
				: LOCK_BY_CALLER;
	if (o->rq.owners && (o->addrs || o->cgroups))
		return diag_set(diag, -EINVAL,
				"-o shows stacks of owners, or with -t threads: it goes neither "
				"with -l nor with --lock-cgroup");
	/* A filter for the types of user-space locks implies these locks. */
	o->rq.user |= lock_types_have_user(&o->rq.filters.types);
	o->rq.filters.user = o->rq.user || o->rq.user_only;
	o->rq.stack_skip = o->stack_skip > 0 ? (uint64_t)o->stack_skip : 0;
	o->rq.keep_stacks = o->common.verbose && o->rq.by == LOCK_BY_CALLER;
	return 0;
}

/* Determines whether to measure live: a command, a target to measure, or -b requests it. */
static int settle_live(struct opts *o, char **words, struct diag *diag)
{
	const struct target *t = &o->rq.target;
	bool named = t->all_cpus || t->cpus.n || t->pids.n || t->tids.n;

	o->rq.argv = words;
	o->rq.is_live = o->rq.use_bpf || (!o->common.input && (*words || named));
	if (o->rq.is_live && o->common.input)
		return diag_set(diag, -EINVAL, "-b counts what happens now: -i is for a recording");
	if (o->common.input && (*words || t->all_cpus))
		return diag_set(
			diag, -EINVAL,
			"-i is for a recording: it goes neither with -a nor with a command");
	if (o->rq.is_live && o->common.dump_raw)
		return diag_set(diag, -EINVAL, "-D dumps a recording: give it by -i");
	return 0;
}

static int settle_interval(const struct opts *o, struct diag *diag)
{
	const struct lock_request *rq = &o->rq;

	if (!rq->interval_ms)
		return 0;
	if (!rq->is_live)
		return diag_set(diag, -EINVAL,
				"-I is for what happens now: a recording has one table");
	if (o->separator)
		return diag_set(diag, -EINVAL, "-I shows tables: it cannot be used with -x");
	if (rq->filters.user && !rq->use_bpf)
		return diag_set(diag, -EINVAL,
				"-I shows locks of user space with -b: else they are known at the "
				"end");
	return 0;
}

static int settle_bpf(const struct opts *o, struct diag *diag)
{
	const char *option = o->rq.owners         ? "-o"
			     : o->rq.inject_delay ? "-J"
			     : o->rq.map_entries  ? "-M"
						  : NULL;

	if (o->rq.use_bpf || !option)
		return 0;
	diag_set(diag, -EINVAL, "%s needs -b: only the kernel can tell or do it", option);
	return -EINVAL;
}

static struct lock_columns lock_contention_columns_of(const struct opts *o)
{
	static const enum lock_field usual[] = { LOCK_FIELD_CONTENDED, LOCK_FIELD_WAIT_TOTAL,
						 LOCK_FIELD_WAIT_MAX, LOCK_FIELD_AVG_WAIT };
	struct lock_columns c = o->columns;

	for (size_t i = 0; !o->columns.n && i < ARRAY_SIZE(usual); i++)
		lock_columns_add(&c, usual[i]);
	lock_columns_add(&c, o->key);
	return c;
}

static void lock_contention_show(const struct invocation *inv, FILE *out, struct lock_contention *m,
				 const struct lock_names *names)
{
	const struct opts *o = inv->opts;
	const struct contention_view v = { .by = o->rq.by,
					   .owners = o->rq.owners,
					   .columns = lock_contention_columns_of(o),
					   .entries = o->entries > 0 ? (uint64_t)o->entries : 1,
					   .separator = o->separator,
					   .quiet = o->common.quiet,
					   .stacks = o->rq.keep_stacks,
					   .trailer = o->common.verbose,
					   .counted = o->rq.use_bpf,
					   .names = names };
	size_t n;
	const struct lock_row *rows = lock_contention_sort(m, &(struct lock_sort){ .key = o->key },
							   &n);

	contention_print(out, &v, rows, n, lock_contention_failures(m));
	if (!n && !o->rq.filters.user && !o->rq.interval_ms && !o->common.quiet)
		command_remark(inv, "Nobody waited for a lock of the kernel. Mutexes and other "
				    "locks of programs: perf lock contention -b --user");
}

static int lock_contention_run(struct invocation *inv)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct opts *o = inv->opts;
	int r = lock_contention_settle_rows(o, &diag);

	if (r >= 0)
		r = settle_live(o, inv->argv, &diag);
	if (r >= 0)
		r = settle_bpf(o, &diag);
	if (r >= 0)
		r = settle_interval(o, &diag);
	return r < 0 ? command_usage(inv, &diag)
		     : lock_command(inv, &o->common, &o->rq, lock_contention_show);
}

/*
 * True if tables are shown at intervals. They replace each other, which needs the terminal itself.
 */
static bool lock_contention_browses(const struct invocation *inv)
{
	const struct opts *o = inv->opts;

	return o->rq.interval_ms > 0;
}

static void lock_contention_done(void *opts)
{
	struct opts *o = opts;

	lock_request_done(&o->rq);
}

static const char *const usage[] = { "[<options>]", "[<options>] [--] <command>", NULL };

const struct command cmd_lock_contention = {
	.name = "lock contention",
	.summary = "show who waits for locks, and how long",
	.usage = usage,
	.options = options,
	.opts_size = sizeof(struct opts),
	.defaults = &defaults,
	.flags = COMMAND_WORKLOAD | COMMAND_PAGED,
	.browses = lock_contention_browses,
	.run = lock_contention_run,
	.done = lock_contention_done,
};
