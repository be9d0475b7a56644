/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "event/env.h"
#include "kernel/fake-tree.h"
#include "kernel/pmu.h"
#include "kernel/tracefs.h"
#include "marked.h"

struct paths {
	char devices[64], tracing[64];
};

static struct paths paths_below(const char *root)
{
	struct paths p;

	snprintf(p.devices, sizeof(p.devices), "%s/devices", root);
	snprintf(p.tracing, sizeof(p.tracing), "%s/tracing", root);
	return p;
}

static void pmus_and_tracepoints_are_those_of_the_given_directories(void **state)
{
	struct paths p = paths_below(*state);
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct event_env *env;
	struct tracefs *fs;
	uint64_t id = 0;

	fake_file(*state, "devices/msr/type", "7\n");
	fake_file(*state, "tracing/events/irq/irq_entry/id", "12\n");
	env = event_env_new(p.devices, p.tracing);
	/* The strings were copied. */
	memset(&p, 'x', sizeof(p));

	assert_int_equal(pmu_list_count(event_env_pmus(env)), 1);
	assert_int_equal(pmu_list_find(event_env_pmus(env), "msr")->type, 7);
	assert_int_equal(event_env_tracefs(env, &fs, &diag), 0);
	assert_int_equal(tracefs_event_id(fs, "irq", "irq_entry", &id), 0);
	assert_int_equal(id, 12);
	assert_null(diag.message);
	event_env_free(env);
}

static void nothing_is_read_before_it_is_needed(void **state)
{
	struct paths p = paths_below(*state);
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct event_env *env = event_env_new(p.devices, p.tracing);
	struct tracefs *fs;

	fake_file(*state, "devices/msr/type", "7\n");
	fake_file(*state, "tracing/events/", "");
	assert_int_equal(pmu_list_count(event_env_pmus(env)), 1);
	assert_int_equal(event_env_tracefs(env, &fs, &diag), 0);
	event_env_free(env);
}

static void one_kind_of_cores_can_be_chosen(void **state)
{
	struct paths p = paths_below(*state);
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(event_env_freep) struct event_env *env = event_env_new(p.devices, p.tracing);
	struct pmu_list *pmus;

	fake_file(*state, "devices/cpu_atom/type", "10\n");
	fake_file(*state, "devices/cpu_atom/cpus", "2-3\n");
	fake_file(*state, "devices/cpu_core/type", "4\n");
	fake_file(*state, "devices/cpu_core/cpus", "0-1\n");
	fake_file(*state, "devices/msr/type", "7\n");
	pmus = event_env_pmus(env);
	assert_true(event_env_wants_cores(env, pmu_list_find(pmus, "cpu_core")));
	assert_int_equal(event_env_limit_cores(env, "msr", &diag), -ENOENT);
	assert_int_equal(event_env_limit_cores(env, "cpu_x", &diag), -ENOENT);
	assert_int_equal(event_env_limit_cores(env, "cpu_atom", &diag), 0);
	assert_true(event_env_wants_cores(env, pmu_list_find(pmus, "cpu_atom")));
	assert_false(event_env_wants_cores(env, pmu_list_find(pmus, "cpu_core")));
}

static void both_are_opened_once(void **state)
{
	struct paths p = paths_below(*state);
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct event_env *env = event_env_new(p.devices, p.tracing);
	struct pmu_list *pmus = event_env_pmus(env);
	struct tracefs *first, *second;

	fake_file(*state, "devices/late/type", "9\n");
	fake_file(*state, "tracing/events/", "");
	assert_ptr_equal(event_env_pmus(env), pmus);
	assert_int_equal(pmu_list_count(pmus), 0);
	assert_int_equal(event_env_tracefs(env, &first, &diag), 0);
	assert_int_equal(event_env_tracefs(env, &second, &diag), 0);
	assert_ptr_equal(first, second);
	event_env_free(env);
}

static void a_tracing_directory_that_is_missing_is_looked_for_again(void **state)
{
	struct paths p = paths_below(*state);
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct event_env *env = event_env_new(p.devices, p.tracing);
	struct tracefs *fs = NULL;

	assert_int_equal(event_env_tracefs(env, &fs, &diag), -ENOENT);
	assert_null(fs);
	assert_contains(diag.message, p.tracing);
	fake_file(*state, "tracing/events/", "");
	assert_int_equal(event_env_tracefs(env, &fs, &diag), 0);
	assert_non_null(fs);
	event_env_free(env);
}

static void without_directories_it_is_this_machines(void **state)
{
	struct event_env *env = event_env_new(NULL, NULL);
	_cleanup_(pmu_list_freep) struct pmu_list *own = pmu_list_open(PMU_DEVICES);

	(void)state;
	assert_int_equal(pmu_list_count(event_env_pmus(env)), pmu_list_count(own));
	event_env_free(env);
	event_env_free(NULL);
}

#define test(name) cmocka_unit_test_setup_teardown(name, fake_tree_open, fake_tree_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(pmus_and_tracepoints_are_those_of_the_given_directories),
		test(nothing_is_read_before_it_is_needed),
		test(one_kind_of_cores_can_be_chosen),
		test(both_are_opened_once),
		test(a_tracing_directory_that_is_missing_is_looked_for_again),
		test(without_directories_it_is_this_machines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
