/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "foreign/other-files.h"

#define BYTES(s) s, sizeof(s) - 1

static const struct {
	const char *begin;
	size_t n;
	const char *path, *hint;
} cases[] = {
	{ BYTES("SQLite format 3\0"), "a.db",
	  "It is a SQLite database. What perf push wrote is read by: -i sqlite:a.db" },
	{ BYTES("\0\0\0\0\0\0\0\0\3\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x10\x27"), "cpu.prof",
	  "It is a CPU profile of gperftools. To convert it: go tool pprof -proto PROGRAM cpu.prof "
	  ">profile.pb.gz" },
	{ BYTES("heap profile:    500:   874750 [  1000:  1499500] @ heapprofile\n"), "-",
	  "It is a heap profile as text, of gperftools or Go. To convert it: go tool pprof -proto "
	  "PROGRAM FILE >profile.pb.gz" },
	{ BYTES("FLR\0\0\2"), "x.jfr",
	  "It is a recording of Java's Flight Recorder. The converter of async-profiler writes "
	  "pprof: jfrconv -o pprof x.jfr profile.pb.gz" },
	{ BYTES("BZh91AY"), "perf.data.tar.bz2",
	  "It is packed by bzip2. Archives of perf are unpacked by: perf archive --unpack "
	  "perf.data.tar.bz2" },
	{ BYTES(" {\"version\":1,\"$schema\":\"https://www.speedscope.app/"
		"file-format-schema.json\""),
	  "x.json",
	  "It is a profile of speedscope. Folded stacks are read instead: py-spy record -f raw and "
	  "rbspy record -f collapsed write them." },
	{ BYTES("{\"nodes\":[{\"id\":1,\"callFrame\":{"), "-",
	  "It is a profile of V8, as Chrome and Node.js write them. Profiles that npm's package "
	  "pprof writes are read; node --perf-basic-prof can be recorded by perf itself." },
};

static void what_to_do_with_a_file_is_told(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_(diag_done) struct diag diag = { 0 };

		assert_true(other_file_is(cases[i].begin, cases[i].n));
		other_file_hint(cases[i].path, cases[i].begin, cases[i].n, &diag);
		assert_non_null(diag.hint);
		assert_string_equal(diag.hint, cases[i].hint);
	}
}

static void a_program_is_to_be_recorded(void **state)
{
	_cleanup_(diag_done) struct diag diag = { 0 };

	(void)state;
	assert_false(other_file_is(BYTES("\177ELF\2\1\1")));
	other_file_hint("-", BYTES("\177ELF\2\1\1"), &diag);
	assert_null(diag.hint);
	other_file_hint("prog", BYTES("\177ELF\2\1\1"), &diag);
	assert_string_equal(diag.hint, "It is a program. To record it: perf record ./prog");
}

/* Beginnings that are cut, and words of JSON in other texts, are also not recognised. */
static void of_other_bytes_nothing_is_said(void **state)
{
	static const struct {
		const char *begin;
		size_t n;
	} none[] = {
		{ BYTES("") },
		{ BYTES("PERFILE2") },
		{ BYTES("SQLite format") },
		{ BYTES("\0\0\0\0\0\0\0\0") },
		{ BYTES("\177EL") },
		{ BYTES("sh;main;\"callFrame\" 12\n") },
		{ BYTES("{\"meta\":{}}") },
		{ BYTES("   ") },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(none); i++) {
		_cleanup_(diag_done) struct diag diag = { 0 };

		assert_false(other_file_is(none[i].begin, none[i].n));
		other_file_hint("x", none[i].begin, none[i].n, &diag);
		assert_null(diag.hint);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_to_do_with_a_file_is_told),
		cmocka_unit_test(a_program_is_to_be_recorded),
		cmocka_unit_test(of_other_bytes_nothing_is_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
