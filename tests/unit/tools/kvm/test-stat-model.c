/* SPDX-License-Identifier: MIT */
#include "example-kvm.h"

#include "tools/kvm/stat-model.h"

/* All fields that events of x86 have, so that one event can take the role of each. */
static const char *const x86[KVM_FIELDS] = { "vcpu_id", "exit_reason", "gpa", "type",
					     "port",    "rw",          "isa" };
static const char *const arm[KVM_FIELDS] = { "ret", "esr_ec" };

struct story {
	struct kvm_example e;
	struct kvm_stat m;
	struct kvm_stat_row **rows;
	size_t n;
};

static void begin(struct story *s, const char *const fields[KVM_FIELDS],
		  const struct kvm_stat_options *o, enum kvm_isa isa)
{
	*s = (struct story){ .rows = NULL };
	kvm_example_begin(&s->e, "kvm_entry", fields);
	kvm_stat_init(&s->m, o);
	kvm_stat_bind(&s->m, s->e.session);
	s->m.events.isa = isa;
}

static void end(struct story *s)
{
	free(s->rows);
	kvm_stat_done(&s->m);
	kvm_example_end(&s->e);
}

/*
 * Delivers an event: at @time thread @tid has an event of that name, with the values of all fields.
 */
static void event(struct story *s, const char *name, uint64_t time, uint32_t tid, uint64_t a,
		  uint64_t b, uint64_t c, uint64_t d)
{
	struct session_event *e = (struct session_event *)session_event(s->e.session, 0);
	enum kvm_isa isa = s->m.events.isa;
	const uint64_t raw[KVM_FIELDS] = { a, b, c, d, c, d, 1 };

	e->tracepoint = name;
	kvm_events_done(&s->m.events);
	kvm_stat_bind(&s->m, s->e.session);
	s->m.events.isa = isa;
	memcpy(s->e.raw, raw, sizeof(raw));
	s->e.sample.tid = tid;
	s->e.s.time = time;
	if (kvm_stat_wants(&s->m, s->e.s.event))
		kvm_stat_take(&s->m, &s->e.s);
}

static void sum_up(struct story *s, enum kvm_stat_key key)
{
	free(s->rows);
	s->n = kvm_stat_rows(&s->m, key, &s->rows);
}

static const struct kvm_stat_options exits = { .vcpu = KVM_ALL_VCPUS };

static void an_exit_of_x86_takes_until_the_next_entry(void **state)
{
	struct story s;

	(void)state;
	begin(&s, x86, &exits, KVM_ISA_VMX);
	event(&s, "kvm_exit", 50, 1, 0, 12, 0, 0); /* the thread is not known yet */
	event(&s, "kvm_entry", 60, 1, 0, 0, 0, 0);
	event(&s, "kvm_exit", 100, 1, 0, 12, 0, 0);
	event(&s, "kvm_entry", 130, 1, 0, 0, 0, 0);
	event(&s, "kvm_entry", 140, 1, 0, 0, 0, 0); /* again: its exit is missing */
	event(&s, "kvm_exit", 200, 1, 0, 12, 0, 0);
	event(&s, "kvm_exit", 210, 1, 0, 48, 0, 0); /* again: its entry is missing */
	event(&s, "kvm_entry", 220, 1, 0, 0, 0, 0);
	sum_up(&s, KVM_BY_SUM);
	assert_int_equal(s.n, 2);
	assert_int_equal(s.rows[0]->code, 12);
	assert_int_equal(s.rows[0]->sum_ns, 30);
	assert_int_equal(s.rows[1]->code, 48);
	assert_int_equal(s.rows[1]->sum_ns, 10);
	assert_int_equal(s.m.n_samples, 2);
	assert_int_equal(s.m.sum_ns, 40);
	end(&s);
}

static void an_exit_of_arm64_ends_what_its_entry_began(void **state)
{
	struct story s;

	(void)state;
	begin(&s, arm, &exits, KVM_ISA_ARM64);
	event(&s, "kvm_exit", 50, 1, 2, 1, 0, 0);
	event(&s, "kvm_entry", 100, 1, 0, 0, 0, 0);
	event(&s, "kvm_exit", 110, 1, 2, 1, 0, 0); /* WFx */
	event(&s, "kvm_entry", 120, 1, 0, 0, 0, 0);
	event(&s, "kvm_exit", 140, 1, 1, 0x24, 0, 0); /* an SError */
	event(&s, "kvm_exit", 150, 1, 1, 0x24, 0, 0);
	sum_up(&s, KVM_BY_MAX);
	assert_int_equal(s.n, 2);
	assert_int_equal(s.rows[0]->code, 1);
	assert_int_equal(s.rows[0]->info, 1);
	assert_int_equal(s.rows[0]->max_ns, 20);
	assert_int_equal(s.rows[1]->info, KVM_ARM64_TRAP);
	assert_int_equal(s.rows[1]->min_ns, 10);
	end(&s);
}

static void a_read_ends_with_its_data_and_a_write_with_the_entry(void **state)
{
	const struct kvm_stat_options o = { .kind = KVM_STAT_MMIO, .vcpu = KVM_ALL_VCPUS };
	struct story s;

	(void)state;
	begin(&s, x86, &o, KVM_ISA_VMX);
	event(&s, "kvm_entry", 10, 1, 0, 0, 0, 0);
	event(&s, "kvm_exit", 100, 1, 0, 48, 0, 0);
	event(&s, "kvm_mmio", 104, 1, 0, 0, 0xfee0, 0); /* no data yet */
	event(&s, "kvm_mmio", 105, 1, 0, 0, 0xfee0, KVM_MMIO_READ);
	event(&s, "kvm_entry", 120, 1, 0, 0, 0, 0);
	event(&s, "kvm_exit", 200, 1, 0, 48, 0, 0);
	event(&s, "kvm_mmio", 205, 1, 0, 0, 0xfee0, KVM_MMIO_WRITE);
	event(&s, "kvm_entry", 220, 1, 0, 0, 0, 0);
	sum_up(&s, KVM_BY_MEAN);
	assert_int_equal(s.n, 2);
	assert_int_equal(s.rows[0]->info, KVM_MMIO_WRITE);
	assert_int_equal(s.rows[0]->sum_ns, 15);
	assert_int_equal(s.rows[1]->info, KVM_MMIO_READ);
	assert_int_equal(s.rows[1]->sum_ns, 5);
	end(&s);
}

static void a_port_is_busy_until_the_entry(void **state)
{
	const struct kvm_stat_options o = { .kind = KVM_STAT_IOPORT, .vcpu = KVM_ALL_VCPUS };
	struct story s;

	(void)state;
	begin(&s, x86, &o, KVM_ISA_VMX);
	event(&s, "kvm_entry", 10, 1, 0, 0, 0, 0);
	event(&s, "kvm_pio", 100, 1, 0, 0, 0x70, 1);
	event(&s, "kvm_entry", 120, 1, 0, 0, 0, 0);
	event(&s, "kvm_pio", 130, 1, 0, 0, 0x71, 1); /* does not end */
	sum_up(&s, KVM_BY_MIN);
	assert_int_equal(s.n, 1);
	assert_int_equal(s.rows[0]->code, 0x70);
	assert_int_equal(s.rows[0]->min_ns, 20);
	end(&s);
}

static void other_processes_and_virtual_cpus_are_left_out(void **state)
{
	int pids[] = { 100 };
	const struct kvm_stat_options o = { .vcpu = 1, .pids = { .items = pids, .n = 1 } };
	struct story s;

	(void)state;
	begin(&s, x86, &o, KVM_ISA_VMX);
	for (uint32_t tid = 1; tid <= 2; tid++) {
		event(&s, "kvm_entry", 10, tid, tid - 1, 0, 0, 0);
		event(&s, "kvm_exit", 20, tid, 0, 12, 0, 0);
		event(&s, "kvm_entry", 20 + tid, tid, tid - 1, 0, 0, 0);
	}
	s.e.sample.pid = 101;
	event(&s, "kvm_entry", 30, 3, 1, 0, 0, 0);
	event(&s, "kvm_exit", 40, 3, 0, 12, 0, 0);
	event(&s, "kvm_entry", 50, 3, 1, 0, 0, 0);
	assert_int_equal(s.m.n_samples, 1);
	assert_int_equal(s.m.sum_ns, 2);
	end(&s);
}

static void time_that_goes_back_is_no_time(void **state)
{
	struct story s;

	(void)state;
	begin(&s, x86, &exits, KVM_ISA_VMX);
	event(&s, "kvm_entry", 10, 1, 0, 0, 0, 0);
	event(&s, "kvm_exit", 20, 1, 0, 12, 0, 0);
	event(&s, "kvm_entry", 15, 1, 0, 0, 0, 0);
	assert_int_equal(s.m.n_samples, 0);
	end(&s);
}

/* The order is that of Linux's perf: 4096 lists by code, each with the newest first. */
static void equal_rows_have_a_fixed_order(void **state)
{
	static const uint64_t codes[] = { 5, 4096 + 3, 3, 0 }, order[] = { 0, 3, 4096 + 3, 5 };
	struct story s;
	uint64_t time = 0;

	(void)state;
	begin(&s, x86, &exits, KVM_ISA_VMX);
	event(&s, "kvm_entry", ++time, 1, 0, 0, 0, 0);
	for (size_t i = 0; i < ARRAY_SIZE(codes); i++) {
		event(&s, "kvm_exit", ++time, 1, 0, codes[i], 0, 0);
		event(&s, "kvm_entry", ++time, 1, 0, 0, 0, 0);
	}
	sum_up(&s, KVM_BY_SAMPLES);
	assert_int_equal(s.n, ARRAY_SIZE(order));
	for (size_t i = 0; i < ARRAY_SIZE(order); i++)
		assert_int_equal(s.rows[i]->code, order[i]);
	end(&s);
}

static void spans_are_told(void *arg, const struct kvm_stat *m, const struct kvm_stat_span *span)
{
	(void)m;
	*(struct kvm_stat_span *)arg = *span;
}

static void many_rows_are_found_again_and_can_be_cleared(void **state)
{
	struct kvm_stat_span last = { 0 };
	const struct kvm_stat_options o = { .vcpu = KVM_ALL_VCPUS,
					    .ended = spans_are_told,
					    .arg = &last };
	struct story s;
	uint64_t time = 0;

	(void)state;
	begin(&s, x86, &o, KVM_ISA_VMX);
	event(&s, "kvm_entry", ++time, 1, 4, 0, 0, 0);
	for (uint64_t i = 0; i < 600; i++) {
		event(&s, "kvm_exit", ++time, 1, 0, i % 300, 0, 0);
		event(&s, "kvm_entry", ++time, 1, 4, 0, 0, 0);
	}
	sum_up(&s, KVM_BY_SAMPLES);
	assert_int_equal(s.n, 300);
	assert_int_equal(s.rows[299]->sum_ns, 2);
	assert_int_equal(last.code, 299);
	assert_int_equal(last.vcpu, 4);
	assert_int_equal(last.ns, 1);
	kvm_stat_clear(&s.m);
	sum_up(&s, KVM_BY_SAMPLES);
	assert_int_equal(s.n, 0);
	assert_int_equal(s.m.n_samples, 0);
	end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_exit_of_x86_takes_until_the_next_entry),
		cmocka_unit_test(an_exit_of_arm64_ends_what_its_entry_began),
		cmocka_unit_test(a_read_ends_with_its_data_and_a_write_with_the_entry),
		cmocka_unit_test(a_port_is_busy_until_the_entry),
		cmocka_unit_test(other_processes_and_virtual_cpus_are_left_out),
		cmocka_unit_test(time_that_goes_back_is_no_time),
		cmocka_unit_test(equal_rows_have_a_fixed_order),
		cmocka_unit_test(many_rows_are_found_again_and_can_be_cleared),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
