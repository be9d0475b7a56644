/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/cleanup.h"
#include "count/stat-unit.h"
#include "wire/topology.h"

#define PLACE(n, s, d, c, node_, l2, l3)                                                           \
	{                                                                                          \
		.cpu = n, .socket = s, .die = d, .core = c, .node = node_, .cache = {              \
			-1,                                                                        \
			n,                                                                         \
			l2,                                                                        \
			l3,                                                                        \
			-1                                                                         \
		}                                                                                  \
	}

/*
 * Two sockets of two dies of one core of two threads. They are numbered as firmware does it: first
 * the first threads of all cores, then the second ones. Cores have the same numbers on every die.
 */
static struct cpu_place server_places[] = {
	PLACE(0, 0, 0, 0, 0, 0, 0), PLACE(1, 1, 0, 0, 1, 1, 1), PLACE(2, 0, 1, 0, 0, 2, 2),
	PLACE(3, 1, 1, 0, 1, 3, 3), PLACE(4, 0, 0, 0, 0, 0, 0), PLACE(5, 1, 0, 0, 1, 1, 1),
	PLACE(6, 0, 1, 0, 0, 2, 2), PLACE(7, 1, 1, 0, 1, 3, 3),
};
static const struct topology server = { server_places, ARRAY_SIZE(server_places), 0 };

/* The sysfs of a virtual machine may give no topology. */
static struct cpu_place bare_places[] = { PLACE(0, -1, -1, -1, -1, -1, -1),
					  PLACE(1, -1, -1, -1, -1, -1, -1) };
static const struct topology bare = { bare_places, ARRAY_SIZE(bare_places), 0 };

static const int all[] = { 0, 1, 2, 3, 4, 5, 6, 7 };

static struct stat_units make(enum stat_aggregation aggregation, const struct topology *t,
			      const int *cpus, size_t n)
{
	const struct stat_source source = { .cpus = cpus, .n_cpus = n, .n_tasks = 1 };
	const struct stat_model_options o = { .aggregation = aggregation,
					      .topology = t,
					      .cache_level = 2 };
	struct stat_units u = { 0 };

	stat_units_make(&u, &source, 1, &o);
	return u;
}

static size_t unit_of(const struct stat_units *u, enum stat_aggregation aggregation,
		      const struct topology *t, int cpu)
{
	const struct stat_model_options o = { .aggregation = aggregation,
					      .topology = t,
					      .cache_level = 2 };

	return stat_units_find(u, &o, cpu, 0);
}

static void assert_place(const struct stat_unit *u, int socket, int die, int core)
{
	assert_int_equal(u->socket, socket);
	assert_int_equal(u->die, die);
	assert_int_equal(u->core, core);
}

static void everything_is_one_unit_without_a_name(void **state)
{
	_cleanup_(stat_units_done) struct stat_units u = make(STAT_GLOBAL, NULL, all, 8);

	(void)state;
	assert_int_equal(u.n, 1);
	assert_int_equal(unit_of(&u, STAT_GLOBAL, NULL, 5), 0);
	assert_int_equal(unit_of(&u, STAT_GLOBAL, NULL, -1), 0);
}

static void sockets_are_told_apart_by_their_number(void **state)
{
	_cleanup_(stat_units_done) struct stat_units u = make(STAT_SOCKET, &server, all, 8);

	(void)state;
	assert_int_equal(u.n, 2);
	assert_place(&u.items[0], 0, -1, -1);
	assert_place(&u.items[1], 1, -1, -1);
	assert_int_equal(u.items[0].cpu, -1);
	for (int cpu = 0; cpu < 8; cpu++)
		assert_int_equal(unit_of(&u, STAT_SOCKET, &server, cpu), cpu % 2);
}

static void dies_of_one_number_are_two_on_two_sockets(void **state)
{
	_cleanup_(stat_units_done) struct stat_units u = make(STAT_DIE, &server, all, 8);
	static const size_t unit[] = { 0, 2, 1, 3, 0, 2, 1, 3 };

	(void)state;
	assert_int_equal(u.n, 4);
	assert_place(&u.items[0], 0, 0, -1);
	assert_place(&u.items[1], 0, 1, -1);
	assert_place(&u.items[2], 1, 0, -1);
	assert_place(&u.items[3], 1, 1, -1);
	for (int cpu = 0; cpu < 8; cpu++)
		assert_int_equal(unit_of(&u, STAT_DIE, &server, cpu), unit[cpu]);
}

static void cores_of_one_number_are_two_on_two_dies(void **state)
{
	_cleanup_(stat_units_done) struct stat_units u = make(STAT_CORE, &server, all, 8);

	(void)state;
	assert_int_equal(u.n, 4);
	assert_place(&u.items[1], 0, 1, 0);
	assert_int_equal(unit_of(&u, STAT_CORE, &server, 2), 1);
	assert_int_equal(unit_of(&u, STAT_CORE, &server, 6), 1);
}

static void clusters_of_one_number_are_two_on_two_sockets(void **state)
{
	static struct cpu_place places[] = { { .cpu = 0, .socket = 1, .cluster = 3 },
					     { .cpu = 1, .socket = 0, .cluster = 3 },
					     { .cpu = 2, .socket = 0, .cluster = 3 },
					     { .cpu = 3, .socket = 0, .cluster = -1 } };
	static const struct topology t = { places, ARRAY_SIZE(places), 0 };
	_cleanup_(stat_units_done) struct stat_units u = make(STAT_CLUSTER, &t, all, 4);

	(void)state;
	assert_int_equal(u.n, 3);
	assert_int_equal(u.items[0].cluster, 0); /* not known */
	assert_int_equal(unit_of(&u, STAT_CLUSTER, &t, 1), 1);
	assert_int_equal(unit_of(&u, STAT_CLUSTER, &t, 2), 1);
	assert_int_equal(unit_of(&u, STAT_CLUSTER, &t, 0), 2);
}

static void cores_come_by_socket_then_by_number(void **state)
{
	static struct cpu_place places[] = { PLACE(0, 1, 0, 5, 0, 0, 0),
					     PLACE(1, 0, 0, 10, 0, 1, 0),
					     PLACE(2, 0, 0, 2, 0, 2, 0) };
	static const struct topology t = { places, ARRAY_SIZE(places), 0 };
	_cleanup_(stat_units_done) struct stat_units u = make(STAT_CORE, &t, all, 3);

	(void)state;
	assert_int_equal(u.n, 3);
	assert_place(&u.items[0], 0, 0, 2);
	assert_place(&u.items[1], 0, 0, 10);
	assert_place(&u.items[2], 1, 0, 5);
}

static void nodes_have_no_other_name(void **state)
{
	_cleanup_(stat_units_done) struct stat_units u = make(STAT_NODE, &server, all, 8);

	(void)state;
	assert_int_equal(u.n, 2);
	assert_int_equal(u.items[0].node, 0);
	assert_int_equal(u.items[1].node, 1);
	assert_place(&u.items[1], -1, -1, -1);
	assert_int_equal(unit_of(&u, STAT_NODE, &server, 3), 1);
}

static void a_cache_is_known_by_the_first_cpu_that_shares_it(void **state)
{
	_cleanup_(stat_units_done) struct stat_units u = make(STAT_CACHE, &server, all, 8);

	(void)state;
	assert_int_equal(u.n, 4);
	assert_int_equal(u.items[1].cache_level, 2);
	assert_int_equal(u.items[1].cache, 2);
	assert_place(&u.items[1], 0, 1, -1);
	assert_int_equal(unit_of(&u, STAT_CACHE, &server, 6), 1);
}

static void a_cache_without_a_level_is_the_last(void **state)
{
	const struct stat_source source = { .cpus = all, .n_cpus = 8, .n_tasks = 1 };
	const struct stat_model_options o = { .aggregation = STAT_CACHE, .topology = &server };
	_cleanup_(stat_units_done) struct stat_units u = { 0 };

	(void)state;
	stat_units_make(&u, &source, 1, &o);
	assert_int_equal(u.n, 4);
	assert_int_equal(u.items[3].cache_level, 3);
	assert_int_equal(u.items[3].cache, 3);
	assert_int_equal(stat_units_find(&u, &o, 7, 0), 3);
}

static void cpus_come_by_number_and_know_their_core(void **state)
{
	static const int some[] = { 6, 1 };
	_cleanup_(stat_units_done) struct stat_units u = make(STAT_CPU, &server, some, 2);

	(void)state;
	assert_int_equal(u.n, 2);
	assert_int_equal(u.items[0].cpu, 1);
	assert_int_equal(u.items[1].cpu, 6);
	assert_place(&u.items[1], 0, 1, 0);
	assert_int_equal(unit_of(&u, STAT_CPU, &server, 6), 1);
}

static void only_units_that_are_counted_on_are_there(void **state)
{
	static const int some[] = { 1, 5 };
	_cleanup_(stat_units_done) struct stat_units u = make(STAT_SOCKET, &server, some, 2);

	(void)state;
	assert_int_equal(u.n, 1);
	assert_int_equal(u.items[0].socket, 1);
}

static void units_are_those_of_all_events_together(void **state)
{
	static const int one[] = { 4 }, two[] = { 1, 4 };
	const struct stat_source sources[] = { { .cpus = one, .n_cpus = 1, .n_tasks = 1 },
					       { .cpus = two, .n_cpus = 2, .n_tasks = 1 } };
	const struct stat_model_options o = { .aggregation = STAT_CPU, .topology = &server };
	_cleanup_(stat_units_done) struct stat_units u = { 0 };

	(void)state;
	stat_units_make(&u, sources, 2, &o);
	assert_int_equal(u.n, 2);
	assert_int_equal(u.items[0].cpu, 1);
}

static void a_machine_that_tells_nothing_is_one_socket(void **state)
{
	_cleanup_(stat_units_done) struct stat_units u = make(STAT_SOCKET, &bare, all, 2);
	_cleanup_(stat_units_done) struct stat_units nodes = make(STAT_NODE, &bare, all, 2);

	(void)state;
	assert_int_equal(u.n, 1);
	assert_int_equal(u.items[0].socket, 0);
	assert_int_equal(nodes.n, 1);
	assert_int_equal(nodes.items[0].node, 0);
}

static void a_cpu_that_is_not_in_the_topology_has_a_place_all_the_same(void **state)
{
	static const int cpus[] = { 99 };
	_cleanup_(stat_units_done) struct stat_units u = make(STAT_DIE, &server, cpus, 1);

	(void)state;
	assert_int_equal(u.n, 1);
	assert_place(&u.items[0], 0, 0, -1);
}

static void threads_keep_the_order_they_were_given_in(void **state)
{
	static const struct stat_task tasks[] = { { 30, "late" }, { 7, "early" } };
	const struct stat_model_options o = { .aggregation = STAT_THREAD,
					      .tasks = tasks,
					      .n_tasks = ARRAY_SIZE(tasks) };
	const struct stat_source source = { .cpus = (const int[]){ -1 },
					    .n_cpus = 1,
					    .n_tasks = 2 };
	_cleanup_(stat_units_done) struct stat_units u = { 0 };

	(void)state;
	stat_units_make(&u, &source, 1, &o);
	assert_int_equal(u.n, 2);
	assert_int_equal(u.items[0].tid, 30);
	assert_string_equal(u.items[1].comm, "early");
	assert_int_equal(stat_units_find(&u, &o, -1, 1), 1);
}

static void a_long_name_of_a_thread_is_cut(void **state)
{
	char comm[100];
	const struct stat_task task = { 1, comm };
	const struct stat_model_options o = { .aggregation = STAT_THREAD,
					      .tasks = &task,
					      .n_tasks = 1 };
	_cleanup_(stat_units_done) struct stat_units u = { 0 };

	(void)state;
	memset(comm, 'x', sizeof(comm) - 1);
	comm[sizeof(comm) - 1] = '\0';
	stat_units_make(&u, NULL, 0, &o);
	assert_int_equal(strlen(u.items[0].comm), sizeof(u.items[0].comm) - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(everything_is_one_unit_without_a_name),
		cmocka_unit_test(sockets_are_told_apart_by_their_number),
		cmocka_unit_test(dies_of_one_number_are_two_on_two_sockets),
		cmocka_unit_test(cores_of_one_number_are_two_on_two_dies),
		cmocka_unit_test(clusters_of_one_number_are_two_on_two_sockets),
		cmocka_unit_test(cores_come_by_socket_then_by_number),
		cmocka_unit_test(nodes_have_no_other_name),
		cmocka_unit_test(a_cache_is_known_by_the_first_cpu_that_shares_it),
		cmocka_unit_test(a_cache_without_a_level_is_the_last),
		cmocka_unit_test(cpus_come_by_number_and_know_their_core),
		cmocka_unit_test(only_units_that_are_counted_on_are_there),
		cmocka_unit_test(units_are_those_of_all_events_together),
		cmocka_unit_test(a_machine_that_tells_nothing_is_one_socket),
		cmocka_unit_test(a_cpu_that_is_not_in_the_topology_has_a_place_all_the_same),
		cmocka_unit_test(threads_keep_the_order_they_were_given_in),
		cmocka_unit_test(a_long_name_of_a_thread_is_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
