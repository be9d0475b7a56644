/* SPDX-License-Identifier: MIT */
#include "session/recording.h"

#include <errno.h>

#include "base/notes.h"
#include "profile/annotate.h"
#include "profile/annotation.h"
#include "symbol/example-code.h"
#include "skip.h"

#define MAP 0x40000000ull

struct fixture {
	char *dir;
	struct recording rec;
	char path[32];
	struct annotate_request rq;
	struct annotate_job job;
	struct notes notes;
	struct diag diag;
	size_t begun, taken, ended; /* counts of the callbacks of annotate_list() */
	struct weight shown;
};

static int set_up(void **state)
{
	static struct fixture f;
	void *dir;

	if (scratch_make(&dir) < 0)
		return -1;
	f = (struct fixture){ .dir = dir, .rec = recording_new() };
	example_store(f.dir, "bin/made", EM_AARCH64, ET_DYN);
	mmaps(&f.rec, 10, MAP, 0x1000, EXAMPLE_NAME, 1);
	*state = &f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;
	void *dir = f->dir;

	annotate_close(&f->job);
	annotate_request_done(&f->rq);
	notes_done(&f->notes);
	diag_done(&f->diag);
	recording_done(&f->rec);
	return scratch_remove(&dir);
}

static void sample_at(struct fixture *f, uint64_t ip)
{
	struct sample s = {
		.misc = PERF_RECORD_MISC_USER, .id = 1, .ip = ip, .pid = 10, .tid = 10, .time = 100
	};

	assert_int_equal(sample_encode(&s, &f->rec.attr, &f->rec.records), 0);
}

static void begin(void *arg, const struct annotated_events *e)
{
	struct fixture *f = arg;

	f->begun++;
	weight_add(&f->shown, e->shown[0]);
}

static void take(void *arg, size_t place, const struct listing *l)
{
	struct fixture *f = arg;

	(void)l;
	assert_int_equal(place, 0);
	f->taken++;
}

static int end_batch(void *arg, size_t n)
{
	struct fixture *f = arg;

	f->ended += n;
	return 0;
}

static int annotate(struct fixture *f)
{
	const struct annotate_taker taker = { begin, take, end_batch, f };
	int r;

	stored(&f->rec, f->path);
	f->rq.input = f->path;
	f->rq.symbols.symfs = f->dir;
	assert_int_equal(annotate_open(&f->job, &f->rq, &f->diag), 0);
	r = annotate_collect(&f->job, &f->diag);
	if (r >= 0)
		r = annotate_list(&f->job, &taker);
	return r < 0 ? r : annotate_judge(&f->job, &f->notes, &f->diag);
}

static void functions_with_samples_are_handed_over(void **state)
{
	struct fixture *f = *state;

	sample_at(f, MAP + EXAMPLE_TEXT);
	sample_at(f, MAP + EXAMPLE_TEXT + 4);
	assert_int_equal(annotate(f), 0);
	assert_int_equal(f->begun, RECORDING_EVENTS);
	assert_int_equal(f->ended, 1);
	assert_int_equal(f->shown.samples, 2);
	/* Without a disassembler there is a warning instead. */
	assert_int_equal(f->taken + f->notes.n, 1);
}

static void a_function_without_samples_is_refused(void **state)
{
	struct fixture *f = *state;

	sample_at(f, MAP + EXAMPLE_TEXT);
	f->rq.symbol = "frist";
	assert_int_equal(annotate(f), -ENOENT);
	assert_string_equal(f->diag.message, "no function called 'frist' has samples");
	assert_string_equal(f->diag.hint, "Did you mean 'first'?");
	assert_int_equal(f->ended, 0);
}

static void a_recording_without_samples_is_a_warning(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(annotate(f), 0);
	assert_int_equal(f->notes.n, 1);
	assert_non_null(strstr(f->notes.items[0].what.message, "has no samples"));
}

static void an_unknown_syntax_is_refused(void **state)
{
	struct fixture *f = *state;

	f->rq.style = "klingon";
	assert_int_equal(annotate(f), -EINVAL);
	assert_non_null(f->diag.message);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(functions_with_samples_are_handed_over),
		TEST(a_function_without_samples_is_refused),
		TEST(a_recording_without_samples_is_a_warning),
		TEST(an_unknown_syntax_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
