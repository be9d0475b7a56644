/* SPDX-License-Identifier: MIT */
#include "session/recording.h"

#include "base/cpu-list.h"
#include "profile/annotation.h"
#include "session/sample-filter.h"
#include "symbol/example-code.h"
#include "wire/topology.h"

#define MAP 0x40000000ull

struct fixture {
	char *dir;
	struct symbolizer *symbolizer;
	struct recording rec;
	struct session *session;
	struct annotation *annotation;
	const struct topology *topology; /* only its CPUs of socket 1 count; NULL: all CPUs */
};

static int set_up(void **state)
{
	static struct fixture f;
	void *dir;

	if (scratch_make(&dir) < 0)
		return -1;
	f = (struct fixture){
		.dir = dir,
		.rec = recording_of(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
				    PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD),
	};
	example_store(f.dir, "bin/made", EM_AARCH64, ET_DYN);
	f.symbolizer = symbolizer_new(&(struct symbolizer_options){ .symfs = f.dir });
	f.rec.symbolizer = f.symbolizer;
	mmaps(&f.rec, 10, MAP, 0x1000, EXAMPLE_NAME, 1);
	*state = &f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;
	void *dir = f->dir;

	annotation_free(f->annotation);
	session_free(f->session);
	symbolizer_free(f->symbolizer);
	recording_done(&f->rec);
	return scratch_remove(&dir);
}

/* Adds a sample of event @id, @offset bytes into first(). */
static void sample_at(struct fixture *f, uint64_t id, uint64_t offset, uint32_t cpu,
		      uint64_t period)
{
	struct sample s = {
		.misc = PERF_RECORD_MISC_USER,
		.id = id,
		.ip = MAP + EXAMPLE_TEXT + offset,
		.pid = 10,
		.tid = 10,
		.time = 100,
		.cpu = cpu,
		.period = period,
	};

	assert_int_equal(sample_encode(&s, &f->rec.attr, &f->rec.records), 0);
}

/* Gives every other sample to another worker. */
static int take(void *arg, const struct sample_batch *b)
{
	struct fixture *f = arg;

	for (size_t i = 0; i < b->n; i++)
		annotation_take(
			f->annotation,
			&(struct sample_batch){ .items = &b->items[i], .n = 1, .worker = i % 2 });
	return 0;
}

static void collect(struct fixture *f, const struct sample_filter *filter)
{
	const struct consumer consumer = { .filter = filter, .samples = take, .arg = f };
	_cleanup_(diag_done) struct diag diag = { 0 };

	f->session = opened(&f->rec, false);
	f->annotation = annotation_new(&(struct annotation_options){ .session = f->session,
								     .filter = filter,
								     .topology = f->topology,
								     .socket = 1,
								     .n_workers = 2 });
	assert_int_equal(session_feed(f->session, NULL, &consumer, &diag), 0);
	annotation_settle(f->annotation);
}

static void count_unnamed(void *arg, const struct image *im, uint64_t samples)
{
	assert_string_equal(image_name(im), EXAMPLE_NAME);
	*(uint64_t *)arg += samples;
}

static void samples_are_counted_by_function_and_address(void **state)
{
	struct fixture *f = *state;
	struct annotated_functions all = { 0 };
	uint64_t unnamed = 0;

	sample_at(f, 1, 4, 0, 10);
	sample_at(f, 1, 4, 0, 10);
	sample_at(f, 1, 4, 0, 10);
	sample_at(f, 1, 0, 0, 5);
	sample_at(f, 1, EXAMPLE_SIZE, 0, 100);
	sample_at(f, 1, 2 * EXAMPLE_SIZE + 400, 0, 1); /* in no function */
	collect(f, NULL);
	annotation_functions(f->annotation, 0, 1, &all);
	assert_int_equal(all.n, 2);
	assert_string_equal(all.items[0].sym->name, "second");
	assert_string_equal(all.items[1].sym->name, "first");
	assert_int_equal(all.items[1].n, 2);
	assert_int_equal(all.items[1].addrs[0], EXAMPLE_TEXT);
	assert_int_equal(all.items[1].totals[0].samples, 4);
	assert_int_equal(all.items[1].totals[0].period, 35);
	annotation_unnamed(f->annotation, count_unnamed, &unnamed);
	assert_int_equal(unnamed, 1);
	assert_int_equal(annotation_total(f->annotation, 0).period, 136);
	annotated_functions_done(&all);
}

static void a_span_of_addresses_has_what_lies_in_it(void **state)
{
	struct fixture *f = *state;
	struct annotated_functions all = { 0 };

	sample_at(f, 1, 0, 0, 1);
	sample_at(f, 1, 4, 0, 10);
	sample_at(f, 1, 6, 0, 100); /* within an instruction */
	sample_at(f, 1, 8, 0, 1000);
	collect(f, NULL);
	annotation_functions(f->annotation, 0, 1, &all);
	assert_int_equal(
		annotated_weight(&all, &all.items[0], 0, EXAMPLE_TEXT + 4, EXAMPLE_TEXT + 8).period,
		110);
	assert_int_equal(
		annotated_weight(&all, &all.items[0], 0, EXAMPLE_TEXT + 9, EXAMPLE_TEXT + 12)
			.samples,
		0);
	annotated_functions_done(&all);
}

static void events_stand_side_by_side(void **state)
{
	struct fixture *f = *state;
	struct annotated_functions all = { 0 };

	sample_at(f, 1, 0, 0, 1);
	sample_at(f, 2, 4, 0, 7);
	collect(f, NULL);
	annotation_functions(f->annotation, 0, 2, &all);
	assert_int_equal(all.n, 1);
	assert_int_equal(all.items[0].totals[0].period, 1);
	assert_int_equal(all.items[0].totals[1].period, 7);
	assert_int_equal(
		annotated_weight(&all, &all.items[0], 1, EXAMPLE_TEXT, EXAMPLE_TEXT + 12).period,
		7);
	assert_int_equal(
		annotated_weight(&all, &all.items[0], 0, EXAMPLE_TEXT + 4, EXAMPLE_TEXT + 8)
			.samples,
		0);
	annotated_functions_done(&all);
}

static void other_cpus_do_not_count_when_one_is_asked_for(void **state)
{
	struct fixture *f = *state;
	_cleanup_(cpu_list_done) struct cpu_list cpus = { 0 };
	_cleanup_(sample_filter_freep) struct sample_filter *filter = NULL;
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct annotated_functions all = { 0 };

	assert_int_equal(cpu_list_parse("1", &cpus), 0);
	assert_int_equal(
		sample_filter_new(&(struct sample_filter_request){ .cpus = &cpus }, &filter, &diag),
		0);
	sample_at(f, 1, 0, 0, 1);
	sample_at(f, 1, 4, 1, 2);
	collect(f, filter);
	annotation_functions(f->annotation, 0, 1, &all);
	assert_int_equal(all.n, 1);
	assert_int_equal(all.items[0].totals[0].period, 2);
	annotated_functions_done(&all);
}

static void only_samples_of_a_socket_count_when_it_is_asked_for(void **state)
{
	static struct cpu_place places[] = { { .cpu = 0, .socket = 0 }, { .cpu = 1, .socket = 1 } };
	static const struct topology topology = { .items = places, .n = 2 };
	struct fixture *f = *state;

	f->topology = &topology;
	sample_at(f, 1, 0, 0, 1);
	sample_at(f, 1, 4, 1, 2);
	sample_at(f, 1, 8, 7, 4);
	collect(f, NULL);
	assert_int_equal(annotation_total(f->annotation, 0).period, 2);
}

static void no_samples_are_no_functions(void **state)
{
	struct fixture *f = *state;
	struct annotated_functions all = { 0 };

	collect(f, NULL);
	annotation_functions(f->annotation, 0, 2, &all);
	assert_int_equal(all.n, 0);
	assert_int_equal(annotation_total(f->annotation, 1).samples, 0);
	annotated_functions_done(&all);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(samples_are_counted_by_function_and_address, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(a_span_of_addresses_has_what_lies_in_it, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(events_stand_side_by_side, set_up, tear_down),
		cmocka_unit_test_setup_teardown(other_cpus_do_not_count_when_one_is_asked_for,
						set_up, tear_down),
		cmocka_unit_test_setup_teardown(only_samples_of_a_socket_count_when_it_is_asked_for,
						set_up, tear_down),
		cmocka_unit_test_setup_teardown(no_samples_are_no_functions, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
