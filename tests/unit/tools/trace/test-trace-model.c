/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session/consumer.h"
#include "tools/trace/trace-model.h"

/* The calls and events that were delivered, a line each: "sh/5 read 10-20 = 3", "lost 7". */
struct world {
	struct trace_tasks *tasks;
	struct trace_model *model;
	char shown[8192];
	size_t n_shown, stops_after;
	const struct session_sample *last_stack;
	bool (*wants)(const struct trace_call *c);
};

static struct world world;

enum {
	READ = 0,
	WRITE = 1,
	RT_SIGRETURN = 15,
	GETPID = 39,
	CLONE = 56,
	VFORK = 58,
	EXECVE = 59,
	EXIT = 60,
	OPENAT = 257
};

static void say(const char *format, ...)
{
	size_t at = strlen(world.shown);
	va_list ap;

	va_start(ap, format);
	vsnprintf(world.shown + at, sizeof(world.shown) - at, format, ap);
	va_end(ap);
	world.n_shown++;
}

static int stop(void)
{
	return world.stops_after && world.n_shown >= world.stops_after;
}

static int show_call(void *arg, const struct trace_call *c)
{
	(void)arg;
	world.last_stack = c->stack;
	say("%s/%u ", c->task->comm, c->task->tid);
	if (c->part == TRACE_CALL_CONTINUED)
		say("[continued] ");
	say("%s", c->desc ? c->desc->name : "?");
	if (c->has_enter && c->part != TRACE_CALL_CONTINUED)
		say("(%d)", (int)c->args[0]);
	for (size_t i = 0; i < c->n_data; i++)
		say(" '%.*s'", (int)c->data[i].size, (const char *)c->data[i].bytes);
	if (c->part == TRACE_CALL_BEGUN)
		say(" %d ...", (int)c->enter_ns);
	else if (c->part == TRACE_CALL_NO_RETURN)
		say(" %d = ?", (int)c->enter_ns);
	else
		say(" %d-%d = %d", (int)c->enter_ns, (int)c->exit_ns, (int)c->result);
	say("%s\n", c->stack ? " stack" : "");
	return stop();
}

static int show_sample(void *arg, const struct session_sample *s, struct trace_task *task)
{
	(void)arg;
	say("%s/%u sample %d\n", task ? task->comm : "", task ? task->tid : 0, (int)s->time);
	return stop();
}

static int show_lost(void *arg, uint64_t time_ns, uint64_t count)
{
	(void)arg;
	say("lost %d at %d\n", (int)count, (int)time_ns);
	return stop();
}

static bool wants(void *arg, const struct trace_call *c)
{
	(void)arg;
	return world.wants(c);
}

static void begin(struct trace_choice choice)
{
	struct trace_sink sink = { .call = show_call, .sample = show_sample, .lost = show_lost };

	if (world.wants)
		choice.wants = wants;
	world.model = trace_model_new(&choice, world.tasks, &sink);
	trace_tasks_named(world.tasks, 5, 5, "a");
	trace_tasks_named(world.tasks, 6, 6, "b");
	trace_tasks_named(world.tasks, 7, 7, "c");
}

static int setup(void **state)
{
	(void)state;
	world = (struct world){ .tasks = trace_tasks_new(false) };
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	trace_model_free(world.model);
	trace_tasks_free(world.tasks);
	return 0;
}

static struct call_event event(enum call_event_kind kind, uint32_t tid, uint64_t time_ns, int nr)
{
	return (struct call_event){ .kind = kind,
				    .abi = SYSCALL_ABI_X86_64,
				    .pid = tid,
				    .tid = tid,
				    .time_ns = time_ns,
				    .nr = nr,
				    .args = { tid } };
}

static int send(const struct call_event *e)
{
	return trace_model_event(world.model, e);
}

static int enter(uint32_t tid, uint64_t time_ns, int nr)
{
	struct call_event e = event(CALL_EVENT_ENTER, tid, time_ns, nr);

	return send(&e);
}

static int leave(uint32_t tid, uint64_t time_ns, int nr, int64_t result)
{
	struct call_event e = event(CALL_EVENT_EXIT, tid, time_ns, nr);

	e.result = result;
	return send(&e);
}

static int whole(uint32_t tid, uint64_t enter_ns, uint64_t time_ns, int nr, int64_t result)
{
	struct call_event e = event(CALL_EVENT_WHOLE, tid, time_ns, nr);

	e.enter_ns = enter_ns;
	e.result = result;
	return send(&e);
}

static int block(uint32_t tid, uint64_t enter_ns, uint64_t time_ns, int nr)
{
	struct call_event e = event(CALL_EVENT_BLOCKED, tid, time_ns, nr);

	e.enter_ns = enter_ns;
	return send(&e);
}

static int end_task(uint32_t tid, uint64_t time_ns)
{
	struct call_event e = event(CALL_EVENT_END, tid, time_ns, -1);

	return send(&e);
}

static int give_sample(uint32_t type, uint32_t tid, uint64_t time)
{
	struct session_event tracepoint = { .attr.type = type,
					    .attr.config = PERF_COUNT_SW_PAGE_FAULTS };
	struct sample sample = { .pid = tid, .tid = tid, .time = time };
	struct session_sample s = { .event = &tracepoint, .sample = &sample, .time = time };

	return trace_model_sample(world.model, &s);
}

static int give_stack(uint32_t tid, uint64_t time, int nr, int64_t result)
{
	struct sample sample = { .pid = tid, .tid = tid, .time = time };
	struct session_sample s = { .sample = &sample, .time = time };

	return trace_model_stack(world.model, &s, nr, result);
}

#define ASSERT_SHOWN(text) assert_string_equal(world.shown, text)

static const struct trace_choice tells_blocked = { .tells_blocked = true };
static const struct trace_choice as_perf = { 0 };

/* Tests of events without CALL_EVENT_BLOCKED, as from files and ring buffers. */

static void calls_are_shown_when_they_end(void **state)
{
	(void)state;
	begin(as_perf);
	enter(5, 10, READ);
	leave(5, 20, READ, 3);
	enter(5, 30, GETPID);
	leave(5, 31, GETPID, 5);
	ASSERT_SHOWN("a/5 read(5) 10-20 = 3\n"
		     "a/5 getpid(5) 30-31 = 5\n");
}

static void a_call_is_interrupted_when_another_task_begins_one(void **state)
{
	(void)state;
	begin(as_perf);
	enter(5, 10, READ);
	enter(6, 15, GETPID);
	leave(6, 16, GETPID, 6);
	leave(5, 20, READ, 3);
	ASSERT_SHOWN("a/5 read(5) 10 ...\n"
		     "b/6 getpid(6) 15-16 = 6\n"
		     "a/5 [continued] read 10-20 = 3\n");
}

static void the_end_of_a_call_interrupts_nobody(void **state)
{
	(void)state;
	begin(as_perf);
	enter(5, 10, READ);
	enter(6, 15, READ);
	leave(5, 16, READ, 1);
	leave(6, 20, READ, 2);
	ASSERT_SHOWN("a/5 read(5) 10 ...\n"
		     "a/5 [continued] read 10-16 = 1\n"
		     "b/6 read(6) 15-20 = 2\n");
}

static void only_the_last_task_that_began_a_call_is_interrupted(void **state)
{
	(void)state;
	begin(as_perf);
	enter(5, 10, READ);
	enter(6, 15, READ);
	leave(5, 16, READ, 1);
	enter(7, 17, READ);
	leave(6, 20, READ, 2);
	leave(7, 21, READ, 3);
	ASSERT_SHOWN("a/5 read(5) 10 ...\n"
		     "a/5 [continued] read 10-16 = 1\n"
		     "b/6 read(6) 15 ...\n"
		     "b/6 [continued] read 15-20 = 2\n"
		     "c/7 read(7) 17-21 = 3\n");
}

static void an_end_without_a_beginning_is_continued(void **state)
{
	(void)state;
	begin(as_perf);
	leave(5, 10, EXECVE, 0);
	leave(5, 11, -1, 0);
	ASSERT_SHOWN("a/5 [continued] execve 0-10 = 0\n");
}

/* The kernel of x86_64 reports such a return. */
static void the_return_of_a_new_task_is_no_call(void **state)
{
	(void)state;
	begin(as_perf);
	enter(5, 10, VFORK);
	leave(6, 11, VFORK, 0);
	enter(6, 12, GETPID);
	leave(6, 13, GETPID, 6);
	leave(5, 20, VFORK, 6);
	ASSERT_SHOWN("a/5 vfork(5) 10 ...\n"
		     "b/6 getpid(6) 12-13 = 6\n"
		     "a/5 [continued] vfork 10-20 = 6\n");
}

static void a_fork_that_began_before_is_that_of_the_parent(void **state)
{
	(void)state;
	begin(as_perf);
	leave(5, 10, CLONE, 6);
	leave(5, 11, CLONE, -EAGAIN);
	ASSERT_SHOWN("a/5 [continued] clone 0-10 = 6\n"
		     "a/5 [continued] clone 0-11 = -11\n");
}

static void another_event_interrupts(void **state)
{
	(void)state;
	begin(as_perf);
	enter(5, 10, READ);
	give_sample(PERF_TYPE_TRACEPOINT, 5, 15);
	leave(5, 20, READ, 1);
	ASSERT_SHOWN("a/5 read(5) 10 ...\n"
		     "a/5 sample 15\n"
		     "a/5 [continued] read 10-20 = 1\n");
	assert_int_equal(trace_tasks_get(world.tasks, 5, 5)->n_events, 3);
}

static void a_page_fault_does_not_interrupt(void **state)
{
	(void)state;
	begin(as_perf);
	enter(5, 10, READ);
	give_sample(PERF_TYPE_SOFTWARE, 5, 15);
	leave(5, 20, READ, 1);
	ASSERT_SHOWN("a/5 sample 15\n"
		     "a/5 read(5) 10-20 = 1\n");
}

static void a_sample_of_nobody_is_shown_without_a_task(void **state)
{
	(void)state;
	begin(as_perf);
	give_sample(PERF_TYPE_TRACEPOINT, SAMPLE_NOBODY, 15);
	ASSERT_SHOWN("/0 sample 15\n");
}

/* Any source. */

static void exit_is_shown_when_it_begins(void **state)
{
	(void)state;
	begin(as_perf);
	enter(5, 10, READ);
	enter(6, 15, EXIT);
	end_task(6, 16);
	leave(5, 20, READ, 1);
	ASSERT_SHOWN("a/5 read(5) 10 ...\n"
		     "b/6 exit(6) 15 = ?\n"
		     "a/5 [continued] read 10-20 = 1\n");
}

static void a_task_that_ends_in_a_call_leaves_its_beginning(void **state)
{
	(void)state;
	begin(as_perf);
	enter(5, 10, READ);
	end_task(5, 20);
	ASSERT_SHOWN("a/5 read(5) 10 ...\n");
	assert_null(trace_tasks_get(world.tasks, 5, 5)->open_call);
}

static void a_call_whose_end_was_lost_leaves_its_beginning(void **state)
{
	(void)state;
	begin(as_perf);
	enter(5, 10, READ);
	enter(5, 20, WRITE);
	leave(5, 30, GETPID, 5);
	whole(5, 40, 50, READ, 1);
	enter(5, 60, READ);
	whole(5, 70, 80, GETPID, 1);
	ASSERT_SHOWN("a/5 read(5) 10 ...\n"
		     "a/5 write(5) 20 ...\n"
		     "a/5 [continued] getpid 0-30 = 5\n"
		     "a/5 read(5) 40-50 = 1\n"
		     "a/5 read(5) 60 ...\n"
		     "a/5 getpid(5) 70-80 = 1\n");
}

static void an_end_whose_number_the_kernel_forgot_belongs_to_the_call(void **state)
{
	(void)state;
	begin(as_perf);
	enter(5, 10, RT_SIGRETURN);
	leave(5, 11, -1, 7);
	ASSERT_SHOWN("a/5 rt_sigreturn(5) 10-11 = 7\n");
}

static void calls_without_a_name_are_shown_too(void **state)
{
	(void)state;
	begin(as_perf);
	enter(5, 10, 100000);
	leave(5, 11, 100000, -ENOSYS);
	ASSERT_SHOWN("a/5 ?(5) 10-11 = -38\n");
}

static void losses_are_told_in_their_place(void **state)
{
	struct call_event e = { .kind = CALL_EVENT_LOST, .time_ns = 15, .count = 7 };

	(void)state;
	begin(as_perf);
	enter(5, 10, READ);
	send(&e);
	leave(5, 20, READ, 1);
	ASSERT_SHOWN("a/5 read(5) 10 ...\n"
		     "lost 7 at 15\n"
		     "a/5 [continued] read 10-20 = 1\n");
}

static void calls_that_have_not_ended_are_shown_at_the_end(void **state)
{
	(void)state;
	begin(as_perf);
	enter(5, 10, READ);
	enter(6, 11, READ);
	assert_int_equal(trace_model_finish(world.model), 0);
	assert_int_equal(trace_model_finish(world.model), 0);
	ASSERT_SHOWN("a/5 read(5) 10 ...\n"
		     "b/6 read(6) 11 ...\n");
}

static void a_sink_that_stops_is_obeyed(void **state)
{
	(void)state;
	begin(as_perf);
	world.stops_after = 1;
	enter(5, 10, READ);
	assert_int_equal(leave(5, 20, READ, 3), 1);
	assert_int_equal(whole(6, 21, 22, READ, 1), 1);
	assert_int_equal(give_sample(PERF_TYPE_TRACEPOINT, 6, 23), 1);
	assert_int_equal(trace_model_finish(world.model), 1);
	ASSERT_SHOWN("a/5 read(5) 10-20 = 3\n");
}

static void calls_that_wait_for_stacks_are_not_shown_after_the_stop(void **state)
{
	(void)state;
	begin(tells_blocked);
	trace_model_expect_stacks(world.model);
	world.stops_after = 1;
	whole(5, 10, 11, READ, 1);
	whole(5, 12, 13, READ, 2);
	assert_int_equal(give_stack(5, 11, READ, 1), 1);
	assert_int_equal(trace_model_finish(world.model), 1);
	ASSERT_SHOWN("a/5 read(5) 10-11 = 1 stack\n");
}

static void a_renamed_task_is_called_so_at_once(void **state)
{
	struct call_event named = event(CALL_EVENT_TASK, 5, 15, -1);
	struct call_event forked = event(CALL_EVENT_FORK, 8, 16, -1);

	(void)state;
	begin(as_perf);
	enter(5, 10, EXECVE);
	named.comm = "ls";
	named.cgroup = 77;
	send(&named);
	leave(5, 20, EXECVE, 0);
	forked.parent_tid = 5;
	send(&forked);
	enter(8, 30, GETPID);
	leave(8, 31, GETPID, 8);
	ASSERT_SHOWN("ls/5 execve(5) 10-20 = 0\n"
		     "ls/8 getpid(8) 30-31 = 8\n");
	assert_int_equal(trace_tasks_get(world.tasks, 5, 5)->cgroup, 77);
}

static void descriptors_are_known_while_the_call_is_shown_and_forgotten_after_close(void **state)
{
	struct call_event file = event(CALL_EVENT_FILE, 5, 15, -1);
	struct trace_task *task;

	(void)state;
	begin(as_perf);
	file.fd = 5;
	file.fd_path = "/etc/passwd";
	send(&file);
	task = trace_tasks_get(world.tasks, 5, 5);
	assert_string_equal(trace_task_file(world.tasks, task, 5), "/etc/passwd");
	enter(5, 20, 3);
	leave(5, 21, 3, 0);
	assert_null(trace_task_file(world.tasks, task, 5));
	file.time_ns = 30;
	send(&file);
	leave(5, 40, EXECVE, 0);
	assert_null(trace_task_file(world.tasks, task, 5));
}

/* Choice. */

static void short_calls_are_left_out_and_long_ones_are_never_split(void **state)
{
	(void)state;
	begin((struct trace_choice){ .min_duration_ns = 10 });
	enter(5, 10, READ);
	enter(6, 15, GETPID);
	leave(6, 16, GETPID, 6);
	leave(5, 20, READ, 3);
	leave(7, 30, EXECVE, 0);
	enter(7, 31, EXIT);
	ASSERT_SHOWN("a/5 read(5) 10-20 = 3\n");
}

static void only_failures_are_shown(void **state)
{
	(void)state;
	begin((struct trace_choice){ .only_failures = true });
	enter(5, 10, READ);
	enter(6, 15, GETPID);
	leave(6, 16, GETPID, 6);
	leave(5, 20, READ, -EINTR);
	whole(6, 21, 22, READ, -4096);
	enter(7, 31, EXIT);
	ASSERT_SHOWN("a/5 read(5) 10-20 = -4\n");
}

static bool wants_reads(const struct trace_call *c)
{
	return c->nr == READ;
}

static void calls_that_are_not_wanted_interrupt_nobody_when_they_end(void **state)
{
	(void)state;
	world.wants = wants_reads;
	begin(tells_blocked);
	block(5, 10, 11, READ);
	whole(6, 12, 13, GETPID, 1);
	leave(5, 20, READ, 1);
	ASSERT_SHOWN("a/5 read(5) 10-20 = 1\n");
}

static void calls_that_are_not_wanted_interrupt_nobody_when_they_begin(void **state)
{
	(void)state;
	world.wants = wants_reads;
	begin(as_perf);
	enter(5, 10, READ);
	enter(6, 12, GETPID);
	leave(6, 13, GETPID, 1);
	enter(7, 14, EXIT);
	leave(5, 20, READ, 1);
	ASSERT_SHOWN("a/5 read(5) 10-20 = 1\n");
}

static bool shows_page_faults(void *arg, const struct session_sample *s)
{
	(void)arg;
	return s->event->attr.type == PERF_TYPE_SOFTWARE;
}

static void samples_that_are_not_shown_interrupt_nobody(void **state)
{
	struct trace_choice choice = { .shows_sample = shows_page_faults };

	(void)state;
	begin(choice);
	enter(5, 10, READ);
	give_sample(PERF_TYPE_TRACEPOINT, 6, 15);
	leave(5, 20, READ, 1);
	choice.tells_blocked = true;
	trace_model_free(world.model);
	begin(choice);
	block(5, 30, 31, READ);
	give_sample(PERF_TYPE_TRACEPOINT, 6, 32);
	give_sample(PERF_TYPE_SOFTWARE, 6, 33);
	ASSERT_SHOWN("b/6 sample 15\n"
		     "a/5 read(5) 10-20 = 1\n"
		     "b/6 sample 32\n"
		     "a/5 read(5) 30 ...\n"
		     "b/6 sample 33\n");
}

static bool wants_ended(const struct trace_call *c)
{
	return c->exit_ns || c->nr == WRITE;
}

static void what_is_not_wanted_at_first_is_shown_whole_and_what_was_shown_is_continued(void **state)
{
	(void)state;
	world.wants = wants_ended;
	begin(as_perf);
	enter(5, 10, READ);
	enter(6, 11, WRITE);
	enter(7, 12, WRITE);
	leave(7, 13, WRITE, 7);
	leave(6, 14, WRITE, 1);
	leave(5, 15, READ, 1);
	ASSERT_SHOWN("b/6 write(6) 11 ...\n"
		     "c/7 write(7) 12-13 = 7\n"
		     "b/6 [continued] write 11-14 = 1\n"
		     "a/5 read(5) 10-15 = 1\n");
}

/* With CALL_EVENT_BLOCKED: BPF. */

static void a_call_that_waits_is_split_only_if_something_is_shown_meanwhile(void **state)
{
	(void)state;
	begin(tells_blocked);
	block(5, 10, 11, READ);
	leave(5, 20, READ, 1);
	block(5, 30, 31, READ);
	whole(6, 32, 33, GETPID, 6);
	leave(5, 40, READ, 1);
	ASSERT_SHOWN("a/5 read(5) 10-20 = 1\n"
		     "a/5 read(5) 30 ...\n"
		     "b/6 getpid(6) 32-33 = 6\n"
		     "a/5 [continued] read 30-40 = 1\n");
}

static void all_calls_that_wait_are_split_in_the_order_in_which_they_began_to_wait(void **state)
{
	(void)state;
	begin(tells_blocked);
	enter(5, 10, READ);
	enter(7, 11, READ);
	block(7, 11, 12, READ);
	block(5, 10, 13, READ);
	whole(6, 14, 15, GETPID, 6);
	ASSERT_SHOWN("c/7 read(7) 11 ...\n"
		     "a/5 read(5) 10 ...\n"
		     "b/6 getpid(6) 14-15 = 6\n");
}

static void a_call_that_does_not_wait_is_not_split(void **state)
{
	(void)state;
	begin(tells_blocked);
	enter(5, 10, READ);
	whole(6, 14, 15, GETPID, 6);
	leave(5, 16, READ, 1);
	ASSERT_SHOWN("b/6 getpid(6) 14-15 = 6\n"
		     "a/5 read(5) 10-16 = 1\n");
}

static void data_of_beginning_and_end_come_together(void **state)
{
	struct call_event begin_event = event(CALL_EVENT_BLOCKED, 5, 11, OPENAT);
	struct call_event end_event = event(CALL_EVENT_EXIT, 5, 20, OPENAT);
	struct call_data name = { .arg = 1, .size = 4, .bytes = (const uint8_t *)"/etc" };
	struct call_data more = { .arg = 2, .size = 2, .bytes = (const uint8_t *)"xy" };

	(void)state;
	begin(tells_blocked);
	begin_event.enter_ns = 10;
	begin_event.data = &name;
	begin_event.n_data = 1;
	send(&begin_event);
	end_event.data = &more;
	end_event.n_data = 1;
	end_event.result = 3;
	send(&end_event);
	ASSERT_SHOWN("a/5 openat(5) '/etc' 'xy' 10-20 = 3\n");
}

static void an_end_whose_beginning_was_lost_knows_when_it_began(void **state)
{
	struct call_event e = event(CALL_EVENT_EXIT, 5, 20, READ);

	(void)state;
	begin(tells_blocked);
	e.enter_ns = 10;
	send(&e);
	ASSERT_SHOWN("a/5 [continued] read 10-20 = 0\n");
}

/* Stacks. */

static void a_call_is_shown_when_its_stack_comes(void **state)
{
	(void)state;
	begin(tells_blocked);
	trace_model_expect_stacks(world.model);
	whole(5, 10, 11, READ, 1);
	whole(6, 12, 13, READ, 2);
	ASSERT_SHOWN("");
	give_stack(6, 14, READ, 2);
	give_stack(5, 15, READ, 1);
	give_stack(5, 16, READ, 1);
	ASSERT_SHOWN("b/6 read(6) 12-13 = 2 stack\n"
		     "a/5 read(5) 10-11 = 1 stack\n");
}

static void a_lost_stack_holds_up_nobody(void **state)
{
	(void)state;
	begin(tells_blocked);
	trace_model_expect_stacks(world.model);
	whole(5, 10, 11, READ, 1);
	whole(5, 12, 13, WRITE, 2);
	whole(6, 14, 15, READ, 2);
	give_stack(5, 14, WRITE, 2);
	ASSERT_SHOWN("a/5 read(5) 10-11 = 1\n"
		     "a/5 write(5) 12-13 = 2 stack\n");
	trace_model_stacks_until(world.model, 100000);
	assert_null(strstr(world.shown, "b/6"));
	trace_model_stacks_until(world.model, 100000000);
	assert_non_null(strstr(world.shown, "b/6 read(6) 14-15 = 2\n"));
}

static void of_equal_calls_the_nearest_one_gets_the_stack(void **state)
{
	(void)state;
	begin(tells_blocked);
	trace_model_expect_stacks(world.model);
	whole(5, 10, 100, READ, 1);
	whole(5, 110, 200, READ, 1);
	whole(5, 210, 300, READ, 1);
	give_stack(5, 205, READ, 1);
	ASSERT_SHOWN("a/5 read(5) 10-100 = 1\n"
		     "a/5 read(5) 110-200 = 1 stack\n");
	trace_model_finish(world.model);
	assert_non_null(strstr(world.shown, "a/5 read(5) 210-300 = 1\n"));
}

static void a_call_with_frames_keeps_them_without_a_sample(void **state)
{
	static const uint64_t frames[] = { 0x1000, 0x2000 };
	static const struct session_event sampled;
	struct sample sample = { .pid = 5, .tid = 5, .time = 12 };
	struct session_sample s = { .event = &sampled, .sample = &sample, .time = 12 };
	struct call_event e = event(CALL_EVENT_WHOLE, 5, 31, READ);

	(void)state;
	begin(tells_blocked);
	trace_model_expect_stacks(world.model);
	whole(5, 10, 11, READ, 1);
	trace_model_stack(world.model, &s, READ, 1);
	e.enter_ns = 30;
	e.frames = frames;
	e.n_frames = 2;
	send(&e);
	trace_model_finish(world.model);
	ASSERT_SHOWN("a/5 read(5) 10-11 = 1 stack\n"
		     "a/5 read(5) 30-31 = 0 stack\n");
}

static void calls_that_wait_for_stacks_are_limited_in_number(void **state)
{
	(void)state;
	begin(tells_blocked);
	trace_model_expect_stacks(world.model);
	for (unsigned i = 0; i < 100000; i++)
		whole(5, i, i + 1, READ, 1);
	assert_true(world.n_shown > 0);
	end_task(5, 100001);
	trace_model_finish(world.model);
}

static void a_call_that_waits_later_is_not_split_by_an_earlier_one(void **state)
{
	(void)state;
	begin(tells_blocked);
	trace_model_expect_stacks(world.model);
	whole(5, 10, 11, READ, 1);
	block(6, 50, 51, READ);
	give_stack(5, 12, READ, 1);
	ASSERT_SHOWN("a/5 read(5) 10-11 = 1 stack\n");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(calls_are_shown_when_they_end),
		TEST(a_call_is_interrupted_when_another_task_begins_one),
		TEST(the_end_of_a_call_interrupts_nobody),
		TEST(only_the_last_task_that_began_a_call_is_interrupted),
		TEST(an_end_without_a_beginning_is_continued),
		TEST(the_return_of_a_new_task_is_no_call),
		TEST(a_fork_that_began_before_is_that_of_the_parent),
		TEST(another_event_interrupts),
		TEST(a_page_fault_does_not_interrupt),
		TEST(a_sample_of_nobody_is_shown_without_a_task),
		TEST(exit_is_shown_when_it_begins),
		TEST(a_task_that_ends_in_a_call_leaves_its_beginning),
		TEST(a_call_whose_end_was_lost_leaves_its_beginning),
		TEST(an_end_whose_number_the_kernel_forgot_belongs_to_the_call),
		TEST(calls_without_a_name_are_shown_too),
		TEST(losses_are_told_in_their_place),
		TEST(calls_that_have_not_ended_are_shown_at_the_end),
		TEST(a_sink_that_stops_is_obeyed),
		TEST(a_renamed_task_is_called_so_at_once),
		TEST(descriptors_are_known_while_the_call_is_shown_and_forgotten_after_close),
		TEST(short_calls_are_left_out_and_long_ones_are_never_split),
		TEST(only_failures_are_shown),
		TEST(calls_that_are_not_wanted_interrupt_nobody_when_they_end),
		TEST(calls_that_are_not_wanted_interrupt_nobody_when_they_begin),
		TEST(samples_that_are_not_shown_interrupt_nobody),
		TEST(what_is_not_wanted_at_first_is_shown_whole_and_what_was_shown_is_continued),
		TEST(a_call_that_waits_is_split_only_if_something_is_shown_meanwhile),
		TEST(all_calls_that_wait_are_split_in_the_order_in_which_they_began_to_wait),
		TEST(a_call_that_does_not_wait_is_not_split),
		TEST(data_of_beginning_and_end_come_together),
		TEST(an_end_whose_beginning_was_lost_knows_when_it_began),
		TEST(a_call_is_shown_when_its_stack_comes),
		TEST(a_lost_stack_holds_up_nobody),
		TEST(of_equal_calls_the_nearest_one_gets_the_stack),
		TEST(a_call_with_frames_keeps_them_without_a_sample),
		TEST(calls_that_wait_for_stacks_are_limited_in_number),
		TEST(a_call_that_waits_later_is_not_split_by_an_earlier_one),
		TEST(calls_that_wait_for_stacks_are_not_shown_after_the_stop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
