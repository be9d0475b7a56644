/* SPDX-License-Identifier: MIT */
#include "tools/test/workload/workload.h"

/* Scripts look for accesses at offsets 0 and 0x38 of this variable, and for the type's name. */
struct buf {
	char data1;
	char reserved[55];
	char data2;
} __attribute__((aligned(64)));

extern volatile struct buf workload_datasym_buf1;
volatile struct buf workload_datasym_buf1 = { .data1 = 1 };

static int datasym(const double *numbers)
{
	int r = test_workload_set_end(numbers[0]);

	while (r >= 0 && !test_workload_is_over) {
		workload_datasym_buf1.data1 = (char)(workload_datasym_buf1.data1 + 1);
		workload_datasym_buf1.data2 = workload_datasym_buf1.data1;
	}
	return r;
}

const struct test_workload test_workload_datasym = {
	.name = "datasym",
	.summary = "loads and stores of a variable that is known",
	.numbers = { WORKLOAD_SECONDS },
	.run = datasym,
};
