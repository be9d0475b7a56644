/* SPDX-License-Identifier: MIT */
#include "benches.h"

#include "base/text.h"
#include "tools/bench/programs/report.h"

static const char whole[] =
	"{\"host\":\"h\",\"kernel\":\"k\",\"machine\":\"m\",\"date\":\"d\",\"cpus\":3,"
	"\"benchmarks\":["
	"{\"name\":\"a/b\",\"options\":\"-x\",\"figures\":["
	"{\"name\":\"f\",\"unit\":\"s\",\"better\":\"more\",\"derived\":true,\"values\":[1,null,2]}"
	","
	"{\"unit\":\"ms\",\"values\":[0.5],\"name\":\"g\",\"better\":\"less\",\"odd\":{\"a\":[1]}},"
	"{\"name\":\"none\",\"unit\":\"\"}]},"
	"{\"options\":\"\",\"odd\":1,\"name\":\"c\"}],\"odd\":[]}";

static void all_that_was_written_is_read(void **state)
{
	_cleanup_(diag_done) struct diag d = { 0 };
	struct bench_report r = { 0 };
	const struct bench_series *s;

	(void)state;
	assert_int_equal(bench_report_parse(whole, strlen(whole), "it", &r, &d), 0);
	assert_null(d.message);
	assert_string_equal(r.host, "h");
	assert_string_equal(r.kernel, "k");
	assert_string_equal(r.machine, "m");
	assert_string_equal(r.date, "d");
	assert_int_equal(r.cpus, 3);
	assert_int_equal(r.n, 2);
	assert_string_equal(r.items[0].name, "a/b");
	assert_string_equal(r.items[0].options, "-x");
	assert_int_equal(r.items[0].n, 3);
	s = &r.items[0].items[0];
	assert_string_equal(s->name, "f");
	assert_string_equal(s->unit, "s");
	assert_int_equal(s->better, BENCH_MORE);
	assert_true(s->derived);
	assert_int_equal(s->n, 2);
	assert_true(s->items[0] == 1 && s->items[1] == 2);
	s = &r.items[0].items[1];
	assert_string_equal(s->name, "g");
	assert_string_equal(s->unit, "ms");
	assert_int_equal(s->better, BENCH_LESS);
	assert_false(s->derived);
	assert_int_equal(s->n, 1);
	assert_true(s->items[0] == 0.5);
	assert_int_equal(r.items[0].items[2].n, 0);
	assert_string_equal(r.items[1].name, "c");
	assert_string_equal(r.items[1].options, "");
	assert_int_equal(r.items[1].n, 0);
	bench_report_done(&r);
}

static void what_is_not_said_is_unknown(void **state)
{
	static const char json[] = "{\"benchmarks\":[{\"name\":\"a\",\"options\":\"\"}]}";
	_cleanup_(diag_done) struct diag d = { 0 };
	struct bench_report r = { 0 };

	(void)state;
	assert_int_equal(bench_report_parse(json, strlen(json), "it", &r, &d), 0);
	assert_string_equal(r.host, "?");
	assert_string_equal(r.kernel, "?");
	assert_string_equal(r.machine, "?");
	assert_string_equal(r.date, "?");
	assert_int_equal(r.cpus, 0);
	bench_report_done(&r);
}

/* Returns the number of CPUs in a report with @text. */
static unsigned cpus_of(const char *text)
{
	_cleanup_(diag_done) struct diag d = { 0 };
	_cleanup_(freep) char *json =
		xasprintf("{\"cpus\":%s,\"benchmarks\":[{\"name\":\"a\",\"options\":\"\"}]}", text);
	struct bench_report r = { 0 };
	unsigned cpus;

	assert_int_equal(bench_report_parse(json, strlen(json), "it", &r, &d), 0);
	cpus = r.cpus;
	bench_report_done(&r);
	return cpus;
}

static void numbers_of_cpus_that_cannot_be_are_none(void **state)
{
	(void)state;
	assert_int_equal(cpus_of("1"), 1);
	assert_int_equal(cpus_of("999999"), 999999);
	assert_int_equal(cpus_of("1000000"), 0);
	assert_int_equal(cpus_of("0"), 0);
	assert_int_equal(cpus_of("-1"), 0);
	assert_int_equal(cpus_of("1e300"), 0);
}

static void assert_refused(const char *json, const char *word)
{
	_cleanup_(diag_done) struct diag d = { 0 };
	struct bench_report r = { .cpus = 77 };

	assert_int_equal(bench_report_parse(json, strlen(json), "it", &r, &d), -EBADMSG);
	assert_int_equal(r.cpus, 77);
	assert_non_null(strstr(d.message, "it"));
	if (!strstr(d.message, word))
		fail_msg("'%s' does not say '%s'", d.message, word);
	assert_non_null(strstr(d.hint, "perf bench --save"));
}

static void mistakes_are_named(void **state)
{
#define FIGURE(f) "{\"benchmarks\":[{\"name\":\"a\",\"options\":\"\",\"figures\":[" f "]}]}"
	(void)state;
	assert_refused("{}", "no benchmarks");
	assert_refused("{\"benchmarks\":[]}", "no benchmarks");
	assert_refused("{\"benchmarks\":[{}]}", "name and options");
	assert_refused("{\"benchmarks\":[{\"name\":\"a\"}]}", "name and options");
	assert_refused("{\"benchmarks\":[{\"options\":\"a\"}]}", "name and options");
	assert_refused(FIGURE("{}"), "name and a unit");
	assert_refused(FIGURE("{\"name\":\"a\"}"), "name and a unit");
	assert_refused(FIGURE("{\"unit\":\"a\"}"), "name and a unit");
	assert_refused(FIGURE("{\"name\":\"a\",\"unit\":\"\",\"better\":\"worse\"}"),
		       "'more' or 'less'");
	assert_refused(FIGURE("{\"name\":\"a\",\"unit\":\"\",\"values\":[\"1\"]}"), "");
	assert_refused(FIGURE("{\"name\":\"a\",\"unit\":\"\",\"values\":1}"), "");
	assert_refused(FIGURE("{\"name\":\"a\",\"unit\":\"\",\"derived\":1}"), "");
	assert_refused(FIGURE("1"), "");
	assert_refused("{\"benchmarks\":[1]}", "");
	assert_refused("{\"benchmarks\":1}", "");
	assert_refused("{\"cpus\":\"1\"}", "");
	assert_refused("[]", "");
	assert_refused("", "");
}

static void any_part_of_it_is_refused(void **state)
{
	(void)state;
	for (size_t n = 0; n < strlen(whole); n++) {
		_cleanup_(diag_done) struct diag d = { 0 };
		struct bench_report r;

		assert_int_equal(bench_report_parse(whole, n, "it", &r, &d), -EBADMSG);
	}
}

static int parse_many(size_t entries, size_t figures, struct diag *d)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	struct bench_report r = { 0 };
	int status;

	text_add(&t, "{\"benchmarks\":[");
	for (size_t i = 0; i < entries; i++) {
		text_addf(&t, "%s{\"name\":\"a\",\"options\":\"%zu\",\"figures\":[", i ? "," : "",
			  i);
		for (size_t k = 0; k < figures; k++)
			text_addf(&t, "%s{\"name\":\"a\",\"unit\":\"\"}", k ? "," : "");
		text_add(&t, "]}");
	}
	text_add(&t, "]}");
	status = bench_report_parse(t.chars, strlen(t.chars), "it", &r, d);
	if (status >= 0) {
		assert_int_equal(r.n, entries);
		assert_int_equal(r.items[entries - 1].n, figures);
		bench_report_done(&r);
	}
	return status;
}

static void there_is_a_limit(void **state)
{
	_cleanup_(diag_done) struct diag d = { 0 };

	(void)state;
	assert_int_equal(parse_many(4096, 0, &d), 0);
	assert_int_equal(parse_many(1, 4096, &d), 0);
	assert_int_equal(parse_many(4097, 0, &d), -EBADMSG);
	assert_non_null(strstr(d.message, "too many benchmarks"));
	assert_int_equal(parse_many(1, 4097, &d), -EBADMSG);
	assert_non_null(strstr(d.message, "too many figures"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_that_was_written_is_read),
		cmocka_unit_test(what_is_not_said_is_unknown),
		cmocka_unit_test(numbers_of_cpus_that_cannot_be_are_none),
		cmocka_unit_test(mistakes_are_named),
		cmocka_unit_test(any_part_of_it_is_refused),
		cmocka_unit_test(there_is_a_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
