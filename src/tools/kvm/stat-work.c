/* SPDX-License-Identifier: MIT */
#include "tools/kvm/stat-work.h"

#include <errno.h>

#include "base/diag.h"
#include "base/notes.h"
#include "datafile/features.h"
#include "session/consumer.h"

struct kvm_stat_reader {
	struct kvm_stat *model;
	const struct session *session;
	bool has_entries, has_others;
};

const char *kvm_stat_tracepoint(enum kvm_stat_kind kind)
{
	static const char *const names[] = {
		[KVM_STAT_EXITS] = "kvm:kvm_exit",
		[KVM_STAT_MMIO] = "kvm:kvm_mmio",
		[KVM_STAT_IOPORT] = "kvm:kvm_pio",
		[KVM_STAT_MSR] = "kvm:kvm_msr",
	};

	return names[kind];
}

static int kvm_stat_work_begin(void *arg, struct consumer *c)
{
	struct kvm_stat_reader *r = arg;

	r->session = c->session;
	kvm_stat_bind(r->model, c->session);
	return 0;
}

static bool kvm_stat_work_wants(void *arg, const struct session_event *e)
{
	struct kvm_stat_reader *r = arg;
	enum kvm_role role = kvm_event_role(&r->model->events, e);
	bool is_wanted = kvm_stat_wants(r->model, e);

	r->has_entries |= role == KVM_ENTRY;
	r->has_others |= is_wanted && role != KVM_ENTRY &&
			 (role != KVM_EXIT || r->model->o.kind == KVM_STAT_EXITS);
	return is_wanted;
}

static int kvm_stat_work_take(void *arg, const struct sample_batch *b)
{
	struct kvm_stat_reader *r = arg;

	for (size_t i = 0; i < b->n; i++)
		kvm_stat_take(r->model, &b->items[i]);
	return 0;
}

/*
 * Fails if the kind of virtualization is unknown: without names of codes there is nothing to show.
 */
static int check_isa(const struct kvm_stat_reader *r, struct diag *diag)
{
	const struct features *f = session_features(r->session);

	if (r->model->o.kind != KVM_STAT_EXITS || r->model->events.isa || !r->model->n)
		return 0;
	diag_set(diag, -EOPNOTSUPP, "the exit codes of %s are unknown: its CPU is called '%s'",
		 session_path(r->session), f->cpu_id ? f->cpu_id : "");
	diag_hint(diag, "CPUs of Intel (VMX), AMD and Hygon (SVM), and arm64 are supported.");
	return -EOPNOTSUPP;
}

static void kvm_stat_note_missing(const struct kvm_stat_reader *r, struct notes *notes)
{
	const struct kvm_stat *m = r->model;
	bool never = m->events.isa == KVM_ISA_ARM64 && m->o.kind != KVM_STAT_EXITS;

	if (r->has_entries && r->has_others)
		return;
	notes_add(notes, NOTE_WARNING, "%s has no events %s%s", session_path(r->session),
		  r->has_entries ? kvm_stat_tracepoint(m->o.kind) : "kvm:kvm_entry",
		  r->has_entries && never ? ": they are those of x86"
					  : "; perf kvm stat record captures them");
}

int kvm_stat_read(const struct kvm_stat_request *rq, struct kvm_stat *m, struct notes *notes,
		  struct diag *diag)
{
	struct kvm_stat_reader r = { .model = m };
	const struct consumer c = { .order = CONSUMER_IN_ORDER,
				    .begin = kvm_stat_work_begin,
				    .wants = kvm_stat_work_wants,
				    .samples = kvm_stat_work_take,
				    .arg = &r };
	struct recorded recorded;
	int status;

	kvm_stat_init(m, &rq->model);
	status = recorded_open(&rq->recorded, &recorded, diag);
	if (status >= 0)
		status = recorded_feed(&recorded, &c, notes, diag);
	if (status >= 0)
		status = check_isa(&r, diag);
	if (status >= 0)
		kvm_stat_note_missing(&r, notes);
	recorded_done(&recorded);
	return status;
}
