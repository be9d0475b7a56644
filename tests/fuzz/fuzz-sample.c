/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes samples of any layout: decoding stays within the bytes, and a decoded sample is the same
 * after it is encoded and decoded again.
 *
 * Input: a byte (bit 0: swapped), u32 sample_type, u8 read_format, u32 branch_sample_type, u64
 * sample_regs_user, u64 sample_regs_intr, the record.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/cleanup.h"
#include "base/cursor.h"
#include "wire/sample.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void look_into(const struct sample *s)
{
	uint64_t sum = 0, v;

	for (size_t i = 0; i < s->read.n; i++)
		sum += record_read_value(&s->read, i).value;
	for (size_t i = 0; i < s->branches.n / 3; i++)
		sum += sample_branch(s, i).from;
	for (unsigned reg = 0; reg < 70; reg++)
		if (sample_reg(&s->user_regs, reg, &v) || sample_reg(&s->intr_regs, reg, &v))
			sum += v;
	for (size_t i = 0; i < s->stack_dyn_size; i++)
		sum += s->stack[i];
	__asm__ volatile("" : : "r"(sum));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct cursor c = cursor_over(data, size, false);
	bool swap = cursor_u8(&c) & 1;
	struct attr attr = { .sample_type = cursor_u32(&c) };
	_cleanup_(bytes_done) struct bytes first = { 0 }, second = { 0 };
	struct sample s;

	attr.read_format = cursor_u8(&c);
	attr.branch_sample_type = cursor_u32(&c);
	attr.sample_regs_user = cursor_u64(&c);
	attr.sample_regs_intr = cursor_u64(&c);
	if (sample_decode(c.at, cursor_left(&c), swap, &attr, &s) < 0)
		return 0;
	look_into(&s);
	if (sample_encode(&s, &attr, &first) < 0)
		abort(); /* it was decoded from a record */
	if (sample_decode(first.data, first.n, false, &attr, &s) < 0 || s.left_over)
		abort();
	look_into(&s);
	if (sample_encode(&s, &attr, &second) < 0 || first.n != second.n ||
	    memcmp(first.data, second.data, first.n))
		abort();
	return 0;
}
