/* SPDX-License-Identifier: MIT */
/* Intel BTS: prints each branch. */
#include <inttypes.h>

#include "base/cleanup.h"
#include "hwtrace/bts-decoder.h"
#include "view/dump/trace-line.h"
#include "wire/record.h"

void dump_intel_bts_info(const struct words *priv, FILE *out)
{
	static const struct trace_word words[] = {
		[BTS_INFO_PMU_TYPE] = { "PMU Type", 'd' },
		[BTS_INFO_TIME_SHIFT] = { "Time Shift", 'u' },
		[BTS_INFO_TIME_MULT] = { "Time Muliplier", 'u' }, /* scripts expect this spelling */
		[BTS_INFO_TIME_ZERO] = { "Time Zero", 'u' },
		[BTS_INFO_CAP_TIME_ZERO] = { "Cap Time Zero", 'd' },
		[BTS_INFO_SNAPSHOT] = { "Snapshot mode", 'd' },
	};

	if (priv->n < BTS_INFO_WORDS)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		dump_trace_word(&words[i], 19, words_get(priv, i), out);
}

void dump_intel_bts(const uint8_t *data, size_t size, FILE *out)
{
	struct bts_branch b;

	fprintf(out, ".\n. ... Intel BTS data: size %zu bytes\n", size);
	for (size_t at = 0; at < size; at += BTS_BRANCH_SIZE) {
		size_t n = size - at < BTS_BRANCH_SIZE ? size - at : BTS_BRANCH_SIZE;

		dump_trace_bytes(data, at, n, BTS_BRANCH_SIZE, out);
		if (bts_branch_decode(data + at, n, &b))
			fprintf(out, " %" PRIx64 " -> %" PRIx64 " %s\n", b.from, b.to,
				b.predicted ? "pred" : "miss");
		else
			fputs(" Bad record!\n", out);
	}
}
