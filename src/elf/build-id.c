/* SPDX-License-Identifier: MIT */
#include "elf/build-id.h"

#include <elf.h>
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/cursor.h"

struct build_id build_id_make(const void *bytes, size_t size)
{
	struct build_id id = { .size = 0 };

	if (size > BUILD_ID_SIZE_MAX)
		size = BUILD_ID_SIZE_MAX;
	if (size)
		memcpy(id.bytes, bytes, size);
	id.size = (uint8_t)size;
	return id;
}

bool build_id_equal(const struct build_id *a, const struct build_id *b)
{
	return a->size == b->size && memcmp(a->bytes, b->bytes, a->size) == 0;
}

char *build_id_format(const struct build_id *id, char ret[BUILD_ID_TEXT_MAX])
{
	static const char digits[] = "0123456789abcdef";
	char *at = ret;

	for (size_t i = 0; i < id->size && i < BUILD_ID_SIZE_MAX; i++) {
		*at++ = digits[id->bytes[i] >> 4];
		*at++ = digits[id->bytes[i] & 15];
	}
	*at = '\0';
	return ret;
}

static int hex_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

int build_id_parse(const char *text, struct build_id *ret)
{
	struct build_id id = { .size = 0 };

	for (; *text; text += 2) {
		int high = hex_value(text[0]), low = high < 0 ? -1 : hex_value(text[1]);

		if (low < 0 || id.size == BUILD_ID_SIZE_MAX)
			return -EINVAL;
		id.bytes[id.size++] = (uint8_t)(high << 4 | low);
	}
	if (!id.size)
		return -EINVAL;
	*ret = id;
	return 0;
}

int build_id_from_notes(const void *notes, size_t size, struct build_id *ret)
{
	struct cursor c = cursor_over(notes, size, false);

	while (cursor_left(&c) >= sizeof(Elf32_Nhdr)) {
		uint32_t name_size = cursor_u32(&c), size_desc = cursor_u32(&c);
		uint32_t type = cursor_u32(&c);
		const uint8_t *name = cursor_bytes(&c, ((uint64_t)name_size + 3) & ~3ULL);
		const uint8_t *desc = cursor_bytes(&c, size_desc);

		if (c.bad)
			break;
		if (type == NT_GNU_BUILD_ID && name_size == sizeof(ELF_NOTE_GNU) && size_desc &&
		    memcmp(name, ELF_NOTE_GNU, sizeof(ELF_NOTE_GNU)) == 0) {
			*ret = build_id_make(desc, size_desc);
			return 0;
		}
		cursor_bytes(&c, -size_desc & 3);
	}
	return -ENODATA;
}
