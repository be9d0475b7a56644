/* SPDX-License-Identifier: MIT */
#include "datafile/feature-text.h"

#include <string.h>

#include "base/bytes.h"
#include "base/cursor.h"
#include "base/memory.h"

#define TEXT_ALIGN 64

char *feature_text_take(struct cursor *c)
{
	uint32_t length = cursor_u32(c);
	const uint8_t *p = cursor_bytes(c, length);

	return p ? xstrndup((const char *)p, length) : xstrdup("");
}

void feature_text_put(struct bytes *out, const char *s)
{
	size_t length;

	s = s ? s : "";
	length = strlen(s) + 1;
	bytes_u32(out, (uint32_t)((length + TEXT_ALIGN - 1) / TEXT_ALIGN * TEXT_ALIGN));
	bytes_string(out, s, TEXT_ALIGN);
}
