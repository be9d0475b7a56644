/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes perf kvm stat with events of KVM in any order: rows add up to the totals. Each event is
 * five bytes: role, thread, code, info and the time since the one before, which may go back.
 */
#include <stdint.h>
#include <stdlib.h>

#include "tools/kvm/stat-model.h"
#include "base/cleanup.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define EVENT_BYTES 5

static struct kvm_event event_at(const uint8_t *data, uint64_t time)
{
	return (struct kvm_event){ .role = (enum kvm_role)(KVM_ENTRY + data[0] % 5),
				   .time = time,
				   .pid = data[1] & 1,
				   .tid = data[1],
				   .code = data[2],
				   .info = data[3] % 4,
				   .vcpu = data[1] % 3 };
}

static void check_rows(const struct kvm_stat *m, enum kvm_stat_key key)
{
	_cleanup_(freep) struct kvm_stat_row **rows = NULL;
	size_t n = kvm_stat_rows(m, key, &rows);
	uint64_t samples = 0, sum = 0;

	for (size_t i = 0; i < n; i++) {
		samples += (uint64_t)rows[i]->times.n;
		sum += rows[i]->sum_ns;
		if (rows[i]->min_ns > rows[i]->max_ns)
			abort();
	}
	if (samples != m->n_samples || sum != m->sum_ns)
		abort();
}

static void check(const uint8_t *data, size_t size, enum kvm_stat_kind kind, enum kvm_isa isa)
{
	_cleanup_(kvm_stat_done) struct kvm_stat m = { 0 };
	const struct kvm_stat_options o = { .kind = kind, .vcpu = size & 1 ? 1 : KVM_ALL_VCPUS };
	uint64_t time = 1000;

	kvm_stat_init(&m, &o);
	m.events.isa = isa;
	for (size_t i = 0; i + EVENT_BYTES <= size; i += EVENT_BYTES) {
		struct kvm_event e = event_at(data + i, time);

		time = time + data[i + 4] - 8;
		kvm_stat_take_event(&m, &e);
	}
	for (int key = KVM_BY_SAMPLES; key <= KVM_BY_MIN; key++)
		check_rows(&m, (enum kvm_stat_key)key);
	kvm_stat_clear(&m);
	check_rows(&m, KVM_BY_SAMPLES);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	for (int kind = KVM_STAT_EXITS; kind <= KVM_STAT_MSR; kind++)
		check(data, size, (enum kvm_stat_kind)kind, KVM_ISA_VMX);
	check(data, size, KVM_STAT_EXITS, KVM_ISA_ARM64);
	return 0;
}
