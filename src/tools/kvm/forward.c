/* SPDX-License-Identifier: MIT */
/*
 * perf kvm record, report, top, diff, buildid-list: run the commands of these names for guests.
 * They only add file names and the options about guests that stand in front of the subcommand.
 */
#include <string.h>

#include "base/cleanup.h"
#include "cli/command.h"
#include "options/record-line.h"
#include "tools/kvm/opts.h"

int kvm_run_command(struct invocation *inv, const char *name, struct record_line *l)
{
	const struct kvm_opts *o = inv->opts;
	const struct guest_settings guests = { .host = o->host,
					       .guest = o->guest || !o->host,
					       .mount = o->mount,
					       .kallsyms = o->kallsyms,
					       .modules = o->modules,
					       .vmlinux = o->vmlinux,
					       .code = o->code };
	struct command named = *command_other(inv, name);
	struct settings s = *inv->settings;

	named.name = inv->command->name;
	s.guests = &guests;
	for (unsigned i = 0; i < o->verbose; i++)
		record_line_add(l, "-v");
	for (char **word = inv->argv; *word; word++)
		record_line_add(l, *word);
	record_line_add(l, NULL);
	return command_run(&named, l->items, &s);
}

static int run_record(struct invocation *inv)
{
	const struct kvm_opts *o = inv->opts;
	_cleanup_(record_line_done) struct record_line l = { 0 };

	record_line_add(&l, "-o");
	record_line_add(&l, o->output ? o->output : kvm_file_name(o));
	return kvm_run_command(inv, "record", &l);
}

static int run_reader(struct invocation *inv, const char *name)
{
	const struct kvm_opts *o = inv->opts;
	_cleanup_(record_line_done) struct record_line l = { 0 };

	record_line_add(&l, "-i");
	record_line_add(&l, o->input ? o->input : kvm_file_name(o));
	return kvm_run_command(inv, name, &l);
}

static int run_report(struct invocation *inv)
{
	return run_reader(inv, "report");
}

static int run_buildid_list(struct invocation *inv)
{
	return run_reader(inv, "buildid-list");
}

static int run_top(struct invocation *inv)
{
	_cleanup_(record_line_done) struct record_line l = { 0 };

	return kvm_run_command(inv, "top", &l);
}

/* True if a file is named. Options of perf diff have their values after a '='. */
static bool kvm_forward_names_file(char *const *words)
{
	for (; *words; words++)
		if (**words != '-')
			return true;
	return false;
}

static int run_diff(struct invocation *inv)
{
	_cleanup_(record_line_done) struct record_line l = { 0 };

	if (!kvm_forward_names_file(inv->argv)) {
		record_line_add(&l, "perf.data.host");
		record_line_add(&l, "perf.data.guest");
	}
	return kvm_run_command(inv, "diff", &l);
}

#define FORWARD(id, word, text)                                                                    \
	const struct command cmd_kvm_##id = {                                                      \
		.name = "kvm " word, .summary = text, .flags = COMMAND_FORWARDS, .run = run_##id   \
	}

FORWARD(top, "top", "perf top of guests");
FORWARD(record, "record", "perf record of guests, into perf.data.guest");
FORWARD(report, "report", "perf report of what kvm record has recorded");
FORWARD(diff, "diff", "perf diff of perf.data.host and perf.data.guest");
FORWARD(buildid_list, "buildid-list", "perf buildid-list of what kvm record has recorded");
