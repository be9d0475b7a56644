/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "cli/config-file.h"
#include "cli/config.h"
#include "skip.h"

static char *in(void **state, const char *name)
{
	return xasprintf("%s/%s", (char *)*state, name);
}

static int setup(void **state)
{
	char *dir = xstrdup("/tmp/test-config-XXXXXX");

	*state = dir;
	return mkdtemp(dir) ? 0 : -1;
}

static int teardown(void **state)
{
	_cleanup_(freep) char *dir = *state, *file = in(state, "file"), *link = in(state, "link");

	unlink(link);
	unlink(file);
	return rmdir(dir);
}

static void put(const char *path, const char *text)
{
	_cleanup_(fclosep) FILE *f = fopen(path, "w");

	fputs(text, f);
}

static void assert_holds(const char *path, const char *expected)
{
	_cleanup_(freep) char *text = NULL;

	assert_int_equal(file_read(-1, path, 1000, &text, NULL), 0);
	assert_string_equal(text, expected);
}

static void files_are_where_they_always_were(void **state)
{
	(void)state;
	setenv("HOME", "/nonexistent/me", 1);
	setenv("PERF_CONFIG", "/dev/null", 1);

	_cleanup_(freep) char *system = config_path(CONFIG_SYSTEM),
			      *user = config_path(CONFIG_USER), *named = config_path(CONFIG_NAMED);

	assert_string_equal(system, "/etc/perfconfig");
	assert_string_equal(user, "/nonexistent/me/.perfconfig");
	assert_string_equal(named, "/dev/null");
	unsetenv("PERF_CONFIG");
	unsetenv("HOME");
	assert_null(config_path(CONFIG_NAMED));
	assert_null(config_path(CONFIG_USER));
}

static void a_file_is_read(void **state)
{
	_cleanup_(freep) char *path = in(state, "file");
	_cleanup_(config_done) struct config c = { 0 };
	_cleanup_(diag_done) struct diag d = { 0 };

	put(path, "[a]\n\tx = 1\n");
	assert_int_equal(config_read_file(&c, path, &d), 0);
	assert_string_equal(config_get(&c, "a.x"), "1");
	assert_string_equal(c.items[0].origin, path);
}

static void a_missing_file_has_no_variables(void **state)
{
	_cleanup_(freep) char *path = in(state, "file");
	_cleanup_(config_done) struct config c = { 0 };
	_cleanup_(diag_done) struct diag d = { 0 };

	assert_int_equal(config_read_file(&c, path, &d), 0);
	assert_int_equal(config_read_file(&c, "/dev/null/x", &d), 0);
	assert_int_equal(config_read_file(&c, "/dev/null", &d), 0);
	assert_int_equal(c.n, 0);
}

static void what_cannot_be_read_says_why(void **state)
{
	_cleanup_(config_done) struct config c = { 0 };
	_cleanup_(diag_done) struct diag d = { 0 };
	_cleanup_(freep) char *message = xasprintf("cannot read '%s': Is a directory",
						   (char *)*state);

	assert_int_equal(config_read_file(&c, *state, &d), -EISDIR);
	assert_string_equal(d.message, message);
}

static void a_file_of_another_user_is_not_read(void **state)
{
	_cleanup_(freep) char *path = in(state, "file");
	_cleanup_(config_done) struct config c = { 0 };
	_cleanup_(diag_done) struct diag d = { 0 };

	if (geteuid() != 0)
		skip_because("only root may do this");
	put(path, "[core]\n\tpager = evil\n");
	assert_int_equal(chown(path, 65534, 65534), 0);
	assert_int_equal(config_read_file(&c, path, &d), -EPERM);
	assert_int_equal(c.n, 0);
	assert_non_null(strstr(d.message, "belongs to another user"));
}

/* The home directory may be another user's. */
static void only_a_file_is_opened_at_home(void **state)
{
	_cleanup_(freep) char *path = in(state, ".perfconfig"),
			      *home = xstrdup(getenv("HOME") ?: "/");
	_cleanup_(config_done) struct config c = { 0 };
	_cleanup_(diag_done) struct diag d = { 0 };

	setenv("HOME", *state, 1);
	assert_int_equal(symlink("/dev/full", path), 0);
	assert_int_equal(config_read_file(&c, path, &d), -EINVAL);
	assert_non_null(strstr(d.message, "is not a file"));
	unlink(path);
	diag_done(&d);
	d = (struct diag){ 0 };
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(config_read_file(&c, path, &d), -EINVAL);
	unlink(path);
	diag_done(&d);
	d = (struct diag){ 0 };
	assert_int_equal(symlink("/dev/null", path), 0);
	assert_int_equal(config_read_file(&c, path, &d), 0);
	unlink(path);
	setenv("HOME", home, 1);
}

static void setting_creates_the_file(void **state)
{
	_cleanup_(freep) char *path = in(state, "file");
	_cleanup_(diag_done) struct diag d = { 0 };
	struct stat st;

	umask(027);
	assert_int_equal(config_write_file(path, "a.x", "1", &d), 0);
	assert_holds(path, "[a]\n\tx = 1\n");
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0640);
}

static void setting_keeps_mode_and_links(void **state)
{
	_cleanup_(freep) char *path = in(state, "file"), *link = in(state, "link");
	_cleanup_(diag_done) struct diag d = { 0 };
	struct stat st;

	put(path, "# mine\n[a]\n\tx = 1\n");
	chmod(path, 0600);
	assert_int_equal(symlink("file", link), 0);
	assert_int_equal(config_write_file(link, "a.x", "2", &d), 0);
	assert_holds(path, "# mine\n[a]\n\tx = 2\n");
	assert_int_equal(lstat(link, &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
}

static void a_file_with_a_mistake_is_not_changed(void **state)
{
	_cleanup_(freep) char *path = in(state, "file");
	_cleanup_(diag_done) struct diag d = { 0 };

	put(path, "[a\n");
	assert_int_equal(config_write_file(path, "a.x", "2", &d), -EINVAL);
	assert_holds(path, "[a\n");
}

/* A file must not be renamed over /dev/null. */
static void a_device_is_not_replaced(void **state)
{
	_cleanup_(diag_done) struct diag d = { 0 };

	(void)state;
	assert_int_equal(config_write_file("/dev/null", "a.x", "1", &d), -EINVAL);
	assert_string_equal(d.message, "cannot change '/dev/null': not a regular file");
}

static void a_directory_that_is_missing_says_so(void **state)
{
	_cleanup_(diag_done) struct diag d = { 0 };

	(void)state;
	assert_int_equal(config_write_file("/nonexistent/file", "a.x", "1", &d), -ENOENT);
	assert_string_equal(d.message,
			    "cannot write '/nonexistent/file': there is no folder '/nonexistent'");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_are_where_they_always_were),
		cmocka_unit_test_setup_teardown(a_file_is_read, setup, teardown),
		cmocka_unit_test_setup_teardown(a_missing_file_has_no_variables, setup, teardown),
		cmocka_unit_test_setup_teardown(what_cannot_be_read_says_why, setup, teardown),
		cmocka_unit_test_setup_teardown(a_file_of_another_user_is_not_read, setup,
						teardown),
		cmocka_unit_test_setup_teardown(only_a_file_is_opened_at_home, setup, teardown),
		cmocka_unit_test_setup_teardown(setting_creates_the_file, setup, teardown),
		cmocka_unit_test_setup_teardown(setting_keeps_mode_and_links, setup, teardown),
		cmocka_unit_test_setup_teardown(a_file_with_a_mistake_is_not_changed, setup,
						teardown),
		cmocka_unit_test(a_device_is_not_replaced),
		cmocka_unit_test(a_directory_that_is_missing_says_so),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
