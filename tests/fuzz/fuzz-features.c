/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes features. The first byte gives the feature that the rest is. A feature that decodes is
 * encoded to bytes that decode to the same; one that does not decode leaves nothing behind.
 */
#include <stdlib.h>
#include <string.h>

#include "datafile/features.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool decode(struct features *f, unsigned id, const uint8_t *p, size_t n, bool swap)
{
	f->cpus_available = id == FEATURE_NRCPUS ? 0 : 2;
	return features_decode(f, id, cursor_over(p, n, swap)) == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct features f = { 0 }, again = { 0 };
	struct bytes first = { 0 }, second = { 0 };
	unsigned id = size ? data[0] & 0x7f : 0;

	if (size && decode(&f, id, data + 1, size - 1, data[0] & 0x80)) {
		features_encode(&f, id, &first);
		if (!decode(&again, id, first.data, first.n, false))
			abort();
		features_encode(&again, id, &second);
		if (first.n != second.n || (first.n && memcmp(first.data, second.data, first.n)))
			abort();
	} else if (features_have(&f, id)) {
		abort();
	}
	bytes_done(&first);
	bytes_done(&second);
	features_done(&f);
	features_done(&again);
	return 0;
}
