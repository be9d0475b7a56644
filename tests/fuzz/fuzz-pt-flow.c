/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes the Intel PT decoder: any packets over any code. Streams end.
 *
 * Input: u16 bytes of code, the code, which lies at 0x401000, and the trace.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/cursor.h"
#include "base/diag.h"
#include "hwtrace/decoder.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define CODE_ADDR 0x401000

struct code {
	const uint8_t *bytes;
	size_t size;
};

static size_t read_code(void *arg, uint32_t pid, uint64_t time, uint64_t addr, uint8_t *bytes,
			size_t size)
{
	const struct code *c = arg;

	(void)pid, (void)time;
	if (addr < CODE_ADDR || addr - CODE_ADDR >= c->size)
		return 0;
	if (size > c->size - (addr - CODE_ADDR))
		size = c->size - (addr - CODE_ADDR);
	memcpy(bytes, c->bytes + (addr - CODE_ADDR), size);
	return size;
}

static void decode(struct aux_decoder *d, const uint8_t *trace, size_t size)
{
	struct aux_piece piece = { .bytes = trace, .size = size };
	struct aux_queue q = { .cpu = 0, .tid = 7, .items = &piece, .n = 1 };
	struct aux_stream *s = d->class->stream(d, &q);
	struct aux_item item;
	uint64_t time;

	/* A loop of the code may run for long, so the number of items is limited here. */
	for (size_t n = 0; d->class->peek(s, &time) && n < 1000; n++) {
		d->class->take(s, &item);
		if (item.kind == AUX_SAMPLE && item.event >= d->events.n)
			abort();
	}
	d->class->stream_free(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const uint64_t info[] = { 6, 10, 642,   0,       1,  0x400, 0x800, 3,
					 0, 1,  0x200, 0x3c000, 84, 2,     2,     34 };
	const struct aux_event recorded = { .attr = { .type = 6, .config = 0x602 } };
	struct cursor c = cursor_over(data, size, false);
	struct code code = { .size = cursor_u16(&c) };
	struct aux_setup setup = {
		.type = AUXTRACE_INTEL_PT,
		.words = { .bytes = (const uint8_t *)info, .n = sizeof(info) / sizeof(info[0]) },
		.recorded = &recorded,
		.n_recorded = 1,
		.options = itrace_default(false),
		.host = { .code = read_code, .arg = &code },
	};
	struct aux_decoder *d = NULL;
	struct diag diag = { 0 };

	code.bytes = cursor_bytes(&c, code.size);
	if (!code.bytes || c.bad)
		return 0;
	if (aux_decoder_open(&setup, &d, &diag) >= 0)
		decode(d, data + 2 + code.size, size - 2 - code.size);
	aux_decoder_free(d);
	diag_done(&diag);
	return 0;
}
