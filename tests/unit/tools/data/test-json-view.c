/* SPDX-License-Identifier: MIT */
#include "session/recording.h"

#include <errno.h>

#include "tools/data/json-view.h"

/* Returns the profile as JSON, with @all. The caller frees it. */
static char *converted(struct recording *rec, bool all, uint64_t *ret_samples)
{
	_cleanup_(session_freep) struct session *s = opened(rec, false);
	_cleanup_(data_json_freep) struct data_json *j = NULL;
	_cleanup_(diag_done) struct diag d = { 0 };
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	const struct data_json_options how = { .out = out, .session = s, .all = all };

	assert_int_equal(data_json_new(&how, &j, &d), 0);
	assert_int_equal(data_json_write(j), 0);
	*ret_samples = data_json_samples(j);
	fclose(out);
	return text;
}

static void assert_has(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("'%s' is not in: %s", part, text);
}

static void samples_are_listed_in_order_of_time(void **state)
{
	(void)state;
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(freep) char *text = NULL;
	uint64_t n;

	comm(&rec, 7, 7, "a\"b", 1);
	sampled(&rec, 1, 7, 30);
	sampled(&rec, 1, 7, 20);
	text = converted(&rec, false, &n);
	assert_int_equal(n, 2);
	assert_has(text, "{\n\t\"linux-perf-json-version\": 1,\n\t\"headers\": {\n"
			 "\t\t\"header-version\": 1,\n");
	assert_has(text, "\t\"samples\": [\n\t\t{\n\t\t\t\"timestamp\": 20,\n\t\t\t\"pid\": 7,\n"
			 "\t\t\t\"tid\": 7,\n\t\t\t\"comm\": \"a\\\"b\",\n"
			 "\t\t\t\"callchain\": [\n\t\t\t\t{\n\t\t\t\t\t\"ip\": \"0x0\"\n"
			 "\t\t\t\t}\n\t\t\t]\n\t\t},\n\t\t{\n\t\t\t\"timestamp\": 30,");
	assert_has(text, "\t\t}\n\t]\n}\n");
	assert_null(strstr(text, "hostname"));
}

static void no_samples_are_an_empty_list(void **state)
{
	(void)state;
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(freep) char *text = NULL;
	uint64_t n;

	comm(&rec, 7, 7, "a", 1);
	text = converted(&rec, false, &n);
	assert_int_equal(n, 0);
	assert_has(text, "\t\"samples\": [\n\t]\n}\n");
}

static void all_has_events_and_other_records(void **state)
{
	(void)state;
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(freep) char *text = NULL;
	uint64_t n;

	comm(&rec, 7, 7, "a", 1);
	sampled(&rec, 1, 7, 30);
	text = converted(&rec, true, &n);
	assert_has(text, "\"event\": \"cpu-clock\"");
	assert_has(text, "\t],\n\t\"records\": [\n\t\t{\n\t\t\t\"timestamp\": 1,\n"
			 "\t\t\t\"type\": \"COMM\",\n\t\t\t\"text\": \"PERF_RECORD_COMM: a:7/7\"\n"
			 "\t\t}\n\t]\n}\n");
}

static void the_wall_clock_must_be_known(void **state)
{
	(void)state;
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(diag_done) struct diag d = { 0 };
	struct data_json *j;

	sampled(&rec, 1, 7, 30);

	_cleanup_(session_freep) struct session *s = opened(&rec, false);

	assert_int_equal(data_json_new(&(struct data_json_options){ .out = stdout,
								    .session = s,
								    .wall_clock = true },
				       &j, &d),
			 -EINVAL);
	assert_non_null(d.message);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples_are_listed_in_order_of_time),
		cmocka_unit_test(no_samples_are_an_empty_list),
		cmocka_unit_test(all_has_events_and_other_records),
		cmocka_unit_test(the_wall_clock_must_be_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
