/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes Arm SPE with any words of AUXTRACE_INFO and any bytes of AUX data: packets cover the bytes
 * without a gap, and streams end.
 *
 * Input: u8 number of words, the words, u16 size of the first of two pieces, the data.
 */
#include <stdint.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/cursor.h"
#include "base/diag.h"
#include "hwtrace/decoder.h"
#include "hwtrace/spe-packet.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void walk(const uint8_t *data, size_t size)
{
	for (size_t at = 0; at < size;) {
		struct spe_packet p = spe_packet_at(data + at, size - at, at);

		if (!p.size || p.size > size - at)
			abort();
		at += p.size;
	}
}

static void decode(struct aux_decoder *d, const uint8_t *data, size_t size, size_t first)
{
	struct aux_piece pieces[2] = { { .bytes = data, .size = first },
				       { .bytes = data + first, .size = size - first } };
	struct aux_queue q = { .cpu = 0, .tid = AUX_NONE, .items = pieces, .n = 1 };
	struct aux_stream *s = d->class->stream(d, &q);
	struct aux_item item;
	uint64_t time;

	for (; q.n <= 2; q.n++)
		while (d->class->peek(s, &time)) {
			d->class->take(s, &item);
			if (item.event >= d->events.n)
				abort();
		}
	d->class->stream_free(s);
}

static bool no_task(void *arg, uint32_t cpu, uint64_t time, struct aux_task *ret)
{
	(void)arg, (void)cpu, (void)time, (void)ret;
	return false;
}

static bool no_process(void *arg, uint32_t tid, uint64_t time, uint32_t *ret_pid)
{
	(void)arg, (void)tid, (void)time, (void)ret_pid;
	return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct cursor c = cursor_over(data, size, false);
	size_t n = cursor_u8(&c) % 16;
	const uint8_t *words = cursor_bytes(&c, n * sizeof(uint64_t));
	size_t first = cursor_u16(&c);
	const struct aux_event recorded = { .attr = { .sample_type = PERF_SAMPLE_TIME } };
	struct aux_setup setup = {
		.type = AUXTRACE_ARM_SPE,
		.words = { .bytes = words, .n = words ? n : 0 },
		.recorded = &recorded,
		.n_recorded = 1,
		.options = itrace_default(true),
		.time = { .shift = (uint16_t)first, .mult = 77, .zero = UINT64_MAX - 5 },
		.host = { .running = no_task, .process = no_process },
	};
	_cleanup_(aux_decoder_freep) struct aux_decoder *d = NULL;
	_cleanup_(diag_done) struct diag diag = { 0 };

	if (c.bad || !cursor_left(&c))
		return 0;
	walk(c.at, cursor_left(&c));
	setup.options.instructions = true;
	if (aux_decoder_open(&setup, &d, &diag) < 0)
		return 0;
	decode(d, c.at, cursor_left(&c), first % cursor_left(&c));
	return 0;
}
