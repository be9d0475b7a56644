/* SPDX-License-Identifier: MIT */
/* perf kvm stat: shows exits of guests, recorded or live. With other words it runs perf stat. */
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "cli/command.h"
#include "options/record-line.h"
#include "options/value.h"
#include "tools/kvm/opts.h"

struct kvm_stat_word {
	const char *name;
	int value;
};

static const struct kvm_stat_word kinds[] = {
	{ "vmexit", KVM_STAT_EXITS },
	{ "mmio", KVM_STAT_MMIO },
	{ "ioport", KVM_STAT_IOPORT },
	{ "msr", KVM_STAT_MSR },
};

/* The sort keys. A share sorts like the value of which it is a share. */
static const struct kvm_stat_word keys[] = {
	{ "sample", KVM_BY_SAMPLES }, { "percent_sample", KVM_BY_SAMPLES },
	{ "time", KVM_BY_MEAN },      { "percent_time", KVM_BY_SUM },
	{ "max_t", KVM_BY_MAX },      { "min_t", KVM_BY_MIN },
	{ "mean_t", KVM_BY_MEAN },
};

static int kvm_stat_find_word(const struct kvm_stat_word *words, size_t n, const char *value,
			      int *ret)
{
	for (size_t i = 0; i < n; i++) {
		if (strcmp(words[i].name, value) != 0)
			continue;
		*ret = words[i].value;
		return 0;
	}
	return -1;
}

static int kind_set(void *field, const struct option *o, const char *value, bool negated,
		    struct diag *diag)
{
	int kind;

	(void)negated;
	if (kvm_stat_find_word(kinds, ARRAY_SIZE(kinds), value, &kind) < 0)
		return value_refuse(diag, o, value, 0, strlen(value),
				    "'%s' is not one of vmexit, mmio, ioport and msr", value);
	*(enum kvm_stat_kind *)field = (enum kvm_stat_kind)kind;
	return 0;
}

static int key_set(void *field, const struct option *o, const char *value, bool negated,
		   struct diag *diag)
{
	int key;

	(void)negated;
	if (kvm_stat_find_word(keys, ARRAY_SIZE(keys), value, &key) < 0)
		return value_refuse(
			diag, o, value, 0, strlen(value),
			"'%s' is not one of sample, percent_sample, time, percent_time, "
			"max_t, min_t and mean_t",
			value);
	*(enum kvm_stat_key *)field = (enum kvm_stat_key)key;
	return 0;
}

const struct option kvm_stat_options[] = {
	OPT_CALL(0, "event", struct kvm_stat_opts, kind, "event",
		 "what is counted: vmexit (default); of x86 also mmio, ioport, msr",
		 .set = kind_set, .flags = OPTION_NO_NEGATION),
	OPT_UINT(0, "vcpu", struct kvm_stat_opts, vcpu, "n", "only this virtual CPU",
		 .flags = OPTION_NO_NEGATION),
	OPT_CALL('k', "key", struct kvm_stat_opts, key, "key",
		 "order: sample (default), time (the mean), percent_time, max_t, min_t, mean_t",
		 .set = key_set, .flags = OPTION_NO_NEGATION),
	OPT_CALL('p', "pid", struct kvm_stat_opts, pids, "pid[,pid...]",
		 "only virtual machines that are these processes", .set = id_list_set),
	OPT_END,
};

static const struct command *const subcommands[] = { &cmd_kvm_stat_record, &cmd_kvm_stat_report,
						     &cmd_kvm_stat_live, NULL };

static bool kvm_stat_is_word(const char *typed, const struct command *c)
{
	const char *name = strrchr(c->name, ' ') + 1;

	/* `rec` and `rep` are the shortest that Linux's perf takes. */
	return strlen(typed) > 2 && !strncmp(name, typed, strlen(typed));
}

/* Adds the words after `stat`. The options in front of it become words of the subcommand. */
static void kvm_stat_add_file(struct record_line *l, const struct kvm_opts *o,
			      const struct command *sub)
{
	bool is_record = sub == &cmd_kvm_stat_record;
	const char *named = is_record ? o->output : o->input;

	if (sub == &cmd_kvm_stat_live)
		return;
	record_line_add(l, is_record ? "-o" : "-i");
	record_line_add(l, named ? named : kvm_file_name(o));
	for (unsigned i = 0; i < o->verbose && is_record; i++)
		record_line_add(l, "-v");
}

static int run_sub(struct invocation *inv, const struct command *sub)
{
	_cleanup_(record_line_done) struct record_line l = { 0 };

	kvm_stat_add_file(&l, inv->opts, sub);
	for (char **word = inv->argv + 1; *word; word++)
		record_line_add(&l, *word);
	inv->argc = (int)l.n;
	record_line_add(&l, NULL);
	if (!(sub->flags & COMMAND_FORWARDS))
		return command_run(sub, l.items, inv->settings);
	inv->command = sub;
	inv->argv = l.items;
	return sub->run(inv);
}

static int kvm_stat_run(struct invocation *inv)
{
	_cleanup_(record_line_done) struct record_line l = { 0 };

	for (const struct command *const *c = subcommands; *c && inv->argc; c++)
		if (kvm_stat_is_word(inv->argv[0], *c))
			return run_sub(inv, *c);
	return kvm_run_command(inv, "stat", &l);
}

static const char *const usage[] = { "{record|report|live} [<options>]",
				     "[<options of perf stat>] [<command>]", NULL };

const struct command cmd_kvm_stat = {
	.name = "kvm stat",
	.summary = "count why guests stop, and for how long",
	.usage = usage,
	.flags = COMMAND_FORWARDS,
	.subcommands = subcommands,
	.run = kvm_stat_run,
};
