/* SPDX-License-Identifier: MIT */
#pragma once
/* Checks for every library that decodes instructions, whatever its texts look like. */
#include <string.h>

#include "code/decoder.h"
#include "code/target.h"

static inline void *decoder_made(const struct decoder_type *t, const struct disasm_target *target)
{
	void *d = t->make(target, false);

	if (!d) {
		print_message("# it is not installed\n");
		skip();
	}
	return d;
}

static inline void assert_decodes(const struct decoder_type *t, const struct disasm_target *target,
				  const char *bytes, size_t n, const char *name)
{
	void *d = decoder_made(t, target);
	char text[64] = "";

	assert_int_equal(t->decode(d, (const uint8_t *)bytes, n, 0x1000, text, sizeof(text)), n);
	assert_non_null(strstr(text, name));
	t->free(d);
}

static inline void assert_refuses(const struct decoder_type *t, const struct disasm_target *target,
				  const char *bytes, size_t n)
{
	void *d = decoder_made(t, target);
	char text[64];

	assert_int_equal(t->decode(d, (const uint8_t *)bytes, n, 0x1000, text, sizeof(text)), 0);
	t->free(d);
}
