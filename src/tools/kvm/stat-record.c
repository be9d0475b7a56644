/* SPDX-License-Identifier: MIT */
/* perf kvm stat record: runs perf record for the tracepoints of KVM. */
#include <errno.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "cli/command.h"
#include "options/record-line.h"
#include "tools/kvm/opts.h"

/* The last three exist only on x86. */
static const struct record_event events[] = {
	{ .name = "kvm:kvm_entry" },
	{ .name = "kvm:kvm_exit" },
	{ .name = "kvm:kvm_mmio", .optional = true },
	{ .name = "kvm:kvm_pio", .optional = true },
	{ .name = "kvm:kvm_msr", .optional = true },
};

void kvm_hint_missing(struct diag *diag)
{
	diag_hint(diag,
		  "On x86 KVM is a module: modprobe kvm_intel, or kvm_amd; on Arm it is part of "
		  "the kernel. Virtual machines without nested virtualization and kernels without "
		  "CONFIG_KVM do not have it.");
}

static int kvm_stat_record_run(struct invocation *inv)
{
	static const char *const always[] = { "-R", "-m", "1024", "-c", "1" };
	_cleanup_(record_line_done) struct record_line l = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };
	int r;

	for (size_t i = 0; i < ARRAY_SIZE(always); i++)
		record_line_add(&l, always[i]);
	r = record_line_add_events(&l, inv, events, ARRAY_SIZE(events), &diag);
	if (r == -ENOENT)
		kvm_hint_missing(&diag);
	return r < 0 ? command_fail(inv, r, &diag) : record_line_run(&l, inv, "record");
}

const struct command cmd_kvm_stat_record = {
	.name = "kvm stat record",
	.summary = "record why guests stop",
	.flags = COMMAND_FORWARDS,
	.run = kvm_stat_record_run,
};
