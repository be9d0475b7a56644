/* SPDX-License-Identifier: MIT */
#include "recording.h"

#include "session/internal.h"
#include "session/live.h"
#include "session/machine-forget.h"
#include "session/machine.h"
#include "session/space.h"

/* A session that is fed by the test, and the records it was fed with. */
struct stage {
	struct recording rec;
	struct file_event event;
	uint64_t id;
	struct session *s;
};

static int set_up(void **state)
{
	static struct stage g;

	g = (struct stage){ .rec = recording_new(), .id = 1 };
	g.event = (struct file_event){ .attr = g.rec.attr, .ids = &g.id, .n_ids = 1 };
	g.s = session_live_new(&(struct session_live_options){ .events = &g.event, .n_events = 1 });
	*state = &g;
	return 0;
}

static int tear_down(void **state)
{
	struct stage *g = *state;

	session_free(g->s);
	recording_done(&g->rec);
	return 0;
}

static void ends(struct recording *rec, uint32_t pid, uint32_t tid, uint64_t time)
{
	add(rec,
	    (struct record){ .header.type = PERF_RECORD_EXIT, .task = { .pid = pid, .tid = tid } },
	    time);
}

static void executes(struct recording *rec, uint32_t pid, const char *name, uint64_t time)
{
	add(rec,
	    (struct record){
		    .header = { .type = PERF_RECORD_COMM, .misc = PERF_RECORD_MISC_COMM_EXEC },
		    .comm = { .pid = pid, .tid = pid, .comm = name } },
	    time);
}

/*
 * Delivers all that was recorded, and forgets everything before @time. Returns the machine's
 * n_left.
 */
static size_t forget(struct stage *g, uint64_t time)
{
	session_live_pass(g->s, g->rec.records.data, g->rec.records.n);
	session_live_finish(g->s);
	images_forget(&g->s->machine.images);
	machine_forget_before(&g->s->machine, time);
	return g->s->machine.n_left;
}

static const char *at(const struct stage *g, uint32_t pid, uint64_t addr, uint64_t time)
{
	struct location loc;

	return machine_locate(g->s, pid, ADDRESS_USER, addr, time, &loc) ? loc.map->name : "-";
}

static void who_has_ended_is_forgotten(void **state)
{
	struct stage *g = *state;

	comm(&g->rec, 7, 7, "gone", 1);
	mmaps(&g->rec, 7, 0x1000, 0x1000, "/bin/gone", 2);
	comm(&g->rec, 8, 8, "lives", 3);
	mmaps(&g->rec, 8, 0x1000, 0x1000, "/bin/lives", 4);
	comm(&g->rec, 9, 9, "late", 5);
	mmaps(&g->rec, 9, 0x1000, 0x1000, "/bin/late", 6);
	ends(&g->rec, 7, 7, 10);
	ends(&g->rec, 9, 9, 30);
	forget(g, 20);
	assert_string_equal(machine_comm(g->s, 7, 7, 5), ":7");
	assert_string_equal(at(g, 7, 0x1000, 25), "-");
	assert_string_equal(machine_comm(g->s, 8, 8, 25), "lives");
	assert_string_equal(at(g, 8, 0x1000, 25), "/bin/lives");
	/* Samples of it may still come. */
	assert_string_equal(machine_comm(g->s, 9, 9, 25), "late");
	assert_string_equal(at(g, 9, 0x1000, 25), "/bin/late");
	machine_forget_before(&g->s->machine, 40);
	assert_string_equal(machine_comm(g->s, 9, 9, 25), ":9");
}

static void a_process_lives_as_long_as_one_of_its_threads(void **state)
{
	struct stage *g = *state;

	mmaps(&g->rec, 7, 0x1000, 0x1000, "/bin/a", 1);
	forks(&g->rec, 7, 7, 7, 70, 2);
	forks(&g->rec, 7, 7, 7, 71, 2);
	ends(&g->rec, 7, 7, 3);
	ends(&g->rec, 7, 71, 3);
	mmaps(&g->rec, 7, 0x3000, 0x1000, "/bin/b", 4);
	forget(g, 10);
	assert_string_equal(at(g, 7, 0x1000, 15), "/bin/a");
	g->rec.records.n = 0;
	ends(&g->rec, 7, 70, 20);
	forget(g, 30);
	assert_string_equal(at(g, 7, 0x1000, 35), "-");
}

static void a_number_that_is_used_again_is_another_task(void **state)
{
	struct stage *g = *state;

	mmaps(&g->rec, 7, 0x1000, 0x1000, "/bin/old", 1);
	ends(&g->rec, 7, 7, 2);
	forks(&g->rec, 1, 1, 7, 7, 3);
	mmaps(&g->rec, 7, 0x1000, 0x1000, "/bin/new", 4);
	/* A thread that calls exec takes over the number of the first one, which has ended. */
	mmaps(&g->rec, 8, 0x1000, 0x1000, "/bin/first", 1);
	ends(&g->rec, 8, 8, 2);
	executes(&g->rec, 8, "second", 3);
	mmaps(&g->rec, 8, 0x1000, 0x1000, "/bin/second", 4);
	forget(g, 10);
	assert_string_equal(at(g, 7, 0x1000, 15), "/bin/new");
	assert_string_equal(at(g, 8, 0x1000, 15), "/bin/second");
}

static void a_child_sees_what_its_parent_had_also_when_that_has_ended(void **state)
{
	struct stage *g = *state;

	mmaps(&g->rec, 7, 0x1000, 0x1000, "/bin/a", 1);
	forks(&g->rec, 7, 7, 8, 8, 2);
	mmaps(&g->rec, 8, 0x5000, 0x1000, "/lib/own", 3);
	ends(&g->rec, 7, 7, 4);
	forget(g, 10);
	assert_string_equal(at(g, 8, 0x1000, 15), "/bin/a");
	assert_string_equal(at(g, 8, 0x5000, 15), "/lib/own");
	/* The second time its parent belongs to no process. */
	machine_forget_before(&g->s->machine, 20);
	assert_string_equal(at(g, 8, 0x1000, 25), "/bin/a");
	assert_string_equal(at(g, 8, 0x5000, 25), "/lib/own");
}

static void a_parents_later_maps_are_not_the_childs(void **state)
{
	struct stage *g = *state;

	mmaps(&g->rec, 7, 0x1000, 0x1000, "/bin/a", 1);
	forks(&g->rec, 7, 7, 8, 8, 2);
	mmaps(&g->rec, 7, 0x1000, 0x1000, "/bin/b", 3);
	mmaps(&g->rec, 7, 0x5000, 0x1000, "/bin/c", 4);
	forget(g, 10);
	assert_string_equal(at(g, 7, 0x1000, 15), "/bin/b");
	assert_string_equal(at(g, 8, 0x1000, 15), "/bin/a");
	assert_string_equal(at(g, 8, 0x5000, 15), "-");
}

static void what_came_later_keeps_its_time(void **state)
{
	struct stage *g = *state;

	mmaps(&g->rec, 7, 0x1000, 0x3000, "/bin/first", 1);
	mmaps(&g->rec, 7, 0x1000, 0x3000, "/bin/second", 2);
	comm(&g->rec, 7, 7, "second", 2);
	mmaps(&g->rec, 7, 0x2000, 0x1000, "/bin/third", 20);
	comm(&g->rec, 7, 7, "third", 20);
	forget(g, 10);
	assert_string_equal(at(g, 7, 0x2000, 15), "/bin/second");
	assert_string_equal(at(g, 7, 0x2000, 25), "/bin/third");
	assert_string_equal(at(g, 7, 0x1000, 25), "/bin/second");
	assert_string_equal(machine_comm(g->s, 7, 7, 15), "second");
	assert_string_equal(machine_comm(g->s, 7, 7, 25), "third");
	/* The state of that time now counts from the beginning. */
	assert_string_equal(at(g, 7, 0x2000, 1), "/bin/second");
}

static void stacks_that_samples_still_wait_for_are_kept(void **state)
{
	static const uint64_t ips[] = { 0x400190 };
	const struct record_callchain_deferred r = {
		.cookie = 0x77, .ips = { .bytes = (const uint8_t *)ips, .n = 1 }
	};
	struct stage *g = *state;
	struct machine *m = &g->s->machine;

	deferred_chains_add(&m->deferred, 7, 12, &r);
	machine_forget_before(m, 10);
	assert_non_null(deferred_chains_find(&m->deferred, 7, 0x77));
	machine_forget_before(m, 20);
	assert_null(deferred_chains_find(&m->deferred, 7, 0x77));
}

static void who_kept_answers_learns_of_it(void **state)
{
	struct stage *g = *state;
	uint64_t before;

	mmaps(&g->rec, 7, 0x1000, 0x1000, "/bin/a", 1);
	session_live_pass(g->s, g->rec.records.data, g->rec.records.n);
	before = machine_generation(g->s);
	machine_forget_before(&g->s->machine, 10);
	assert_true(machine_generation(g->s) != before);
}

static void the_kernel_stays(void **state)
{
	struct stage *g = *state;
	struct location loc;

	kernel_mmaps(&g->rec, 0x100000, 0x10000, "[kernel.kallsyms]_text");
	kernel_mmaps(&g->rec, 0x900000, 0x1000, "[module]");
	ksymbol(&g->rec, 0xa00000, 0x100, "bpf_prog_a", 0, 1);
	ksymbol(&g->rec, 0xb00000, 0x100, "bpf_prog_b", 0, 1);
	ksymbol(&g->rec, 0xb00000, 0x100, "bpf_prog_b", 1, 2);
	forget(g, 10);
	assert_true(machine_locate(g->s, 7, ADDRESS_KERNEL, 0x100010, 15, &loc));
	assert_true(machine_locate(g->s, 7, ADDRESS_KERNEL, 0x900010, 15, &loc));
	assert_string_equal(loc.map->name, "[module]");
	assert_true(machine_locate(g->s, 7, ADDRESS_KERNEL, 0xa00010, 15, &loc));
	assert_string_equal(loc.map->name, "bpf_prog_a");
	assert_false(machine_locate(g->s, 7, ADDRESS_KERNEL, 0xb00010, 15, &loc));
	/* No entry is kept where nothing is mapped. */
	assert_int_equal(g->s->machine.host.jit->top.n, 1);
}

static void images_without_a_map_are_not_listed(void **state)
{
	struct stage *g = *state;

	mmaps(&g->rec, 7, 0x1000, 0x1000, "/bin/a", 1);
	mmaps(&g->rec, 8, 0x1000, 0x1000, "/bin/b", 1);
	ends(&g->rec, 7, 7, 2);
	forget(g, 10);
	assert_int_equal(g->s->machine.images.list.n, 1);
}

static void who_maps_and_unmaps_all_the_time_does_not_grow(void **state)
{
	struct stage *g = *state;
	size_t left = 0;
	uint64_t time = 1;

	forks(&g->rec, 7, 7, 8, 8, time);
	for (unsigned round = 0; round < 10; round++) {
		for (unsigned i = 0; i < 1000; i++)
			mmaps(&g->rec, 7, 0x1000 + 0x1000 * (i % 4), 0x1000,
			      i % 2 ? "/lib/a" : "/lib/b", ++time);
		left = forget(g, time);
		g->rec.records.n = 0;
	}
	assert_in_range(left, 4, 16);
	assert_string_equal(at(g, 7, 0x1000, time), "/lib/b");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
		TEST(who_has_ended_is_forgotten),
		TEST(a_process_lives_as_long_as_one_of_its_threads),
		TEST(a_number_that_is_used_again_is_another_task),
		TEST(a_child_sees_what_its_parent_had_also_when_that_has_ended),
		TEST(a_parents_later_maps_are_not_the_childs),
		TEST(what_came_later_keeps_its_time),
		TEST(stacks_that_samples_still_wait_for_are_kept),
		TEST(who_kept_answers_learns_of_it),
		TEST(the_kernel_stays),
		TEST(images_without_a_map_are_not_listed),
		TEST(who_maps_and_unmaps_all_the_time_does_not_grow),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
