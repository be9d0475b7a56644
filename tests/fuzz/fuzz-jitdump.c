/* SPDX-License-Identifier: MIT */
/*
 * jit-PID.dump is written by programs that are being profiled. Whatever the bytes: reading ends, no
 * code is empty or goes beyond the last address, and what is told to be in the file is.
 */
#include <stdint.h>
#include <stdlib.h>

#include "base/memory.h"
#include "symbol/jit-code.h"
#include "symbol/jit-dumps.h"
#include "symbol/jitdump.h"
#include "symbol/symbolizer.h"

#define LOADS_MAX 2000

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct input {
	size_t size;
	struct jit_drafts drafts;
};

static bool lies_within(uint64_t offset, uint64_t length, size_t size)
{
	return offset <= size && length <= size - offset;
}

static void check_code(const struct jitdump_code *c, void *arg)
{
	struct input *in = arg;

	if (!c->size || c->addr + c->size < c->addr)
		abort();
	if (c->code_offset && !lies_within(c->code_offset, c->size, in->size))
		abort();
	if (c->unwind_size && !lies_within(c->unwind_offset, c->unwind_size, in->size))
		abort();
	if (!c->name || in->drafts.n == LOADS_MAX)
		return;
	*ARRAY_ADD(&in->drafts) = (struct jit_draft){ .start = c->addr,
						      .end = c->addr + c->size,
						      .since = c->time,
						      .name = c->name,
						      .name_length = c->name_length,
						      .number = (uint32_t)in->drafts.n };
}

/* Where a load starts, at its time, it is found, or one of the same time that came later. */
static void check_lookups(const struct jit_code *c)
{
	size_t n;
	const struct jit_load *loads = jit_code_loads(c, &n);

	for (size_t i = 0; i < n; i++) {
		uint64_t from = 0, until = UINT64_MAX;
		const struct jit_load *l = jit_code_find(c, loads[i].start, loads[i].since, &from,
							 &until);

		if (!l || l->since != loads[i].since || l->number < loads[i].number ||
		    from != l->since || until < from)
			abort();
		if (!image_symbol_find(l->image, loads[i].start))
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct jit_request request = { .path = "/tmp/jit-7.dump", .pid = 7 };
	struct input in = { .size = size };
	struct jitdump_header header;

	if (jitdump_parse(data, size, &header, check_code, &in) >= 0) {
		struct symbolizer *s = symbolizer_new(&(struct symbolizer_options){ 0 });
		struct jit_code *c = jit_code_new(s, &request, &in.drafts, NULL);

		check_lookups(c);
		jit_code_free(c);
		symbolizer_free(s);
	}
	free(in.drafts.items);
	return 0;
}
