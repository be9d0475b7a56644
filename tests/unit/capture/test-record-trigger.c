/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <sys/mman.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "capture/record-trigger.h"
#include "events.h"
#include "skip.h"

static void what_happens_anywhere_is_noticed_once(void **state)
{
	(void)state;
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(event_list_done) struct event_list l = { 0 };
	struct record_trigger t = RECORD_TRIGGER_NONE;
	cpu_set_t here;
	unsigned cpu = (unsigned)sched_getcpu();
	const struct cpu_list cpus = { &cpu, 1, 0 };

	CPU_ZERO(&here);
	CPU_SET(cpu, &here);
	sched_setaffinity(0, sizeof(here), &here);
	add_faults(&l);

	int r = record_trigger_open(&t, &l, &cpus, &diag);

	if (r == -EACCES || r == -EPERM || r == -ENOSYS) {
		record_trigger_close(&t);
		skip_because("events cannot be opened here");
	}
	assert_int_equal(r, 0);

	volatile char *page = mmap(NULL, 4096, PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct pollfd p = { .fd = record_trigger_fd(&t), .events = POLLIN };

	*page = 1;
	assert_int_equal(poll(&p, 1, 5000), 1);
	assert_true(record_trigger_take(&t));
	munmap((void *)page, 4096);
	record_trigger_close(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_happens_anywhere_is_noticed_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
