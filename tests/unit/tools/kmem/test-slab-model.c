/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "datafile/features.h"
#include "tools/kmem/event-model.h"
#include "tools/kmem/slab-model.h"

static void allocate(struct slab_model *m, uint64_t site, uint64_t ptr, uint64_t requested,
		     uint64_t allocated, uint32_t cpu, uint64_t time)
{
	slab_model_alloc(m, &(struct kmem_event){ .call_site = site,
						  .ptr = ptr,
						  .bytes_requested = requested,
						  .bytes_allocated = allocated,
						  .cpu = cpu,
						  .time = time,
						  .node = KMEM_NO_NODE });
}

static void release(struct slab_model *m, uint64_t ptr, uint32_t cpu, uint64_t time)
{
	slab_model_free(m, &(struct kmem_event){ .ptr = ptr, .cpu = cpu, .time = time });
}

static void bytes_are_added_up_by_call_site_and_by_address(void **state)
{
	struct slab_model m = { 0 };
	struct slab_row *sites, *pointers;

	(void)state;
	allocate(&m, 20, 0x1000, 10, 16, 0, 1);
	release(&m, 0x1000, 0, 2);
	allocate(&m, 10, 0x1000, 20, 32, 0, 3);
	allocate(&m, 20, 0x800, 1, 8, 0, 4);
	sites = slab_model_sites(&m);
	pointers = slab_model_pointers(&m);
	assert_int_equal(m.sites.n, 2);
	assert_int_equal(sites[0].call_site, 10);
	assert_int_equal(sites[1].hits, 2);
	assert_int_equal(sites[1].bytes_requested, 11);
	assert_int_equal(sites[1].bytes_allocated, 24);
	assert_int_equal(m.pointers.n, 2);
	assert_int_equal(pointers[0].ptr, 0x800);
	assert_int_equal(pointers[1].bytes_allocated, 48);
	assert_int_equal(pointers[1].call_site, 10);
	assert_int_equal(m.totals.allocations, 3);
	assert_int_equal(m.totals.bytes_freed, 16);
	free(sites);
	free(pointers);
	slab_model_done(&m);
}

static void a_free_on_another_cpu_is_a_ping_pong_of_the_object_and_its_site(void **state)
{
	struct slab_model m = { 0 };

	(void)state;
	allocate(&m, 20, 0x1000, 10, 16, 3, 1);
	release(&m, 0x1000, 4, 2);
	assert_int_equal(m.sites.items[0].ping_pongs, 1);
	assert_int_equal(m.pointers.items[0].row.ping_pongs, 1);
	allocate(&m, 20, 0x1000, 10, 16, 3, 1);
	release(&m, 0x1000, 3, 2);
	assert_int_equal(m.sites.items[0].ping_pongs, 1);
	slab_model_done(&m);
}

static void frees_of_what_nobody_saw_allocated_are_counted(void **state)
{
	struct slab_model m = { 0 };

	(void)state;
	release(&m, 0x1000, 4, 2);
	assert_int_equal(m.totals.unmatched_frees, 1);
	assert_int_equal(m.totals.bytes_freed, 0);
	assert_int_equal(m.pointers.n, 0);
	slab_model_done(&m);
}

static void memory_of_another_node_is_counted_by_the_topology(void **state)
{
	struct numa_node nodes[] = { { .node = 0, .cpus = "0-1" }, { .node = 1, .cpus = "2-3" } };
	struct features f = { .numa_nodes = { .items = nodes, .n = 2 } };
	struct slab_model m = { 0 };
	struct kmem_event e = { .call_site = 1, .ptr = 2, .cpu = 2, .node = 1 };

	(void)state;
	slab_model_set_nodes(&m, &f);
	slab_model_alloc(&m, &e);
	assert_int_equal(m.totals.other_node, 0);
	e.cpu = 1;
	slab_model_alloc(&m, &e);
	assert_int_equal(m.totals.other_node, 1);
	e.cpu = UINT32_MAX;
	slab_model_alloc(&m, &e);
	assert_int_equal(m.totals.other_node, 2);
	slab_model_done(&m);
}

static void what_was_not_freed_has_an_age(void **state)
{
	struct slab_model m = { 0 };
	struct slab_live *live;
	size_t n;

	(void)state;
	allocate(&m, 20, 0x1000, 10, 16, 0, 100);
	allocate(&m, 20, 0x2000, 10, 16, 0, 200);
	allocate(&m, 20, 0x3000, 10, 16, 0, 250);
	allocate(&m, 30, 0x4000, 10, 64, 0, 260);
	allocate(&m, 40, 0x5000, 10, 64, 0, 260);
	allocate(&m, 40, 0, 10, 64, 0, 260);
	release(&m, 0x5000, 0, 300);
	live = slab_model_live(&m, &n);
	assert_int_equal(n, 2);
	assert_int_equal(live[0].call_site, 30);
	assert_int_equal(live[1].call_site, 20);
	assert_int_equal(live[1].objects, 3);
	assert_int_equal(live[1].bytes, 48);
	assert_int_equal(live[1].age_max_ns, 200);
	assert_int_equal(live[1].age_p50_ns, 100);
	free(live);
	slab_model_done(&m);
}

static void sums_of_others_are_taken_over(void **state)
{
	const struct slab_row row = { .call_site = 5,
				      .hits = 3,
				      .bytes_requested = 30,
				      .bytes_allocated = 48,
				      .ping_pongs = 1 };
	const struct slab_pointer object = { .row = { .ptr = 0x1000, .call_site = 5 },
					     .last_bytes = 16 };
	struct slab_model m = { 0 };
	struct slab_live *live;
	size_t n;

	(void)state;
	slab_model_add_site(&m, &row, 32);
	slab_model_add_object(&m, &object);
	assert_int_equal(m.totals.allocations, 3);
	assert_int_equal(m.totals.bytes_freed, 32);
	live = slab_model_live(&m, &n);
	assert_int_equal(n, 1);
	assert_int_equal(live[0].call_site, 5);
	assert_int_equal(live[0].bytes, 16);
	free(live);
	slab_model_done(&m);
}

static void fragmentation_is_the_wasted_share_of_what_was_allocated(void **state)
{
	double wasted = slab_fragmentation(545848 - 33256, 545848);

	(void)state;
	assert_true(wasted > 6.0924 && wasted < 6.0926);
	assert_true(slab_fragmentation(5, 0) == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bytes_are_added_up_by_call_site_and_by_address),
		cmocka_unit_test(a_free_on_another_cpu_is_a_ping_pong_of_the_object_and_its_site),
		cmocka_unit_test(frees_of_what_nobody_saw_allocated_are_counted),
		cmocka_unit_test(memory_of_another_node_is_counted_by_the_topology),
		cmocka_unit_test(what_was_not_freed_has_an_age),
		cmocka_unit_test(sums_of_others_are_taken_over),
		cmocka_unit_test(fragmentation_is_the_wasted_share_of_what_was_allocated),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
