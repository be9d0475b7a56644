/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "tools/lock/type-model.h"

static void flags_have_names(void **state)
{
	(void)state;
	assert_string_equal(lock_type_name(0), "semaphore");
	assert_string_equal(lock_type_name(LOCK_SPIN | LOCK_WRITE), "rwlock:W");
	assert_string_equal(lock_type_name(LOCK_PERCPU | LOCK_READ), "pcpu-sem:R");
	assert_string_equal(lock_type_name(LOCK_MUTEX | LOCK_SPIN), "mutex");
	assert_string_equal(lock_type_name(0xffff), "unknown");
	assert_string_equal(lock_type_of_lock(LOCK_PERCPU | LOCK_READ), "percpu-rwsem");
	assert_string_equal(lock_type_of_lock(LOCK_RT), "rt-mutex");
	assert_string_equal(lock_type_of_lock(0xffff), "unknown");
}

static void a_name_means_all_flags_that_have_it(void **state)
{
	_cleanup_(lock_types_done) struct lock_types t = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };

	(void)state;
	assert_int_equal(lock_types_parse(&t, "mutex, rwsem,", &diag), 0);
	assert_int_equal(t.n, 4);
	assert_true(lock_types_have(&t, LOCK_MUTEX | LOCK_SPIN));
	assert_true(lock_types_have(&t, LOCK_WRITE));
	assert_false(lock_types_have(&t, LOCK_SPIN));
}

static void readers_alone_can_be_meant(void **state)
{
	_cleanup_(lock_types_done) struct lock_types t = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };

	(void)state;
	assert_int_equal(lock_types_parse(&t, "pcpu-sem:R", &diag), 0);
	assert_true(lock_types_have(&t, LOCK_PERCPU | LOCK_READ));
	assert_false(lock_types_have(&t, LOCK_PERCPU | LOCK_WRITE));
}

static void futexes_are_types_of_user_space(void **state)
{
	_cleanup_(lock_types_done) struct lock_types t = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };

	(void)state;
	assert_int_equal(lock_types_parse(&t, "mutex", &diag), 0);
	assert_false(lock_types_have_user(&t));
	assert_int_equal(lock_types_parse(&t, "futex", &diag), 0);
	assert_true(lock_types_have_user(&t));
	assert_true(lock_types_have(&t, LOCK_USER | LOCK_CONDITION));
	assert_string_equal(lock_type_name(LOCK_USER | LOCK_RT), "futex:pi");
}

static void a_wrong_name_is_refused(void **state)
{
	_cleanup_(lock_types_done) struct lock_types t = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };

	(void)state;
	assert_int_equal(lock_types_parse(&t, "mutex,spinlok", &diag), -EINVAL);
	assert_string_equal(diag.message, "'spinlok' is not a type of lock");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(flags_have_names),
		cmocka_unit_test(a_name_means_all_flags_that_have_it),
		cmocka_unit_test(readers_alone_can_be_meant),
		cmocka_unit_test(futexes_are_types_of_user_space),
		cmocka_unit_test(a_wrong_name_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
