/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <linux/bpf.h>
#include <linux/btf.h>
#include <string.h>

#include "wire/bpf-functions.h"
#include "wire/btf.h"

/* Two functions: their addresses at 0, lengths at 16, types at 24, tags at 40. */
struct two_functions {
	uint64_t addrs[2];
	uint32_t lens[2];
	struct bpf_func_info funcs[2];
	uint8_t tags[2][8];
};

static struct two_functions data = {
	.addrs = { 0xffff800081f0d890, 0xffff800081f0e000 },
	.lens = { 64, 32 },
	.funcs = { { .type_id = 2 }, { .insn_off = 5, .type_id = 9 } },
	.tags = { { 0x59, 0xf4, 0xa9, 0x31, 0x74, 0x4d, 0xcd, 0xc6 }, { 0x01, 0xff } },
};

static const struct bpf_prog_info info = {
	.name = "hello",
	.nr_jited_ksyms = 2,
	.nr_jited_func_lens = 2,
	.jited_ksyms = offsetof(struct two_functions, addrs),
	.jited_func_lens = offsetof(struct two_functions, lens),
	.nr_func_info = 2,
	.func_info_rec_size = sizeof(struct bpf_func_info),
	.func_info = offsetof(struct two_functions, funcs),
	.nr_prog_tags = 2,
	.prog_tags = offsetof(struct two_functions, tags),
};

static const struct bpf_info program = {
	.arrays = (1U << BPF_ARRAYS) - 1,
	.info = (const uint8_t *)&info,
	.data = (uint8_t *)&data,
	.info_size = sizeof(info),
	.data_size = sizeof(data),
};

/* Type 1: an int; type 2: a function called "filter". */
static struct {
	struct btf_header head;
	struct btf_type number;
	uint32_t number_bits;
	struct btf_type function;
	char strings[12];
} __attribute__((packed)) types = {
	.head = {
		.magic = BTF_MAGIC,
		.version = 1,
		.hdr_len = sizeof(struct btf_header),
		.type_len = 2 * sizeof(struct btf_type) + 4,
		.str_off = 2 * sizeof(struct btf_type) + 4,
		.str_len = 12,
	},
	.number = { .name_off = 1, .info = BTF_KIND_INT << 24 },
	.function = { .name_off = 5, .info = BTF_KIND_FUNC << 24 },
	.strings = "\0int\0filter",
};

static const struct btf btf = { .data = (uint8_t *)&types, .size = sizeof(types) };

static void functions_are_called_by_tag_and_name(void **state)
{
	struct bpf_function f;

	(void)state;
	assert_true(bpf_function_get(&program, &btf, 0, &f));
	assert_int_equal(f.addr, 0xffff800081f0d890);
	assert_int_equal(f.size, 64);
	assert_string_equal(f.name, "bpf_prog_59f4a931744dcdc6_filter");
	assert_true(bpf_function_get(&program, &btf, 1, &f));
	assert_string_equal(f.name, "bpf_prog_01ff000000000000_F");
	assert_false(bpf_function_get(&program, &btf, 2, &f));
}

static void without_types_a_part_has_no_name_and_the_whole_its_own(void **state)
{
	struct bpf_prog_info one = info;
	struct bpf_info p = program;
	struct bpf_function f;

	(void)state;
	assert_true(bpf_function_get(&program, NULL, 0, &f));
	assert_string_equal(f.name, "bpf_prog_59f4a931744dcdc6_F");
	one.nr_jited_ksyms = one.nr_jited_func_lens = 1;
	p.info = (const uint8_t *)&one;
	assert_int_equal(bpf_function_count(&p), 1);
	assert_true(bpf_function_get(&p, NULL, 0, &f));
	assert_string_equal(f.name, "bpf_prog_59f4a931744dcdc6_hello");
	one.name[0] = '\0';
	assert_true(bpf_function_get(&p, NULL, 0, &f));
	assert_string_equal(f.name, "bpf_prog_59f4a931744dcdc6");
}

static void arrays_that_were_not_asked_for_are_not_looked_into(void **state)
{
	struct bpf_info p = program;
	struct bpf_function f;

	(void)state;
	p.arrays &= ~(1ULL << BPF_ARRAY_PROG_TAGS | 1ULL << BPF_ARRAY_FUNC_INFO);
	assert_true(bpf_function_get(&p, &btf, 0, &f));
	assert_string_equal(f.name, "bpf_prog_0000000000000000_F");
	p.arrays = 0;
	assert_false(bpf_function_get(&p, &btf, 0, &f));
}

/* 96 bytes of code and two lines. */
static struct {
	struct two_functions functions;
	uint8_t code[96];
	struct bpf_line_info lines[2];
	uint64_t places[2];
} with_code = {
	.code = { [0] = 1, [64] = 2 },
	.lines = { { 0, 5, 1, 7 << 10 | 3 }, { 4, 5, 99, 8 << 10 } },
	.places = { 0xffff800081f0d890, 0xffff800081f0e004 },
};

static void code_and_lines_are_those_of_the_function(void **state)
{
	struct bpf_prog_info own = info;
	struct bpf_info p = program;
	const uint8_t *code = NULL;
	struct bpf_line line;

	(void)state;
	with_code.functions = data;
	own.jited_prog_insns = offsetof(__typeof__(with_code), code);
	own.line_info = offsetof(__typeof__(with_code), lines);
	own.jited_line_info = offsetof(__typeof__(with_code), places);
	own.nr_line_info = own.nr_jited_line_info = 2;
	own.line_info_rec_size = sizeof(struct bpf_line_info);
	own.jited_line_info_rec_size = sizeof(uint64_t);
	p.info = (const uint8_t *)&own;
	p.data = (const uint8_t *)&with_code;
	p.data_size = sizeof(with_code);
	assert_true(bpf_function_code(&p, 1, &code));
	assert_int_equal(*code, 2);
	assert_false(bpf_function_code(&p, 2, &code));
	assert_true(bpf_line_get(&p, &btf, 0, &line));
	assert_int_equal(line.number, 7);
	assert_string_equal(line.file, "filter");
	assert_string_equal(line.text, "int");
	assert_true(bpf_line_get(&p, &btf, 1, &line));
	assert_int_equal(line.addr, 0xffff800081f0e004);
	assert_null(line.text);
	assert_false(bpf_line_get(&p, &btf, 2, &line));
	/* The data is cut behind the functions. */
	p.data_size = sizeof(struct two_functions);
	assert_false(bpf_function_code(&p, 0, &code));
	assert_false(bpf_line_get(&p, &btf, 0, &line));
}

static void an_array_behind_the_data_is_not_there(void **state)
{
	struct bpf_info p = program;
	struct bpf_function f;

	(void)state;
	p.data_size = 12;
	assert_false(bpf_function_get(&p, &btf, 0, &f));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions_are_called_by_tag_and_name),
		cmocka_unit_test(without_types_a_part_has_no_name_and_the_whole_its_own),
		cmocka_unit_test(arrays_that_were_not_asked_for_are_not_looked_into),
		cmocka_unit_test(code_and_lines_are_those_of_the_function),
		cmocka_unit_test(an_array_behind_the_data_is_not_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
