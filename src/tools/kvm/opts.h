/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Common parts of the subcommands of `perf kvm`: its own options, which stand in front of the
 * subcommand.
 */
#include <stdbool.h>
#include <stddef.h>

#include "cli/option.h"
#include "tools/kvm/stat-model.h"

struct command;
struct diag;
struct invocation;
struct record_line;

struct kvm_opts {
	const char *input, *output;
	bool host, guest;
	const char *mount, *kallsyms, *modules, *vmlinux;
	bool code;
	unsigned verbose;
};

/* The subcommands, each in a file of its own. */
extern const struct command cmd_kvm_top;
extern const struct command cmd_kvm_record;
extern const struct command cmd_kvm_report;
extern const struct command cmd_kvm_diff;
extern const struct command cmd_kvm_buildid_list;
extern const struct command cmd_kvm_stat;
extern const struct command cmd_kvm_stat_live;
extern const struct command cmd_kvm_stat_record;
extern const struct command cmd_kvm_stat_report;

/* Returns the recording of this run, unless -i or -o names one: perf.data.guest, .host or .kvm. */
const char *kvm_file_name(const struct kvm_opts *o);

/*
 * Runs the command @name with the words of @l, then those of @inv, and with the options of `perf
 * kvm` about guests.
 */
int kvm_run_command(struct invocation *inv, const char *name, struct record_line *l);

/* Adds to @diag the reason why the kernel may lack tracepoints of KVM. */
void kvm_hint_missing(struct diag *diag);

/* The events that `stat report` and `stat live` count, and the order of their rows. */
struct kvm_stat_opts {
	enum kvm_stat_kind kind;
	enum kvm_stat_key key;
	uint64_t vcpu;
	struct id_list pids;
};
#define KVM_STAT_OPTS_DEFAULT                                                                      \
	{                                                                                          \
		.vcpu = KVM_ALL_VCPUS                                                              \
	}

/* The options over a struct kvm_stat_opts. */
extern const struct option kvm_stat_options[];
