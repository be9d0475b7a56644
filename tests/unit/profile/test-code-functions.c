/* SPDX-License-Identifier: MIT */
#include "session/recording.h"

#include <errno.h>
#include <poll.h>

#include "profile/annotate.h"
#include "profile/code-functions.h"
#include "left-behind.h"
#include "symbol/example-code.h"
#include "symbol/symbolizer.h"
#include "skip.h"

#define MAP 0x40000000ull

struct fixture {
	char *dir;
	struct recording rec;
	char path[32];
	struct profile_request rq;
	struct annotate_request how;
	struct code_functions *functions;
	const struct code_samples *samples;
	struct diag diag;
};

static int set_up(void **state)
{
	static struct fixture f;
	void *dir;

	if (scratch_make(&dir) < 0)
		return -1;
	f = (struct fixture){ .dir = dir, .rec = recording_new() };
	example_store(f.dir, "bin/made", EM_AARCH64, ET_DYN);
	comm(&f.rec, 10, 10, "made", 1);
	mmaps(&f.rec, 10, MAP, 0x1000, EXAMPLE_NAME, 1);
	*state = &f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;
	void *dir = f->dir;

	code_samples_release(f->samples);
	code_functions_free(f->functions);
	diag_done(&f->diag);
	recording_done(&f->rec);
	return scratch_remove(&dir);
}

static void sample_of(struct fixture *f, uint64_t id, uint32_t tid, uint64_t ip)
{
	struct sample s = { .misc = PERF_RECORD_MISC_USER,
			    .id = id,
			    .ip = ip,
			    .pid = 10,
			    .tid = tid,
			    .time = 100 };

	assert_int_equal(sample_encode(&s, &f->rec.attr, &f->rec.records), 0);
}

static void wait_for_news(struct fixture *f)
{
	struct pollfd fd = { .fd = code_functions_fd(f->functions), .events = POLLIN };

	assert_int_equal(poll(&fd, 1, 30000), 1);
}

static void open_it(struct fixture *f, size_t first, size_t n)
{
	stored(&f->rec, f->path);
	f->rq.path = f->path;
	f->rq.symbols.symfs = f->dir;
	assert_int_equal(code_functions_open(&f->rq, &f->how, first, n, &f->functions, &f->diag),
			 0);
}

static void take(struct fixture *f)
{
	const struct code_samples *s = NULL;

	while (!s) {
		wait_for_news(f);
		s = code_functions_take(f->functions, f->samples);
	}
	code_samples_release(f->samples);
	f->samples = s;
}

static struct code_listing *listed(struct fixture *f, struct image *im, const struct symbol *sym)
{
	struct code_listing *l = NULL;

	code_functions_ask(f->functions, f->samples, im, sym);
	while (!l) {
		wait_for_news(f);
		assert_null(code_functions_take(f->functions, f->samples));
		l = code_functions_listing(f->functions);
	}
	return l;
}

static void samples_come_by_place(void **state)
{
	struct fixture *f = *state;

	sample_of(f, 1, 10, MAP + EXAMPLE_TEXT);
	sample_of(f, 1, 10, MAP + EXAMPLE_TEXT + 4);
	open_it(f, 0, 1);
	take(f);
	assert_int_equal(f->samples->n, 1);
	assert_int_equal(f->samples->totals[0].samples, 2);
	assert_int_equal(f->samples->all.n, 1);
	assert_non_null(code_samples_find(f->samples, NULL, "first", 0));
	assert_null(code_samples_find(f->samples, NULL, "frist", 0));
	assert_null(code_samples_find(f->samples, "/bin/other", "first",
				      f->samples->all.items[0].sym->start));
	assert_ptr_equal(code_samples_find(f->samples,
					   image_long_name(f->samples->all.items[0].image), "first",
					   f->samples->all.items[0].sym->start),
			 &f->samples->all.items[0]);
}

static void the_first_event_with_samples_is_shown_unless_told_otherwise(void **state)
{
	struct fixture *f = *state;

	sample_of(f, 2, 10, MAP + EXAMPLE_TEXT);
	open_it(f, 0, 0);
	take(f);
	assert_int_equal(f->samples->first, 1);
	code_functions_select(f->functions, 0, 1);
	take(f);
	assert_int_equal(f->samples->first, 0);
	assert_int_equal(f->samples->all.n, 0);
}

static void filters_apply(void **state)
{
	static int tids[] = { 11 };
	struct fixture *f = *state;

	sample_of(f, 1, 10, MAP + EXAMPLE_TEXT);
	sample_of(f, 1, 11, MAP + EXAMPLE_TEXT);
	f->rq.filter.tids = (struct id_list){ .items = tids, .n = 1 };
	open_it(f, 0, 1);
	take(f);
	assert_int_equal(f->samples->totals[0].samples, 1);
}

static void comms_are_filtered_too(void **state)
{
	struct fixture *f = *state;

	sample_of(f, 1, 10, MAP + EXAMPLE_TEXT);
	f->rq.filter.comms = "other";
	open_it(f, 0, 1);
	take(f);
	assert_int_equal(f->samples->totals[0].samples, 0);
}

static void a_listing_is_made_when_asked_for(void **state)
{
	struct fixture *f = *state;

	sample_of(f, 1, 10, MAP + EXAMPLE_TEXT + 4);
	open_it(f, 0, 1);
	take(f);

	const struct annotated_function *of = &f->samples->all.items[0];
	_cleanup_(code_listing_freep) struct code_listing *l = listed(f, of->image, of->sym);

	/* Without a disassembler there is an error message. */
	if (l->r < 0) {
		assert_non_null(l->why.message);
		return;
	}
	assert_ptr_equal(l->listing.function, of);
	assert_true(l->listing.n > 1);
	code_functions_select(f->functions, 1, 1);
	take(f);
	code_listing_refresh(l, f->samples);
	for (size_t i = 0; i < l->listing.n; i++)
		if (listing_line_is_code(&l->listing.items[i]))
			assert_int_equal(l->listing.items[i].weights[0].samples, 0);
}

static void only_the_last_question_is_answered(void **state)
{
	struct fixture *f = *state;

	sample_of(f, 1, 10, MAP + EXAMPLE_TEXT + 4);
	open_it(f, 0, 1);
	take(f);

	const struct annotated_function *of = &f->samples->all.items[0];
	const struct symbol other = { .start = of->sym->start, .end = of->sym->end, .name = "x" };

	code_functions_ask(f->functions, f->samples, of->image, of->sym);

	_cleanup_(code_listing_freep) struct code_listing *l = listed(f, of->image, &other);

	assert_ptr_equal(l->sym, &other);
}

static void what_comes_through_a_pipe_has_no_code(void **state)
{
	struct fixture *f = *state;

	f->rq.path = "-";
	assert_int_equal(code_functions_open(&f->rq, &f->how, 0, 1, &f->functions, &f->diag),
			 -ESPIPE);
	assert_non_null(f->diag.hint);
}

static void a_file_that_is_missing_is_told_at_once(void **state)
{
	struct fixture *f = *state;

	f->rq.path = "/nowhere/perf.data";
	assert_int_equal(code_functions_open(&f->rq, &f->how, 0, 1, &f->functions, &f->diag),
			 -ENOENT);
}

static void it_can_be_given_up_while_it_reads(void **state)
{
	struct fixture *f = *state;

	for (int i = 0; i < 1000; i++)
		sample_of(f, 1, 10, MAP + EXAMPLE_TEXT);
	open_it(f, 0, 1);
	code_functions_free(TAKE(f->functions));

	struct left_behind before = left_behind_now();

	assert_int_equal(code_functions_open(&f->rq, &f->how, 0, 1, &f->functions, &f->diag), 0);
	code_functions_free(TAKE(f->functions));
	assert_nothing_more_than(&before);
}

static void live_samples_are_published(void **state)
{
	struct fixture *f = *state;
	const struct diag why = { .message = (char *)"the target has ended" };

	sample_of(f, 1, 10, MAP + EXAMPLE_TEXT);

	struct session *s = opened(&f->rec, false);
	struct annotation *a =
		annotation_new(&(struct annotation_options){ .session = s, .n_workers = 1 });

	assert_int_equal(code_functions_new(s, &f->how, 0, 1, &f->functions, &f->diag), 0);
	annotation_settle(a);
	code_functions_publish(f->functions, a);
	take(f);
	code_functions_publish(f->functions, a);
	take(f);
	assert_int_equal(f->samples->serial, 2);
	assert_int_equal(code_functions_failure(f->functions, &f->diag), 0);
	code_functions_fail(f->functions, -ESRCH, &why);
	assert_int_equal(code_functions_failure(f->functions, &f->diag), -ESRCH);
	assert_string_equal(f->diag.message, "the target has ended");
	code_samples_release(f->samples);
	f->samples = NULL;
	code_functions_free(f->functions);
	f->functions = NULL;
	annotation_free(a);
	session_free(s);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(samples_come_by_place),
		TEST(the_first_event_with_samples_is_shown_unless_told_otherwise),
		TEST(filters_apply),
		TEST(comms_are_filtered_too),
		TEST(a_listing_is_made_when_asked_for),
		TEST(only_the_last_question_is_answered),
		TEST(what_comes_through_a_pipe_has_no_code),
		TEST(a_file_that_is_missing_is_told_at_once),
		TEST(it_can_be_given_up_while_it_reads),
		TEST(live_samples_are_published),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
