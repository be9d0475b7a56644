/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "kernel/pmu.h"
#include "machine.h"

static void formats_put_values_into_their_bits(void **state)
{
	static const struct {
		const char *text;
		uint64_t config, config1;
	} cases[] = {
		{ "cpu/event=0x0e,umask=0x01,inv,cmask=0x01/", 0x0180010e, 0 },
		{ "cpu/event=0x3c/u", 0x3c, 0 },
		{ "cpu/event=0xcd,ldlat=65535/", 0xcd, 65535 },
		{ "cpu/event/", 1, 0 },
		{ "cpu/inv=0/", 0, 0 },
		{ "cpu//", 0, 0 },
		{ "cpu/r1a8/", 0x1a8, 0 },
		{ "cpu/config=0x1234,config1=7/", 0x1234, 7 },
		{ "cpu/umask=1,config=0x3c/", 0x13c, 0 },
	};

	machine_add_cpu(*state);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct event *e = machine_event(*state, cases[i].text);

		assert_int_equal(e->attr.type, 4);
		assert_int_equal(e->attr.config, cases[i].config);
		assert_int_equal(e->attr.config1, cases[i].config1);
		assert_string_equal(e->pmu->name, "cpu");
		assert_string_equal(e->name, cases[i].text);
	}
}

static void a_format_may_be_in_pieces_and_in_any_word(void **state)
{
	machine_device(*state, "amd/type", "30\n");
	machine_device(*state, "amd/format/event", "config:0-7,32-35\n");
	machine_device(*state, "amd/format/two", "config2:4-7\n");
	machine_device(*state, "amd/format/three", "config3:0-63\n");

	const struct event *e = machine_event(*state,
					      "amd/event=0x176,two=9,three=0xffffffffffffffff/");

	assert_int_equal(e->attr.config, 0x100000076);
	assert_int_equal(e->attr.config2, 0x90);
	assert_int_equal(e->attr.config3, UINT64_MAX);
}

/* Users' scripts depend on this. */
static void values_of_one_format_are_ored(void **state)
{
	machine_add_cpu(*state);
	assert_int_equal(machine_event(*state, "cpu/event=0x3c,event=0xc0/")->attr.config, 0xfc);
	assert_int_equal(machine_event(*state, "cpu/mem-loads,ldlat=30/")->attr.config1, 31);
	assert_int_equal(machine_event(*state, "cpu/ldlat=30,mem-loads/P")->attr.config1, 31);
}

static void a_bad_format_term_is_marked(void **state)
{
	static const struct {
		const char *text, *mark, *words;
	} cases[] = {
		{ "cpu/event=0x100/", "          ^^^^^", "'event' goes up to 255 on pmu 'cpu'" },
		{ "cpu/event=1,inv=2/", "                ^", "'inv' goes up to 1 on pmu 'cpu'" },
		{ "cpu/event=x/", "          ^", "'event' takes a number" },
		{ "cpu/event=0x10000000000000000/", "          ^^^^^^^^^^^^^^^^^^^",
		  "does not fit 64 bits" },
		{ "cpu/foo/", "    ^^^", "unknown term 'foo' for pmu 'cpu'" },
		{ "cs,cpu/event=1,foo=2/", "               ^^^",
		  "unknown term 'foo' for pmu 'cpu'" },
		{ "cpu/mem-loads=2/", "    ^^^^^^^^^", "unknown term 'mem-loads' for pmu 'cpu'" },
		{ "cpu/time=2/", "         ^", "'time' is 0 or 1" },
	};

	machine_add_cpu(*state);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		machine_refuses(*state, cases[i].text, -EINVAL, cases[i].mark, cases[i].words);
}

static void an_unknown_term_brings_the_pmus_own(void **state)
{
	struct machine *m = *state;

	machine_add_cpu(m);
	machine_refuses(m, "cpu/umsk=1/", -EINVAL, "    ^^^^", "unknown term 'umsk'");
	assert_contains(m->diag.hint, "Did you mean 'umask'");
	assert_contains(m->diag.hint, "Terms here: cmask event inv ldlat umask config");
	machine_refuses(m, "cpu/mem-lods/", -EINVAL, "    ^^^^^^^^", "unknown term 'mem-lods'");
	assert_contains(m->diag.hint, "'mem-loads'");
}

static void counting_refuses_terms_about_samples_here_too(void **state)
{
	struct machine *m = *state;

	machine_add_cpu(m);
	assert_int_equal(machine_append(m, "cpu/event=1,freq=9/", EVENT_USE_COUNTING), -EINVAL);
	assert_marked(&m->diag, "cpu/event=1,freq=9/", "            ^^^^^^",
		      "'freq' is about samples");
	assert_int_equal(machine_append(m, "cpu/event=1,@x,name=y/", EVENT_USE_COUNTING), 0);
	assert_string_equal(m->events.items[0]->settings.driver_config, "x");
}

static void an_alias_stands_for_its_terms(void **state)
{
	machine_add_cpu(*state);

	const char *const texts[] = { "cpu/mem-loads/", "cpu/mem-loads=1/", "cpu/MEM-Loads/pp",
				      "mem-loads",      "MEM-LOADS:pp",     "mem-loads/name=x/" };

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		const struct event *e = machine_event(*state, texts[i]);

		assert_int_equal(e->attr.type, 4);
		assert_int_equal(e->attr.config, 0x1cd);
		assert_int_equal(e->attr.config1, 3);
		assert_string_equal(e->pmu->name, "cpu");
	}
	assert_string_equal(machine_event(*state, "mem-loads:pp")->name, "mem-loads:pp");
}

static void an_alias_brings_its_unit_and_scale(void **state)
{
	machine_device(*state, "power/type", "19\n");
	machine_device(*state, "power/format/event", "config:0-7\n");
	machine_device(*state, "power/events/energy-pkg", "event=0x02\n");
	machine_device(*state, "power/events/energy-pkg.unit", "Joules\n");
	machine_device(*state, "power/events/energy-pkg.scale", "0.5\n");
	machine_device(*state, "power/events/energy-pkg.snapshot", "1\n");
	machine_device(*state, "power/events/energy-pkg.per-pkg", "1\n");

	const char *const texts[] = { "power/energy-pkg/", "energy-pkg", "energy-pkg:u" };

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		const struct event *e = machine_event(*state, texts[i]);

		assert_int_equal(e->attr.type, 19);
		assert_int_equal(e->attr.config, 2);
		assert_string_equal(e->unit, "Joules");
		assert_true(e->scale == 0.5);
		assert_true(e->snapshot && e->per_package);
	}
	assert_string_equal(machine_event(*state, "power/event=2/")->unit, "");
}

static void general_terms_may_stand_in_an_alias(void **state)
{
	machine_device(*state, "pmu/type", "30\n");
	machine_device(*state, "pmu/format/event", "config:0-7\n");
	machine_device(*state, "pmu/events/often", "event=1,period=5000\n");
	assert_int_equal(machine_event(*state, "pmu/often/")->settings.period, 5000);
	assert_int_equal(machine_event(*state, "often")->settings.period, 5000);
	assert_int_equal(machine_event(*state, "pmu/period=7,often/")->settings.period, 7);
}

static void an_alias_that_looks_like_a_raw_code_is_an_alias(void **state)
{
	machine_device(*state, "ddr/type", "30\n");
	machine_device(*state, "ddr/format/event", "config:0-7\n");
	machine_device(*state, "ddr/events/read", "event=0x2a\n");
	assert_int_equal(machine_event(*state, "ddr/read/")->attr.config, 0x2a);
	assert_int_equal(machine_event(*state, "ddr/rea/")->attr.config, 0xea);
}

static void a_format_comes_before_an_alias_of_its_name(void **state)
{
	machine_device(*state, "pmu/type", "30\n");
	machine_device(*state, "pmu/format/edge", "config:18\n");
	machine_device(*state, "pmu/format/event", "config:0-7\n");
	machine_device(*state, "pmu/events/edge", "event=9\n");
	assert_int_equal(machine_event(*state, "pmu/edge/")->attr.config, 1 << 18);
	assert_int_equal(machine_event(*state, "edge")->attr.config, 9);
}

static void two_aliases_are_two_events(void **state)
{
	machine_add_cpu(*state);
	machine_refuses(*state, "cpu/mem-loads,mem-stores/", -EINVAL, "              ^^^^^^^^^^",
			"'mem-loads' and 'mem-stores' are two events");
}

/* PARAMETERIZED EVENTS in perf-list(1) */
static void parameters_are_the_users_to_give(void **state)
{
	static const struct {
		const char *text, *mark;
	} bad[] = {
		{ "hv/dispatch/", "   ^^^^^^^^" },
		{ "hv/dispatch,core=?/", "                 ^" },
		{ "dispatch", "^^^^^^^^" },
	};
	struct machine *m = *state;

	machine_device(m, "hv/type", "30\n");
	machine_device(m, "hv/format/offset", "config:0-31\n");
	machine_device(m, "hv/format/core", "config:32-47\n");
	machine_device(m, "hv/events/dispatch", "offset=0x80,core=?\n");
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		machine_refuses(m, bad[i].text, -EINVAL, bad[i].mark, "needs a value for 'core'");
	assert_int_equal(machine_event(m, "hv/dispatch,core=2/")->attr.config, 0x200000080);
	assert_int_equal(machine_event(m, "hv/core=2,dispatch/")->attr.config, 0x200000080);
	assert_int_equal(machine_event(m, "dispatch/core=2/")->attr.config, 0x200000080);
}

/* The user did not type the mistake: the alias is marked, not a place in the text. */
static void an_alias_that_makes_no_sense_is_marked_itself(void **state)
{
	static const struct {
		const char *text, *mark, *words;
	} cases[] = {
		{ "power/garbled/", "      ^^^^^^^",
		  "the kernel defines this event as 'event=1,,'" },
		{ "power/strange/", "      ^^^^^^^", "unknown term 'nosuch'" },
		{ "power/big/", "      ^^^", "'event' goes up to 255" },
		{ "power/word/", "      ^^^^", "'event' takes a number" },
		{ "power/timely/", "      ^^^^^^", "'time' is 0 or 1" },
		{ "big", "^^^", "'event' goes up to 255" },
		{ "timely", "^^^^^^", "'time' is 0 or 1" },
	};

	machine_device(*state, "power/type", "30\n");
	machine_device(*state, "power/format/event", "config:0-7\n");
	machine_device(*state, "power/events/garbled", "event=1,,\n");
	machine_device(*state, "power/events/strange", "nosuch=12345\n");
	machine_device(*state, "power/events/big", "event=0x12345\n");
	machine_device(*state, "power/events/word", "event=something\n");
	machine_device(*state, "power/events/timely", "time=2\n");
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		machine_refuses(*state, cases[i].text, -EINVAL, cases[i].mark, cases[i].words);
}

static void add_uncore(struct machine *m)
{
	machine_device(m, "uncore_imc_0/type", "14\n");
	machine_device(m, "uncore_imc_0/format/event", "config:0-7\n");
	machine_device(m, "uncore_imc_0/events/cas_count_read", "event=0x04\n");
	machine_device(m, "uncore_imc_0/events/cas_count_read.unit", "MiB\n");
	machine_device(m, "uncore_imc_1/type", "15\n");
	machine_device(m, "uncore_imc_1/format/event", "config:0-7\n");
	machine_device(m, "uncore_imc_1/events/cas_count_read", "event=0x04\n");
	machine_device(m, "uncore_cha/type", "16\n");
	machine_device(m, "uncore_cha/format/event", "config:0-7\n");
	machine_device(m, "uncore_cha/format/umask", "config:8-15\n");
}

static void a_name_without_its_number_is_every_instance(void **state)
{
	static const char *const texts[] = {
		"uncore_imc/cas_count_read/u", "imc/event=4/u",      "*imc*/cas_count_read/u",
		"uncore_imc_?/event=4/u",      "imc_[01]/event=4/u", "cas_count_read:u"
	};

	add_uncore(*state);
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		struct event **e = machine_events(*state, texts[i], 2);

		for (size_t j = 0; j < 2; j++) {
			assert_int_equal(e[j]->attr.type, 14 + j);
			assert_int_equal(e[j]->attr.config, 4);
			assert_true(e[j]->attr.exclude_kernel);
			assert_string_equal(e[j]->name, texts[i]);
			assert_int_equal(e[j]->leader, j);
		}
	}
}

static void of_several_instances_some_may_be_wanted(void **state)
{
	struct machine *m = *state;

	add_uncore(m);
	assert_int_equal(machine_event(m, "uncore_imc_0/event=4/")->attr.type, 14);
	event_env_limit_units(m->env, "uncore_imc_1");
	assert_int_equal(machine_event(m, "uncore_imc/cas_count_read/")->attr.type, 15);
	assert_int_equal(machine_event(m, "cas_count_read")->attr.type, 15);
	/* A PMU that is named is the one that is meant. */
	assert_int_equal(machine_event(m, "uncore_imc_0/event=4/")->attr.type, 14);
}

static void one_instance_may_be_named_without_uncore(void **state)
{
	add_uncore(*state);
	assert_int_equal(machine_event(*state, "imc_1/event=4/")->attr.type, 15);
	assert_int_equal(machine_event(*state, "cha/event=4/")->attr.type, 16);
	assert_int_equal(machine_event(*state, "uncore_imc_0/event=4/")->attr.type, 14);
	assert_string_equal(machine_event(*state, "imc_0/cas_count_read/")->unit, "MiB");
}

static void pmus_that_cannot_count_it_are_passed_over(void **state)
{
	add_uncore(*state);
	assert_int_equal(machine_event(*state, "uncore*/event=1,umask=2/")->attr.type, 16);
	assert_int_equal(machine_events(*state, "uncore*/cas_count_read/", 2)[1]->attr.type, 15);
	assert_int_equal(machine_events(*state, "uncore*/event=1/", 3)[0]->attr.type, 16);
}

static void if_none_can_count_it_that_is_said(void **state)
{
	add_uncore(*state);
	machine_refuses(*state, "imc/nosuch=1/", -EINVAL, "    ^^^^^^", "unknown term 'nosuch'");
}

static void a_pmu_that_is_not_there_is_marked(void **state)
{
	struct machine *m = *state;

	machine_add_cpu(m);
	add_uncore(m);
	machine_refuses(m, "cs,cpv/event=1/", -ENOENT, "   ^^^", "this machine has no PMU 'cpv'");
	assert_contains(m->diag.hint, "Did you mean 'cpu'");
	assert_contains(m->diag.hint, "perf list pmu");
	machine_refuses(m, "im/event=1/", -ENOENT, "^^", "this machine has no PMU 'im'");
	machine_refuses(m, "CPU/event=1/", -ENOENT, "^^^", "this machine has no PMU 'CPU'");
	machine_refuses(m, "x*/event=1/", -ENOENT, "^^", "this machine has no PMU 'x*'");
}

static void a_directory_without_a_type_is_no_pmu(void **state)
{
	machine_device(*state, "half/format/event", "config:0-7\n");
	machine_device(*state, "half/events/e", "event=1\n");
	machine_refuses(*state, "half/event=1/", -ENOENT, "^^^^", "this machine has no PMU 'half'");
	machine_refuses(*state, "e", -ENOENT, "^", "unknown event 'e'");
}

static void a_cores_pmu_takes_generic_names(void **state)
{
	machine_add_cpu(*state);

	const struct event *e = machine_event(*state, "cpu/instructions/u");

	assert_int_equal(e->attr.type, PERF_TYPE_HARDWARE);
	assert_int_equal(e->attr.config, 1);
	e = machine_event(*state, "cpu/LLC-load-misses/");
	assert_int_equal(e->attr.type, PERF_TYPE_HW_CACHE);
	assert_int_equal(e->attr.config, 0x10002);
	/* The PMU's own definition is preferred. */
	e = machine_event(*state, "cpu/cpu-cycles/");
	assert_int_equal(e->attr.type, 4);
	assert_int_equal(e->attr.config, 0x3c);
	machine_refuses(*state, "cpu/cs/", -EINVAL, "    ^^", "unknown term 'cs'");
	machine_refuses(*state, "cpu/instructions=1/", -EINVAL, "    ^^^^^^^^^^^^",
			"unknown term 'instructions'");
}

static void a_generic_name_is_an_event_like_an_alias(void **state)
{
	machine_add_cpu(*state);
	machine_refuses(*state, "cpu/instructions,mem-loads/", -EINVAL,
			"                 ^^^^^^^^^",
			"'instructions' and 'mem-loads' are two events");
	machine_refuses(*state, "cpu/mem-loads,LLC-loads/", -EINVAL, "              ^^^^^^^^^",
			"'mem-loads' and 'LLC-loads' are two events");
	machine_refuses(*state, "cpu/cycles,instructions/", -EINVAL, "           ^^^^^^^^^^^^",
			"'cycles' and 'instructions' are two events");
}

static void a_generic_name_takes_general_terms_alone(void **state)
{
	machine_add_cpu(*state);

	const struct event *e = machine_event(*state, "cpu/period=7,instructions,name=x/");

	assert_int_equal(e->attr.type, PERF_TYPE_HARDWARE);
	assert_int_equal(e->attr.config, 1);
	assert_int_equal(e->settings.period, 7);
	assert_string_equal(e->name, "x");
	machine_refuses(*state, "cpu/umask=1,instructions/", -EINVAL, "    ^^^^^",
			"unknown term 'umask'");
	machine_refuses(*state, "cpu/instructions,inv/", -EINVAL, "                 ^^^",
			"unknown term 'inv'");
}

static void other_pmus_do_not(void **state)
{
	add_uncore(*state);
	machine_refuses(*state, "cha/cycles/", -EINVAL, "    ^^^^^^", "unknown term 'cycles'");
}

static void one_kind_of_cores_may_be_named(void **state)
{
	machine_add_hybrid(*state);

	const struct event *e = machine_event(*state, "cpu_core/cycles/u");

	assert_int_equal(e->attr.type, PERF_TYPE_HARDWARE);
	assert_int_equal(e->attr.config, (uint64_t)4 << 32);
	assert_string_equal(e->name, "cpu_core/cycles/u");
	e = machine_event(*state, "cpu_atom/LLC-loads/");
	assert_int_equal(e->attr.type, PERF_TYPE_HW_CACHE);
	assert_int_equal(e->attr.config, (uint64_t)10 << 32 | 2);
	e = machine_event(*state, "cpu_atom/r1a8/");
	assert_int_equal(e->attr.type, 10);
	assert_int_equal(e->attr.config, 0x1a8);
	e = machine_event(*state, "cpu_core/event=0x3c/");
	assert_int_equal(e->attr.type, 4);
	assert_int_equal(e->attr.config, 0x3c);
	assert_int_equal(machine_events(*state, "cpu_*/event=0x3c/", 2)[0]->attr.type, 10);
	/* An alias of one kind of cores is not valid for the other. */
	machine_refuses(*state, "cpu_atom/slots/", -EINVAL, "         ^^^^^",
			"unknown term 'slots'");
}

static void an_alias_is_opened_on_every_kind_that_has_it(void **state)
{
	machine_add_hybrid(*state);

	struct event **e = machine_events(*state, "mem-stores:P", 2);

	assert_int_equal(e[0]->attr.type, 10);
	assert_int_equal(e[0]->attr.config, 0x6d0);
	assert_string_equal(e[0]->name, "cpu_atom/mem-stores/P");
	assert_int_equal(e[1]->attr.type, 4);
	assert_int_equal(e[1]->attr.config, 0x82d0);
	assert_string_equal(e[1]->name, "cpu_core/mem-stores/P");
	assert_string_equal(machine_event(*state, "slots")->name, "cpu_core/slots/");
}

#define test(name) cmocka_unit_test_setup_teardown(name, machine_open, machine_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(formats_put_values_into_their_bits),
		test(a_format_may_be_in_pieces_and_in_any_word),
		test(values_of_one_format_are_ored),
		test(a_bad_format_term_is_marked),
		test(an_unknown_term_brings_the_pmus_own),
		test(counting_refuses_terms_about_samples_here_too),
		test(an_alias_stands_for_its_terms),
		test(an_alias_brings_its_unit_and_scale),
		test(general_terms_may_stand_in_an_alias),
		test(an_alias_that_looks_like_a_raw_code_is_an_alias),
		test(a_format_comes_before_an_alias_of_its_name),
		test(two_aliases_are_two_events),
		test(parameters_are_the_users_to_give),
		test(an_alias_that_makes_no_sense_is_marked_itself),
		test(a_name_without_its_number_is_every_instance),
		test(of_several_instances_some_may_be_wanted),
		test(one_instance_may_be_named_without_uncore),
		test(pmus_that_cannot_count_it_are_passed_over),
		test(if_none_can_count_it_that_is_said),
		test(a_pmu_that_is_not_there_is_marked),
		test(a_directory_without_a_type_is_no_pmu),
		test(a_cores_pmu_takes_generic_names),
		test(a_generic_name_is_an_event_like_an_alias),
		test(a_generic_name_takes_general_terms_alone),
		test(other_pmus_do_not),
		test(one_kind_of_cores_may_be_named),
		test(an_alias_is_opened_on_every_kind_that_has_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
