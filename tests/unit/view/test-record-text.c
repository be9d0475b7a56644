/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "session/machine.h"
#include "symbol/symbol.h"
#include "view/record-text.h"
#include "wire/record.h"

static void check(const struct record *r, const char *wanted)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	record_text(&t, r);
	assert_string_equal(t.chars, wanted);
}

static void names_of_tasks(void **state)
{
	struct record r = { .header.type = PERF_RECORD_COMM,
			    .comm = { .pid = 2646, .tid = 2646, .comm = "df" } };

	(void)state;
	check(&r, "PERF_RECORD_COMM: df:2646/2646");
	r.header.misc = PERF_RECORD_MISC_COMM_EXEC;
	check(&r, "PERF_RECORD_COMM exec: df:2646/2646");
}

static void starts_and_ends_of_tasks(void **state)
{
	struct record r = { .header.type = PERF_RECORD_FORK,
			    .task = { .pid = 3, .tid = 4, .ppid = 1, .ptid = 2 } };

	(void)state;
	check(&r, "PERF_RECORD_FORK(3:4):(1:2)");
	r.header.type = PERF_RECORD_EXIT;
	check(&r, "PERF_RECORD_EXIT(3:4):(1:2)");
}

static void maps_with_and_without_their_files_number(void **state)
{
	struct record r = {
		.header = { .type = PERF_RECORD_MMAP, .misc = PERF_RECORD_MISC_KERNEL },
		.mmap = { .pid = (uint32_t)-1,
			  .addr = 0x1000,
			  .len = 0x20,
			  .filename = "[k]_text" },
	};

	(void)state;
	check(&r, "PERF_RECORD_MMAP -1/0: [0x1000(0x20) @ 0]: x [k]_text");
	r.header.misc |= PERF_RECORD_MISC_MMAP_DATA;
	check(&r, "PERF_RECORD_MMAP -1/0: [0x1000(0x20) @ 0]: r [k]_text");

	r.header = (struct record_header){ .type = PERF_RECORD_MMAP2 };
	r.mmap = (struct record_mmap){ .pid = 7,
				       .tid = 8,
				       .addr = 0x1000,
				       .len = 0x20,
				       .pgoff = 0x30,
				       .maj = 8,
				       .min = 1,
				       .ino = 77,
				       .ino_generation = 9,
				       .prot = 5,
				       .flags = 2,
				       .filename = "/bin/x" };
	check(&r, "PERF_RECORD_MMAP2 7/8: [0x1000(0x20) @ 0x30 08:01 77 9]: r-xp /bin/x");
	r.header.misc = PERF_RECORD_MISC_MMAP_BUILD_ID;
	r.mmap.build_id = (struct build_id){ .bytes = { 0xab, 1 }, .size = 2 };
	r.mmap.prot = 3;
	r.mmap.flags = 1;
	check(&r, "PERF_RECORD_MMAP2 7/8: [0x1000(0x20) @ 0x30 <ab01>]: rw-s /bin/x");
}

static void switches_tell_the_direction(void **state)
{
	struct record r = { .header.type = PERF_RECORD_SWITCH,
			    .context_switch = { .next_prev_pid = 11, .next_prev_tid = 12 } };

	(void)state;
	check(&r, "PERF_RECORD_SWITCH IN         ");
	r.header.misc = PERF_RECORD_MISC_SWITCH_OUT | PERF_RECORD_MISC_SWITCH_OUT_PREEMPT;
	check(&r, "PERF_RECORD_SWITCH OUT preempt");
	r.header.type = PERF_RECORD_SWITCH_CPU_WIDE;
	check(&r, "PERF_RECORD_SWITCH_CPU_WIDE OUT preempt  next pid/tid:    11/12   ");
	r.header.misc = 0;
	check(&r, "PERF_RECORD_SWITCH_CPU_WIDE IN           prev pid/tid:    11/12   ");
}

static void namespaces_take_lines_of_four(void **state)
{
	static const uint64_t links[] = { 4, 0x10, 4, 0x11, 4, 0x12, 4, 0x13, 4, 0x14 };
	struct record r = {
		.header.type = PERF_RECORD_NAMESPACES,
		.namespaces = { .pid = 1, .tid = 1, .links = { (const uint8_t *)links, 10, false } }
	};

	(void)state;
	check(&r, "PERF_RECORD_NAMESPACES 1/1 - nr_namespaces: 5\n"
		  "\t\t[0/net: 4/0x10, 1/uts: 4/0x11, 2/ipc: 4/0x12, 3/pid: 4/0x13, \n"
		  "\t\t 4/user: 4/0x14]");
}

static void other_records_have_at_least_a_name(void **state)
{
	struct record r = { .header.type = PERF_RECORD_THROTTLE };

	(void)state;
	check(&r, "PERF_RECORD_THROTTLE");
	r.header.type = 60;
	check(&r, "PERF_RECORD_60");
}

static void changed_code_has_rows_and_a_function(void **state)
{
	static const struct symbol f = { .start = 0x1000, .end = 0x2000, .name = "f\x1b" };
	static const uint8_t code[20] = { 1, 2 };
	const struct location known = { .image_addr = 0x1004, .sym = &f }, unknown = { 0 };
	struct record r = { .header.type = PERF_RECORD_TEXT_POKE,
			    .text_poke = { .addr = 0xff1004,
					   .old_len = 2,
					   .new_len = 18,
					   .old_bytes = code,
					   .new_bytes = code } };
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	(void)state;
	record_text_poke(&t, &r, &known);
	assert_string_equal(
		t.chars, "PERF_RECORD_TEXT_POKE ff1004 f\\x1b+0x4 old len 2 new len 18\n"
			 "            Old bytes: 01 02\n"
			 "            New bytes: 01 02 00 00 00 00 00 00 00 00 00 00 00 00 00 00\n"
			 "            New bytes: 00 00");
	text_clear(&t);
	r.text_poke.new_len = r.text_poke.old_len = 0;
	record_text_poke(&t, &r, &unknown);
	assert_string_equal(t.chars, "PERF_RECORD_TEXT_POKE ff1004  old len 0 new len 0");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_of_tasks),
		cmocka_unit_test(starts_and_ends_of_tasks),
		cmocka_unit_test(maps_with_and_without_their_files_number),
		cmocka_unit_test(switches_tell_the_direction),
		cmocka_unit_test(namespaces_take_lines_of_four),
		cmocka_unit_test(other_records_have_at_least_a_name),
		cmocka_unit_test(changed_code_has_rows_and_a_function),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
