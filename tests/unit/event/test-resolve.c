/* SPDX-License-Identifier: MIT */
/*
 * Tests the properties that all kinds of events share: names, modifiers, groups, lists; and the
 * small kinds.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "machine.h"

/* The name is the typed text, without the blanks around it. */
static void an_event_is_called_what_was_typed(void **state)
{
	static const char *const texts[] = {
		"cycles",
		"cycles:u",
		"cpu-cycles:ppp",
		"cs:",
		"r1A8",
		"r003c:k",
		"1:0",
		"1:0x3:u",
		"cs/period=5/u",
		"duration_time:u",
		"mem:0x1000",
		"mem:0x1000/8:rw",
		"mem:4096:w:u",
		"software/config=3/",
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		assert_string_equal(machine_event(*state, texts[i])->name, texts[i]);
	assert_string_equal(machine_event(*state, "  cs : u ")->name, "cs : u");

	struct event **e = machine_events(*state, "{ cycles , cs:u }:k", 2);

	assert_string_equal(e[0]->name, "cycles");
	assert_string_equal(e[1]->name, "cs:u");
}

static void a_name_of_the_users_own_stands_alone(void **state)
{
	assert_string_equal(machine_event(*state, "cs/name=switches,period=5/u")->name, "switches");
	assert_string_equal(machine_event(*state, "cs/name='a, b'/")->name, "a, b");
	assert_string_equal(machine_event(*state, "cs/name=first,name=second/")->name, "first");
}

static void an_event_begins_with_the_same_defaults(void **state)
{
	const struct event *e = machine_event(*state, "cs");

	assert_true(e->attr.exclude_guest);
	assert_false(e->attr.exclude_host || e->attr.exclude_user || e->attr.exclude_kernel);
	assert_int_equal(e->attr.precise_ip, 0);
	assert_string_equal(e->unit, "");
	assert_true(e->scale == 1.0);
	assert_int_equal(e->settings.given, 0);
	assert_int_equal(e->tool, EVENT_TOOL_NONE);
	assert_null(e->filter);
	assert_null(e->pmu);
	assert_null(e->system);
}

static void modifiers_reach_the_attr(void **state)
{
	const struct event *e = machine_event(*state, "cycles:uppP");

	assert_true(e->attr.exclude_kernel && e->attr.exclude_hv && !e->attr.exclude_user);
	assert_int_equal(e->attr.precise_ip, 2);
	assert_true(e->modifiers.max_precise);
	e = machine_event(*state, "cs/period=1/k");
	assert_true(e->attr.exclude_user && !e->attr.exclude_kernel && !e->attr.exclude_guest);
}

static void a_bad_modifier_is_marked(void **state)
{
	static const struct {
		const char *text, *mark, *words;
	} cases[] = {
		{ "cs:uku", "     ^", "modifier 'u' is given twice" },
		{ "cs:pppp", "      ^", "precision goes up to ppp" },
		{ "cs/period=1/uu", "             ^", "modifier 'u' is given twice" },
		{ "faults,cs:DD", "           ^", "modifier 'D' is given twice" },
		{ "{cs,faults}:uSu", "              ^", "modifier 'u' is given twice" },
		{ "{cs,faults:pp}:pp", "                ^", "precision goes up to ppp" },
		{ "mem:0x1000:w:kk", "              ^", "modifier 'k' is given twice" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		machine_refuses(*state, cases[i].text, -EINVAL, cases[i].mark, cases[i].words);
}

static void members_of_a_group_know_their_leader(void **state)
{
	struct event **e = machine_events(*state, "faults,{cycles,cs},{migrations},dummy", 5);
	const size_t leaders[] = { 0, 1, 1, 3, 4 };

	for (size_t i = 0; i < 5; i++)
		assert_int_equal(e[i]->leader, leaders[i]);
}

static void a_groups_modifiers_are_for_each_member(void **state)
{
	struct event **e = machine_events(*state, "{cycles:u,cs}:kSD,faults", 3);

	assert_true(!e[0]->attr.exclude_user && !e[0]->attr.exclude_kernel &&
		    e[0]->attr.exclude_hv);
	assert_true(e[1]->attr.exclude_user && !e[1]->attr.exclude_kernel);
	assert_true(e[0]->modifiers.sample_read && e[1]->modifiers.sample_read);
	assert_true(e[0]->attr.pinned && !e[1]->attr.pinned);
	assert_false(e[2]->attr.exclude_user || e[2]->modifiers.sample_read || e[2]->attr.pinned);
}

static void the_leader_carries_the_groups_name(void **state)
{
	struct event **e = machine_events(*state, "memory{faults,cs},{cycles}", 3);

	assert_string_equal(e[0]->group_name, "memory");
	assert_null(e[1]->group_name);
	assert_null(e[2]->group_name);
}

static void several_options_make_one_list(void **state)
{
	struct machine *m = *state;

	machine_events(m, "faults,{cycles,cs}", 3);
	assert_int_equal(m->events.last, 0);
	assert_int_equal(machine_append(m, "{migrations,dummy}", EVENT_USE_SAMPLING), 0);
	assert_int_equal(m->events.n, 5);
	assert_int_equal(m->events.last, 3);

	const size_t leaders[] = { 0, 1, 1, 3, 3 };

	for (size_t i = 0; i < m->events.n; i++)
		assert_int_equal(m->events.items[i]->leader, leaders[i]);
	assert_string_equal(m->events.items[3]->name, "migrations");
}

static void a_failure_leaves_the_list_as_it_was(void **state)
{
	static const char *const bad[] = { "cs,nosuchevent", "cs,{cs", "{cs,faults}:uu", "cs/foo/",
					   "nosys:noname" };
	struct machine *m = *state;

	machine_events(m, "faults", 1);
	assert_int_equal(machine_append(m, "cs", EVENT_USE_SAMPLING), 0);

	struct event *first = m->events.items[0];

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		assert_true(machine_append(m, bad[i], EVENT_USE_SAMPLING) < 0);
		assert_int_equal(m->events.n, 2);
		assert_int_equal(m->events.last, 1);
		assert_ptr_equal(m->events.items[0], first);
		assert_string_equal(m->events.items[1]->name, "cs");
	}
}

static void a_list_that_is_done_may_be_used_again(void **state)
{
	struct machine *m = *state;

	machine_events(m, "{cs,faults}", 2);
	event_list_done(&m->events);
	assert_int_equal(m->events.n, 0);
	assert_null(m->events.items);
	machine_events(m, "cs", 1);
	assert_int_equal(m->events.items[0]->leader, 0);
}

static void terms_are_taken_by_every_kind_of_event(void **state)
{
	static const char *const texts[] = {
		"cpu-clock/max-stack=2/",
		"cycles/max-stack=2/",
		"LLC-loads/max-stack=2/",
		"r1a8/max-stack=2/",
		"1:0/max-stack=2/",
		"mem:0x1000/max-stack=2/",
		"sched:sched_switch/max-stack=2/",
		"software/max-stack=2/",
	};

	machine_tracepoint(*state, "sched/sched_switch", 300);
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		const struct event *e = machine_event(*state, texts[i]);

		assert_int_equal(e->settings.given, 1u << EVENT_SETTING_MAX_STACK);
		assert_int_equal(e->settings.max_stack, 2);
	}
}

static void a_config_term_replaces_the_events_own(void **state)
{
	const struct event *e = machine_event(*state, "instructions/config=3,config1=7/");

	assert_int_equal(e->attr.type, PERF_TYPE_HARDWARE);
	assert_int_equal(e->attr.config, 3);
	assert_int_equal(e->attr.config1, 7);
	assert_int_equal(machine_event(*state, "cs/r1a8/")->attr.config, 0x1a8);
}

static void a_bad_term_is_marked(void **state)
{
	static const struct {
		const char *text, *mark, *words;
	} cases[] = {
		{ "cs/foo=1/", "   ^^^", "unknown term 'foo'" },
		{ "cs/name=x,umask=1/", "          ^^^^^", "unknown term 'umask'" },
		{ "faults,cs/foo/", "          ^^^", "unknown term 'foo'" },
		{ "cs/@sink/", "   ^^^^^", "unknown term '@sink'" },
		{ "cs/period=x/", "          ^", "'period' takes a number" },
		{ "cs/name=x,time=2/", "               ^", "'time' is 0 or 1" },
		{ "cs/max-stack='70000'/", "             ^^^^^^^", "'max-stack' is at most 65535" },
		{ "cs/call-graph=foo/", "              ^^^", "call-graph is one of" },
		{ "cs/branch_type=foo/", "               ^^^", "there is no branch filter 'foo'" },
		{ "cs/name/", "   ^^^^", "'name' needs a value" },
		{ "mem:0x1000/config1=5/", "           ^^^^^^^",
		  "this kind of event has no 'config1'" },
		{ "mem:0x1000/r1a8/", "           ^^^^", "this kind of event has no 'r1a8'" },
		{ "sched:sched_switch/config=1/", "                   ^^^^^^",
		  "this kind of event has no 'config'" },
		{ "sched:sched_switch/r1a8/", "                   ^^^^",
		  "this kind of event has no 'r1a8'" },
	};

	machine_tracepoint(*state, "sched/sched_switch", 300);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		machine_refuses(*state, cases[i].text, -EINVAL, cases[i].mark, cases[i].words);
}

static void an_unknown_term_brings_the_nearest_and_all(void **state)
{
	struct machine *m = *state;

	machine_refuses(m, "cs/perid=5/", -EINVAL, "   ^^^^^", "unknown term 'perid'");
	assert_contains(m->diag.hint, "Did you mean 'period'");
	assert_contains(m->diag.hint, "Terms here: config config1");
	assert_contains(m->diag.hint, "aux-sample-size");
}

static void the_nearest_branch_filters_survive_the_marking(void **state)
{
	struct machine *m = *state;

	machine_refuses(m, "cs/branch_type=any_cal/", -EINVAL, "               ^^^^^^^",
			"there is no branch filter 'any_cal'");
	assert_contains(m->diag.hint, "Did you mean 'any_call'");
}

static void counting_refuses_terms_about_samples(void **state)
{
	struct machine *m = *state;

	assert_int_equal(machine_append(m, "cs/name=x,freq=99/", EVENT_USE_COUNTING), -EINVAL);
	assert_marked(&m->diag, "cs/name=x,freq=99/", "          ^^^^^^^",
		      "'freq' is about samples, and counting takes none");
	assert_int_equal(machine_append(m, "cs/no-inherit/", EVENT_USE_COUNTING), -EINVAL);
	assert_marked(&m->diag, "cs/no-inherit/", "   ^^^^^^^^^^", "'no-inherit' is about samples");
	assert_int_equal(machine_append(m, "cs/period=5,percore,name=x/", EVENT_USE_COUNTING), 0);
	assert_int_equal(m->events.n, 1);
}

static void counting_refuses_latencies(void **state)
{
	struct machine *m = *state;

	assert_int_equal(machine_append(m, "cs:uR", EVENT_USE_COUNTING), -EINVAL);
	assert_contains(m->diag.message, "sampled, not counted");
	assert_contains(m->diag.hint, "perf record");
	assert_int_equal(machine_append(m, "{cs,migrations}:R", EVENT_USE_COUNTING), -EINVAL);
	assert_int_equal(machine_append(m, "{cs,migrations:X}:X", EVENT_USE_COUNTING), 0);
	assert_true(machine_event(m, "cs:uR")->modifiers.latency);
}

static void a_breakpoint_has_an_address_a_length_and_an_access(void **state)
{
	static const struct {
		const char *text;
		uint64_t address, length;
		uint32_t access;
	} cases[] = {
		{ "mem:0x1000", 0x1000, 4, HW_BREAKPOINT_R | HW_BREAKPOINT_W },
		{ "mem:0x1000:r", 0x1000, 4, HW_BREAKPOINT_R },
		{ "mem:0x1000:w", 0x1000, 4, HW_BREAKPOINT_W },
		{ "mem:0x1000:wr:u", 0x1000, 4, HW_BREAKPOINT_R | HW_BREAKPOINT_W },
		{ "mem:0x1000:x", 0x1000, sizeof(long), HW_BREAKPOINT_X },
		{ "mem:0x1000:rwx", 0x1000, 4, 7 },
		{ "mem:0x1000/1:w", 0x1000, 1, HW_BREAKPOINT_W },
		{ "mem:0x1000/8:x", 0x1000, 8, HW_BREAKPOINT_X },
		{ "mem:0x1000/0", 0x1000, 4, HW_BREAKPOINT_R | HW_BREAKPOINT_W },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct event *e = machine_event(*state, cases[i].text);

		assert_int_equal(e->attr.type, PERF_TYPE_BREAKPOINT);
		assert_int_equal(e->attr.config, 0);
		assert_int_equal(e->attr.bp_addr, cases[i].address);
		assert_int_equal(e->attr.bp_len, cases[i].length);
		assert_int_equal(e->attr.bp_type, cases[i].access);
	}
}

static void four_breakpoints_fit_one_list(void **state)
{
	struct event **e = machine_events(*state, "mem:1:r,mem:2:w,mem:3/8:x,mem:4", 4);

	for (size_t i = 0; i < 4; i++)
		assert_int_equal(e[i]->attr.bp_addr, i + 1);
}

static void numbers_are_taken_as_they_are(void **state)
{
	const struct event *e = machine_event(*state, "4294967295:0xffffffffffffffff");

	assert_int_equal(e->attr.type, UINT32_MAX);
	assert_int_equal(e->attr.config, UINT64_MAX);
	assert_int_equal(machine_event(*state, "0:1")->attr.type, PERF_TYPE_HARDWARE);
	assert_int_equal(machine_event(*state, "2:17")->attr.config, 17);
}

static void bpf_sources_are_refused_with_a_sentence(void **state)
{
	static const char *const texts[] = { "./file.c/map:channel.event=evt/", "filter.o" };
	struct machine *m = *state;

	machine_refuses(m, texts[0], -EOPNOTSUPP, "^^^^^^^^", "BPF");
	machine_refuses(m, texts[1], -EOPNOTSUPP, "^^^^^^^^", "BPF");
	assert_non_null(m->diag.hint);

	const struct event *e = machine_event(m, "bpf-output/no-inherit,name=evt/");

	assert_int_equal(e->attr.config, PERF_COUNT_SW_BPF_OUTPUT);
	assert_false(e->settings.inherit);
}

static void an_unknown_event_brings_the_nearest_names(void **state)
{
	struct machine *m = *state;

	machine_refuses(m, "cs,cylces:u", -ENOENT, "   ^^^^^^", "unknown event 'cylces'");
	assert_contains(m->diag.hint, "'cycles'");
	assert_contains(m->diag.hint, "perf list");
}

static void mistakes_of_the_grammar_come_through(void **state)
{
	machine_refuses(*state, "cs,", -EINVAL, "   |", "an event is missing here");
	machine_refuses(*state, "cycles:{k,u}", -EINVAL, "       ^^^^^", "braces");
}

#define test(name) cmocka_unit_test_setup_teardown(name, machine_open, machine_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(an_event_is_called_what_was_typed),
		test(a_name_of_the_users_own_stands_alone),
		test(an_event_begins_with_the_same_defaults),
		test(modifiers_reach_the_attr),
		test(a_bad_modifier_is_marked),
		test(members_of_a_group_know_their_leader),
		test(a_groups_modifiers_are_for_each_member),
		test(the_leader_carries_the_groups_name),
		test(several_options_make_one_list),
		test(a_failure_leaves_the_list_as_it_was),
		test(a_list_that_is_done_may_be_used_again),
		test(terms_are_taken_by_every_kind_of_event),
		test(a_config_term_replaces_the_events_own),
		test(a_bad_term_is_marked),
		test(an_unknown_term_brings_the_nearest_and_all),
		test(the_nearest_branch_filters_survive_the_marking),
		test(counting_refuses_terms_about_samples),
		test(counting_refuses_latencies),
		test(a_breakpoint_has_an_address_a_length_and_an_access),
		test(four_breakpoints_fit_one_list),
		test(numbers_are_taken_as_they_are),
		test(bpf_sources_are_refused_with_a_sentence),
		test(an_unknown_event_brings_the_nearest_names),
		test(mistakes_of_the_grammar_come_through),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
