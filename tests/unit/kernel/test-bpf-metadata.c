/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <linux/bpf.h>

#include "kernel/bpf-metadata.h"
#include "kernel/bpf-program.h"

/* Reads the metadata of a program that uses map @id, as the kernel reports it. */
static void read_of(uint32_t id, struct bpf_metadata *ret)
{
	struct bpf_prog_info info = { .nr_map_ids = 1 };
	const struct bpf_program p = {
		.arrays = 1U << BPF_ARRAY_MAP_IDS,
		.info = (uint8_t *)&info,
		.data = (uint8_t *)&id,
		.info_size = sizeof(info),
		.data_size = sizeof(id),
	};

	bpf_metadata_read(&p, ret);
}

static void a_map_that_is_gone_says_nothing(void **state)
{
	struct bpf_metadata m = { 0 };

	(void)state;
	read_of(UINT32_MAX, &m);
	assert_int_equal(m.n, 0);
	bpf_metadata_done(&m);
}

static void a_program_without_maps_says_nothing(void **state)
{
	const struct bpf_program p = { 0 };
	struct bpf_metadata m = { 0 };

	(void)state;
	bpf_metadata_read(&p, &m);
	assert_int_equal(m.n, 0);
	bpf_metadata_done(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_map_that_is_gone_says_nothing),
		cmocka_unit_test(a_program_without_maps_says_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
