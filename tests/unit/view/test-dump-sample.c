/* SPDX-License-Identifier: MIT */
#include "arch/arch.h"
#include "dumped.h"

#include "arch/registers.h"

#define LINE "0x198 [0x%zx]: PERF_RECORD_SAMPLE(IP, 0x2): -1/-1: 0x100 period: 0 addr: 0\n"

static struct sample at_0x100(void)
{
	return (struct sample){ .misc = PERF_RECORD_MISC_USER, .id = 1, .ip = 0x100 };
}

/* Checks the lines after the first one, of a sample with just these fields. */
static void assert_details(uint64_t fields, struct attr extra, const struct sample *s,
			   const char *wanted)
{
	_cleanup_(recording_done) struct recording rec = recording_of(PERF_SAMPLE_IDENTIFIER |
								      PERF_SAMPLE_IP | fields);
	_cleanup_(freep) char *all = NULL;

	rec.attr.branch_sample_type = extra.branch_sample_type;
	rec.attr.sample_regs_user = extra.sample_regs_user;
	rec.attr.sample_regs_intr = extra.sample_regs_intr;
	rec.attr.read_format = extra.read_format;
	assert_int_equal(sample_encode(s, &rec.attr, &rec.records), 0);
	assert_true(asprintf(&all, LINE "%s", rec.records.n, wanted) > 0);
	assert_dumped(&rec, all);
}

static void the_first_line_has_who_where_and_how_much(void **state)
{
	(void)state;
	_cleanup_(recording_done) struct recording rec = recording_of(
		PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
		PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_ADDR);
	struct sample s = { .misc = 0x4001,
			    .id = 1,
			    .ip = 0x100,
			    .pid = 5,
			    .tid = 6,
			    .time = 7,
			    .cpu = 1,
			    .period = 99,
			    .addr = 0x77 };

	assert_int_equal(sample_encode(&s, &rec.attr, &rec.records), 0);
	assert_dumped(&rec, "1 7 0x198 [0x40]: PERF_RECORD_SAMPLE(IP, 0x4001): 5/6: 0x100 "
			    "period: 99 addr: 0x77\n");
}

static void a_period_that_is_not_sampled_is_the_events(void **state)
{
	(void)state;
	_cleanup_(recording_done) struct recording rec = recording_of(PERF_SAMPLE_IDENTIFIER |
								      PERF_SAMPLE_IP);

	rec.attr.sample_period = 777;
	sampled(&rec, 1, 5, 0);
	assert_dumped(&rec, "0x198 [0x18]: PERF_RECORD_SAMPLE(IP, 0x2): -1/-1: 0 period: 777 "
			    "addr: 0\n");
}

static void a_sample_of_nobodys_event_says_so(void **state)
{
	(void)state;
	_cleanup_(recording_done) struct recording rec = recording_of(PERF_SAMPLE_IDENTIFIER |
								      PERF_SAMPLE_IP);

	sampled(&rec, 4711, 5, 0);
	assert_dumped(&rec, "0x198 [0x18]: PERF_RECORD_SAMPLE: of an event that the file does not "
			    "describe\n");
}

static void a_call_chain_is_shown_with_its_markers(void **state)
{
	(void)state;
	static const uint64_t chain[] = { PERF_CONTEXT_USER, 0x100 };
	struct sample s = at_0x100();

	s.chain = (struct words){ (const uint8_t *)chain, 2, false };
	assert_details(PERF_SAMPLE_CALLCHAIN, (struct attr){ 0 }, &s,
		       "... FP chain: nr:2\n"
		       ".....  0: fffffffffffffe00\n"
		       ".....  1: 0000000000000100\n");
}

static void branches_have_flags_and_a_kind(void **state)
{
	(void)state;
	static const uint64_t branches[] = {
		0x10, 0x20, 1 | 5 << 4 | 1 << 20,
		0x30, 0x40, 2 | 4 | 4 << 20,
		0x50, 0x60, 8 | 15 << 20 | 2UL << 26,
		0x70, 0x80, 0,
		0x90, 0xa0, 15 << 20 | 12UL << 26 | 7UL << 33,
	};
	struct sample s = at_0x100();

	s.branches = (struct words){ (const uint8_t *)branches, 15, false };
	assert_details(PERF_SAMPLE_BRANCH_STACK, (struct attr){ 0 }, &s,
		       "... branch stack: nr:5\n"
		       ".....  0: 0000000000000010 -> 0000000000000020 5 cycles M    0 COND\n"
		       ".....  1: 0000000000000030 -> 0000000000000040 0 cycles  P T 0 CALL\n"
		       ".....  2: 0000000000000050 -> 0000000000000060 0 cycles   A  0 FAULT_INST\n"
		       ".....  3: 0000000000000070 -> 0000000000000080 0 cycles      0 \n"
		       ".....  4: 0000000000000090 -> 00000000000000a0 0 cycles      7 (null)\n");
}

static void a_stack_of_calls_completes_the_chain(void **state)
{
	(void)state;
	static const uint64_t branches[] = { 0x10, 0x20, 0, 0x30, 0x40, 0 };
	static const uint64_t chain[] = { PERF_CONTEXT_KERNEL, 0x1, PERF_CONTEXT_USER, 0x100 };
	struct attr extra = { .branch_sample_type = PERF_SAMPLE_BRANCH_CALL_STACK };
	struct sample s = at_0x100();

	s.branches = (struct words){ (const uint8_t *)branches, 6, false };
	s.chain = (struct words){ (const uint8_t *)chain, 2, false };
	assert_details(PERF_SAMPLE_BRANCH_STACK | PERF_SAMPLE_CALLCHAIN, extra, &s,
		       "... FP chain: nr:2\n"
		       ".....  0: ffffffffffffff80\n"
		       ".....  1: 0000000000000001\n"
		       "... branch callstack: nr:3\n"
		       ".....  0: 0000000000000020\n"
		       ".....  1: 0000000000000010\n"
		       ".....  2: 0000000000000030\n");
	s.chain.n = 4;
	assert_details(PERF_SAMPLE_BRANCH_STACK | PERF_SAMPLE_CALLCHAIN, extra, &s,
		       "... LBR call chain: nr:6\n"
		       ".....  0: ffffffffffffff80\n"
		       ".....  1: 0000000000000001\n"
		       ".....  2: fffffffffffffe00\n"
		       ".....  3: 0000000000000020\n"
		       ".....  4: 0000000000000010\n"
		       ".....  5: 0000000000000030\n"
		       "... FP chain: nr:4\n"
		       ".....  0: ffffffffffffff80\n"
		       ".....  1: 0000000000000001\n"
		       ".....  2: fffffffffffffe00\n"
		       ".....  3: 0000000000000100\n"
		       "... branch callstack: nr:3\n"
		       ".....  0: 0000000000000020\n"
		       ".....  1: 0000000000000010\n"
		       ".....  2: 0000000000000030\n");
}

/* A recording that does not name its machine is assumed to be from this one. */
static void registers_have_names_and_an_abi(void **state)
{
	(void)state;
	static const uint64_t values[] = { 1, 2 };
	struct attr extra = { .sample_regs_user = 3, .sample_regs_intr = 1 };
	const char *first = arch_register_name(arch_host(), 0);
	const char *second = arch_register_name(arch_host(), 1);
	_cleanup_(freep) char *wanted = NULL;
	struct sample s = at_0x100();

	s.user_regs = (struct sample_regs){ .abi = 2,
					    .mask = 3,
					    .values = { (const uint8_t *)values, 2, false } };
	s.intr_regs = (struct sample_regs){ .abi = 3,
					    .mask = 1,
					    .values = { (const uint8_t *)values, 1, false } };
	assert_true(asprintf(&wanted,
			     "... user regs: mask 0x3 ABI 64-bit\n"
			     ".... %-5s 0x0000000000000001\n"
			     ".... %-5s 0x0000000000000002\n"
			     "... intr regs: mask 0x1 ABI unknown\n"
			     ".... %-5s 0x0000000000000001\n",
			     first, second, first) > 0);
	assert_details(PERF_SAMPLE_REGS_USER | PERF_SAMPLE_REGS_INTR, extra, &s, wanted);
}

static void a_thread_of_the_kernel_has_no_registers_to_show(void **state)
{
	(void)state;
	struct sample s = at_0x100();

	assert_details(PERF_SAMPLE_REGS_USER, (struct attr){ .sample_regs_user = 3 }, &s, "");
}

static void a_stack_has_a_place_in_the_record(void **state)
{
	(void)state;
	static const uint8_t stack[16] = { 0 };
	struct sample s = at_0x100();

	s.stack = stack;
	s.stack_size = 16;
	s.stack_dyn_size = 8;
	assert_details(PERF_SAMPLE_STACK_USER, (struct attr){ 0 }, &s,
		       "... ustack: size 8, offset 0x18\n");
	s.stack_size = s.stack_dyn_size = 0;
	assert_details(PERF_SAMPLE_STACK_USER, (struct attr){ 0 }, &s,
		       "... ustack: size 0, offset 0x18\n");
}

static void a_memory_access_is_described(void **state)
{
	(void)state;
	struct sample s = at_0x100();

	s.weight = 1;
	s.ins_latency = 2;
	s.p_stage_cyc = 3;
	s.data_src = 0x68100142;
	s.transaction = 0x11;
	s.phys_addr = 0x5000;
	s.data_page_size = 4096;
	assert_details(PERF_SAMPLE_WEIGHT_STRUCT | PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_TRANSACTION |
			       PERF_SAMPLE_PHYS_ADDR | PERF_SAMPLE_DATA_PAGE_SIZE |
			       PERF_SAMPLE_CODE_PAGE_SIZE,
		       (struct attr){ 0 }, &s,
		       "... weight: 1,0x2,0x3\n"
		       " . data_src: 0x68100142\n"
		       " .. phys_addr: 0x5000\n"
		       " .. data page size: 4K\n"
		       " .. code page size: N/A\n"
		       "... transaction: 11\n");
	assert_details(PERF_SAMPLE_WEIGHT, (struct attr){ 0 }, &s, "... weight: 1\n");
}

static void counts_come_alone_or_in_groups(void **state)
{
	(void)state;
	static const uint64_t one[] = { 5, 6, 7, 1, 8 }, group[] = { 5, 1, 8, 2 };
	struct attr extra = { .read_format = PERF_FORMAT_TOTAL_TIME_ENABLED |
					     PERF_FORMAT_TOTAL_TIME_RUNNING | PERF_FORMAT_ID |
					     PERF_FORMAT_LOST };
	struct sample s = at_0x100();

	s.read = (struct record_read){ .n = 1,
				       .values = { (const uint8_t *)one, 5, false },
				       .read_format = extra.read_format };
	assert_details(PERF_SAMPLE_READ, extra, &s,
		       "... sample_read:\n"
		       "...... time enabled 0000000000000006\n"
		       "...... time running 0000000000000007\n"
		       "..... id 0000000000000001, value 0000000000000005, lost 8\n");
	extra.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID;
	s.read = (struct record_read){ .n = 2,
				       .values = { (const uint8_t *)group, 4, false },
				       .read_format = extra.read_format };
	assert_details(PERF_SAMPLE_READ, extra, &s,
		       "... sample_read:\n"
		       ".... group nr 2\n"
		       "..... id 0000000000000001, value 0000000000000005\n"
		       "..... id 0000000000000002, value 0000000000000008\n");
}

static void the_place_is_a_thread_and_an_image(void **state)
{
	(void)state;
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(session_freep) struct session *s = NULL;
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct sample sample = { .misc = PERF_RECORD_MISC_USER, .pid = 5, .tid = 6, .ip = 0x1100 };
	struct printed p;
	struct dump d;

	comm(&rec, 5, 6, "prog", 0);
	mmaps(&rec, 5, 0x1000, 0x1000, "/bin/prog", 0);
	s = opened(&rec, false);
	assert_int_equal(session_scan(s, &diag), 0);
	dump_init(&d, s);
	printed_open(&p);
	dump_sample_place(&d, &sample, p.out);
	sample.ip = 0x9000;
	dump_sample_place(&d, &sample, p.out);
	sample.misc = PERF_RECORD_MISC_HYPERVISOR;
	dump_sample_place(&d, &sample, p.out);
	assert_printed(&p, " ... thread: prog:6\n ...... dso: /bin/prog\n"
			   " ... thread: prog:6\n ...... dso: <not found>\n"
			   " ... thread: prog:6\n ...... dso: [hypervisor]\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_line_has_who_where_and_how_much),
		cmocka_unit_test(a_period_that_is_not_sampled_is_the_events),
		cmocka_unit_test(a_sample_of_nobodys_event_says_so),
		cmocka_unit_test(a_call_chain_is_shown_with_its_markers),
		cmocka_unit_test(branches_have_flags_and_a_kind),
		cmocka_unit_test(a_stack_of_calls_completes_the_chain),
		cmocka_unit_test(registers_have_names_and_an_abi),
		cmocka_unit_test(a_thread_of_the_kernel_has_no_registers_to_show),
		cmocka_unit_test(a_stack_has_a_place_in_the_record),
		cmocka_unit_test(a_memory_access_is_described),
		cmocka_unit_test(counts_come_alone_or_in_groups),
		cmocka_unit_test(the_place_is_a_thread_and_an_image),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
