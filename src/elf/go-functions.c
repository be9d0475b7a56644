/* SPDX-License-Identifier: MIT */
/*
 * The table: u32 magic; u8 0, 0, quantum, size of words; words, which depend on the version; then,
 * by offset, names, and pairs of an address and the offset of a record, sorted by address and ended
 * by a last address. A record begins with its address, then i32 the offset of the name.
 */
#include "elf/go-functions.h"

#include <elf.h>
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/cursor.h"
#include "elf/file.h"
#include "elf/symbol.h"

enum {
	GO_MAGIC_1_2 = 0xfffffffb,
	GO_MAGIC_1_16 = 0xfffffffa,
	GO_MAGIC_1_18 = 0xfffffff0,
	GO_MAGIC_1_20 = 0xfffffff1,
};

#define GO_HEADER_SIZE 8

/* Longer names are left out: Go itself shortens those of generic functions. */
#define GO_NAME_MAX 4096

/* The places of the parts of a table. */
struct go_layout {
	const struct go_table *table;
	uint64_t n;     /* number of functions */
	uint64_t text;  /* base of the functions' addresses */
	uint64_t names; /* offset of the names */
	uint64_t pairs; /* offset of the pairs, from which those of records count */
	unsigned word, field,
		entry; /* sizes of words, of a pair's members, of a record's address */
};

static struct cursor cursor_from(const struct go_table *t, uint64_t at)
{
	struct cursor c = cursor_over(t->bytes, t->size, t->swap);

	cursor_bytes(&c, at);
	return c;
}

static uint64_t go_functions_take_sized(struct cursor *c, unsigned size)
{
	return size == 8 ? cursor_u64(c) : cursor_u32(c);
}

/* Returns word @i after the header. */
static uint64_t header_word(const struct go_layout *l, unsigned i)
{
	struct cursor c = cursor_from(l->table, GO_HEADER_SIZE + (uint64_t)i * l->word);

	return go_functions_take_sized(&c, l->word);
}

static void lay_out_1_2(struct go_layout *l)
{
	l->pairs = GO_HEADER_SIZE + l->word;
	l->field = l->entry = l->word;
}

static void lay_out_1_16(struct go_layout *l)
{
	l->names = header_word(l, 2);
	l->pairs = header_word(l, 6);
	l->field = l->entry = l->word;
}

static void lay_out_1_18(struct go_layout *l)
{
	l->text = header_word(l, 2);
	l->names = header_word(l, 3);
	l->pairs = header_word(l, 7);
	l->field = l->entry = sizeof(uint32_t);
	/* A linker that makes programs for any address leaves it to the loader. */
	if (!l->text)
		l->text = l->table->text;
}

static bool go_functions_lay_out(const struct go_table *t, struct go_layout *ret)
{
	struct cursor c = cursor_over(t->bytes, t->size, t->swap);
	uint32_t magic = cursor_u32(&c), zero = cursor_u16(&c);
	uint8_t quantum = cursor_u8(&c);
	struct go_layout l = { .table = t, .word = cursor_u8(&c) };

	if (c.bad || zero || (quantum != 1 && quantum != 2 && quantum != 4) ||
	    (l.word != 4 && l.word != 8))
		return false;
	l.n = header_word(&l, 0);
	switch (magic) {
	case GO_MAGIC_1_2:
		lay_out_1_2(&l);
		break;
	case GO_MAGIC_1_16:
		lay_out_1_16(&l);
		break;
	case GO_MAGIC_1_18:
	case GO_MAGIC_1_20:
		lay_out_1_18(&l);
		break;
	default:
		return false;
	}
	*ret = l;
	if (magic != GO_MAGIC_1_2 && magic != GO_MAGIC_1_16 && !l.text)
		return false;
	return l.pairs < t->size && l.names < t->size &&
	       l.n <= (t->size - l.pairs) / (2 * (uint64_t)l.field);
}

/* Returns the name of the function whose record is at @at after the pairs; NULL: it has none. */
static const char *go_functions_name_of(const struct go_layout *l, uint64_t at, size_t *ret_length)
{
	const struct go_table *t = l->table;
	struct cursor c;
	uint64_t name;

	if (at > t->size - l->pairs)
		return NULL;
	c = cursor_from(t, l->pairs + at);
	/* Before 1.16 all offsets count from the beginning of the table. */
	if (!l->names)
		c = cursor_from(t, at);
	cursor_bytes(&c, l->entry);
	name = cursor_u32(&c);
	if (c.bad || name >= t->size - l->names)
		return NULL;
	name += l->names;

	size_t max = t->size - name < GO_NAME_MAX ? t->size - name : GO_NAME_MAX;

	*ret_length = strnlen((const char *)t->bytes + name, max);
	return *ret_length && *ret_length < max ? (const char *)t->bytes + name : NULL;
}

int go_functions_read(const struct go_table *t, go_function_fn *fn, void *arg)
{
	/* Each name occurs once: a hostile table could use one of them for all functions. */
	size_t left = t->size, length;
	struct go_layout l;

	if (!go_functions_lay_out(t, &l))
		return -EBADMSG;

	struct cursor c = cursor_from(t, l.pairs);
	uint64_t addr = go_functions_take_sized(&c, l.field);

	for (uint64_t i = 0; i < l.n; i++) {
		uint64_t record = go_functions_take_sized(&c, l.field),
			 next = go_functions_take_sized(&c, l.field);
		const char *name = c.bad ? NULL : go_functions_name_of(&l, record, &length);

		if (name && next > addr && length <= left) {
			left -= length;
			fn(&(struct go_function){ l.text + addr, next - addr, name }, arg);
		}
		addr = next;
	}
	return 0;
}

struct go_reading {
	void (*fn)(const struct elf_symbol *s, void *arg);
	void *arg;
};

static void go_functions_hand_over(const struct go_function *f, void *arg)
{
	const struct go_reading *r = arg;

	r->fn(&(struct elf_symbol){ .addr = f->addr,
				    .size = f->size,
				    .name = f->name,
				    .binding = 'l',
				    .kind = ELF_SYMBOL_FUNCTION },
	      r->arg);
}

int elf_go_functions_read(struct elf_file *f, void (*fn)(const struct elf_symbol *s, void *arg),
			  void *arg)
{
	/* The second name is that of programs which may be loaded at any address. */
	static const char *const names[] = { ".gopclntab", ".data.rel.ro.gopclntab" };
	struct go_table t = { .swap = elf_file_is_swapped(f) };
	struct go_reading r = { fn, arg };
	struct elf_section s;
	size_t index = 0;

	for (size_t i = 0; i < ARRAY_SIZE(names) && !index; i++)
		index = elf_file_section_find(f, names[i], &s);
	t.bytes = index ? elf_file_section_bytes(f, index, &t.size) : NULL;
	if (!t.bytes)
		return -ENODATA;
	/* If the C compiler's linker was used, other code comes before Go's. */
	if (!elf_file_section_find(f, ".init", &s) && elf_file_section_find(f, ".text", &s))
		t.text = s.addr;
	return go_functions_read(&t, go_functions_hand_over, &r);
}
