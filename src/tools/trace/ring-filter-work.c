/* SPDX-License-Identifier: MIT */
#include "tools/trace/ring-filter-work.h"

#include "arch/arch.h"
#include "base/cleanup.h"
#include "base/id-list.h"
#include "base/text.h"
#include "tools/trace/select-work.h"

/* perf_event_set_filter() of the kernel takes a page; its smallest has 4096 bytes. */
#define FILTER_CHARS 4000

static void add_pids(struct text *t, const struct id_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		text_addf(t, "%scommon_pid != %d", t->length ? " && " : "", l->items[i]);
}

char *trace_pid_filter(const struct id_list *left_out)
{
	struct text t = TEXT_EMPTY;

	add_pids(&t, left_out);
	return t.length && t.length < FILTER_CHARS ? text_take(&t) : NULL;
}

/* Lists the calls that are wanted or, if these are more, those that are not. */
static void trace_ring_filter_add_ids(struct text *t, uint64_t *const wanted[SYSCALL_N_ABIS],
				      unsigned abi)
{
	unsigned n = syscall_count(abi), n_wanted = 0;
	bool negated, first = true;

	for (unsigned nr = 0; nr < n; nr++)
		n_wanted += trace_set_has(wanted, abi, (int32_t)nr);
	negated = n_wanted > n / 2;
	text_add(t, t->length ? " && (" : "(");
	for (unsigned nr = 0; nr < n; nr++) {
		if (trace_set_has(wanted, abi, (int32_t)nr) == negated)
			continue;
		text_addf(t, "%sid %s %u",
			  first     ? ""
			  : negated ? " && "
				    : " || ",
			  negated ? "!=" : "==", nr);
		first = false;
	}
	text_add(t, first ? "id >= 0)" : ")");
}

char *trace_ring_filter(const struct trace_selection *s, const struct id_list *left_out)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	add_pids(&t, left_out);
	if (s->names_calls)
		trace_ring_filter_add_ids(&t, s->wanted,
					  syscall_abi_of(arch_host()->elf_machine, false));
	return t.length && t.length < FILTER_CHARS ? text_take(&t) : trace_pid_filter(left_out);
}
