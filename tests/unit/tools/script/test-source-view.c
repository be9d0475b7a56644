/* SPDX-License-Identifier: MIT */
/* Alone: it replaces what reads lines (fake-source.h). */
#include "session/recording.h"

#include <stdlib.h>

#include "base/text.h"
#include "fake-source.h"
#include "symbol/symbolizer.h"
#include "view/printed.h"
#include "tools/script/script-view.h"

struct fixture {
	struct recording rec;
	char path[64];
	struct source_frame lines[2];
	struct fake_code code[4];
};

static int set_up(void **state)
{
	static const char text[] = "int a;\n\ta = 1;\n";
	static struct fixture f;
	int fd;

	strcpy(f.path, "/tmp/test-script-source-XXXXXX");
	fd = mkstemp(f.path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, sizeof(text) - 1), sizeof(text) - 1);
	close(fd);
	f.lines[0].at = (struct source_line){ f.path, 1 };
	f.lines[1].at = (struct source_line){ f.path, 2 };
	f.code[0] = (struct fake_code){ 0x10, &f.lines[0], 1 };
	f.code[1] = (struct fake_code){ 0x14, &f.lines[0], 1 };
	f.code[2] = (struct fake_code){ 0x20, &f.lines[1], 1 };
	fake_code = f.code;
	f.rec = recording_new();
	f.rec.symbolizer = symbolizer_new(&(struct symbolizer_options){ 0 });
	for (uint32_t pid = 7; pid <= 8; pid++)
		mmaps(&f.rec, pid, 0x1000, 0x1000, "/bin/prog", 1);
	*state = &f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	symbolizer_free(f->rec.symbolizer);
	recording_done(&f->rec);
	unlink(f->path);
	return 0;
}

static void add_sample(struct fixture *f, uint32_t tid, uint64_t ip)
{
	static uint64_t time = 10;
	const struct sample s = { .misc = PERF_RECORD_MISC_USER,
				  .id = 1,
				  .ip = ip,
				  .pid = tid,
				  .tid = tid,
				  .time = time++ };

	assert_int_equal(sample_encode(&s, &f->rec.attr, &f->rec.records), 0);
}

static void assert_script(struct fixture *f, const char *expected)
{
	static const struct field_request fields = {
		.types = FIELD_TYPE_ALL,
		.replace = true,
		.add = FIELD_BIT(IP) | FIELD_BIT(SRCCODE),
	};
	_cleanup_(session_freep) struct session *session = opened(&f->rec, false);
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(text_done) struct text notes = TEXT_EMPTY;
	_cleanup_(script_freep) struct script *s = NULL;
	struct printed out;
	struct script_options o = { .fields = &fields, .n_fields = 1 };

	printed_open(&out);
	o.out = out.out;
	assert_int_equal(script_new(session, &o, &s, &notes, &diag), 0);
	assert_int_equal(script_print(s, &diag), 0);
	assert_printed(&out, expected);
}

static void a_line_is_shown_when_its_thread_comes_to_it(void **state)
{
	struct fixture *f = *state;

	add_sample(f, 7, 0x1010);
	add_sample(f, 7, 0x1014); /* the same line */
	add_sample(f, 8, 0x1010); /* another thread */
	add_sample(f, 7, 0x1020);
	assert_script(f, "             1010\n|1        int a;\n"
			 "             1014\n"
			 "             1010\n|1        int a;\n"
			 "             1020\n|2        \ta = 1;\n");
}

static void places_without_a_line_change_nothing(void **state)
{
	struct fixture *f = *state;

	add_sample(f, 7, 0x1020);
	add_sample(f, 7, 0x1080);
	add_sample(f, 7, 0x9000);
	add_sample(f, 7, 0x1020);
	assert_script(f, "             1020\n|2        \ta = 1;\n"
			 "             1080\n             9000\n             1020\n");
}

static void a_file_that_is_another_one_now_has_no_such_line(void **state)
{
	struct fixture *f = *state;

	f->lines[0].at.line = 3;
	f->lines[1].at.file = "/no/such/file";
	add_sample(f, 7, 0x1010);
	add_sample(f, 7, 0x1020);
	assert_script(f, "             1010\n             1020\n");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(a_line_is_shown_when_its_thread_comes_to_it),
		TEST(places_without_a_line_change_nothing),
		TEST(a_file_that_is_another_one_now_has_no_such_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
