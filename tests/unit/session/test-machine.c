/* SPDX-License-Identifier: MIT */
#include "recording.h"

#include <pthread.h>

#include "base/text.h"
#include "session/machine.h"
#include "symbol/symbolizer.h"

#define KERNEL 0xffff800080000000
#define MODULE 0xffff800079000000

/* Returns a session with the state of the machine at the end of @rec. */
static struct session *scanned(struct recording *rec)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct session *s = opened(rec, false);

	assert_int_equal(session_scan(s, &diag), 0);
	return s;
}

static const char *user_at(const struct session *s, uint32_t pid, uint64_t addr, uint64_t time)
{
	struct location l;

	return machine_locate(s, pid, ADDRESS_USER, addr, time, &l) ? l.map->name : "-";
}

static const char *kernel_at(const struct session *s, uint64_t addr, uint64_t time)
{
	struct location l;

	return machine_locate(s, 0, ADDRESS_KERNEL, addr, time, &l) ? l.map->name : "-";
}

static void threads_are_called_by_number_until_named(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(session_freep) struct session *s = NULL;

	(void)state;
	comm(&rec, 7, 8, "worker", 10);
	s = scanned(&rec);
	assert_string_equal(machine_comm(s, 7, 8, 9), ":8");
	assert_string_equal(machine_comm(s, 7, 8, 10), "worker");
	assert_string_equal(machine_comm(s, 7, 7, 10), ":7");
	assert_string_equal(machine_comm(s, UINT32_MAX, UINT32_MAX, 10), ":-1");
	assert_string_equal(machine_comm(s, 0, 0, 10), "swapper");
}

static void a_fork_hands_on_the_name(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(session_freep) struct session *s = NULL;

	(void)state;
	comm(&rec, 7, 7, "sh", 0);
	forks(&rec, 7, 7, 9, 9, 10); /* a process */
	forks(&rec, 7, 7, 7, 8, 11); /* a thread */
	comm(&rec, 7, 7, "renamed", 20);
	comm(&rec, 9, 9, "ls", 30);
	forks(&rec, 50, 50, 51, 51, 40); /* the parent is unknown */
	s = scanned(&rec);
	assert_string_equal(machine_comm(s, 9, 9, 9), ":9");
	assert_string_equal(machine_comm(s, 9, 9, 25), "sh");
	assert_string_equal(machine_comm(s, 9, 9, 30), "ls");
	assert_string_equal(machine_comm(s, 7, 8, 30), "sh");
	assert_string_equal(machine_comm(s, 51, 51, 41), ":51");
}

static void a_number_used_again_has_a_new_name(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(session_freep) struct session *s = NULL;

	(void)state;
	comm(&rec, 9, 9, "old", 0);
	comm(&rec, 7, 7, "sh", 0);
	forks(&rec, 7, 7, 9, 9, 10);
	forks(&rec, 60, 60, 9, 9, 20);
	s = scanned(&rec);
	assert_string_equal(machine_comm(s, 9, 9, 9), "old");
	assert_string_equal(machine_comm(s, 9, 9, 10), "sh");
	assert_string_equal(machine_comm(s, 9, 9, 20), ":9");
}

static void maps_are_those_of_the_process_and_the_time(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(session_freep) struct session *s = NULL;

	(void)state;
	mmaps(&rec, 7, 0x10000, 0x10000, "/a", 0);
	forks(&rec, 7, 7, 9, 9, 10);
	mmaps(&rec, 9, 0x14000, 0x1000, "/b", 20);
	mmaps(&rec, 7, 0x10000, 0x10000, "/c", 30);
	s = scanned(&rec);
	assert_string_equal(user_at(s, 7, 0x14000, 29), "/a");
	assert_string_equal(user_at(s, 7, 0x14000, 30), "/c");
	assert_string_equal(user_at(s, 9, 0x14000, 19), "/a");
	assert_string_equal(user_at(s, 9, 0x14000, 20), "/b");
	assert_string_equal(user_at(s, 9, 0x15000, 99), "/a");
	assert_string_equal(user_at(s, 9, 0x20000, 99), "-");
	assert_string_equal(user_at(s, 8, 0x14000, 99), "-");
}

static void guest_code_may_be_that_of_the_hypervisor(void **state)
{
	_cleanup_(recording_done) struct recording plain = recording_new(), tests = recording_new();
	_cleanup_(session_freep) struct session *s = NULL, *t = NULL;
	struct location l;

	(void)state;
	tests.guest_code = true;
	mmaps(&plain, 7, 0x10000, 0x10000, "/kvm-test", 0);
	mmaps(&tests, 7, 0x10000, 0x10000, "/kvm-test", 0);
	s = scanned(&plain);
	t = scanned(&tests);
	assert_false(machine_locate(s, 7, ADDRESS_GUEST_KERNEL, 0x14000, 1, &l));
	assert_true(machine_locate(t, 7, ADDRESS_GUEST_KERNEL, 0x14000, 1, &l));
	assert_string_equal(l.map->name, "/kvm-test");
	assert_true(machine_locate(t, 7, ADDRESS_GUEST_USER, 0x14000, 1, &l));
	assert_false(machine_locate(t, 7, ADDRESS_KERNEL, 0x14000, 1, &l));
}

/* Frames that were sampled inside execve() belong to the maps from before. */
static void old_maps_show_where_exec_laid_nothing(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(session_freep) struct session *s = NULL;
	struct record exec = { .header = { .type = PERF_RECORD_COMM,
					   .misc = PERF_RECORD_MISC_COMM_EXEC },
			       .comm = { .pid = 7, .tid = 7, .comm = "new" } };

	(void)state;
	mmaps(&rec, 7, 0x10000, 0x10000, "/old", 0);
	add(&rec, exec, 10);
	mmaps(&rec, 7, 0x18000, 0x10000, "/new", 11);
	s = scanned(&rec);
	assert_string_equal(user_at(s, 7, 0x10000, 12), "/old");
	assert_string_equal(user_at(s, 7, 0x18000, 12), "/new");
}

static void a_task_that_was_there_before_starts_with_nothing(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(session_freep) struct session *s = NULL;
	struct record fork = { .header = { .type = PERF_RECORD_FORK,
					   .misc = PERF_RECORD_MISC_FORK_EXEC },
			       .task = { .pid = 9, .tid = 9, .ppid = 7, .ptid = 7 } };

	(void)state;
	mmaps(&rec, 7, 0x10000, 0x10000, "/a", 0);
	add(&rec, fork, 0);
	mmaps(&rec, 9, 0x30000, 0x1000, "/b", 0);
	s = scanned(&rec);
	assert_string_equal(user_at(s, 9, 0x10000, 1), "-");
	assert_string_equal(user_at(s, 9, 0x30000, 1), "/b");
}

static void addresses_become_offsets_in_files_only(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(session_freep) struct session *s = NULL;
	struct location l;
	struct record r = { .header = { .type = PERF_RECORD_MMAP2, .misc = PERF_RECORD_MISC_USER },
			    .mmap = { .pid = 7, .addr = 0x10000, .len = 0x1000, .pgoff = 0x3000 } };

	(void)state;
	r.mmap.filename = "/usr/bin/x";
	add(&rec, r, 0);
	r.mmap.filename = "//anon";
	r.mmap.addr = r.mmap.pgoff = 0x20000;
	add(&rec, r, 0);
	s = scanned(&rec);
	assert_true(machine_locate(s, 7, ADDRESS_USER, 0x10010, 1, &l));
	assert_int_equal(l.addr, 0x10010);
	assert_int_equal(l.image_addr, 0x3010);
	assert_true(machine_locate(s, 7, ADDRESS_USER, 0x20010, 1, &l));
	assert_int_equal(l.image_addr, 0x20010);
	assert_int_equal(image_kind(l.map->image), IMAGE_JIT);
	assert_false(machine_resolve(s, 7, ADDRESS_USER, 0x50000, 1, &l));
	assert_null(l.map);
	assert_int_equal(l.addr, 0x50000);
}

static void the_kernel_is_the_same_for_all(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(session_freep) struct session *s = NULL;

	(void)state;
	kernel_mmaps(&rec, KERNEL, 0x1000000, "[kernel.kallsyms]_text");
	kernel_mmaps(&rec, MODULE, 0x1000, "[m]");
	kernel_mmaps(&rec, 0, 0x1000, "[hidden]");
	ksymbol(&rec, MODULE + 0x8000, 0x100, "bpf_prog_1", 0, 10);
	ksymbol(&rec, MODULE + 0x8000, 0x100, "bpf_prog_1", 1, 20);
	s = scanned(&rec);
	assert_string_equal(kernel_at(s, KERNEL, 1), "[kernel.kallsyms]_text");
	assert_string_equal(kernel_at(s, MODULE, 1), "[m]");
	assert_string_equal(kernel_at(s, 0x10, 1), "-");
	assert_string_equal(kernel_at(s, MODULE + 0x8000, 9), "-");
	assert_string_equal(kernel_at(s, MODULE + 0x8000, 15), "bpf_prog_1");
	assert_string_equal(kernel_at(s, MODULE + 0x8000, 20), "-");
	assert_string_equal(user_at(s, 7, KERNEL, 1), "-");
}

static void modes_do_not_mix(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(session_freep) struct session *s = NULL;
	struct location l;

	(void)state;
	mmaps(&rec, 7, 0x10000, 0x1000, "/a", 0);
	s = scanned(&rec);
	for (enum address_mode m = ADDRESS_KERNEL; m <= ADDRESS_UNKNOWN; m++)
		assert_int_equal(machine_locate(s, 7, m, 0x10000, 1, &l), m == ADDRESS_USER);
	assert_int_equal(address_mode_of(PERF_RECORD_MISC_USER | PERF_RECORD_MISC_EXACT_IP),
			 ADDRESS_USER);
	assert_int_equal(address_mode_of(PERF_RECORD_MISC_KERNEL), ADDRESS_KERNEL);
	assert_int_equal(address_mode_of(0), ADDRESS_UNKNOWN);
	assert_int_equal(address_mode_of(7), ADDRESS_UNKNOWN);
}

static void guests_have_kernels_of_their_own(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(session_freep) struct session *s = NULL;
	struct location l;
	struct record r = { .header = { .type = PERF_RECORD_MMAP,
					.misc = PERF_RECORD_MISC_GUEST_KERNEL },
			    .mmap = { .addr = KERNEL, .len = 0x1000 } };

	(void)state;
	r.mmap.filename = "[guest.kernel.kallsyms]_text";
	add(&rec, r, 0);
	r.mmap.filename = "[guest.kernel.kallsyms.55]_text";
	add(&rec, r, 0);
	s = scanned(&rec);
	assert_true(machine_locate(s, 55, ADDRESS_GUEST_KERNEL, KERNEL, 1, &l));
	assert_string_equal(l.map->name, "[guest.kernel.kallsyms.55]_text");
	assert_true(machine_locate(s, 56, ADDRESS_GUEST_KERNEL, KERNEL, 1, &l));
	assert_string_equal(l.map->name, "[guest.kernel.kallsyms]_text");
	assert_false(machine_locate(s, 55, ADDRESS_KERNEL, KERNEL, 1, &l));
}

static void a_range_past_the_end_of_memory_is_cut(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(session_freep) struct session *s = NULL;

	(void)state;
	mmaps(&rec, 7, 0xfffffffffffff000, UINT64_MAX, "/a", 0);
	ksymbol(&rec, 0xffffffffffffff00, UINT32_MAX, "k", 0, 0);
	s = scanned(&rec);
	assert_string_equal(user_at(s, 7, 0xfffffffffffff800, 1), "/a");
	assert_string_equal(user_at(s, 7, 0x100, 1), "-");
	assert_string_equal(kernel_at(s, 0xffffffffffffff80, 1), "k");
}

static void cgroups_have_paths(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(session_freep) struct session *s = NULL;

	(void)state;
	add(&rec,
	    (struct record){ .header.type = PERF_RECORD_CGROUP,
			     .cgroup = { .id = 5, .path = "/system.slice" } },
	    0);
	s = scanned(&rec);
	assert_string_equal(machine_cgroup(s, 5), "/system.slice");
	assert_null(machine_cgroup(s, 6));
}

static void note_image(void *arg, struct image *im)
{
	struct text *t = arg;

	text_addf(t, "%s ", image_name(im));
}

static void images_are_listed_once_as_they_appear(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(session_freep) struct session *s = NULL;
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	(void)state;
	mmaps(&rec, 7, 0x10000, 0x1000, "/b", 0);
	mmaps(&rec, 7, 0x20000, 0x1000, "/a", 0);
	mmaps(&rec, 9, 0x20000, 0x1000, "/b", 0);
	s = scanned(&rec);
	machine_images(s, note_image, &t);
	assert_string_equal(t.chars, "/b /a ");
}

static void *ask_for_names(void *arg)
{
	for (uint32_t tid = 1; tid < 2000; tid++)
		assert_int_equal(machine_comm(arg, tid, tid, 1)[0], ':');
	return NULL;
}

static void numbers_for_names_may_be_asked_for_at_once(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(session_freep) struct session *s = NULL;
	pthread_t threads[4];

	(void)state;
	s = scanned(&rec);
	for (size_t i = 0; i < ARRAY_SIZE(threads); i++)
		assert_int_equal(pthread_create(&threads[i], NULL, ask_for_names, s), 0);
	for (size_t i = 0; i < ARRAY_SIZE(threads); i++)
		assert_int_equal(pthread_join(threads[i], NULL), 0);
	assert_ptr_equal(machine_comm(s, 5, 5, 1), machine_comm(s, 5, 5, 2));
}

static void namespaces(struct recording *rec, uint32_t pid, uint32_t tid, uint64_t mnt,
		       uint64_t time)
{
	const uint64_t links[2 * NAMESPACE_MAX] = { [2 * NAMESPACE_MNT] = 3,
						    [2 * NAMESPACE_MNT + 1] = mnt };

	add(rec,
	    (struct record){ .header.type = PERF_RECORD_NAMESPACES,
			     .namespaces = { .pid = pid,
					     .tid = tid,
					     .links = { (const uint8_t *)links, 2 * NAMESPACE_MAX,
							false } } },
	    time);
}

static void namespaces_are_those_of_the_time(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(session_freep) struct session *s = NULL;

	(void)state;
	namespaces(&rec, 1, 1, 100, 0);
	namespaces(&rec, 7, 7, 100, 10);
	namespaces(&rec, 7, 8, 300, 15); /* a thread */
	namespaces(&rec, 7, 7, 200, 20);
	s = scanned(&rec);
	assert_null(machine_namespaces(s, 7, 5));
	assert_null(machine_namespaces(s, 9, 5));
	assert_int_equal(machine_namespaces(s, 7, 15)->items[NAMESPACE_MNT].ino, 100);
	assert_int_equal(machine_namespaces(s, 7, 0)->items[NAMESPACE_MNT].ino, 200);
	assert_int_equal(machine_namespaces(s, 7, 0)->items[NAMESPACE_MNT].dev, 3);
	assert_int_equal(machine_namespaces(s, 7, 0)->items[NAMESPACE_NET].ino, 0);
}

/* The same name in a container is another file. */
static void a_file_of_another_mount_namespace_is_another_image(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(session_freep) struct session *s = NULL;
	struct location own, other, like;

	(void)state;
	namespaces(&rec, 1, 1, 100, 0);
	namespaces(&rec, 7, 7, 100, 0);
	namespaces(&rec, 8, 8, 200, 0);
	for (uint32_t pid = 7; pid <= 9; pid++)
		mmaps(&rec, pid, 0x10000, 0x10000, "/a", 10);
	s = scanned(&rec);
	assert_true(machine_locate(s, 7, ADDRESS_USER, 0x10000, 20, &own));
	assert_true(machine_locate(s, 8, ADDRESS_USER, 0x10000, 20, &other));
	assert_true(machine_locate(s, 9, ADDRESS_USER, 0x10000, 20, &like));
	assert_true(own.map->image != other.map->image);
	assert_ptr_equal(own.map->image, like.map->image);
}

static void names_hold_from_one_record_to_the_next(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(session_freep) struct session *s = NULL;
	struct span span;

	(void)state;
	comm(&rec, 7, 7, "a", 10);
	comm(&rec, 7, 7, "b", 20);
	s = scanned(&rec);
	assert_string_equal(machine_comm_span(s, 7, 7, 5, &span), ":7");
	assert_int_equal(span.from, 0);
	assert_int_equal(span.until, 10);
	assert_string_equal(machine_comm_span(s, 7, 7, 15, &span), "a");
	assert_int_equal(span.from, 10);
	assert_int_equal(span.until, 20);
	assert_string_equal(machine_comm_span(s, 7, 7, 0, &span), "b");
	assert_int_equal(span.from, 20);
	assert_true(span.until == UINT64_MAX);
	assert_string_equal(machine_comm_span(s, 8, 8, 15, &span), ":8");
	assert_true(span.from == 0 && span.until == UINT64_MAX);
}

static void a_number_used_again_ends_what_held_for_it(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(session_freep) struct session *s = NULL;
	struct location l;
	struct span span;

	(void)state;
	mmaps(&rec, 7, 0x10000, 0x10000, "/a", 10);
	forks(&rec, 1, 1, 7, 7, 30);
	s = scanned(&rec);
	assert_true(machine_resolve_span(s, 7, ADDRESS_USER, 0x10000, 20, &l, &span));
	assert_int_equal(span.from, 10);
	assert_int_equal(span.until, 30);
	assert_false(machine_resolve_span(s, 7, ADDRESS_USER, 0x10000, 40, &l, &span));
	assert_int_equal(span.from, 30);
	assert_true(span.until == UINT64_MAX);
}

static void code_of_the_kernel_holds_until_it_goes(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(session_freep) struct session *s = NULL;
	struct location l;
	struct span span;

	(void)state;
	kernel_mmaps(&rec, KERNEL, 0x1000000, "[kernel.kallsyms]_text");
	ksymbol(&rec, MODULE, 0x1000, "bpf_prog_1", 0, 10);
	ksymbol(&rec, MODULE, 0x1000, "bpf_prog_1", 1, 20);
	s = scanned(&rec);
	assert_true(machine_locate_span(s, 0, ADDRESS_KERNEL, MODULE, 15, &l, &span));
	assert_int_equal(span.from, 10);
	assert_int_equal(span.until, 20);
	assert_true(machine_locate_span(s, 0, ADDRESS_KERNEL, KERNEL, 15, &l, &span));
	assert_true(span.from == 0 && span.until == UINT64_MAX);
}

static void who_shares_all_maps_has_the_same_space(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(session_freep) struct session *s = NULL;
	struct span span;
	const void *parent;

	(void)state;
	mmaps(&rec, 7, 0x10000, 0x10000, "/a", 0);
	forks(&rec, 7, 7, 9, 9, 10);
	mmaps(&rec, 9, 0x10000, 0x10000, "/b", 20);
	s = scanned(&rec);
	parent = machine_space(s, 7, ADDRESS_USER, 15, &span);
	assert_non_null(parent);
	assert_ptr_equal(machine_space(s, 9, ADDRESS_USER, 15, &span), parent);
	assert_int_equal(span.from, 10);
	assert_int_equal(span.until, 20);
	assert_true(machine_space(s, 9, ADDRESS_USER, 20, &span) != parent);
	assert_int_equal(span.from, 20);
	assert_null(machine_space(s, 8, ADDRESS_USER, 15, &span));
	assert_null(machine_space(s, 7, ADDRESS_HYPERVISOR, 15, &span));
	assert_ptr_equal(machine_space(s, 7, ADDRESS_KERNEL, 15, &span),
			 machine_space(s, 9, ADDRESS_KERNEL, 99, &span));
}

static void a_record_that_tells_something_begins_a_generation(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(session_freep) struct session *s = NULL;
	uint64_t before;

	(void)state;
	comm(&rec, 7, 7, "a", 10);
	s = opened(&rec, false);
	before = machine_generation(s);
	assert_int_equal(session_scan(s, &diag), 0);
	assert_true(machine_generation(s) != before);
	before = machine_generation(s);
	assert_int_equal(session_feed(s, NULL, &(struct consumer){ 0 }, &diag), 0);
	assert_int_equal(machine_generation(s), before);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(threads_are_called_by_number_until_named),
		cmocka_unit_test(a_fork_hands_on_the_name),
		cmocka_unit_test(a_number_used_again_has_a_new_name),
		cmocka_unit_test(maps_are_those_of_the_process_and_the_time),
		cmocka_unit_test(guest_code_may_be_that_of_the_hypervisor),
		cmocka_unit_test(old_maps_show_where_exec_laid_nothing),
		cmocka_unit_test(a_task_that_was_there_before_starts_with_nothing),
		cmocka_unit_test(addresses_become_offsets_in_files_only),
		cmocka_unit_test(the_kernel_is_the_same_for_all),
		cmocka_unit_test(modes_do_not_mix),
		cmocka_unit_test(guests_have_kernels_of_their_own),
		cmocka_unit_test(a_range_past_the_end_of_memory_is_cut),
		cmocka_unit_test(cgroups_have_paths),
		cmocka_unit_test(images_are_listed_once_as_they_appear),
		cmocka_unit_test(numbers_for_names_may_be_asked_for_at_once),
		cmocka_unit_test(namespaces_are_those_of_the_time),
		cmocka_unit_test(a_file_of_another_mount_namespace_is_another_image),
		cmocka_unit_test(names_hold_from_one_record_to_the_next),
		cmocka_unit_test(a_number_used_again_ends_what_held_for_it),
		cmocka_unit_test(code_of_the_kernel_holds_until_it_goes),
		cmocka_unit_test(who_shares_all_maps_has_the_same_space),
		cmocka_unit_test(a_record_that_tells_something_begins_a_generation),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
