/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "base/diag.h"
#include "base/notes.h"
#include "tools/lock/internal-work.h"

static int on_model(void *arg, const struct lock_counted *counted)
{
	(void)arg, (void)counted;
	fail();
	return 0;
}

/* Checks that the request is refused before anything is measured. */
static int refused(struct lock_request rq)
{
	const struct lock_listener listener = { .show = on_model };
	struct notes notes = { 0 };
	struct diag diag = { 0 };
	struct record_result result = { 0 };
	int r;

	rq.is_live = rq.use_bpf = true;
	r = lock_run(&rq, &listener, &notes, &result, &diag);
	assert_true(r < 0);
	assert_non_null(diag.message);
	diag_done(&diag);
	notes_done(&notes);
	return r;
}

static void what_cannot_be_planned_is_not_measured(void **state)
{
	const char *lock = "no_such_lock";

	(void)state;
	assert_int_equal(refused((struct lock_request){ .inject_delay = "1ms@x" }), -EOPNOTSUPP);
	refused((struct lock_request){ .cgroups = "no/such/group" });
	refused((struct lock_request){ .filters.locks = { .items = &lock, .n = 1 } });
}

static void symbols_that_were_asked_for_must_be_there(void **state)
{
	(void)state;
	refused((struct lock_request){ .input.symbols.kallsyms = "/no/such/file" });
	refused((struct lock_request){ .input.symbols.vmlinux = "/no/such/file" });
}

static void a_command_that_is_not_there_is_told(void **state)
{
	char *words[] = { (char *)"/no/such/program", NULL };

	(void)state;
	refused((struct lock_request){ .argv = words, .max_stack = 8 });
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_cannot_be_planned_is_not_measured),
		cmocka_unit_test(symbols_that_were_asked_for_must_be_there),
		cmocka_unit_test(a_command_that_is_not_there_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
