/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "tools/trace/samples-model.h"
#include "tools/trace/trace-model.h"
#include "tracepoint/format.h"

static const char enter_text[] =
	"name: sys_enter\nID: 1\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:long id;\toffset:8;\tsize:8;\tsigned:1;\n"
	"\tfield:unsigned long args[6];\toffset:16;\tsize:48;\tsigned:0;\n\nprint fmt: \"\"\n";
static const char exit_text[] =
	"name: sys_exit\nID: 2\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:long id;\toffset:8;\tsize:8;\tsigned:1;\n"
	"\tfield:long ret;\toffset:16;\tsize:8;\tsigned:1;\n\nprint fmt: \"\"\n";

enum {
	ENTER,
	EXIT,
	OTHER
};

struct world {
	struct tracepoint_format *formats[2];
	struct session_event events[3];
	struct trace_tasks *tasks;
	struct trace_model *model;
	struct trace_samples *samples;
	char shown[1024];
};

static struct world world;

static int show_call(void *arg, const struct trace_call *c)
{
	size_t at = strlen(world.shown);

	(void)arg;
	snprintf(world.shown + at, sizeof(world.shown) - at, "%u %s %s(%lld, %lld) %d = %lld%s\n",
		 c->task->tid, syscall_abi_name(c->abi), c->desc ? c->desc->name : "?",
		 (long long)c->args[0], (long long)c->args[5], c->part, (long long)c->result,
		 c->stack ? " stack" : "");
	return 0;
}

static int show_sample(void *arg, const struct session_sample *s, struct trace_task *task)
{
	(void)arg;
	(void)task;
	strcat(world.shown, s->event->name);
	return 0;
}

static struct tracepoint_format *format_of(const char *text)
{
	struct tracepoint_format *f = NULL;
	struct diag diag = { 0 };

	assert_int_equal(tracepoint_format_parse(text, &f, &diag), 0);
	return f;
}

static void begin(const struct trace_samples_options *o, const char *machine, bool is_swapped)
{
	static const struct trace_choice choice = { 0 };
	struct trace_sink sink = { .call = show_call, .sample = show_sample };

	world.model = trace_model_new(&choice, world.tasks, &sink);
	world.samples = trace_samples_new(o, world.model);
	trace_samples_set_machine(world.samples, machine, is_swapped);
}

static int setup(void **state)
{
	(void)state;
	world = (struct world){ .tasks = trace_tasks_new(false) };
	world.formats[ENTER] = format_of(enter_text);
	world.formats[EXIT] = format_of(exit_text);
	world.events[ENTER] = (struct session_event){ .index = ENTER,
						      .name = (char *)"enter",
						      .system = "raw_syscalls",
						      .tracepoint = "sys_enter",
						      .format = world.formats[ENTER] };
	world.events[EXIT] = (struct session_event){ .index = EXIT,
						     .name = (char *)"exit",
						     .system = "raw_syscalls",
						     .tracepoint = "sys_exit",
						     .format = world.formats[EXIT] };
	world.events[OTHER] = (struct session_event){ .index = OTHER, .name = (char *)"other" };
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	trace_samples_free(world.samples);
	trace_model_free(world.model);
	trace_tasks_free(world.tasks);
	tracepoint_format_free(world.formats[ENTER]);
	tracepoint_format_free(world.formats[EXIT]);
	return 0;
}

static void give(int event, uint32_t tid, uint64_t time, const uint64_t *raw, uint32_t size,
		 uint64_t regs_abi)
{
	struct consumer c = trace_samples_consumer(world.samples);
	struct sample sample = { .pid = tid,
				 .tid = tid,
				 .time = time,
				 .raw = (const uint8_t *)raw,
				 .raw_size = size,
				 .user_regs.abi = regs_abi };
	struct session_sample s = { .event = &world.events[event],
				    .sample = &sample,
				    .time = time };
	struct sample_batch batch = { .items = &s, .n = 1 };

	assert_int_equal(c.samples(c.arg, &batch), 0);
}

static const struct trace_samples_options takes_calls = { .takes_calls = true,
							  .takes_tasks = true };

static void enter_and_exit_make_a_call(void **state)
{
	const uint64_t enter[8] = { 0, 0, 3, 0, 0, 0, 0, 7 },
		       leave[3] = { 0, 0, (uint64_t)-ENOENT };

	(void)state;
	begin(&takes_calls, "x86_64", false);
	give(ENTER, 5, 10, enter, sizeof(enter), 0);
	give(EXIT, 5, 20, leave, sizeof(leave), 0);
	assert_string_equal(world.shown, "5 x86_64 read(3, 7) 0 = -2\n");
}

static void the_machine_of_the_samples_decides(void **state)
{
	const uint64_t enter[8] = { 0, 63, 3 }, leave[3] = { 0, 63, 1 };

	(void)state;
	begin(&takes_calls, "aarch64", false);
	give(ENTER, 5, 10, enter, sizeof(enter), 0);
	give(EXIT, 5, 20, leave, sizeof(leave), 0);
	trace_samples_set_machine(world.samples, "i686", false);
	give(EXIT, 5, 30, (const uint64_t[3]){ 0, 3, 1 }, 24, 0);
	trace_samples_set_machine(world.samples, "armv7l", false);
	give(EXIT, 5, 40, (const uint64_t[3]){ 0, 3, 1 }, 24, 0);
	trace_samples_set_machine(world.samples, "vax", false);
	give(EXIT, 5, 50, (const uint64_t[3]){ 0, 3, 1 }, 24, 0);
	assert_string_equal(world.shown, "5 aarch64 read(3, 0) 0 = 1\n"
					 "5 i386 read(0, 0) 2 = 1\n"
					 "5 arm read(0, 0) 2 = 1\n"
					 "5 (null) ?(0, 0) 2 = 1\n");
}

static void registers_tell_a_32_bit_program(void **state)
{
	const uint64_t enter[8] = { 0, 3, 9 }, leave[3] = { 0, 3, 1 };

	(void)state;
	begin(&takes_calls, "x86_64", false);
	give(ENTER, 5, 10, enter, sizeof(enter), 1);
	give(EXIT, 5, 20, leave, sizeof(leave), 1);
	assert_string_equal(world.shown, "5 i386 read(9, 0) 0 = 1\n");
}

static void samples_in_the_other_byte_order_are_read(void **state)
{
	const uint64_t enter[8] = { 0, __builtin_bswap64(1), __builtin_bswap64(4) };
	const uint64_t leave[3] = { 0, __builtin_bswap64(1), __builtin_bswap64((uint64_t)-9) };

	(void)state;
	begin(&takes_calls, "x86_64", true);
	give(ENTER, 5, 10, enter, sizeof(enter), 0);
	give(EXIT, 5, 20, leave, sizeof(leave), 0);
	assert_string_equal(world.shown, "5 x86_64 write(4, 0) 0 = -9\n");
}

static void short_records_and_absurd_numbers_do_no_harm(void **state)
{
	const uint64_t enter[8] = { 0, 0, 3, 0, 0, 0, 0, 7 }, leave[3] = { 0, 0, 1 };
	const uint64_t absurd[8] = { 0, UINT64_MAX / 2 }, negative[8] = { 0, UINT64_MAX };

	(void)state;
	begin(&takes_calls, "x86_64", false);
	give(ENTER, 5, 10, enter, 12, 0);
	give(ENTER, 5, 10, NULL, 0, 0);
	give(ENTER, 5, 10, absurd, sizeof(absurd), 0);
	give(ENTER, 5, 10, negative, sizeof(negative), 0);
	give(EXIT, 5, 11, leave, 20, 0);
	give(EXIT, SAMPLE_NOBODY, 11, leave, sizeof(leave), 0);
	assert_string_equal(world.shown, "");
	give(ENTER, 5, 12, enter, 24, 0);
	give(EXIT, 5, 13, leave, sizeof(leave), 0);
	assert_string_equal(world.shown, "5 x86_64 read(3, 0) 0 = 1\n");
}

static void a_sample_with_a_call_chain_is_the_stack_of_its_call(void **state)
{
	const uint64_t leave[3] = { 0, 0, 4 };
	struct sample sample = { .pid = 5,
				 .tid = 5,
				 .raw = (const uint8_t *)leave,
				 .raw_size = sizeof(leave),
				 .chain = { .bytes = (const uint8_t *)leave, .n = 1 } };
	struct session_sample s = { .event = &world.events[EXIT], .sample = &sample, .time = 9 };
	struct sample_batch batch = { .items = &s, .n = 1 };
	struct consumer c;

	(void)state;
	begin(&takes_calls, "x86_64", false);
	c = trace_samples_consumer(world.samples);
	assert_int_equal(c.samples(c.arg, &batch), 0);
	assert_string_equal(world.shown, "5 x86_64 read(0, 0) 2 = 4 stack\n");
}

static void other_events_are_passed_on(void **state)
{
	(void)state;
	begin(&(struct trace_samples_options){ .takes_calls = false }, "x86_64", false);
	give(OTHER, 5, 10, NULL, 0, 0);
	give(ENTER, 5, 10, NULL, 0, 0);
	assert_string_equal(world.shown, "otherenter");
}

static void an_exit_can_bring_the_stack_of_a_call_that_was_told_otherwise(void **state)
{
	const uint64_t leave[3] = { 0, 0, 4 };
	struct call_event e = { .kind = CALL_EVENT_WHOLE,
				.abi = SYSCALL_ABI_X86_64,
				.pid = 5,
				.tid = 5,
				.enter_ns = 10,
				.time_ns = 20,
				.result = 4 };

	(void)state;
	begin(&(struct trace_samples_options){ .takes_stacks = true }, "x86_64", false);
	trace_model_expect_stacks(world.model);
	trace_model_event(world.model, &e);
	assert_string_equal(world.shown, "");
	give(EXIT, 5, 21, leave, sizeof(leave), 0);
	assert_string_equal(world.shown, "5 x86_64 read(0, 0) 0 = 4 stack\n");
}

static void without_a_session_there_are_no_calls(void **state)
{
	(void)state;
	begin(&takes_calls, "x86_64", false);
	assert_false(trace_samples_has_calls(world.samples));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(enter_and_exit_make_a_call),
		TEST(the_machine_of_the_samples_decides),
		TEST(registers_tell_a_32_bit_program),
		TEST(samples_in_the_other_byte_order_are_read),
		TEST(short_records_and_absurd_numbers_do_no_harm),
		TEST(a_sample_with_a_call_chain_is_the_stack_of_its_call),
		TEST(other_events_are_passed_on),
		TEST(an_exit_can_bring_the_stack_of_a_call_that_was_told_otherwise),
		TEST(without_a_session_there_are_no_calls),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
