/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <linux/bpf.h>

#include "datafile/features.h"
#include "session/session.h"
#include "symbol/bpf-code.h"
#include "symbol/symbolizer.h"

/* A program of one function. */
static struct {
	uint64_t addr;
	uint32_t length;
	uint8_t code[8];
} data = { .addr = 0x4000, .length = 8, .code = { 9 } };

static struct bpf_prog_info info = {
	.name = "f",
	.nr_jited_ksyms = 1,
	.nr_jited_func_lens = 1,
	.jited_func_lens = 8,
	.jited_prog_insns = 12,
};

static void recorded_code_is_handed_on(void **state)
{
	struct symbolizer *s = symbolizer_new(&(struct symbolizer_options){ 0 });
	struct bpf_prog program = {
		.info_size = sizeof(info),
		.data_size = sizeof(data),
		.arrays = ~0ULL,
		.info = (uint8_t *)&info,
		.data = (uint8_t *)&data,
	};
	struct features f = { .arch = (char *)"aarch64" };
	const struct image_key key = { .kind = IMAGE_BPF,
				       .name = "bpf_prog_0000000000000000_f",
				       .start = 0x4000,
				       .end = 0x4008 };

	(void)state;
	f.bpf_progs.items = &program;
	f.bpf_progs.n = 1;
	bpf_images_learn(&f, s);
	assert_non_null(image_bpf_code(symbolizer_image(s, &key)));
	assert_int_equal(image_bpf_code(symbolizer_image(s, &key))->bytes[0], 9);
	symbolizer_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(recorded_code_is_handed_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
