/* SPDX-License-Identifier: MIT */
#include "example-kvm.h"

#include "tools/kvm/stat-model.h"

static const char *const x86_exit[KVM_FIELDS] = { "exit_reason", "isa" };
static const char *const arm_exit[KVM_FIELDS] = { "ret", "esr_ec" };
static const char *const entry[KVM_FIELDS] = { "vcpu_id" };
static const char *const access_fields[KVM_FIELDS] = {
	"type", "gpa", "rw", "port", "write", "ecx"
};
static const char *const nothing[KVM_FIELDS] = { NULL };

struct read {
	struct kvm_example e;
	struct kvm_events events;
	struct kvm_event got;
};

static void begin(struct read *r, const char *tracepoint, const char *const fields[KVM_FIELDS])
{
	kvm_example_begin(&r->e, tracepoint, fields);
	kvm_events_bind(&r->events, r->e.session);
}

static void end(struct read *r)
{
	kvm_events_done(&r->events);
	kvm_example_end(&r->e);
}

static void an_exit_of_x86_has_a_reason_and_tells_the_kind(void **state)
{
	struct read r;

	(void)state;
	begin(&r, "kvm_exit", x86_exit);
	r.events.isa = KVM_ISA_NONE;
	r.e.raw[0] = 48, r.e.raw[1] = 2;
	assert_true(kvm_event_read(&r.events, &r.e.s, &r.got));
	assert_int_equal(r.got.role, KVM_EXIT);
	assert_int_equal(r.got.code, 48);
	assert_int_equal(r.got.pid, 100);
	assert_int_equal(r.got.tid, 101);
	assert_int_equal(r.got.time, 1000);
	assert_int_equal(r.events.isa, KVM_ISA_SVM);
	end(&r);
}

static void an_exit_of_arm64_is_a_trap_or_a_return(void **state)
{
	struct read r;

	(void)state;
	begin(&r, "kvm_exit", arm_exit);
	r.events.isa = KVM_ISA_NONE;
	r.e.raw[0] = KVM_ARM64_TRAP, r.e.raw[1] = 0x24;
	assert_true(kvm_event_read(&r.events, &r.e.s, &r.got));
	assert_int_equal(r.events.isa, KVM_ISA_ARM64);
	assert_int_equal(r.got.code, 0x24);
	r.e.raw[0] = (uint64_t)-1;
	assert_true(kvm_event_read(&r.events, &r.e.s, &r.got));
	assert_int_equal(r.got.code, UINT32_MAX);
	assert_int_equal(r.got.info, UINT32_MAX);
	end(&r);
}

static void an_entry_may_name_its_virtual_cpu(void **state)
{
	struct read r;

	(void)state;
	begin(&r, "kvm_entry", entry);
	r.e.raw[0] = 7;
	assert_true(kvm_event_read(&r.events, &r.e.s, &r.got));
	assert_int_equal(r.got.vcpu, 7);
	r.e.sample.raw_size = 4;
	assert_true(kvm_event_read(&r.events, &r.e.s, &r.got));
	assert_int_equal(r.got.vcpu, 0);
	end(&r);
}

static void accesses_have_an_address_and_a_direction(void **state)
{
	static const struct {
		const char *tracepoint;
		enum kvm_role role;
		size_t info, code;
	} cases[] = {
		{ "kvm_mmio", KVM_MMIO, 0, 1 },
		{ "kvm_pio", KVM_PIO, 2, 3 },
		{ "kvm_msr", KVM_MSR, 4, 5 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct read r;

		begin(&r, cases[i].tracepoint, access_fields);
		r.e.raw[cases[i].info] = 1;
		r.e.raw[cases[i].code] = 0x70;
		assert_true(kvm_event_read(&r.events, &r.e.s, &r.got));
		assert_int_equal(r.got.role, cases[i].role);
		assert_int_equal(r.got.code, 0x70);
		assert_int_equal(r.got.info, 1);
		end(&r);
	}
}

static void records_that_are_too_short_are_left_out(void **state)
{
	static const char *const names[] = { "kvm_exit", "kvm_mmio", "kvm_pio", "kvm_msr" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct read r;

		begin(&r, names[i], i ? access_fields : x86_exit);
		r.e.sample.raw_size = 4;
		assert_false(kvm_event_read(&r.events, &r.e.s, &r.got));
		end(&r);
		begin(&r, names[i], nothing);
		assert_false(kvm_event_read(&r.events, &r.e.s, &r.got));
		end(&r);
	}
}

static void other_events_are_none_of_it(void **state)
{
	struct read r;

	(void)state;
	begin(&r, "kvm_fpu", entry);
	assert_int_equal(kvm_event_role(&r.events, r.e.s.event), KVM_NO_ROLE);
	assert_false(kvm_event_read(&r.events, &r.e.s, &r.got));
	r.e.event = (struct session_event){ .index = 99 };
	r.e.s.event = &r.e.event;
	assert_int_equal(kvm_event_role(&r.events, r.e.s.event), KVM_NO_ROLE);
	assert_false(kvm_event_read(&r.events, &r.e.s, &r.got));
	end(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_exit_of_x86_has_a_reason_and_tells_the_kind),
		cmocka_unit_test(an_exit_of_arm64_is_a_trap_or_a_return),
		cmocka_unit_test(an_entry_may_name_its_virtual_cpu),
		cmocka_unit_test(accesses_have_an_address_and_a_direction),
		cmocka_unit_test(records_that_are_too_short_are_left_out),
		cmocka_unit_test(other_events_are_none_of_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
