/* SPDX-License-Identifier: MIT */
#include "feature-text.h"

#include <string.h>

/* A program whose addresses and sizes lie one after the other in its data. */
struct program {
	uint8_t info[232];
	uint8_t data[64];
	struct bpf_prog prog;
};

static void put(uint8_t *at, uint64_t v, size_t size)
{
	memcpy(at, &v, size);
}

static void program_init(struct program *p, uint32_t n)
{
	*p = (struct program){ 0 };
	p->prog = (struct bpf_prog){ sizeof(p->info), sizeof(p->data), 0x18, p->info, p->data };
	put(p->info + 4, 4, 4);
	for (uint8_t i = 0; i < 8; i++)
		p->info[8 + i] = i;
	memcpy(p->info + 64, "hello", 5);
	put(p->info + 104, n, 4);
	put(p->info + 108, n, 4);
	put(p->info + 120, 8 * n, 8);
	for (uint32_t i = 0; i < n; i++) {
		put(p->data + 8 * i, 0xffff800081f0d890 + i, 8);
		put(p->data + 8 * n + 4 * i, 64 + i, 4);
	}
}

static void assert_program(struct program *p, const char *wanted)
{
	struct features f = { .bpf_progs = { .items = &p->prog, .n = 1 } };

	assert_feature(&f, FEATURE_BPF_PROG_INFO, wanted);
}

static void a_program_has_a_tag_a_name_and_a_place(void **state)
{
	(void)state;
	struct program p;

	program_init(&p, 1);
	assert_program(&p, "# bpf_prog_info 4: bpf_prog_0001020304050607_hello addr "
			   "0xffff800081f0d890 size 64\n");
	p.info[64] = '\0';
	assert_program(&p, "# bpf_prog_info 4: bpf_prog_0001020304050607 addr "
			   "0xffff800081f0d890 size 64\n");
}

static void its_parts_have_a_line_each(void **state)
{
	(void)state;
	struct program p;

	program_init(&p, 2);
	assert_program(&p, "# bpf_prog_info 4:\n"
			   "# \tsub_prog 0: bpf_prog_0001020304050607_F addr 0xffff800081f0d890 "
			   "size 64\n"
			   "# \tsub_prog 1: bpf_prog_0001020304050607_F addr 0xffff800081f0d891 "
			   "size 65\n");
}

static void parts_that_are_not_in_the_data_are_left_out(void **state)
{
	(void)state;
	struct program p;

	program_init(&p, 1);
	put(p.info + 112, UINT64_MAX - 7, 8);
	assert_program(&p, "");
	program_init(&p, 1);
	put(p.info + 104, UINT32_MAX, 4);
	put(p.info + 108, UINT32_MAX, 4);
	p.prog.data_size = 0;
	assert_program(&p, "");
}

static void a_program_too_short_to_tell_is_left_out(void **state)
{
	(void)state;
	struct program p;

	program_init(&p, 1);
	p.prog.info_size = 127;
	assert_program(&p, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_program_has_a_tag_a_name_and_a_place),
		cmocka_unit_test(its_parts_have_a_line_each),
		cmocka_unit_test(parts_that_are_not_in_the_data_are_left_out),
		cmocka_unit_test(a_program_too_short_to_tell_is_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
