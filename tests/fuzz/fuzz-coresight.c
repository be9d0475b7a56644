/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes CoreSight: any AUXTRACE_INFO, and any trace over code that repeats a NOP and a branch.
 * Streams end.
 *
 * Input: u8 words of the AUXTRACE_INFO record, the words, and the trace.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/cursor.h"
#include "base/diag.h"
#include "hwtrace/decoder.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Supplies code that repeats a NOP and a branch to the instruction eight bytes further. */
static size_t read_code(void *arg, uint32_t pid, uint64_t time, uint64_t addr, uint8_t *bytes,
			size_t size)
{
	static const uint8_t code[] = { 0x1f, 0x20, 0x03, 0xd5, 0x02, 0, 0, 0x14 };

	(void)arg, (void)pid, (void)time;
	for (size_t i = 0; i < size; i++)
		bytes[i] = code[(addr + i) % sizeof(code)];
	return size;
}

static void decode(struct aux_decoder *d, const uint8_t *trace, size_t size)
{
	struct aux_piece piece = { .bytes = trace, .size = size };
	struct aux_queue q = { .cpu = 0, .tid = 7, .items = &piece, .n = 1 };
	struct aux_stream *s = d->class->stream(d, &q);
	struct aux_item item;
	uint64_t time;

	for (size_t n = 0; d->class->peek(s, &time) && n < 10000; n++) {
		d->class->take(s, &item);
		if (item.event >= d->events.n)
			abort();
	}
	d->class->stream_free(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct aux_event recorded = { .attr = { .type = 8 } };
	struct cursor c = cursor_over(data, size, false);
	size_t n = cursor_u8(&c);
	const uint8_t *words = cursor_bytes(&c, 8 * n);
	struct aux_setup setup = {
		.type = AUXTRACE_CS_ETM,
		.words = { .bytes = words, .n = n },
		.recorded = &recorded,
		.n_recorded = 1,
		.options = { .branches = true,
			     .instructions = true,
			     .period = 3,
			     .last_branch = true,
			     .last_branch_size = 4 },
		.host = { .code = read_code },
	};
	struct aux_decoder *d = NULL;
	struct diag diag = { 0 };

	if (!words || c.bad)
		return 0;
	if (aux_decoder_open(&setup, &d, &diag) >= 0)
		decode(d, data + 1 + 8 * n, size - 1 - 8 * n);
	aux_decoder_free(d);
	diag_done(&diag);
	return 0;
}
