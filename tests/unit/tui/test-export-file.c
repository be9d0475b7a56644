/* SPDX-License-Identifier: MIT */
#include "session/recording.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "tui/browse.h"
#include "base/background.h"
#include "tui/export.h"

struct fixture {
	struct recording rec;
	char path[32], out[48];
	struct browse_request rq;
	struct browse *browse;
	const struct browse_snapshot *s;
	struct diag diag;
};

static int set_up(void **state)
{
	static struct fixture f;

	f = (struct fixture){ .rec = recording_new() };
	f.rq.profile.plan.sort = "comm";
	f.rq.profile.max_stack = PROFILE_MAX_STACK;
	f.rq.profile.path = f.path;
	comm(&f.rec, 7, 7, "my work", 1);
	comm(&f.rec, 8, 8, "idle", 1);
	for (uint64_t i = 0; i < 30; i++)
		sampled(&f.rec, 1, i % 3 == 2 ? 8 : 7, 1000 + i);
	stored(&f.rec, f.path);
	snprintf(f.out, sizeof(f.out), "/tmp/perf-export-%d", (int)getpid());
	assert_int_equal(browse_open(&f.rq, &f.browse, &f.diag), 0);
	while (!(f.s = browse_take(f.browse, NULL))) {
		struct pollfd p = { .fd = f.browse->work->fd, .events = POLLIN };

		assert_int_equal(poll(&p, 1, 30000), 1);
	}
	*state = &f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	unlink(f->out);
	browse_release(f->browse, f->s);
	browse_free(f->browse);
	diag_done(&f->diag);
	recording_done(&f->rec);
	return 0;
}

/* Writes the export, and returns the contents of the file. */
static char *written(struct fixture *f, const struct export_view *v, enum export_kind kind)
{
	char *text = NULL;
	uint64_t size = 0;
	FILE *in;

	assert_int_equal(export_write(f->s, v, kind, f->out, &size, &f->diag), 0);
	in = fopen(f->out, "r");
	assert_non_null(in);
	text = calloc(1, size + 1);
	assert_int_equal(fread(text, 1, size, in), size);
	assert_int_equal(fgetc(in), EOF);
	fclose(in);
	return text;
}

static void flame_graphs_are_pictures(void **state)
{
	_cleanup_(freep) char *text = written(*state, &(struct export_view){ 0 }, EXPORT_SVG);

	assert_non_null(strstr(text, "<svg"));
	assert_non_null(strstr(text, "my work"));
	assert_non_null(strstr(text, "</svg>"));
}

static void folded_stacks_have_names_for_lines(void **state)
{
	_cleanup_(freep) char *text = written(*state, &(struct export_view){ 0 }, EXPORT_FOLDED);

	assert_non_null(strstr(text, "idle;"));
	assert_non_null(strstr(text, "my_work;"));
	assert_non_null(strstr(text, " 20\n"));
}

static void what_is_zoomed_into_is_written_alone(void **state)
{
	const char *const zoom[] = { "my work" };
	_cleanup_(freep) char *text =
		written(*state, &(struct export_view){ .zoom = zoom, .n_zoom = 1 }, EXPORT_FOLDED);

	assert_null(strstr(text, "idle"));
	assert_non_null(strstr(text, "my_work;"));
}

static void a_zoom_that_is_gone_is_no_file(void **state)
{
	struct fixture *f = *state;
	const char *const zoom[] = { "nobody" };
	const struct export_view v = { .zoom = zoom, .n_zoom = 1 };
	uint64_t size;

	assert_int_equal(export_write(f->s, &v, EXPORT_SVG, f->out, &size, &f->diag), -ENODATA);
	assert_int_not_equal(access(f->out, F_OK), 0);
}

static void rows_are_text_or_json(void **state)
{
	_cleanup_(freep) char *text = written(*state, &(struct export_view){ 0 }, EXPORT_TEXT);
	_cleanup_(freep) char *json = written(*state, &(struct export_view){ 0 }, EXPORT_JSON);

	assert_non_null(strstr(text, "# Samples: 30 "));
	assert_non_null(strstr(text, "my work"));
	assert_int_equal(json[0], '{');
	assert_non_null(strstr(json, "\"my work\""));
}

static void a_folder_that_is_not_there_is_told(void **state)
{
	struct fixture *f = *state;
	uint64_t size;

	assert_int_equal(export_write(f->s, &(struct export_view){ 0 }, EXPORT_TEXT,
				      "/nowhere/x.txt", &size, &f->diag),
			 -ENOENT);
	assert_non_null(strstr(f->diag.message, "/nowhere"));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(flame_graphs_are_pictures),
		TEST(folded_stacks_have_names_for_lines),
		TEST(what_is_zoomed_into_is_written_alone),
		TEST(a_zoom_that_is_gone_is_no_file),
		TEST(rows_are_text_or_json),
		TEST(a_folder_that_is_not_there_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
