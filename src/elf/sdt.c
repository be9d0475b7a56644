/* SPDX-License-Identifier: MIT */
#include "elf/sdt.h"

#include <errno.h>
#include <string.h>

#include "base/cursor.h"
#include "elf/file.h"

#define NOTE_NAME "stapsdt"
#define NOTE_TYPE 3

/*
 * The correction of the addresses in the notes: prelink moves programs, but does not change notes.
 */
struct base {
	uint64_t addr;
	bool known;
};

static uint64_t sdt_take_word(struct cursor *c, bool is_64)
{
	return is_64 ? cursor_u64(c) : cursor_u32(c);
}

static void take_note(struct elf_file *f, struct cursor c, struct base base,
		      void (*fn)(const struct sdt_note *n, void *arg), void *arg)
{
	bool is_64 = elf_file_is_64(f);
	uint64_t pc = sdt_take_word(&c, is_64), linked_base = sdt_take_word(&c, is_64);
	uint64_t semaphore = sdt_take_word(&c, is_64);
	struct sdt_note n = { .provider = cursor_string(&c) };

	n.name = cursor_string(&c);
	n.arguments = cursor_string(&c);
	if (c.bad)
		return;
	if (base.known) {
		pc += base.addr - linked_base;
		semaphore += semaphore ? base.addr - linked_base : 0;
	}
	if (!elf_file_offset(f, pc, 0, &n.offset))
		return;
	if (semaphore && !elf_file_offset(f, semaphore, 0, &n.semaphore))
		return;
	fn(&n, arg);
}

int elf_sdt_for_each(struct elf_file *f, void (*fn)(const struct sdt_note *n, void *arg), void *arg)
{
	struct elf_section notes, s;
	size_t size, index = elf_file_section_find(f, ".note.stapsdt", &notes);
	const uint8_t *bytes = index ? elf_file_section_bytes(f, index, &size) : NULL;
	struct base base = { .known = elf_file_section_find(f, ".stapsdt.base", &s) != 0 };

	if (!bytes)
		return -ENODATA;
	base.addr = base.known ? s.addr : 0;

	struct cursor c = cursor_over(bytes, size, elf_file_is_swapped(f));

	while (cursor_left(&c)) {
		uint32_t name_size = cursor_u32(&c), desc_size = cursor_u32(&c);
		uint32_t type = cursor_u32(&c);
		const uint8_t *name = cursor_bytes(&c, ((uint64_t)name_size + 3) & ~3ULL);
		const uint8_t *desc = cursor_bytes(&c, desc_size);

		if (c.bad)
			break;
		if (type == NOTE_TYPE && name_size == sizeof(NOTE_NAME) &&
		    memcmp(name, NOTE_NAME, sizeof(NOTE_NAME)) == 0)
			take_note(f, cursor_over(desc, desc_size, c.swap), base, fn, arg);
		cursor_bytes(&c, -desc_size & 3);
	}
	return 0;
}
