/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes event attributes of any size, in either byte order: a decoded attr that is encoded as
 * small as possible decodes to the same again.
 *
 * Input: a byte (bit 0: swapped), the attr.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "wire/attr-codec.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct attr first, second;
	bool unknown;

	if (!size || attr_decode(data + 1, size - 1, data[0] & 1, &first, &unknown) < 0)
		return 0;
	first.size = attr_size_needed(&first);
	if (attr_decode(&first, first.size, false, &second, &unknown) < 0 || unknown ||
	    memcmp(&first, &second, sizeof(first)))
		abort();
	return 0;
}
