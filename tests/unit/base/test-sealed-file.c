/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/sealed-file.h"
#include "skip.h"

#define KIND     7
#define IDENTITY 99

static const char words[] = "what was worked out before";

static int make(void **state)
{
	char dir[] = "/tmp/test-sealed-XXXXXX";

	if (!mkdtemp(dir))
		return -1;
	*state = xasprintf("%s/a/b", dir);
	return 0;
}

static int clean(void **state)
{
	_cleanup_(freep) char *path = *state;

	for (unlink(path); strcmp(path, "/tmp"); rmdir(path))
		*strrchr(path, '/') = '\0';
	return 0;
}

static int opens(const char *path, uint64_t kind, uint64_t identity)
{
	struct sealed_file f = { 0 };
	int r = sealed_file_open(path, kind, identity, &f);

	sealed_file_done(&f);
	return r;
}

static void change(const char *path, off_t at, const char *to)
{
	_cleanup_(closep) int fd = open(path, O_WRONLY | O_CLOEXEC);

	assert_int_equal(pwrite(fd, to, strlen(to), at), strlen(to));
}

static void what_was_written_is_opened(void **state)
{
	struct sealed_file f = { 0 };

	assert_int_equal(sealed_file_write(*state, KIND, IDENTITY, words, sizeof(words)), 0);
	assert_int_equal(sealed_file_open(*state, KIND, IDENTITY, &f), 0);
	assert_int_equal(f.size, sizeof(words));
	assert_string_equal(f.bytes, words);
	assert_int_equal((uintptr_t)f.bytes % 8, 0);
	sealed_file_done(&f);
}

static void nothing_can_be_kept_too(void **state)
{
	assert_int_equal(sealed_file_write(*state, KIND, IDENTITY, NULL, 0), 0);
	assert_int_equal(opens(*state, KIND, IDENTITY), 0);
}

static void one_made_from_something_else_is_stale(void **state)
{
	sealed_file_write(*state, KIND, IDENTITY, words, sizeof(words));
	assert_int_equal(opens(*state, KIND, IDENTITY + 1), -ESTALE);
}

static void one_of_another_kind_is_refused(void **state)
{
	sealed_file_write(*state, KIND, IDENTITY, words, sizeof(words));
	assert_int_equal(opens(*state, KIND + 1, IDENTITY), -EBADMSG);
}

static void a_changed_byte_is_noticed(void **state)
{
	for (off_t at = 0; at < (off_t)sizeof(words) - 1; at++) {
		sealed_file_write(*state, KIND, IDENTITY, words, sizeof(words));
		change(*state, SEALED_HEADER_SIZE + at, "#");
		assert_int_equal(opens(*state, KIND, IDENTITY), -EBADMSG);
	}
}

static void a_short_file_is_noticed(void **state)
{
	for (off_t size = 0; size < SEALED_HEADER_SIZE + 8; size += 7) {
		sealed_file_write(*state, KIND, IDENTITY, words, sizeof(words));
		assert_int_equal(truncate(*state, size), 0);
		assert_int_equal(opens(*state, KIND, IDENTITY), -EBADMSG);
	}
}

static void a_missing_one_is_not_there(void **state)
{
	assert_int_equal(opens(*state, KIND, IDENTITY), -ENOENT);
}

static void one_of_another_user_is_left_alone(void **state)
{
	if (geteuid() != 0)
		skip_because("only root may do this");
	sealed_file_write(*state, KIND, IDENTITY, words, sizeof(words));
	assert_int_equal(chown(*state, 12345, 12345), 0);
	assert_int_equal(opens(*state, KIND, IDENTITY), -EPERM);
}

static void identities_depend_on_all_numbers_and_their_order(void **state)
{
	(void)state;
	assert_true(sealed_identity(sealed_identity(0, 1), 2) !=
		    sealed_identity(sealed_identity(0, 2), 1));
	assert_true(sealed_identity(0, 0) != 0);
}

static void old_ones_are_forgotten(void **state)
{
	struct timespec old[2] = { { .tv_sec = 1000 }, { .tv_sec = 1000 } };
	_cleanup_(freep) char *other = xasprintf("%s-new", (char *)*state);

	sealed_file_write(*state, KIND, IDENTITY, words, sizeof(words));
	assert_int_equal(utimensat(AT_FDCWD, *state, old, 0), 0);
	sealed_file_write(other, KIND, IDENTITY, words, sizeof(words));
	assert_int_equal(opens(*state, KIND, IDENTITY), -ENOENT);
	assert_int_equal(opens(other, KIND, IDENTITY), 0);
	unlink(other);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(what_was_written_is_opened, make, clean),
		cmocka_unit_test_setup_teardown(nothing_can_be_kept_too, make, clean),
		cmocka_unit_test_setup_teardown(one_made_from_something_else_is_stale, make, clean),
		cmocka_unit_test_setup_teardown(one_of_another_kind_is_refused, make, clean),
		cmocka_unit_test_setup_teardown(a_changed_byte_is_noticed, make, clean),
		cmocka_unit_test_setup_teardown(a_short_file_is_noticed, make, clean),
		cmocka_unit_test_setup_teardown(a_missing_one_is_not_there, make, clean),
		cmocka_unit_test_setup_teardown(one_of_another_user_is_left_alone, make, clean),
		cmocka_unit_test(identities_depend_on_all_numbers_and_their_order),
		cmocka_unit_test_setup_teardown(old_ones_are_forgotten, make, clean),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
