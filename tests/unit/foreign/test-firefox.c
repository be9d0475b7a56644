/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/text.h"
#include "foreign/format.h"
#include "foreign/stack-profile.h"

/* main() calls f(), into which g() is inlined, and code without a name. */
#define STACKS "\"stackTable\":{\"length\":4,\"prefix\":[null,0,1,0],\"frame\":[0,1,2,3]}"
#define FRAMES                                                                                     \
	"\"frameTable\":{\"length\":4,\"address\":[16,32,32,256],\"inlineDepth\":[0,0,1,0],"       \
	"\"func\":[0,1,2,3],\"line\":[null,null,7,null]}"
#define FUNCTIONS                                                                                  \
	"\"funcTable\":{\"length\":4,\"name\":[0,1,2,3],\"isJS\":[false,false,false,false],"       \
	"\"resource\":[0,0,-1,0]}"
#define RESOURCES "\"resourceTable\":{\"length\":1,\"lib\":[0],\"name\":[0],\"type\":[1]}"
#define STRINGS   "\"stringArray\":[\"main\",\"f\",\"g \\u00e9\\\"\",\"0x100\"]"
#define LIBS                                                                                       \
	"\"libs\":[{\"name\":\"prog\",\"path\":\"/bin/prog\",\"codeId\":\"0102030405060708090a"    \
	"0b0c0d0e0f1011121314\",\"arch\":null}]"
#define WHO "\"name\":\"worker\",\"processName\":\"prog\",\"pid\":\"12.1\",\"tid\":13"
#define SAMPLES                                                                                    \
	"\"samples\":{\"length\":4,\"stack\":[2,3,null,2],\"timeDeltas\":[0,1,1,1],"               \
	"\"weight\":[1,2,1,4],\"weightType\":\"samples\"}"

/* The layout that samply writes. */
#define THREADS                                                                                    \
	"\"threads\":[{" WHO "," SAMPLES "," STACKS "," FRAMES "," FUNCTIONS "," RESOURCES         \
	"," STRINGS "}]"
/* The layout of later versions: the tables follow the threads, which share them. */
#define SHARED                                                                                     \
	"\"shared\":{" STRINGS "," RESOURCES "," FUNCTIONS "," FRAMES "," STACKS ",\"x\":[{}]}"

static const char own[] = "{\"meta\":{\"interval\":1,\"product\":\"prog\"}," LIBS "," THREADS "}";
static const char shared[] = " {\"threads\":[{" SAMPLES "," WHO "}]," SHARED "," LIBS
			     ",\"meta\":{}}\n";

static int read_text(const char *text, struct stack_profile *p, struct diag *diag)
{
	return format_firefox.read(text, strlen(text), p, diag);
}

static const struct profile_frame *frame_of(const struct stack_profile *p, uint32_t stack)
{
	return &p->frames.items[p->stacks.items[stack].frame];
}

static void check_example(const char *text)
{
	_cleanup_(stack_profile_freep) struct stack_profile *p = stack_profile_new();
	_cleanup_(diag_done) struct diag diag = { 0 };
	const struct profile_weight *w;
	uint32_t caller;

	assert_int_equal(read_text(text, p, &diag), 0);
	assert_int_equal(p->weights.n, 3);
	w = p->weights.items;
	assert_int_equal(w[0].samples, 5); /* added up */
	assert_int_equal(w[0].period, 5);
	assert_string_equal(frame_of(p, w[0].stack)->function, "g \xc3\xa9\"");
	assert_true(frame_of(p, w[0].stack)->is_inlined);
	assert_string_equal(p->images.items[frame_of(p, w[0].stack)->image].name, "[unknown]");
	caller = p->stacks.items[w[0].stack].parent;
	assert_string_equal(frame_of(p, caller)->function, "f");
	assert_false(frame_of(p, caller)->is_inlined);
	caller = p->stacks.items[caller].parent;
	assert_string_equal(frame_of(p, caller)->function, "main");
	assert_string_equal(p->images.items[frame_of(p, caller)->image].name, "/bin/prog");
	assert_int_equal(p->images.items[frame_of(p, caller)->image].build_id.bytes[19], 0x14);
	assert_int_equal(p->stacks.items[caller].parent, STACK_PROFILE_ROOT);
	assert_int_equal(w[1].samples, 2);
	assert_null(frame_of(p, w[1].stack)->function);
	assert_int_equal(frame_of(p, w[1].stack)->offset, 256);
	assert_int_equal(w[2].stack, STACK_PROFILE_ROOT);
	assert_int_equal(p->tasks.items[w[0].task].pid, 12);
	assert_int_equal(p->tasks.items[w[0].task].tid, 13);
	assert_string_equal(p->tasks.items[w[0].task].comm, "worker");
	assert_string_equal(p->events.items[w[0].event].name, "samples");
}

static void tables_are_of_a_thread_or_of_all(void **state)
{
	(void)state;
	check_example(own);
	check_example(shared);
	assert_true(format_firefox.is_it(own, strlen(own)));
	assert_true(format_firefox.is_it(shared, strlen(shared)));
	assert_false(format_firefox.is_it("a;b 1\n", 6));
	assert_false(format_firefox.is_it("{}", 2));
}

static void milliseconds_are_time(void **state)
{
	static const char text[] = "{\"meta\":{},\"threads\":[{\"samples\":{\"stack\":[0,0,0],"
				   "\"weight\":[1.5,-1,null],"
				   "\"weightType\":\"tracing-ms\"}," STACKS "," FRAMES "," FUNCTIONS
				   "," STRINGS "}]}";
	_cleanup_(stack_profile_freep) struct stack_profile *p = stack_profile_new();
	_cleanup_(diag_done) struct diag diag = { 0 };

	(void)state;
	assert_int_equal(read_text(text, p, &diag), 0);
	assert_int_equal(p->weights.n, 1);
	assert_int_equal(p->weights.items[0].samples, 1);
	assert_int_equal(p->weights.items[0].period, 1500000);
	assert_true(p->events.items[0].is_time);
}

/* The weights in a file of perf are periods. */
static void what_perf_wrote_has_one_sample_for_each(void **state)
{
	static const char text[] =
		"{\"threads\":[{\"samples\":{\"stack\":[0,0],\"weight\":[10,20]}," STACKS "," FRAMES
		"," FUNCTIONS "," STRINGS "}],\"meta\":{\"product\":\"perf\"}}";
	_cleanup_(stack_profile_freep) struct stack_profile *p = stack_profile_new();
	_cleanup_(diag_done) struct diag diag = { 0 };

	(void)state;
	assert_int_equal(read_text(text, p, &diag), 0);
	assert_int_equal(p->weights.n, 1);
	assert_int_equal(p->weights.items[0].samples, 2);
	assert_int_equal(p->weights.items[0].period, 30);
}

static void refused(const char *text, const char *why)
{
	_cleanup_(stack_profile_freep) struct stack_profile *p = stack_profile_new();
	_cleanup_(diag_done) struct diag diag = { 0 };

	assert_int_equal(read_text(text, p, &diag), -EBADMSG);
	if (!strstr(diag.message, why))
		fail_msg("%s: %s", why, diag.message);
}

static void what_is_wrong_is_refused(void **state)
{
	(void)state;
	refused("{\"meta\":{}}", "no list of threads");
	refused("{\"meta\":{},\"threads\":7}", "a list is missing");
	refused("{\"meta\":{},\"threads\":[7]}", "an object is missing");
	refused("{\"meta\":{},\"threads\":[{\"samples\":{\"schema\":{},\"data\":[]}}]}",
		"profiler.firefox.com");
	refused("{\"meta\":{},\"threads\":[{\"samples\":{\"stack\":[0]}}]}",
		"a sample has a stack that is not there");
	refused("{\"meta\":{},\"threads\":[{\"samples\":{\"stack\":[1e99]}}]}",
		"a sample has a stack that is not there");
	refused("{\"meta\":{},\"threads\":[{\"stackTable\":{\"prefix\":[null],\"frame\":[0]}}]}",
		"a stack has a frame or a caller that is not there");
	refused("{\"meta\":{},\"threads\":[{\"stackTable\":{\"prefix\":[0],\"frame\":[0]}," FRAMES
		"}]}",
		"a stack has a frame or a caller that is not there");
	refused("{\"meta\":{},\"threads\":[{" STRINGS, "");
	refused("{\"meta\":{},\"threads\":[{\"stringArray\":[7]}]}", "a string is missing");
}

static void missing_columns_leave_names_unknown(void **state)
{
	static const char text[] = "{\"meta\":{},\"threads\":[{\"samples\":{\"stack\":[0]},"
				   "\"stackTable\":{\"frame\":[0]},"
				   "\"frameTable\":{\"func\":[9]}}]}";
	_cleanup_(stack_profile_freep) struct stack_profile *p = stack_profile_new();
	_cleanup_(diag_done) struct diag diag = { 0 };

	(void)state;
	assert_int_equal(read_text(text, p, &diag), 0);
	assert_int_equal(p->weights.n, 1);
	assert_string_equal(frame_of(p, p->weights.items[0].stack)->function, "[unknown]");
}

/* A chain of stacks, each of which is sampled: together they have many more frames. */
static void stacks_cost_what_the_file_pays_for(void **state)
{
	_cleanup_(stack_profile_freep) struct stack_profile *p = stack_profile_new();
	_cleanup_(text_done) struct text text = TEXT_EMPTY;
	_cleanup_(diag_done) struct diag diag = { 0 };
	const int n = 9000;

	(void)state;
	text_add(&text, "{\"meta\":{},\"threads\":[{\"samples\":{\"stack\":[0");
	for (int i = 1; i < n; i++)
		text_addf(&text, ",%d", i);
	text_add(&text, "]},\"frameTable\":{\"func\":[0]},\"stackTable\":{\"prefix\":[null");
	for (int i = 1; i < n; i++)
		text_addf(&text, ",%d", i - 1);
	text_add(&text, "],\"frame\":[0");
	for (int i = 1; i < n; i++)
		text_add(&text, ",0");
	text_add(&text, "]}}]}");
	stack_profile_allow(p, text.length);
	assert_int_equal(read_text(text.chars, p, &diag), 0);
	assert_int_equal(stack_profile_check(p, &diag), -EFBIG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tables_are_of_a_thread_or_of_all),
		cmocka_unit_test(milliseconds_are_time),
		cmocka_unit_test(what_perf_wrote_has_one_sample_for_each),
		cmocka_unit_test(what_is_wrong_is_refused),
		cmocka_unit_test(missing_columns_leave_names_unknown),
		cmocka_unit_test(stacks_cost_what_the_file_pays_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
