/* SPDX-License-Identifier: MIT */
#include "symbol/jitdump.h"

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/cursor.h"

#define JITDUMP_MAGIC   0x4a695444u
#define JITDUMP_VERSION 1
#define HEADER_SIZE_MIN 40
#define FLAG_RAW_TIMES  1

enum {
	RECORD_LOAD,
	RECORD_MOVE,
	RECORD_DEBUG_INFO,
	RECORD_CLOSE,
	RECORD_UNWINDING_INFO,
};

struct parse {
	const uint8_t *begin;
	jitdump_fn *fn;
	void *arg;
	/* From records that precede the code that they describe. */
	struct jitdump_part eh_frame, eh_frame_hdr, lines;
};

/* Takes the next @size bytes of the record @c; none if it has fewer. */
static struct jitdump_part jitdump_take_part(const struct parse *p, struct cursor *c, uint64_t size)
{
	const uint8_t *at = c->at;

	if (!cursor_bytes(c, size))
		return (struct jitdump_part){ 0 };
	return (struct jitdump_part){ .offset = (uint64_t)(at - p->begin), .size = size };
}

/*
 * True if the code has an address range. Code without bytes, or beyond the end of the address
 * space, does not.
 */
static bool is_somewhere(const struct jitdump_code *code)
{
	return code->size && code->size <= UINT64_MAX - code->addr;
}

/* Gives the unwind tables and lines to the next load, to which alone they belong. */
static void hand_out(struct parse *p, struct jitdump_code *code)
{
	code->eh_frame = p->eh_frame;
	code->eh_frame_hdr = p->eh_frame_hdr;
	code->lines = p->lines;
	p->eh_frame = p->eh_frame_hdr = p->lines = (struct jitdump_part){ 0 };
	if (is_somewhere(code))
		p->fn(code, p->arg);
}

/* Takes u32 pid, tid; u64 vma, code_addr, code_size, code_index; the name; the code. */
static void jitdump_take_load(struct parse *p, struct cursor *c, uint64_t time)
{
	struct jitdump_code code = { .time = time };

	cursor_bytes(c, 2 * sizeof(uint32_t) + sizeof(uint64_t));
	code.addr = cursor_u64(c);
	code.size = cursor_u64(c);
	code.index = cursor_u64(c);

	/* The file may change in the meantime, so the end of the name is searched only once. */
	size_t left = cursor_left(c);

	code.name = (const char *)c->at;
	code.name_length = left ? strnlen(code.name, left) : 0;
	if (c->bad || code.name_length == left)
		return;
	cursor_bytes(c, code.name_length + 1);
	code.code = jitdump_take_part(p, c, code.size);
	hand_out(p, &code);
}

/* Takes u32 pid, tid; u64 vma, old_code_addr, new_code_addr, code_size, code_index. */
static void jitdump_take_move(struct parse *p, struct cursor *c, uint64_t time)
{
	struct jitdump_code code = { .time = time };

	cursor_bytes(c, 2 * sizeof(uint32_t) + sizeof(uint64_t));
	code.old_addr = cursor_u64(c);
	code.addr = cursor_u64(c);
	code.size = cursor_u64(c);
	code.index = cursor_u64(c);
	if (!c->bad)
		hand_out(p, &code);
}

/* Takes u64 unwind_data_size, eh_frame_hdr_size, mapped_size; eh_frame, then eh_frame_hdr. */
static void take_unwinding_info(struct parse *p, struct cursor *c, uint64_t time)
{
	uint64_t size = cursor_u64(c), header_size = cursor_u64(c);

	(void)time;
	cursor_u64(c);
	p->eh_frame = p->eh_frame_hdr = (struct jitdump_part){ 0 };
	if (c->bad || size > cursor_left(c) || header_size > size)
		return;
	p->eh_frame = jitdump_take_part(p, c, size - header_size);
	p->eh_frame_hdr = jitdump_take_part(p, c, header_size);
}

/* Takes u64 code_addr, count; the lines. */
static void take_debug_info(struct parse *p, struct cursor *c, uint64_t time)
{
	(void)time;
	cursor_bytes(c, 2 * sizeof(uint64_t));
	p->lines = jitdump_take_part(p, c, cursor_left(c));
}

static void (*const takers[])(struct parse *p, struct cursor *c, uint64_t time) = {
	[RECORD_LOAD] = jitdump_take_load,
	[RECORD_MOVE] = jitdump_take_move,
	[RECORD_DEBUG_INFO] = take_debug_info,
	[RECORD_UNWINDING_INFO] = take_unwinding_info,
};

/* Takes u32 id, total_size; u64 timestamp. Returns false if there is no whole record. */
static bool jitdump_take_record(struct parse *p, struct cursor *c)
{
	const uint8_t *start = c->at;
	uint32_t id = cursor_u32(c), size = cursor_u32(c);
	uint64_t time = cursor_u64(c);
	size_t head = (size_t)(c->at - start);

	if (c->bad || size < head || size - head > cursor_left(c))
		return false;

	struct cursor body = cursor_over(c->at, size - head, c->swap);

	if (id < ARRAY_SIZE(takers) && takers[id])
		takers[id](p, &body, time);
	cursor_bytes(c, size - head);
	return id != RECORD_CLOSE;
}

/* Takes u32 magic, version, header_size, elf_machine, pad, pid; u64 timestamp, flags. */
static int jitdump_take_header(struct cursor *c, struct jitdump_header *ret)
{
	const uint8_t *start = c->at;
	uint32_t magic = cursor_u32(c);

	if (magic == __builtin_bswap32(JITDUMP_MAGIC))
		c->swap = true;
	else if (magic != JITDUMP_MAGIC)
		return -EINVAL;

	uint32_t version = cursor_u32(c), size = cursor_u32(c);
	struct jitdump_header h = { .machine = cursor_u32(c) };

	cursor_u32(c);
	h.pid = cursor_u32(c);
	cursor_u64(c);
	h.raw_times = cursor_u64(c) & FLAG_RAW_TIMES;
	if (c->bad || version != JITDUMP_VERSION || size < HEADER_SIZE_MIN ||
	    !cursor_bytes(c, size - (uint64_t)(c->at - start)))
		return -EINVAL;
	h.swapped = c->swap;
	*ret = h;
	return 0;
}

int jitdump_parse(const void *bytes, size_t size, struct jitdump_header *ret, jitdump_fn *fn,
		  void *arg)
{
	struct cursor c = cursor_over(bytes, size, false);
	struct parse p = { .begin = bytes, .fn = fn, .arg = arg };
	int r = jitdump_take_header(&c, ret);

	if (r < 0)
		return r;
	while (jitdump_take_record(&p, &c))
		;
	return 0;
}

/*
 * A line is u64 addr; u32 line, discriminator; the name of the file, or "\377" for the same file as
 * the line before.
 */
void jitdump_lines(const void *bytes, const struct jitdump_header *h, const struct jitdump_code *c,
		   jitdump_line_fn *fn, void *arg)
{
	struct cursor at = cursor_over((const uint8_t *)bytes + c->lines.offset, c->lines.size,
				       h->swapped);
	const char *before = "";

	while (cursor_left(&at)) {
		struct jitdump_line l = { .addr = cursor_u64(&at), .line = cursor_u32(&at) };

		cursor_u32(&at);
		l.file = cursor_string(&at);
		if (at.bad)
			return;
		if (!strcmp(l.file, "\377"))
			l.file = before;
		before = l.file;
		fn(&l, arg);
	}
}
