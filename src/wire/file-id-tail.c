/* SPDX-License-Identifier: MIT */
#include "wire/file-id-tail.h"

#include <string.h>

#include "base/bytes.h"
#include "base/cursor.h"

static const char mark[8] = "file-id";

#define TAIL_SIZE (sizeof(mark) + 24)

void file_id_tail_put(const struct file_id *id, struct bytes *out)
{
	if (!id->ino)
		return;
	bytes_add(out, mark, sizeof(mark));
	bytes_u32(out, id->maj);
	bytes_u32(out, id->min);
	bytes_u64(out, id->ino);
	bytes_u64(out, id->generation);
}

struct file_id file_id_tail_get(const struct cursor *name)
{
	struct cursor c = *name;
	size_t left = cursor_left(&c);
	struct file_id id;

	/* A name has at least one character, and ends before the tail. */
	if (left < TAIL_SIZE + 2 || !memchr(c.at, '\0', left - TAIL_SIZE))
		return (struct file_id){ 0 };
	cursor_bytes(&c, left - TAIL_SIZE);
	if (memcmp(cursor_bytes(&c, sizeof(mark)), mark, sizeof(mark)) != 0)
		return (struct file_id){ 0 };
	id.maj = cursor_u32(&c);
	id.min = cursor_u32(&c);
	id.ino = cursor_u64(&c);
	id.generation = cursor_u64(&c);
	return id;
}
