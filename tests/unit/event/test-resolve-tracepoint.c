/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>
#include <unistd.h>

#include "base/name-list.h"
#include "machine.h"

static void add_tracepoints(struct machine *m)
{
	machine_tracepoint(m, "sched/sched_switch", 300);
	machine_tracepoint(m, "sched/sched_wakeup", 301);
	machine_tracepoint(m, "sched/sched_wakeup_new", 302);
	machine_tracepoint(m, "syscalls/sys_enter_read", 400);
	machine_tracepoint(m, "syscalls/sys_enter_readv", 401);
	machine_tracepoint(m, "probe/p", 500);
	fake_file(m->root, "tracing/events/enable", "0\n");
	fake_file(m->root, "tracing/events/sched/enable", "0\n");
}

/* True if @name is among the events, with this id. */
static bool has(const struct machine *m, const char *name, uint64_t id)
{
	for (size_t i = 0; i < m->events.n; i++)
		if (!strcmp(m->events.items[i]->name, name))
			return m->events.items[i]->attr.config == id;
	return false;
}

static void a_tracepoint_has_the_kernels_id(void **state)
{
	add_tracepoints(*state);

	const struct event *e = machine_event(*state, "sched:sched_switch");

	assert_int_equal(e->attr.type, PERF_TYPE_TRACEPOINT);
	assert_int_equal(e->attr.config, 300);
	assert_string_equal(e->system, "sched");
	assert_string_equal(e->tracepoint, "sched_switch");
	assert_true(e->attr.exclude_guest);
}

static void a_tracepoint_is_called_by_its_full_name_alone(void **state)
{
	static const char *const texts[] = { "sched:sched_switch:u", "sched:sched_switch/nr=1/k",
					     "%sched:sched_switch", "s*d:sched_swi*:u" };

	add_tracepoints(*state);
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		assert_string_equal(machine_event(*state, texts[i])->name, "sched:sched_switch");
	assert_string_equal(machine_event(*state, "sched:sched_switch/name=x/")->name, "x");
}

static void a_name_of_modifiers_alone_needs_more_to_be_one(void **state)
{
	add_tracepoints(*state);
	assert_int_equal(machine_event(*state, "probe:p:u")->attr.config, 500);
	assert_int_equal(machine_event(*state, "probe:p//")->attr.config, 500);
	machine_refuses(*state, "probe:p", -ENOENT, "^^^^^", "unknown event 'probe'");
}

static void globs_select_among_what_there_is(void **state)
{
	static const struct {
		const char *text;
		size_t n;
	} cases[] = {
		{ "sched:*", 3 },
		{ "sched:sched_wakeup*", 2 },
		{ "sched:sched_wakeup?new", 1 },
		{ "s*:*", 5 },
		{ "*:*", 6 },
		{ "s????:*", 3 },
		{ "*:sched_switch", 1 },
		{ "s*:sched_switch", 1 },
		{ "sched:sched_[sw]*", 3 },
		{ "sys*:sys_enter_read*", 2 },
	};
	struct machine *m = *state;

	add_tracepoints(m);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		machine_events(m, cases[i].text, cases[i].n);

	machine_events(m, "sched:sched_wakeup*", 2);
	assert_true(has(m, "sched:sched_wakeup", 301));
	assert_true(has(m, "sched:sched_wakeup_new", 302));
}

/* Not sorted: a group's leader is the first one, as in Linux's perf. */
static void matches_come_in_the_order_of_the_directory(void **state)
{
	struct machine *m = *state;
	_cleanup_(freep) char *sched = xasprintf("%s/tracing/events/sched", (char *)m->root);
	_cleanup_(name_list_done) struct name_list names = { 0 };

	add_tracepoints(m);
	assert_int_equal(name_list_read(AT_FDCWD, sched, true, &names), 0);
	assert_int_equal(names.n, 3);

	struct event **e = machine_events(m, "sched:*", names.n);

	for (size_t i = 0; i < names.n; i++)
		assert_string_equal(e[i]->tracepoint, names.items[i]);
}

static void modifiers_and_terms_are_for_every_match(void **state)
{
	add_tracepoints(*state);

	struct event **e = machine_events(*state, "sched:*/call-graph=fp/k", 3);

	for (size_t i = 0; i < 3; i++) {
		assert_true(e[i]->attr.exclude_user);
		assert_string_equal(e[i]->settings.call_graph, "fp");
		assert_int_equal(e[i]->leader, i);
	}
}

static void a_glob_in_braces_is_a_group(void **state)
{
	add_tracepoints(*state);

	struct event **e = machine_events(*state, "cs,{sched:*,faults}:S", 5);

	assert_int_equal(e[0]->leader, 0);
	for (size_t i = 1; i < 5; i++) {
		assert_int_equal(e[i]->leader, 1);
		assert_true(e[i]->modifiers.sample_read);
	}
}

static void tracepoints_that_do_not_exist_are_marked(void **state)
{
	static const struct {
		const char *text, *mark, *words;
	} cases[] = {
		{ "sched:nope", "^^^^^^^^^^", "unknown tracepoint 'sched:nope'" },
		{ "nope:nope", "^^^^^^^^^", "unknown tracepoint 'nope:nope'" },
		{ "cs,sched:nope:u", "   ^^^^^^^^^^", "unknown tracepoint 'sched:nope'" },
		{ "sched:nope*", "^^^^^^^^^^^", "no tracepoint matches 'sched:nope*'" },
		{ "nope*:sched_switch", "^^^^^^^^^^^^^^^^^^", "no tracepoint matches" },
		{ "nope:*", "^^^^^^", "no tracepoint matches 'nope:*'" },
		{ "sched:enable", "^^^^^^^^^^^^", "unknown tracepoint 'sched:enable'" },
		{ "SCHED:sched_switch", "^^^^^^^^^^^^^^^^^^", "unknown tracepoint" },
		{ "sched:..", "^^^^^^^^", "unknown tracepoint 'sched:..'" },
	};

	add_tracepoints(*state);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		machine_refuses(*state, cases[i].text, -ENOENT, cases[i].mark, cases[i].words);
}

/* Such a text parses as a tracepoint, but none was meant. */
static void bad_letters_after_an_event_are_marked_as_modifiers(void **state)
{
	static const struct {
		const char *text, *mark, *words;
	} cases[] = {
		{ "cycles:x", "       ^", "unknown modifier 'x'" },
		{ "cs:ux", "    ^", "unknown modifier 'x'" },
		{ "cs,LLC-loads:u1", "              ^", "unknown modifier '1'" },
		{ "r1a8: foo", "      ^", "unknown modifier 'f'" },
		{ "duration_time:x:u", "              ^", "unknown modifier 'x'" },
		{ "cs:u:k", "    ^", "nothing may follow the modifiers" },
		{ "cs:u/name=x/", "    ^", "nothing may follow the modifiers" },
	};
	struct machine *m = *state;
	_cleanup_(freep) char *events = xasprintf("%s/tracing/events", (char *)m->root);

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		machine_refuses(m, cases[i].text, -EINVAL, cases[i].mark, cases[i].words);

	/* It does not matter if there are tracepoints at all. */
	event_env_free(TAKE(m->env));
	assert_int_equal(rmdir(events), 0);
	machine_refuses(m, cases[0].text, -EINVAL, cases[0].mark, cases[0].words);
}

static void the_nearest_tracepoints_are_suggested(void **state)
{
	struct machine *m = *state;

	add_tracepoints(m);
	machine_refuses(m, "sched:sched_swich", -ENOENT, "^^^^^^^^^^^^^^^^^", "unknown tracepoint");
	assert_contains(m->diag.hint, "'sched:sched_switch'");
	assert_contains(m->diag.hint, "perf list 'sched:*'");
	machine_refuses(m, "shced:sched_switch", -ENOENT, "^^^^^^^^^^^^^^^^^^",
			"unknown tracepoint");
	assert_contains(m->diag.hint, "'sched:sched_switch'");
}

static void a_marker_without_a_probe_says_how_it_becomes_known(void **state)
{
	struct machine *m = *state;

	machine_tracepoint(m, "sdt_libc/setjmp", 600);
	assert_int_equal(machine_event(m, "sdt_libc:setjmp")->attr.config, 600);
	machine_refuses(m, "sdt_libc:longjmp", -ENOENT, "^^^^^^^^^^^^^^^^", "marker");
	assert_contains(m->diag.hint, "perf buildid-cache --add PROGRAM");
	machine_refuses(m, "%sdt_x:y", -ENOENT, " ^^^^^^^", "marker");
}

static void a_bad_term_of_a_tracepoint_is_marked(void **state)
{
	add_tracepoints(*state);
	machine_refuses(*state, "sched:*/foo=1/", -EINVAL, "        ^^^", "unknown term 'foo'");
	machine_refuses(*state, "sched:sched_switch/nr=x/", -EINVAL, "                      ^",
			"'nr' takes a number");
}

/* The directory may be readable for all users while its files are not. */
static void tracepoints_that_may_not_be_read_are_explained(void **state)
{
	struct machine *m = *state;
	_cleanup_(freep) char *id = xasprintf("%s/tracing/events/sched/sched_switch/id",
					      (char *)m->root);
	bool root = geteuid() == 0;

	add_tracepoints(m);
	assert_int_equal(chmod(m->root, 0755), 0);
	assert_int_equal(chmod(id, 0), 0);
	if (root)
		assert_int_equal(seteuid(65534), 0);

	int r = machine_append(m, "sched:sched_switch", EVENT_USE_SAMPLING);

	if (root)
		assert_int_equal(seteuid(0), 0);
	assert_int_equal(r, -EACCES);
	assert_contains(m->diag.message, "root only");
	assert_contains(m->diag.hint, "mount -o remount");
	assert_int_equal(m->events.n, 0);
}

static void without_tracefs_that_is_what_is_said(void **state)
{
	struct machine *m = *state;
	_cleanup_(freep) char *events = xasprintf("%s/tracing/events", (char *)m->root);

	assert_int_equal(rmdir(events), 0);
	assert_int_equal(machine_append(m, "sched:sched_switch", EVENT_USE_SAMPLING), -ENOENT);
	assert_contains(m->diag.message, "tracing");
	assert_int_equal(m->events.n, 0);
}

#define test(name) cmocka_unit_test_setup_teardown(name, machine_open, machine_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(a_tracepoint_has_the_kernels_id),
		test(a_tracepoint_is_called_by_its_full_name_alone),
		test(a_name_of_modifiers_alone_needs_more_to_be_one),
		test(globs_select_among_what_there_is),
		test(matches_come_in_the_order_of_the_directory),
		test(modifiers_and_terms_are_for_every_match),
		test(a_glob_in_braces_is_a_group),
		test(tracepoints_that_do_not_exist_are_marked),
		test(bad_letters_after_an_event_are_marked_as_modifiers),
		test(the_nearest_tracepoints_are_suggested),
		test(a_marker_without_a_probe_says_how_it_becomes_known),
		test(a_bad_term_of_a_tracepoint_is_marked),
		test(tracepoints_that_may_not_be_read_are_explained),
		test(without_tracefs_that_is_what_is_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
