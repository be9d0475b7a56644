/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>
#include "base/cleanup.h"
#include "scratch.h"
#include "symbol/buildid/debug-package.h"

static void the_package_that_has_a_file_is_found(void **state)
{
	static const struct {
		const char *path, *command;
	} rows[] = {
		{ "/usr/bin/dd", "apt install coreutils-dbgsym" }, /* its list says /bin/dd */
		{ "/bin/dd", "apt install coreutils-dbgsym" },
		{ "/usr/lib/libc.so.6", "apt install libc6-dbg" },
		{ "/lib/libc.so.6", "apt install libc6-dbg" }, /* its list says /usr/lib */
		{ "/usr/bin/d", NULL },
		{ "/usr/bin", NULL },
		{ "/opt/own", NULL },
		{ "/usr/lib/python3.11/_json.so", "apt install libpython3.11-dbgsym" },
		{ "/usr/bin/ld", "apt install ld-tool-dbgsym" },
		{ "/usr/bin/unlikely", NULL },
	};
	_cleanup_(freep) char *coreutils = scratch_path(*state, "coreutils.list");
	_cleanup_(freep) char *libc = scratch_path(*state, "libc6:arm64.list");
	_cleanup_(freep) char *sums = scratch_path(*state, "own.md5sums");
	_cleanup_(freep) char *python = scratch_path(*state, "libpython3.11:arm64.list");
	_cleanup_(freep) char *ld = scratch_path(*state, "ld-tool.list");

	scratch_write(coreutils, "/.\n/bin/dd\n/bin/dd.conf\n/usr/share");
	scratch_write(libc, "/.\n/usr/lib/libc.so.6\n");
	scratch_write(sums, "/opt/own\n");
	scratch_write(python, "/usr/lib/python3.11/_json.so\n/usr/bin/unlikely\n");
	scratch_write(ld, "/usr/bin/ld\n");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		_cleanup_(freep) char *command = debug_package_of_dpkg(*state, rows[i].path);

		if (rows[i].command)
			assert_string_equal(command, rows[i].command);
		else
			assert_null(command);
	}
}

static void without_lists_there_is_no_package(void **state)
{
	(void)state;
	assert_null(debug_package_of_dpkg("/no/such/dir", "/bin/dd"));
	assert_null(debug_package_command("[vdso]"));
	assert_null(debug_package_command("/opt/program"));
	assert_null(debug_package_command("/usr/local/bin/program"));
	assert_null(debug_package_command("/usr/bin/it's"));
}

static void each_distribution_has_its_archive(void **state)
{
	_cleanup_(freep) char *debian =
		debug_archive_setup("NAME=x\nVERSION_CODENAME=trixie\nID=debian\n");
	_cleanup_(freep) char *ubuntu =
		debug_archive_setup("ID=ubuntu\nVERSION_CODENAME=\"noble\"\n");

	(void)state;
	assert_non_null(strstr(debian, "debian-debug trixie-debug main"));
	assert_non_null(strstr(ubuntu, "ddebs.ubuntu.com noble main"));
	assert_null(debug_archive_setup("ID=debian\n"));
	assert_null(debug_archive_setup("ID=other\nVERSION_CODENAME=x\n"));
	/*
	 * A name that a shell would read as more than a word ends before the first such character.
	 */
	assert_null(debug_archive_setup("ID=debian\nVERSION_CODENAME=$(reboot)\n"));
}

static void an_archive_in_use_is_not_set_up_again(void **state)
{
	static const struct {
		const char *sources;
		bool is_named;
	} rows[] = {
		{ "", false },
		{ "deb http://deb.debian.org/debian trixie main\n", false },
		{ "deb http://deb.debian.org/debian-debug trixie-debug main\n", true },
		{ "# deb http://deb.debian.org/debian-debug trixie-debug main\n", false },
		{ "deb http://ddebs.ubuntu.com noble main", true },
		{ "Types: deb\nURIs: http://deb.debian.org/debian-debug\nSuites: trixie-debug\n",
		  true },
		{ "Types: deb\nURIs: http://deb.debian.org/debian-debug\nEnabled: no\n", false },
		{ "Enabled: no\nURIs: http://x/debian\n\nURIs: http://x/debian-debug\n", true },
		{ "URIs: http://x/debian-debug\n\nEnabled: no\nURIs: http://x/debian\n", true },
		{ "#URIs: http://x/debian-debug\nEnabled: yes\n\n", false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_int_equal(debug_archive_is_named(rows[i].sources), rows[i].is_named);
}

static void each_distribution_has_its_server(void **state)
{
	(void)state;
	assert_string_equal(debug_package_server_of("NAME=x\nID=debian\n"),
			    "https://debuginfod.debian.net");
	assert_string_equal(debug_package_server_of("ID=ubuntu\nID_LIKE=debian\n"),
			    "https://debuginfod.ubuntu.com");
	assert_string_equal(debug_package_server_of("ID_LIKE=debian\n"),
			    "https://debuginfod.elfutils.org");
	assert_string_equal(debug_package_server_of(""), "https://debuginfod.elfutils.org");
}

static void whoever_has_a_server_needs_none(void **state)
{
	(void)state;
	setenv("DEBUGINFOD_URLS", "http://localhost:1/", 1);
	assert_null(debug_package_server());
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(the_package_that_has_a_file_is_found, scratch_make,
						scratch_remove),
		cmocka_unit_test(without_lists_there_is_no_package),
		cmocka_unit_test(each_distribution_has_its_archive),
		cmocka_unit_test(an_archive_in_use_is_not_set_up_again),
		cmocka_unit_test(each_distribution_has_its_server),
		cmocka_unit_test(whoever_has_a_server_needs_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
