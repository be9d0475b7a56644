/* SPDX-License-Identifier: MIT */
/* Tests the code of a dump in the recorded machine: over time, over forks and with new programs. */
#include "recording.h"

#include <stdlib.h>
#include <time.h>

#include "session/machine.h"
#include "symbol/dump-builder.h"
#include "symbol/symbol.h"
#include "symbol/symbolizer.h"

#define CODE 0x10000

struct example {
	char dir[32], path[64];
	struct recording rec;
	struct symbolizer *names;
	struct session *s;
};

/*
 * Sets up process 7, which maps its dump and memory at CODE, where it generates one function at 100
 * and another at 200.
 */
static void example_begin(struct example *e)
{
	_cleanup_(bytes_done) struct bytes dump = { 0 };
	FILE *f;

	strcpy(e->dir, "/tmp/test-jit-maps-XXXXXX");
	assert_non_null(mkdtemp(e->dir));
	snprintf(e->path, sizeof(e->path), "%s/jit-7.dump", e->dir);
	dump_begin(&dump, 7, 0);
	dump_load(&dump, 100, CODE, 16, "first");
	dump_load(&dump, 200, CODE, 16, "second");
	f = fopen(e->path, "w");
	assert_non_null(f);
	assert_int_equal(fwrite(dump.data, 1, dump.n, f), dump.n);
	fclose(f);

	e->rec = recording_new();
	e->rec.attr.use_clockid = 1;
	e->rec.attr.clockid = CLOCK_MONOTONIC;
	e->names = symbolizer_new(&(struct symbolizer_options){ 0 });
	mmaps(&e->rec, 7, 0x400000, 0x1000, "/bin/node", 10);
	mmaps(&e->rec, 7, 0x500000, 0x1000, e->path, 20);
	mmaps(&e->rec, 7, CODE, 0x1000, "//anon", 30);
}

static void example_read(struct example *e)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(bytes_done) struct bytes file = { 0 };
	char path[32];

	write_file(&e->rec, &file);
	e->rec.fd = memfd_create("recording", MFD_CLOEXEC);
	assert_int_equal(write(e->rec.fd, file.data, file.n), file.n);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", e->rec.fd);
	assert_int_equal(
		session_open(&(struct session_options){ .path = path, .symbolizer = e->names },
			     &e->s, &diag),
		0);
	assert_int_equal(session_scan(e->s, &diag), 0);
}

static void example_done(struct example *e)
{
	session_free(e->s);
	symbolizer_free(e->names);
	recording_done(&e->rec);
	unlink(e->path);
	rmdir(e->dir);
}

static const char *name_at(const struct example *e, uint32_t pid, uint64_t addr, uint64_t time,
			   struct span *span)
{
	struct location l;

	if (!machine_resolve_span(e->s, pid, ADDRESS_USER, addr, time, &l, span))
		return "nothing";
	return l.sym ? l.sym->name : l.map->name;
}

static void code_has_the_name_of_its_time(void **state)
{
	_cleanup_(example_done) struct example e = { 0 };
	struct span span;

	(void)state;
	example_begin(&e);
	example_read(&e);
	assert_string_equal(name_at(&e, 7, CODE + 8, 50, &span), "//anon");
	assert_int_equal(span.until, 100);
	assert_string_equal(name_at(&e, 7, CODE + 8, 150, &span), "first");
	assert_int_equal(span.from, 100);
	assert_int_equal(span.until, 200);
	assert_string_equal(name_at(&e, 7, CODE + 8, 250, &span), "second");
	assert_int_equal(span.from, 200);
	assert_int_equal(span.until, UINT64_MAX);
	assert_string_equal(name_at(&e, 7, CODE + 8, 0, &span), "second");
	assert_string_equal(name_at(&e, 7, CODE + 16, 250, &span), "//anon");
	assert_string_equal(name_at(&e, 8, CODE + 8, 250, &span), "nothing");
}

static void a_child_has_what_was_made_before_it(void **state)
{
	_cleanup_(example_done) struct example e = { 0 };
	struct span span;

	(void)state;
	example_begin(&e);
	forks(&e.rec, 7, 7, 9, 9, 150);
	example_read(&e);
	assert_string_equal(name_at(&e, 9, CODE + 8, 250, &span), "first");
	assert_string_equal(name_at(&e, 7, CODE + 8, 250, &span), "second");
	assert_ptr_not_equal(machine_space(e.s, 9, ADDRESS_USER, 250, &span),
			     machine_space(e.s, 7, ADDRESS_USER, 250, &span));
}

static void a_new_program_has_none_of_it(void **state)
{
	_cleanup_(example_done) struct example e = { 0 };
	struct span span;

	(void)state;
	example_begin(&e);
	forks(&e.rec, 7, 7, 9, 9, 210);
	add(&e.rec,
	    (struct record){
		    .header = { .type = PERF_RECORD_COMM, .misc = PERF_RECORD_MISC_COMM_EXEC },
		    .comm = { .pid = 9, .tid = 9, .comm = "ls" } },
	    220);
	mmaps(&e.rec, 9, CODE, 0x1000, "/bin/ls", 230);
	example_read(&e);
	assert_string_equal(name_at(&e, 9, CODE + 8, 215, &span), "second");
	assert_true(span.until <= 220);
	assert_string_equal(name_at(&e, 9, CODE + 8, 240, &span), "/bin/ls");
	assert_true(span.from >= 220);
	assert_string_equal(name_at(&e, 7, CODE + 8, 240, &span), "second");
}

static void executes(struct example *e, uint32_t pid, const char *comm, uint64_t time)
{
	add(&e->rec,
	    (struct record){
		    .header = { .type = PERF_RECORD_COMM, .misc = PERF_RECORD_MISC_COMM_EXEC },
		    .comm = { .pid = pid, .tid = pid, .comm = comm } },
	    time);
}

/* The shell 5 starts process 7, which becomes the one of example_begin(). */
static void a_program_that_was_started_meanwhile_has_its_code(void **state)
{
	_cleanup_(example_done) struct example e = { 0 };
	struct span span;

	(void)state;
	example_begin(&e);
	mmaps(&e.rec, 5, 0x400000, 0x1000, "/bin/sh", 1);
	forks(&e.rec, 5, 5, 7, 7, 2);
	executes(&e, 7, "node", 3);
	example_read(&e);
	assert_string_equal(name_at(&e, 7, CODE + 8, 150, &span), "first");
	assert_string_equal(name_at(&e, 7, CODE + 8, 250, &span), "second");
	assert_int_equal(span.from, 200);
}

static void each_exec_ends_the_code_of_the_program_before(void **state)
{
	_cleanup_(example_done) struct example e = { 0 };
	struct span span;

	(void)state;
	example_begin(&e);
	mmaps(&e.rec, 5, 0x400000, 0x1000, "/bin/sh", 1);
	forks(&e.rec, 5, 5, 7, 7, 2);
	executes(&e, 7, "env", 3);
	executes(&e, 7, "node", 4);
	executes(&e, 7, "ls", 220);
	mmaps(&e.rec, 7, CODE, 0x1000, "/bin/ls", 230);
	example_read(&e);
	assert_string_equal(name_at(&e, 7, CODE + 8, 210, &span), "second");
	assert_int_equal(span.from, 200);
	assert_int_equal(span.until, 220);
	assert_string_equal(name_at(&e, 7, CODE + 8, 240, &span), "/bin/ls");
	assert_true(span.from >= 220);
	assert_string_equal(name_at(&e, 7, CODE + 8, 0, &span), "/bin/ls");
}

static void forks_at_any_depth_have_what_was_made_before_them(void **state)
{
	_cleanup_(example_done) struct example e = { 0 };
	struct span span;
	uint32_t pid = 7;

	(void)state;
	example_begin(&e);
	/* Each child maps something of its own, so that its own space is searched. */
	for (uint32_t child = 20; child < 40; pid = child++) {
		forks(&e.rec, pid, pid, child, child, 150 + child);
		mmaps(&e.rec, child, 0x700000 + child * 0x1000, 0x1000, "//anon", 151 + child);
	}
	example_read(&e);
	for (uint32_t child = 20; child < 40; child++)
		assert_string_equal(name_at(&e, child, CODE + 8, 250, &span), "first");
	assert_string_equal(name_at(&e, 7, CODE + 8, 250, &span), "second");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(code_has_the_name_of_its_time),
		cmocka_unit_test(a_child_has_what_was_made_before_it),
		cmocka_unit_test(a_new_program_has_none_of_it),
		cmocka_unit_test(a_program_that_was_started_meanwhile_has_its_code),
		cmocka_unit_test(each_exec_ends_the_code_of_the_program_before),
		cmocka_unit_test(forks_at_any_depth_have_what_was_made_before_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
