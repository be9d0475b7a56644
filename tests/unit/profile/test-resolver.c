/* SPDX-License-Identifier: MIT */
/* Alone: it replaces what reads lines (fake-source.h). */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <sys/mman.h>

#include "elf/built-elf.h"
#include "fake-source.h"
#include "profile/resolver.h"
#include "session/machine.h"
#include "session/recording.h"
#include "symbol/symbolizer.h"
#include "skip.h"

#define PID  10
#define CODE 0xffff800080100000

/*
 * Makes a session: two programs at one place, one after the other; a child that shares the maps of
 * its parent; a library at different places in two processes; and a function of the kernel.
 */
static struct session *made(struct recording *rec)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct session *s;

	comm(rec, PID, PID, "first", 100);
	mmaps(rec, PID, 0x1000, 0x1000, "/bin/first", 100);
	forks(rec, PID, PID, PID + 1, PID + 1, 150);
	comm(rec, PID, PID, "second", 200);
	mmaps(rec, PID, 0x1000, 0x1000, "/bin/second", 200);
	mmaps(rec, PID + 2, 0x10000, 0x10000, "/lib/both", 100);
	mmaps(rec, PID + 3, 0x18000, 0x10000, "/lib/both", 100);
	ksymbol(rec, CODE, 0x1000, "bpf_prog_1", 0, 50);
	s = opened(rec, false);
	assert_int_equal(session_scan(s, &diag), 0);
	return s;
}

struct fixture {
	struct recording rec;
	struct session *session;
	struct frames *frames;
	struct resolver resolver;
};

static int set_up(void **state)
{
	static struct fixture f;

	f.rec = recording_new();
	f.rec.symbolizer = symbolizer_new(&(struct symbolizer_options){ 0 });
	f.session = made(&f.rec);
	f.frames = frames_new(false);
	resolver_init(&f.resolver, f.session, f.frames);
	assert_true(resolver_refresh(&f.resolver));
	*state = &f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	resolver_done(&f->resolver);
	frames_free(f->frames);
	session_free(f->session);
	symbolizer_free(f->rec.symbolizer);
	recording_done(&f->rec);
	return 0;
}

static uint32_t frame_at(struct fixture *f, uint32_t pid, uint64_t ip, uint64_t time)
{
	const struct resolved_task *t = resolver_task(&f->resolver, pid, pid, time);

	return resolver_sampled_frame(&f->resolver, t, ADDRESS_USER, ip, time);
}

static const char *image_at(struct fixture *f, uint32_t pid, uint64_t ip, uint64_t time)
{
	return frames_get(f->frames, frame_at(f, pid, ip, time))->map->name;
}

static void a_task_is_called_what_it_was_called_then(void **state)
{
	struct fixture *f = *state;

	assert_string_equal(resolver_task(&f->resolver, PID, PID, 120)->comm, "first");
	assert_string_equal(resolver_task(&f->resolver, PID, PID, 220)->comm, "second");
	assert_string_equal(resolver_task(&f->resolver, PID, PID, 130)->comm, "first");
	assert_string_equal(resolver_task(&f->resolver, PID + 1, PID + 1, 220)->comm, "first");
}

static void tasks_that_share_a_slot_are_told_apart(void **state)
{
	struct fixture *f = *state;

	assert_string_equal(resolver_task(&f->resolver, PID, PID, 220)->comm, "second");
	assert_string_equal(resolver_task(&f->resolver, PID + 256, PID + 256, 220)->comm, ":266");
	assert_string_equal(resolver_task(&f->resolver, PID, PID, 220)->comm, "second");
}

static void an_address_is_what_lay_there_then(void **state)
{
	struct fixture *f = *state;

	assert_string_equal(image_at(f, PID, 0x1010, 120), "/bin/first");
	assert_string_equal(image_at(f, PID, 0x1010, 220), "/bin/second");
	assert_string_equal(image_at(f, PID, 0x1010, 130), "/bin/first");
	assert_string_equal(image_at(f, PID + 1, 0x1010, 220), "/bin/first");
	assert_null(frames_get(f->frames, frame_at(f, PID, 0x8000, 120))->map);
}

static void an_answer_tells_how_long_it_holds(void **state)
{
	struct fixture *f = *state;
	const struct resolved_task *t = resolver_task(&f->resolver, PID, PID, 120);
	struct span span;

	for (unsigned round = 0; round < 2; round++) { /* asked, then remembered */
		resolver_stack_frame(&f->resolver, t, ADDRESS_USER, 0x1010, 120, &span);
		assert_true(span_has(&span, 199));
		assert_false(span_has(&span, 200));
		assert_false(span_has(&span, 99));
	}
}

static void what_was_sampled_differs_from_an_entry_of_a_stack(void **state)
{
	struct fixture *f = *state;
	const struct resolved_task *t = resolver_task(&f->resolver, PID, PID, 120);
	struct span span;
	uint32_t entry = resolver_stack_frame(&f->resolver, t, ADDRESS_USER, 0x1010, 120, &span);

	assert_int_not_equal(frame_at(f, PID, 0x1010, 120), entry);
	assert_int_equal(frame_address(frames_get(f->frames, entry)), 0x1010);
}

static void kernel_and_user_share_no_answers(void **state)
{
	struct fixture *f = *state;
	const struct resolved_task *t = resolver_task(&f->resolver, PID, PID, 120);

	assert_int_not_equal(resolver_sampled_frame(&f->resolver, t, ADDRESS_KERNEL, 0x1010, 120),
			     resolver_sampled_frame(&f->resolver, t, ADDRESS_USER, 0x1010, 120));
	assert_int_not_equal(
		resolver_sampled_frame(&f->resolver, t, ADDRESS_GUEST_USER, 0x1010, 120),
		resolver_sampled_frame(&f->resolver, t, ADDRESS_USER, 0x1010, 120));
}

static void many_addresses_are_all_remembered(void **state)
{
	struct fixture *f = *state;
	uint32_t n;

	for (uint64_t ip = 0x100000; ip < 0x105000; ip++)
		frame_at(f, PID, ip, 120);
	n = frames_count(f->frames);
	for (uint64_t ip = 0x100000; ip < 0x105000; ip++)
		assert_int_equal(frames_get(f->frames, frame_at(f, PID, ip, 120))->ip, ip);
	assert_int_equal(frames_count(f->frames), n);
}

static uint64_t stack_address(struct resolver *r, uint32_t pid, uint64_t ip)
{
	const struct resolved_task *t = resolver_task(r, pid, pid, 120);
	struct span span;

	return frames_get(r->frames, resolver_stack_frame(r, t, ADDRESS_USER, ip, 120, &span))
		->addr;
}

static void an_address_at_run_time_is_another_place_of_the_image_in_another_process(void **state)
{
	struct fixture *f = *state;
	struct frames *by_address = frames_new(true);
	struct resolver r;

	resolver_init(&r, f->session, by_address);
	assert_true(resolver_refresh(&r));
	assert_int_equal(stack_address(&r, PID + 2, 0x1c000), 0xc000);
	assert_int_equal(stack_address(&r, PID + 3, 0x1c000), 0x4000);
	assert_int_equal(stack_address(&r, PID + 2, 0x1c000), 0xc000);
	resolver_done(&r);
	frames_free(by_address);
}

static const struct symbol inner = { .name = "inner", .is_inlined = true };
static const struct symbol outer = { .name = "outer", .is_inlined = true };
static const struct source_frame there[] = {
	{ &inner, { "a.c", 1 }, true },
	{ &outer, { "a.c", 2 }, true },
	{ NULL, { "a.c", 3 }, false },
};
static const struct fake_code code[] = { { CODE + 0x10, there, 3 },
					 { CODE + 0x20, &there[2], 1 },
					 { 0 } };

static const char *name_of(struct fixture *f, uint32_t frame)
{
	return frames_get(f->frames, frame)->sym->name;
}

/* Begins without anything remembered. */
static void begin_anew(struct fixture *f, enum inlines inlines)
{
	fake_code = code;
	resolver_done(&f->resolver);
	resolver_init(&f->resolver, f->session, f->frames);
	f->resolver.inlines = inlines;
	assert_true(resolver_refresh(&f->resolver));
}

static void inlined_functions_follow_the_one_they_are_in(void **state)
{
	struct fixture *f = *state;
	const struct resolved_task *t;
	struct resolved_frames all;
	struct span span;

	begin_anew(f, INLINES_ALL);
	t = resolver_task(&f->resolver, PID, PID, 120);
	/* The sampled frame is the function itself, and does not hide the inlined ones. */
	assert_string_equal(name_of(f, resolver_sampled_frame(&f->resolver, t, ADDRESS_KERNEL,
							      CODE + 0x10, 120)),
			    "bpf_prog_1");
	for (unsigned round = 0; round < 2; round++) {
		all = resolver_stack_frames(&f->resolver, t, ADDRESS_KERNEL, CODE + 0x10, false,
					    120, &span);
		assert_int_equal(all.n, 3);
		assert_string_equal(name_of(f, all.items[0]), "bpf_prog_1");
		assert_string_equal(name_of(f, all.items[1]), "outer");
		assert_string_equal(name_of(f, all.items[2]), "inner");
		assert_int_equal(resolver_stack_frame(&f->resolver, t, ADDRESS_KERNEL, CODE + 0x10,
						      120, &span),
				 all.items[0]);
	}
	assert_int_equal(resolver_sampled_frame(&f->resolver, t, ADDRESS_KERNEL, CODE + 0x10, 120),
			 all.items[0]);
}

static void where_nothing_is_inlined_there_is_one_frame(void **state)
{
	struct fixture *f = *state;
	const struct resolved_task *t;
	struct span span;

	begin_anew(f, INLINES_ALL);
	t = resolver_task(&f->resolver, PID, PID, 120);
	assert_int_equal(resolver_stack_frames(&f->resolver, t, ADDRESS_KERNEL, CODE + 0x20, false,
					       120, &span)
				 .n,
			 1);
	assert_int_equal(resolver_stack_frames(&f->resolver, t, ADDRESS_KERNEL, CODE + 0x30, false,
					       120, &span)
				 .n,
			 1);
	assert_int_equal(
		resolver_stack_frames(&f->resolver, t, ADDRESS_USER, 0x1010, false, 120, &span).n,
		1);
}

static void who_asks_for_those_of_programs_gets_none_of_the_kernel(void **state)
{
	struct fixture *f = *state;
	const struct resolved_task *t;
	struct span span;

	begin_anew(f, INLINES_UNWOUND);
	t = resolver_task(&f->resolver, PID, PID, 120);
	assert_int_equal(resolver_stack_frames(&f->resolver, t, ADDRESS_KERNEL, CODE + 0x10, false,
					       120, &span)
				 .n,
			 1);
}

#define PROGRAM 0x7000000

/* Makes a program whose function f ends with a call that never returns; g follows. */
static int make_program(uint64_t *ret_g)
{
	static const uint32_t text[] = { 0xd503201f, 0x94000001, 0xd503201f, 0xd65f03c0 };
	static struct built_elf b;
	int fd = memfd_create("program", MFD_CLOEXEC);
	struct built_symbol symbols[] = {
		{ "f", 0, 8, STB_GLOBAL, STT_FUNC, 1, 0 },
		{ "g", 8, 8, STB_GLOBAL, STT_FUNC, 1, 0 },
	};

	built_begin(&b);
	built_add(&b, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, text, sizeof(text));
	symbols[0].value += b.sections[1].sh_addr;
	symbols[1].value += b.sections[1].sh_addr;
	*ret_g = PROGRAM + b.sections[1].sh_offset + 8;
	built_add_symbols(&b, SHT_SYMTAB, symbols, 2);
	built_end(&b, EM_AARCH64, ET_DYN);
	assert_int_equal(write(fd, b.bytes, b.size), b.size);
	return fd;
}

static void the_caller_of_what_never_returns_is_not_the_next_function(void **state)
{
	struct fixture f = { .rec = recording_new() };
	_cleanup_(diag_done) struct diag diag = { 0 };
	const struct resolved_task *t;
	struct span span;
	char path[32];
	uint64_t g;
	int fd;

	(void)state;
	fd = make_program(&g);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	mmaps(&f.rec, PID, PROGRAM, 0x1000, path, 10);
	f.rec.symbolizer = symbolizer_new(&(struct symbolizer_options){ 0 });
	f.session = opened(&f.rec, false);
	assert_int_equal(session_scan(f.session, &diag), 0);
	f.frames = frames_new(false);
	resolver_init(&f.resolver, f.session, f.frames);
	resolver_refresh(&f.resolver);
	t = resolver_task(&f.resolver, PID, PID, 20);
	for (unsigned round = 0; round < 2; round++) { /* asked, then remembered */
		struct resolver *r = &f.resolver;

		assert_string_equal(
			name_of(&f, *resolver_stack_frames(r, t, ADDRESS_USER, g, true, 20, &span)
					     .items),
			"f");
		assert_true(r->is_divided);
		assert_string_equal(
			name_of(&f, *resolver_stack_frames(r, t, ADDRESS_USER, g, false, 20, &span)
					     .items),
			"g");
		assert_string_equal(name_of(&f, resolver_sampled_frame(r, t, ADDRESS_USER, g, 20)),
				    "g");
		assert_string_equal(name_of(&f, *resolver_stack_frames(r, t, ADDRESS_USER, g + 4,
								       true, 20, &span)
							 .items),
				    "g");
		assert_false(r->is_divided);
	}
	tear_down(&(void *){ &f });
	close(fd);
}

static void there_is_nothing_new_in_a_file(void **state)
{
	struct fixture *f = *state;

	assert_false(resolver_refresh(&f->resolver));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_caller_of_what_never_returns_is_not_the_next_function),
		cmocka_unit_test(a_task_is_called_what_it_was_called_then),
		cmocka_unit_test(tasks_that_share_a_slot_are_told_apart),
		cmocka_unit_test(an_address_is_what_lay_there_then),
		cmocka_unit_test(an_answer_tells_how_long_it_holds),
		cmocka_unit_test(what_was_sampled_differs_from_an_entry_of_a_stack),
		cmocka_unit_test(kernel_and_user_share_no_answers),
		cmocka_unit_test(many_addresses_are_all_remembered),
		cmocka_unit_test(
			an_address_at_run_time_is_another_place_of_the_image_in_another_process),
		cmocka_unit_test(there_is_nothing_new_in_a_file),
		cmocka_unit_test(inlined_functions_follow_the_one_they_are_in),
		cmocka_unit_test(where_nothing_is_inlined_there_is_one_frame),
		cmocka_unit_test(who_asks_for_those_of_programs_gets_none_of_the_kernel),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
