/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "capture/lost.h"
#include "capture/opened-events.h"
#include "capture/record-drain.h"
#include "capture/record-rings.h"
#include "events.h"
#include "skip.h"

/* Two events of this process, open, and their ring. */
struct mapped {
	struct event_list l;
	struct opened_events events;
	struct record_rings rings;
	struct diag diag;
};

static void done(struct mapped *m)
{
	record_rings_unmap(&m->rings);
	opened_events_close(&m->events);
	event_list_done(&m->l);
	diag_done(&m->diag);
}

static void add(struct mapped *m, uint64_t config, bool overwrite)
{
	struct event *e = event_add(&m->l, "e", PERF_TYPE_SOFTWARE, config);

	e->attr.exclude_kernel = 1;
	e->attr.exclude_hv = 1;
	e->attr.disabled = 1;
	e->attr.sample_period = 1;
	e->attr.sample_type = PERF_SAMPLE_IP;
	e->attr.write_backward = overwrite;
}

static void open_here(struct mapped *m)
{
	struct target_task self = { .tid = getpid() };
	const struct task_list tasks = { &self, 1, 0 };
	const struct cpu_list cpus = { 0 };
	const struct open_request rq = { .events = &m->l,
					 .tasks = &tasks,
					 .cpus = &cpus,
					 .any_cpu = true,
					 .use = EVENT_USE_SAMPLING };
	int r = opened_events_open(&rq, &m->events, &m->diag);

	if (r == -EACCES || r == -EPERM || r == -ENOSYS)
		skip_because("events cannot be opened here");
	assert_int_equal(r, 0);
}

static size_t page(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

static void the_events_of_a_place_share_a_ring(void **state)
{
	(void)state;
	_cleanup_(done) struct mapped m = { 0 };

	add(&m, PERF_COUNT_SW_PAGE_FAULTS, false);
	add(&m, PERF_COUNT_SW_CPU_CLOCK, false);
	open_here(&m);
	assert_int_equal(record_rings_map(&m.events, page(), &m.rings, &m.diag), 0);
	assert_int_equal(m.rings.n, 1);
	assert_int_equal(m.rings.items[0].n, 2);
	assert_int_equal(m.rings.items[0].ring.size, page());
	assert_int_equal(record_rings_find(&m.rings, &m.events.items[1], 0), 0);
	assert_int_equal(record_ring_fd(&m.rings.items[0]), m.events.items[0].fds[0]);
}

static void those_that_overwrite_have_one_of_their_own(void **state)
{
	(void)state;
	_cleanup_(done) struct mapped m = { 0 };

	add(&m, PERF_COUNT_SW_PAGE_FAULTS, false);
	add(&m, PERF_COUNT_SW_CPU_CLOCK, true);
	open_here(&m);
	assert_int_equal(record_rings_map(&m.events, page(), &m.rings, &m.diag), 0);
	assert_int_equal(m.rings.n, 2);
	assert_true(m.rings.items[1].ring.backward);
}

static void without_a_wish_a_ring_is_as_large_as_is_allowed(void **state)
{
	(void)state;
	_cleanup_(done) struct mapped m = { 0 };

	add(&m, PERF_COUNT_SW_PAGE_FAULTS, false);
	open_here(&m);
	assert_int_equal(record_rings_map(&m.events, 0, &m.rings, &m.diag), 0);
	assert_in_range(m.rings.items[0].ring.size, page(), 16 << 20);
}

static void a_wish_that_cannot_be_met_is_explained(void **state)
{
	(void)state;
	_cleanup_(done) struct mapped m = { 0 };

	add(&m, PERF_COUNT_SW_PAGE_FAULTS, false);
	open_here(&m);
	assert_true(record_rings_map(&m.events, (size_t)1 << 45, &m.rings, &m.diag) < 0);
	assert_non_null(m.diag.message);
}

static void what_happens_is_written_into_the_ring(void **state)
{
	(void)state;
	_cleanup_(done) struct mapped m = { 0 };
	volatile char *fresh;

	add(&m, PERF_COUNT_SW_PAGE_FAULTS, false);
	open_here(&m);
	assert_int_equal(record_rings_map(&m.events, page(), &m.rings, &m.diag), 0);
	assert_int_equal(opened_events_enable(&m.events), 0);
	fresh = calloc(1, 1 << 20);
	fresh[1 << 19] = 1;
	free((void *)fresh);
	opened_events_disable(&m.events);
	assert_true(ring_pending(&m.rings.items[0].ring) > 0);
}

/* Nothing is read, so no record can report the losses. */
static void what_found_the_ring_full_is_known_from_the_kernel(void **state)
{
	(void)state;
	_cleanup_(done) struct mapped m = { 0 };
	struct record_tally told = { 0 };
	size_t size = 4096 * page();
	uint64_t lost;
	char *fresh;

	add(&m, PERF_COUNT_SW_PAGE_FAULTS, false);
	m.l.items[0]->attr.read_format = PERF_FORMAT_ID | PERF_FORMAT_LOST;
	open_here(&m);
	if (!(m.l.items[0]->attr.read_format & PERF_FORMAT_LOST))
		skip_because("the kernel does not count what is lost (before 6.0)");
	assert_int_equal(record_rings_map(&m.events, page(), &m.rings, &m.diag), 0);
	assert_int_equal(lost_untold(&m.events, &told), 0);
	fresh = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_true(fresh != MAP_FAILED);
	assert_int_equal(madvise(fresh, size, MADV_NOHUGEPAGE), 0);
	assert_int_equal(opened_events_enable(&m.events), 0);
	for (size_t at = 0; at < size; at += page())
		fresh[at] = 1;
	opened_events_disable(&m.events);
	munmap(fresh, size);
	lost = lost_untold(&m.events, &told);
	assert_true(lost >= 4096 - page() / 16);
	told.lost = 3;
	told.missed = 1;
	assert_int_equal(lost_untold(&m.events, &told), lost - 4);
	told.lost = lost + 1;
	assert_int_equal(lost_untold(&m.events, &told), 0);
}

static void the_next_source_is_one_that_lives(void **state)
{
	(void)state;
	int dead[2], live[2];
	struct record_ring r = { .n = 3 };

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, dead), 0);
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, live), 0);
	close(dead[1]);
	r.fds = (int[]){ dead[0], dead[0], live[0] };
	record_ring_next_source(&r);
	assert_int_equal(record_ring_fd(&r), live[0]);
	close(live[1]);
	record_ring_next_source(&r);
	assert_int_equal(record_ring_fd(&r), -1);
	close(dead[0]);
	close(live[0]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_events_of_a_place_share_a_ring),
		cmocka_unit_test(those_that_overwrite_have_one_of_their_own),
		cmocka_unit_test(without_a_wish_a_ring_is_as_large_as_is_allowed),
		cmocka_unit_test(a_wish_that_cannot_be_met_is_explained),
		cmocka_unit_test(what_happens_is_written_into_the_ring),
		cmocka_unit_test(what_found_the_ring_full_is_known_from_the_kernel),
		cmocka_unit_test(the_next_source_is_one_that_lives),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
