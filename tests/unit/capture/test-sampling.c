/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "arch/arch.h"
#include "base/cleanup.h"
#include "base/diag.h"
#include "capture/sampling.h"
#include "event/env.h"
#include "event/event.h"
#include "wire/abi.h"

#define IP         PERF_SAMPLE_IP
#define TID        PERF_SAMPLE_TID
#define TIME       PERF_SAMPLE_TIME
#define CPU        PERF_SAMPLE_CPU
#define PERIOD     PERF_SAMPLE_PERIOD
#define CHAIN      PERF_SAMPLE_CALLCHAIN
#define RAW        PERF_SAMPLE_RAW
#define REGS_USER  PERF_SAMPLE_REGS_USER
#define ID         PERF_SAMPLE_ID
#define IDENTIFIER PERF_SAMPLE_IDENTIFIER
#define READ       PERF_SAMPLE_READ

/* Events that are ready to be opened. */
struct opened {
	struct event_env *env;
	struct event_list l;
};

static void done(struct opened *o)
{
	event_list_done(&o->l);
	event_env_free(o->env);
}

static const struct sampling usual = {
	.arch = &arch_x86_64,
	.command = true,
	.inherit = true,
	.freq = SAMPLING_FREQ_DEFAULT,
};

static struct opened apply(const char *text, const struct sampling *s)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct opened o = { .env = event_env_new("/nowhere", "/nowhere") };
	int r = text ? event_list_parse(&o.l, text, o.env, EVENT_USE_SAMPLING, &diag)
		     : sampling_add_default(&o.l, o.env, &diag);

	assert_int_equal(r, 0);
	assert_int_equal(sampling_apply(s, &o.l, o.env, &diag), 0);
	return o;
}

static const struct attr *attr(const struct opened *o, size_t i)
{
	assert_true(i < o->l.n);
	return &o->l.items[i]->attr;
}

static void assert_type(const struct opened *o, size_t i, uint64_t expected)
{
	assert_int_equal(attr(o, i)->sample_type, expected);
}

static void a_command_is_sampled_4000_times_a_second(void **state)
{
	(void)state;
	_cleanup_(done) struct opened o = apply(NULL, &usual);
	const struct attr *a = attr(&o, 0);

	assert_int_equal(o.l.n, 1);
	assert_type(&o, 0, IP | TID | TIME | PERIOD);
	assert_int_equal(a->freq, 1);
	assert_int_equal(a->sample_freq, 4000);
	assert_int_equal(a->precise_ip, 3);
	assert_int_equal(a->disabled, 1);
	assert_int_equal(a->enable_on_exec, 1);
	assert_int_equal(a->inherit, 1);
	assert_int_equal(a->mmap2 && a->comm_exec && a->task && a->ksymbol && a->bpf_event, 1);
	assert_int_equal(a->read_format, PERF_FORMAT_ID | PERF_FORMAT_LOST);
}

static void cpus_have_a_dummy_for_the_side_band(void **state)
{
	(void)state;
	struct sampling s = usual;

	s.system = true;
	s.command = false;
	_cleanup_(done) struct opened o = apply("cpu-clock", &s);

	assert_int_equal(o.l.n, 2);
	assert_int_equal(attr(&o, 1)->config, PERF_COUNT_SW_DUMMY);
	assert_int_equal(attr(&o, 0)->mmap, 0);
	assert_int_equal(attr(&o, 1)->mmap, 1);
	assert_int_equal(attr(&o, 0)->disabled, 1);
	assert_int_equal(attr(&o, 1)->disabled, 0);
	assert_int_equal(attr(&o, 1)->sample_period, 1);
	/* The samples have different layouts, because only one event is by frequency. */
	assert_type(&o, 0, IP | TID | TIME | CPU | PERIOD | IDENTIFIER);
	assert_type(&o, 1, IP | TID | TIME | CPU | IDENTIFIER);
	assert_string_equal(o.l.items[1]->name, "dummy:HG");
}

static void a_dummy_that_was_typed_first_does_for_it(void **state)
{
	(void)state;
	struct sampling s = usual;

	s.system = true;
	s.command = false;
	_cleanup_(done) struct opened o = apply("dummy,cs", &s);

	assert_int_equal(o.l.n, 2);
	assert_int_equal(attr(&o, 0)->mmap, 1);
	assert_int_equal(attr(&o, 0)->disabled, 0);
}

static void events_alike_are_told_apart_by_id(void **state)
{
	(void)state;
	_cleanup_(done) struct opened o = apply("cpu-clock,cs", &usual);

	assert_type(&o, 0, IP | TID | TIME | PERIOD | ID);
	assert_type(&o, 1, IP | TID | TIME | PERIOD | ID);
	assert_int_equal(attr(&o, 1)->mmap, 0);
}

static void what_is_counted_one_by_one_is_taken_every_time(void **state)
{
	(void)state;
	_cleanup_(done) struct opened o = apply("bpf-output,mem:0x1000:w", &usual);

	assert_int_equal(attr(&o, 0)->sample_period, 1);
	assert_int_equal(attr(&o, 0)->freq, 0);
	assert_type(&o, 0, IP | TID | TIME | CPU | PERIOD | RAW | IDENTIFIER);
	assert_int_equal(attr(&o, 1)->sample_period, 1);
	assert_type(&o, 1, IP | TID | TIME | IDENTIFIER);
}

static void a_frequency_that_was_asked_for_is_for_all(void **state)
{
	(void)state;
	struct sampling s = usual;

	s.freq = 99;
	s.freq_given = true;
	_cleanup_(done) struct opened o = apply("bpf-output", &s);

	assert_int_equal(attr(&o, 0)->freq, 1);
	assert_int_equal(attr(&o, 0)->sample_freq, 99);
}

static void a_period_needs_no_field(void **state)
{
	(void)state;
	struct sampling s = usual;

	s.period = 1000;
	_cleanup_(done) struct opened o = apply("cs", &s);

	assert_int_equal(attr(&o, 0)->sample_period, 1000);
	assert_int_equal(attr(&o, 0)->freq, 0);
	assert_type(&o, 0, IP | TID | TIME);
}

static void an_events_own_terms_win(void **state)
{
	(void)state;
	struct sampling s = usual;

	s.freq = 99;
	s.freq_given = true;
	_cleanup_(done) struct opened o = apply("cs/period=7,time=0,no-inherit/", &s);

	assert_int_equal(attr(&o, 0)->sample_period, 7);
	assert_int_equal(attr(&o, 0)->freq, 0);
	assert_int_equal(attr(&o, 0)->inherit, 0);
	assert_type(&o, 0, IP | TID);
}

static void counting_only_takes_no_samples(void **state)
{
	(void)state;
	struct sampling s = usual;

	s.rq.sample.no_samples = true;
	_cleanup_(done) struct opened o = apply("cs", &s);

	assert_int_equal(attr(&o, 0)->sample_freq, 0);
	assert_int_equal(attr(&o, 0)->freq, 1);
}

static void stacks_by_frame_pointers_need_the_link_register(void **state)
{
	(void)state;
	struct sampling s = usual;

	s.rq.callgraph.choice.mode = CALLGRAPH_FP;
	s.rq.callgraph.choice.depth = 10;
	_cleanup_(done) struct opened x86 = apply("cs", &s);

	assert_type(&x86, 0, IP | TID | TIME | PERIOD | CHAIN);
	assert_int_equal(attr(&x86, 0)->sample_max_stack, 10);
	s.arch = &arch_aarch64;
	_cleanup_(done) struct opened arm = apply("cs", &s);

	assert_type(&arm, 0, IP | TID | TIME | PERIOD | CHAIN | REGS_USER);
	assert_int_equal(attr(&arm, 0)->sample_regs_user, 1ULL << 30);
}

static void dwarf_copies_registers_and_stack(void **state)
{
	(void)state;
	struct sampling s = usual;

	s.rq.callgraph.choice.mode = CALLGRAPH_DWARF;
	s.rq.callgraph.choice.stack_bytes = 4096;
	s.all_user_regs = 0xff0fff;
	_cleanup_(done) struct opened o = apply("cs", &s);

	assert_type(&o, 0,
		    IP | TID | TIME | PERIOD | CHAIN | REGS_USER | PERF_SAMPLE_STACK_USER |
			    PERF_SAMPLE_ADDR | PERF_SAMPLE_DATA_SRC);
	assert_int_equal(attr(&o, 0)->sample_stack_user, 4096);
	assert_int_equal(attr(&o, 0)->sample_regs_user, 0xff0fff);
	assert_int_equal(attr(&o, 0)->exclude_callchain_user, 1);
	assert_int_equal(attr(&o, 0)->mmap_data, 1);
}

static void an_event_may_have_stacks_of_its_own(void **state)
{
	(void)state;
	struct sampling s = usual;

	s.rq.callgraph.choice.mode = CALLGRAPH_DWARF;
	s.rq.callgraph.choice.stack_bytes = 4096;
	_cleanup_(done) struct opened o = apply("cs/call-graph=no/,faults/max-stack=5/", &s);

	assert_false(attr(&o, 0)->sample_type & CHAIN);
	assert_true(attr(&o, 1)->sample_type & CHAIN);
	assert_false(attr(&o, 1)->sample_type & PERF_SAMPLE_STACK_USER);
	assert_int_equal(attr(&o, 1)->sample_max_stack, 5);
}

static void lbr_stacks_are_branch_records(void **state)
{
	(void)state;
	struct sampling s = usual;

	s.rq.callgraph.choice.mode = CALLGRAPH_LBR;
	_cleanup_(done) struct opened o = apply("cycles,cycles:k", &s);

	assert_true(attr(&o, 0)->branch_sample_type & PERF_SAMPLE_BRANCH_CALL_STACK);
	assert_false(attr(&o, 1)->sample_type & PERF_SAMPLE_BRANCH_STACK);
}

static void a_group_that_is_read_samples_its_leader(void **state)
{
	(void)state;
	_cleanup_(done) struct opened o = apply("{cpu-clock,cs/period=100/,faults}:S", &usual);

	assert_type(&o, 0, IP | TID | TIME | READ | ID | PERIOD);
	for (size_t i = 1; i < 3; i++) {
		assert_type(&o, i, attr(&o, 0)->sample_type);
		assert_int_equal(attr(&o, i)->freq, 0);
		assert_int_equal(attr(&o, i)->inherit, 1);
		assert_int_equal(attr(&o, i)->disabled, 0);
		assert_true(attr(&o, i)->read_format & PERF_FORMAT_GROUP);
	}
	assert_int_equal(attr(&o, 1)->sample_period, 100);
	assert_int_equal(attr(&o, 2)->sample_period, 0);
}

static void groups_of_cpus_are_not_those_of_tasks(void **state)
{
	(void)state;
	struct sampling s = usual;

	s.system = true;
	_cleanup_(done) struct opened o = apply("{cpu-clock,cs}:S", &s);

	assert_int_equal(attr(&o, 0)->inherit, 0);
	assert_int_equal(attr(&o, 1)->inherit, 0);
}

static void late_events_leave_the_start_to_a_dummy(void **state)
{
	(void)state;
	struct sampling s = usual;

	s.delayed = true;
	_cleanup_(done) struct opened o = apply("cs", &s);

	assert_int_equal(attr(&o, 0)->disabled, 1);
	assert_int_equal(attr(&o, 0)->enable_on_exec, 0);
	assert_int_equal(attr(&o, 1)->enable_on_exec, 1);
}

static void threads_by_themselves_need_no_time(void **state)
{
	(void)state;
	struct sampling s = usual;

	s.per_thread = true;
	s.inherit = false;
	_cleanup_(done) struct opened o = apply("cs", &s);

	assert_type(&o, 0, IP | TID | PERIOD);
	s.rq.sample.timestamp = CHOICE_YES;
	_cleanup_(done) struct opened timed = apply("cs", &s);

	assert_type(&timed, 0, IP | TID | TIME | PERIOD);
}

static void the_side_band_is_what_was_asked_for(void **state)
{
	(void)state;
	struct sampling s = usual;

	s.rq.sideband = (struct sideband_request){ .namespaces = true,
						   .all_cgroups = true,
						   .switch_events = CHOICE_YES,
						   .no_bpf_event = true };
	s.build_ids = true;
	_cleanup_(done) struct opened o = apply("cs", &s);
	const struct attr *a = attr(&o, 0);

	assert_int_equal(a->namespaces && a->cgroup && a->context_switch && a->build_id, 1);
	assert_int_equal(a->bpf_event, 0);
	assert_true(a->sample_type & PERF_SAMPLE_CGROUP);
}

static void what_samples_carry_is_a_set_of_fields(void **state)
{
	(void)state;
	struct sampling s = usual;

	s.rq.sample.raw = s.rq.sample.data_addr = true;
	_cleanup_(done) struct opened o = apply("cs", &s);

	assert_type(&o, 0,
		    IP | TID | TIME | PERIOD | CPU | RAW | PERF_SAMPLE_ADDR | PERF_SAMPLE_DATA_SRC);
	assert_int_equal(attr(&o, 0)->mmap_data, 1);
}

static void an_event_with_latencies_has_weights(void **state)
{
	(void)state;
	_cleanup_(done) struct opened o = apply("cs:R,migrations:X", &usual);

	assert_true(attr(&o, 0)->sample_type & PERF_SAMPLE_WEIGHT_STRUCT);
	assert_false(attr(&o, 1)->sample_type & (PERF_SAMPLE_WEIGHT_STRUCT | PERF_SAMPLE_WEIGHT));
}

static void what_an_access_was_can_be_had_without_its_address(void **state)
{
	(void)state;
	struct sampling s = usual;

	s.rq.sample.memory_info = s.rq.sample.data_maps = CHOICE_YES;
	_cleanup_(done) struct opened o = apply("cs", &s);

	assert_type(&o, 0, IP | TID | TIME | PERIOD | PERF_SAMPLE_DATA_SRC);
	assert_int_equal(attr(&o, 0)->mmap_data, 1);
}

static void an_address_can_be_had_without_what_comes_with_it(void **state)
{
	(void)state;
	struct sampling s = usual;

	s.rq.sample.data_addr = true;
	s.rq.sample.memory_info = s.rq.sample.data_maps = CHOICE_NO;
	_cleanup_(done) struct opened o = apply("cs", &s);

	assert_type(&o, 0, IP | TID | TIME | PERIOD | PERF_SAMPLE_ADDR);
	assert_int_equal(attr(&o, 0)->mmap_data, 0);
}

static void modes_clocks_and_buffers_are_for_all(void **state)
{
	(void)state;
	struct sampling s = usual;

	s.rq.all_user = s.no_buffering = s.overwrite = true;
	s.rq.sample.clock = (struct clock_choice){ true, 1 };
	_cleanup_(done) struct opened o = apply("cs", &s);
	const struct attr *a = attr(&o, 0);

	assert_int_equal(a->exclude_kernel, 1);
	assert_int_equal(a->exclude_hv, 0);
	assert_int_equal(a->use_clockid, 1);
	assert_int_equal(a->clockid, 1);
	assert_int_equal(a->wakeup_events, 1);
	assert_int_equal(a->write_backward, 1);
}

static void an_event_nobody_typed_is_called_by_its_attr(void **state)
{
	(void)state;
	struct event e = { .attr = { .type = PERF_TYPE_SOFTWARE, .exclude_guest = 1 } };

	sampling_name(&e);
	assert_string_equal(e.name, "cpu-clock");
	e.attr.precise_ip = 3;
	sampling_name(&e);
	assert_string_equal(e.name, "cpu-clock:pppH");
	e.attr.exclude_kernel = 1;
	sampling_name(&e);
	assert_string_equal(e.name, "cpu-clock:uhpppH");
	e.attr.exclude_guest = 0;
	sampling_name(&e);
	assert_string_equal(e.name, "cpu-clock:uhppp");
	e.attr = (struct attr){ .type = PERF_TYPE_HARDWARE };
	sampling_name(&e);
	assert_string_equal(e.name, "cycles:HG");
	free(e.name);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_command_is_sampled_4000_times_a_second),
		cmocka_unit_test(cpus_have_a_dummy_for_the_side_band),
		cmocka_unit_test(a_dummy_that_was_typed_first_does_for_it),
		cmocka_unit_test(events_alike_are_told_apart_by_id),
		cmocka_unit_test(what_is_counted_one_by_one_is_taken_every_time),
		cmocka_unit_test(a_frequency_that_was_asked_for_is_for_all),
		cmocka_unit_test(a_period_needs_no_field),
		cmocka_unit_test(an_events_own_terms_win),
		cmocka_unit_test(counting_only_takes_no_samples),
		cmocka_unit_test(stacks_by_frame_pointers_need_the_link_register),
		cmocka_unit_test(dwarf_copies_registers_and_stack),
		cmocka_unit_test(an_event_may_have_stacks_of_its_own),
		cmocka_unit_test(lbr_stacks_are_branch_records),
		cmocka_unit_test(a_group_that_is_read_samples_its_leader),
		cmocka_unit_test(groups_of_cpus_are_not_those_of_tasks),
		cmocka_unit_test(late_events_leave_the_start_to_a_dummy),
		cmocka_unit_test(threads_by_themselves_need_no_time),
		cmocka_unit_test(the_side_band_is_what_was_asked_for),
		cmocka_unit_test(what_samples_carry_is_a_set_of_fields),
		cmocka_unit_test(an_event_with_latencies_has_weights),
		cmocka_unit_test(what_an_access_was_can_be_had_without_its_address),
		cmocka_unit_test(an_address_can_be_had_without_what_comes_with_it),
		cmocka_unit_test(modes_clocks_and_buffers_are_for_all),
		cmocka_unit_test(an_event_nobody_typed_is_called_by_its_attr),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
