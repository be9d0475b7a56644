/* SPDX-License-Identifier: MIT */
#include "tools/kvm/stat-view.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/cleanup.h"
#include "base/text.h"

/* The width of the first column. Names are cut to one character less. */
#define NAME_WIDTH 20

struct kind_text {
	const char *title;
	const char *reads, *writes; /* texts after an address */
	uint32_t write;             /* the info of a write */
};

static const struct kind_text kinds[] = {
	[KVM_STAT_EXITS] = { "VM-EXIT", "", "", 0 },
	[KVM_STAT_MMIO] = { "MMIO Access", "R", "W", KVM_MMIO_WRITE },
	[KVM_STAT_IOPORT] = { "IO Port Access", "PIN", "POUT", 1 },
	[KVM_STAT_MSR] = { "MSR Access", "R", "W", 1 },
};

static double kvm_stat_usec(double ns)
{
	return ns / 1e3;
}

static double kvm_stat_percent(double part, double whole)
{
	return part / whole * 100;
}

static bool is_return(const struct kvm_stat *m, uint32_t info)
{
	return m->events.isa == KVM_ISA_ARM64 && info != KVM_ARM64_TRAP;
}

void kvm_stat_add_name(struct text *t, const struct kvm_stat *m, uint64_t code, uint32_t info,
		       size_t width)
{
	const struct kind_text *kind = &kinds[m->o.kind];
	char name[64];
	const char *known = kvm_exit_name(m->events.isa, code, is_return(m, info));

	if (m->o.kind == KVM_STAT_EXITS)
		snprintf(name, sizeof(name), "%s", known ? known : "UNKNOWN");
	else
		snprintf(name, sizeof(name), "%#" PRIx64 ":%s", code,
			 info == kind->write ? kind->writes : kind->reads);
	text_addf(t, "%.*s", (int)width, name);
}

static void kvm_stat_add_heads(struct text *t, const struct kvm_stat *m)
{
	text_add(t, "\n\nAnalyze events for ");
	if (m->o.pids.n)
		text_add(t, "pid(s) ");
	else
		text_add(t, "all VMs");
	for (size_t i = 0; i < m->o.pids.n; i++)
		text_addf(t, "%s%d", i ? "," : "", m->o.pids.items[i]);
	if (m->o.vcpu == KVM_ALL_VCPUS)
		text_add(t, ", all VCPUs:\n\n");
	else
		text_addf(t, ", VCPU %" PRIu64 ":\n\n", m->o.vcpu);
	text_addf(t, "%*s %10s %9s %9s %11s %11s %16s \n\n", NAME_WIDTH, kinds[m->o.kind].title,
		  "Samples", "Samples%", "Time%", "Min Time", "Max Time", "Avg time");
}

/* Appends a line about an unknown code, which stands above the row as in Linux's perf. */
static void kvm_stat_add_unknown(struct text *t, const struct kvm_stat *m,
				 const struct kvm_stat_row *r)
{
	if (m->o.kind == KVM_STAT_EXITS &&
	    !kvm_exit_name(m->events.isa, r->code, is_return(m, r->info)))
		text_addf(t, "unknown kvm exit code:%" PRId64 " on %s\n", (int64_t)r->code,
			  kvm_isa_name(m->events.isa));
}

static void kvm_stat_add_row(struct text *t, const struct kvm_stat *m, const struct kvm_stat_row *r)
{
	_cleanup_(text_done) struct text name = TEXT_EMPTY;

	kvm_stat_add_unknown(t, m, r);
	kvm_stat_add_name(&name, m, r->code, r->info, NAME_WIDTH - 1);
	text_addf(t, "%*s %10.0f %8.2f%% %8.2f%% %9.2fus %9.2fus %9.2fus ( +-%7.2f%% )\n",
		  NAME_WIDTH, name.chars, r->times.n,
		  kvm_stat_percent(r->times.n, (double)m->n_samples),
		  kvm_stat_percent((double)r->sum_ns, (double)m->sum_ns),
		  kvm_stat_usec((double)r->min_ns), kvm_stat_usec((double)r->max_ns),
		  kvm_stat_usec((double)r->sum_ns / r->times.n), moments_noise(&r->times));
}

void kvm_stat_add_table(struct text *t, const struct kvm_stat *m, struct kvm_stat_row *const *rows,
			size_t n)
{
	kvm_stat_add_heads(t, m);
	for (size_t i = 0; i < n; i++)
		kvm_stat_add_row(t, m, rows[i]);
	text_addf(t, "\nTotal Samples:%" PRIu64 ", Total events handled time:%.2fus.\n\n",
		  m->n_samples, kvm_stat_usec((double)m->sum_ns));
}

void kvm_stat_add_span(struct text *t, const struct kvm_stat *m, const struct kvm_stat_span *s)
{
	text_addf(t, "%" PRIu64 ".%06" PRIu64 ": process %d, CPU %" PRIu64 " of the guest: ",
		  s->time / 1000000000, s->time % 1000000000 / 1000, (int)s->pid, s->vcpu);
	kvm_stat_add_name(t, m, s->code, s->info, NAME_WIDTH - 1);
	text_addf(t, " for %" PRIu64 " us\n", s->ns / 1000);
}
