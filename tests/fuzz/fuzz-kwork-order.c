/* SPDX-License-Identifier: MIT */
/* Fuzzes the sort keys of perf kwork: at most as many keys are returned as exist. */
#include <stdint.h>
#include <stdlib.h>

#include "tools/kwork/order-model.h"
#include "tools/kwork/usage-model.h"
#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void parse(const char *text, const char *const *names, size_t n_names)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct kwork_order o = { .n = 0 };

	if (kwork_order_parse(text, names, &o, &diag) < 0 && o.n)
		abort();
	if (o.n > n_names)
		abort();
	for (size_t i = 0; i < o.n; i++)
		if (o.keys[i] >= n_names)
			abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(freep) char *text = xstrndup((const char *)data, size);

	parse(text, kwork_key_names, 4);
	parse(text, kwork_usage_key_names, 3);
	return 0;
}
