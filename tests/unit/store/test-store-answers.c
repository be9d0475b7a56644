/* SPDX-License-Identifier: MIT */
/*
 * Tests the possible answers of PostgreSQL and ClickHouse to the reader of a store: an answer that
 * is not understood must not be taken for a profile.
 */
#include <config.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "scripted-server.h"
#include "store/data.h"
#include "store/store.h"
#include "store/url.h"

/* A sample of event 10 in stack 20, which is frame 30 of image 40. */
#define WEIGHT "0\thost\tcomm\t10\t20\t5\t500\n"
#define EVENT  "10\tcycles\t0\n"
#define STACK  "20\t0\t30\n"
#define FRAME  "30\t40\tmain\t0\t0\n"
#define IMAGE  "40\t\t/bin/true\t0\n"

/* The questions to a store, which both servers get in their own words. */
enum question {
	THERE, /* is the schema, */
	VERSION,
	WEIGHTS,
	EVENTS,
	STACKS,
	FRAMES,
	IMAGES,
	N_QUESTIONS
};

static void fill_script(struct scripted_answer *s, bool is_http)
{
	static const struct scripted_answer common[N_QUESTIONS] = {
		[THERE] = { "to_regclass('perf_schema')", "1\n" },
		[VERSION] = { "version FROM perf_schema", "1\n" },
		[WEIGHTS] = { "sum(period)", WEIGHT },
		[EVENTS] = { "FROM perf_event", EVENT },
		[STACKS] = { "parent, frame FROM perf_stack", STACK },
		[FRAMES] = { "FROM perf_frame", FRAME },
		[IMAGES] = { "FROM perf_image", IMAGE },
	};

	memcpy(s, common, sizeof(common));
	if (is_http)
		s[THERE].asked = "EXISTS TABLE perf_schema";
	s[N_QUESTIONS] = (struct scripted_answer){ 0 };
}

static int read_store(bool is_http, const struct scripted_answer *script, struct diag *diag)
{
	_cleanup_(fleet_url_done) struct fleet_url u = { 0 };
	_cleanup_(fleet_data_freep) struct fleet_data *d = NULL;
	struct scripted_server server;
	char url[100];
	int r;

	assert_true(scripted_server_start(&server, is_http, script));
	snprintf(url, sizeof(url),
		 is_http ? "clickhouse://127.0.0.1:%d/x"
			 : "postgresql://me@127.0.0.1:%d/x?sslmode=disable&gssencmode=disable",
		 server.port);
	assert_int_equal(fleet_url_parse(url, 0, &u, diag), 0);
	r = fleet_read(&u, &d, diag);
	scripted_server_end(&server);
	assert_true(r < 0 || d->tables[FLEET_SAMPLE].n);
	return r;
}

static bool is_built(bool is_http)
{
	return is_http ? HAVE_LIBCURL : HAVE_LIBPQ;
}

/* Checks that @answer to @q gives @error, and a message with @part. */
static void check(enum question q, struct scripted_answer answer, int error, const char *part)
{
	for (int is_http = 0; is_http < 2; is_http++) {
		_cleanup_(diag_done) struct diag diag = { 0 };
		struct scripted_answer script[N_QUESTIONS + 1];
		int r;

		if (!is_built(is_http) || (is_http && answer.end == SCRIPTED_ERROR))
			continue;
		fill_script(script, is_http);
		script[q].rows = answer.rows;
		script[q].end = answer.end;
		r = read_store(is_http, script, &diag);
		if (r == -ENOENT && diag.message && strstr(diag.message, "needs its library"))
			continue;
		if (r != error || (part && (!diag.message || !strstr(diag.message, part))))
			fail_msg("%s, question %d, %s: %d, %s",
				 is_http ? "ClickHouse" : "PostgreSQL", (int)q, answer.rows, r,
				 diag.message ? diag.message : "");
	}
}

#define ROWS(text)                                                                                 \
	(struct scripted_answer)                                                                   \
	{                                                                                          \
		.rows = text                                                                       \
	}

static void a_profile_is_read(void **state)
{
	(void)state;
	check(WEIGHTS, ROWS(WEIGHT), 0, NULL);
	check(WEIGHTS, ROWS(WEIGHT WEIGHT), 0, NULL);
	check(WEIGHTS, ROWS(""), -ENODATA, "nothing in the store");
	check(THERE, ROWS("0\n"), -ENODATA, "has no profiles");
	check(VERSION, ROWS("99\n"), -ENOTSUP, "newer perf");
}

static void wrong_numbers_of_columns_are_refused(void **state)
{
	(void)state;
	check(THERE, ROWS("1\t1\n"), -EBADMSG, "row 1 has too many columns");
	check(WEIGHTS, ROWS("0\thost\tcomm\t10\t20\t5\n"), -EBADMSG, "row 1 has too few columns");
	check(WEIGHTS, ROWS(WEIGHT "0\thost\tcomm\t10\t20\t5\t500\t\n"), -EBADMSG,
	      "row 2 has too many columns");
	check(WEIGHTS, ROWS("\n"), -EBADMSG, "too few columns");
	check(STACKS, ROWS("20\t0\n"), -EBADMSG, "too few columns");
	check(IMAGES, ROWS("40\t\t/bin/true\t0\t0\n"), -EBADMSG, "too many columns");
}

static void wrong_types_are_refused(void **state)
{
	(void)state;
	check(THERE, ROWS("yes\n"), -EBADMSG, "not a number");
	check(VERSION, ROWS("1.0\n"), -EBADMSG, "not a number");
	check(WEIGHTS, ROWS("0\thost\tcomm\tx\t20\t5\t500\n"), -EBADMSG, "perf_sample.event");
	check(WEIGHTS, ROWS("0\thost\tcomm\t10\t20\t5\t5e2\n"), -EBADMSG, "perf_sample.period");
	check(WEIGHTS, ROWS("0\thost\tcomm\t10\t20\t5\t9223372036854775808\n"), -EBADMSG,
	      "perf_sample.period");
	check(EVENTS, ROWS("10\tcycles\tf\n"), -EBADMSG, "perf_event.is_time");
	check(FRAMES, ROWS("30\tx\tmain\t0\t0\n"), -EBADMSG, "perf_frame.image");
	check(WEIGHTS, ROWS("0\tho\\qst\tcomm\t10\t20\t5\t500\n"), -EBADMSG, "backslash");
}

static void counts_below_zero_are_refused(void **state)
{
	(void)state;
	check(WEIGHTS, ROWS("0\thost\tcomm\t10\t20\t-5\t500\n"), -EBADMSG, "perf_sample.samples");
	check(WEIGHTS, ROWS("0\thost\tcomm\t10\t20\t5\t-1\n"), -EBADMSG, "perf_sample.period");
	check(WEIGHTS, ROWS("-60\thost\tcomm\t10\t20\t5\t1\n"), -EBADMSG, "perf_sample.minute");
}

static void nulls_are_refused(void **state)
{
	(void)state;
	check(THERE, ROWS("\\N\n"), -EBADMSG, "not a number");
	check(WEIGHTS, ROWS("0\t\\N\tcomm\t10\t20\t5\t500\n"), -EBADMSG, "perf_sample.source");
	check(WEIGHTS, ROWS("0\thost\tcomm\t10\t20\t\\N\t500\n"), -EBADMSG, "perf_sample.samples");
	check(EVENTS, ROWS("10\t\\N\t0\n"), -EBADMSG, "perf_event.name");
	check(STACKS, ROWS("20\t\\N\t30\n"), -EBADMSG, "perf_stack.parent");
}

static void rows_that_others_refer_to_have_to_be_there(void **state)
{
	(void)state;
	check(EVENTS, ROWS(""), -EBADMSG, "row 10 of perf_event, which is not there");
	check(STACKS, ROWS(""), -EBADMSG, "row 20 of perf_stack, which is not there");
	check(FRAMES, ROWS("31\t40\tmain\t0\t0\n"), -EBADMSG,
	      "row 30 of perf_frame, which is not there");
	check(IMAGES, ROWS(""), -EBADMSG, "row 40 of perf_image, which is not there");
	check(STACKS, ROWS("20\t21\t30\n"), -EBADMSG, "row 21 of perf_stack, which is not there");
}

/* EAGAIN means that the question may be asked again. */
static void answers_that_are_cut_off_are_none(void **state)
{
	static const enum question all[] = { THERE, VERSION, WEIGHTS, EVENTS, STACKS, IMAGES };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		struct scripted_answer script[N_QUESTIONS + 1];

		fill_script(script, false);
		script[all[i]].end = SCRIPTED_CUT;
		check(all[i], script[all[i]], -EAGAIN, NULL);
	}
	check(WEIGHTS, (struct scripted_answer){ .rows = "0\tho", .end = SCRIPTED_CUT }, -EAGAIN,
	      NULL);
	check(WEIGHTS, ROWS("0\thost\tcomm\t10\t20\t5\t500"), -EBADMSG, "cut off");
}

static void a_server_may_give_up_behind_the_rows(void **state)
{
	(void)state;
	check(WEIGHTS, (struct scripted_answer){ .rows = WEIGHT, .end = SCRIPTED_ERROR }, -EAGAIN,
	      "canceling statement");
	check(STACKS, (struct scripted_answer){ .rows = "", .end = SCRIPTED_ERROR }, -EAGAIN,
	      "canceling statement");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_profile_is_read),
		cmocka_unit_test(wrong_numbers_of_columns_are_refused),
		cmocka_unit_test(wrong_types_are_refused),
		cmocka_unit_test(counts_below_zero_are_refused),
		cmocka_unit_test(nulls_are_refused),
		cmocka_unit_test(rows_that_others_refer_to_have_to_be_there),
		cmocka_unit_test(answers_that_are_cut_off_are_none),
		cmocka_unit_test(a_server_may_give_up_behind_the_rows),
	};

	return cmocka_run_group_tests_name("fleet/store answers", tests, NULL, NULL);
}
