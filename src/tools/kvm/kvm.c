/* SPDX-License-Identifier: MIT */
/* perf kvm: shows the work of virtual machines, and the reasons why their guests stop. */
#include "cli/command.h"
#include "options/input.h"
#include "tools/kvm/opts.h"

static const struct command *const subcommands[] = {
	&cmd_kvm_top,  &cmd_kvm_record,       &cmd_kvm_report,
	&cmd_kvm_diff, &cmd_kvm_buildid_list, &cmd_kvm_stat,
	NULL,
};

static const struct option options[] = {
	OPT_STRING('i', "input", struct kvm_opts, input, "file",
		   "profile to read (default: see --guest)"),
	OPT_STRING('o', "output", struct kvm_opts, output, "file",
		   "profile to write (default: see --guest)"),
	OPT_COUNT('v', "verbose", struct kvm_opts, verbose, "say more"),
	OPT_FLAG(0, "guest", struct kvm_opts, guest,
		 "about guests: perf.data.guest (default); --host --no-guest: perf.data.host"),
	OPT_FLAG(0, "host", struct kvm_opts, host,
		 "about the host; together with guests: perf.data.kvm"),
	OPT_STRING(0, "guestmount", struct kvm_opts, mount, "directory",
		   "where the root of each guest is mounted, by the guest's pid"),
	OPT_STRING(0, "guestkallsyms", struct kvm_opts, kallsyms, "file",
		   "a copy of the guest's /proc/kallsyms"),
	OPT_STRING(0, "guestmodules", struct kvm_opts, modules, "file",
		   "a copy of the guest's /proc/modules"),
	OPT_STRING(0, "guestvmlinux", struct kvm_opts, vmlinux, "file", "the guest's vmlinux"),
	OPT_FLAG(0, "guest-code", struct kvm_opts, code,
		 "the guest's code is in the hypervisor's process"),
	OPT_END,
};

static const struct kvm_opts defaults = { .guest = true };

const char *kvm_file_name(const struct kvm_opts *o)
{
	if (o->host && !o->guest)
		return "perf.data.host";
	return !o->host && o->guest ? "perf.data.guest" : "perf.data.kvm";
}

static const char *const usage[] = { "[<options>] {top|record|report|diff|buildid-list|stat}",
				     NULL };

const struct command cmd_kvm = {
	.name = "kvm",
	.summary = "profile virtual machines and count why they stop",
	.usage = usage,
	.options = options,
	.opts_size = sizeof(struct kvm_opts),
	.defaults = &defaults,
	.subcommands = subcommands,
};
