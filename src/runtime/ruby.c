/* SPDX-License-Identifier: MIT */
/*
 * Ruby 3.1, 3.3 and 3.4: how frames, instruction sequences and methods are laid out. The version is
 * in ruby_api_version.
 *
 * Names are those that Ruby's own backtraces have. The name of a method in C is a number, which the
 * table of all names leads to its text.
 */
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "elf/file.h"
#include "runtime/internal.h"
#include "runtime/memory.h"
#include "runtime/thread-key.h"

/* An object's first word. */
#define OBJECT_TYPE(flags)    ((flags)&31)
#define TYPE_STRING           5
#define TYPE_ARRAY            7
#define TYPE_SYMBOL           20
#define FLAG_1                (1U << 13) /* FL_USER1 */
#define STRING_LENGTH(flags)  ((flags) >> 14 & 31)
#define ARRAY_LENGTH(flags)   ((flags) >> 15 & 127)
#define OBJECT_HEAD           16
#define STRING_LENGTH_AT      16
#define STRING_POINTER        24
#define ARRAY_POINTER         32
#define SYMBOL_ID             32
#define SYMBOL_STATIC(id)     ((id) << 8 | 12)
#define RUBY_IS_OBJECT(value) ((value) > 255 && !((value)&7))

/* A member of an execution context. */
#define CONTEXT_FRAME 16

/* Members of an instruction sequence's body, and of its table of lines (iseq_insn_info). */
#define BODY_SIZE       4
#define BODY_CODE       8
#define LINES_ENTRIES   0
#define LINES_N         16
#define LINES_INDEX     24
#define LINE_ENTRY_SIZE 12

/* Members of a method's definition. */
#define METHOD_FUNCTION 8
#define METHOD_ID       32

/* Names by number: in arrays of so many, each with its text and its symbol. */
#define NAMES_UNIT        512
#define NAME_OPERATOR_MAX 169
#define NAME_SHIFT        4

#define CODE_SIZE_MAX   (1U << 20)
#define TEXT_LENGTH_MAX 1024
#define LOADS_MAX       8

static const struct runtime_wanted ruby_wanted[] = {
	{ "rb_iseq_eval", offsetof(struct runtime_image, ruby.eval) },
	{ "rb_vm_exec", offsetof(struct runtime_image, ruby.exec) },
	{ "vm_exec", offsetof(struct runtime_image, ruby.exec) },
	{ "vm_exec_core", offsetof(struct runtime_image, ruby.exec_core) },
	{ "ruby_api_version", offsetof(struct runtime_image, ruby.version) },
	{ "rb_thread_current", offsetof(struct runtime_image, ruby.thread) },
	{ "rb_sym_all_symbols", offsetof(struct runtime_image, ruby.symbols) },
	{ NULL, 0 },
};

static bool ruby_accept(struct runtime_image *im, struct elf_file *file)
{
	(void)file;
	return im->ruby.eval.size && im->ruby.version.start && im->ruby.thread.start;
}

/* Where versions differ: frames, the location and lines of a body, and texts. */
static const struct ruby_version {
	uint32_t first, last; /* minor versions */
	struct ruby_layout layout;
} ruby_versions[] = {
	{ 1,
	  1,
	  { .frame_size = 64,
	    .body_check = { BODY_SIZE, BODY_CODE, 80, 88 },
	    .path = 64,
	    .label = 80,
	    .lines = 120,
	    .text = 16 } },
	{ 3,
	  4,
	  { .frame_size = 56,
	    .body_check = { BODY_SIZE, BODY_CODE, 80, 88 },
	    .path = 64,
	    .label = 80,
	    .lines = 112,
	    .text = 24,
	    .has_text_length = 1 } },
};

static int ruby_find_version(const struct runtime_image *im, int pid, uint64_t bias,
			     struct ruby_layout *ret)
{
	uint32_t version[3];
	int r = memory_read(pid, im->ruby.version.start + bias, version, sizeof(version));

	if (r < 0)
		return r;
	for (size_t i = 0; i < ARRAY_SIZE(ruby_versions); i++)
		if (version[0] == 3 && version[1] >= ruby_versions[i].first &&
		    version[1] <= ruby_versions[i].last) {
			*ret = ruby_versions[i].layout;
			return 0;
		}
	return -ENOTSUP;
}

static int ruby_read_type(int pid, uint64_t object, uint32_t *ret_flags)
{
	if (!RUBY_IS_OBJECT(object))
		return -EPROTO;
	return memory_u32(pid, object, ret_flags);
}

/* Finds the table of names among the variables that a function with it loads: a word before it. */
static void ruby_find_symbols(const struct runtime_image *im, int pid, uint64_t bias,
			      struct ruby_layout *y)
{
	uint64_t loads[LOADS_MAX], ids;
	const struct runtime_symbol *s = &im->ruby.symbols;
	size_t n = s->start ? thread_loads_find(runtime_image_code(im, s, pid, bias), loads,
						LOADS_MAX)
			    : 0;
	uint32_t flags;

	for (size_t i = 0; i < n && !y->symbols; i++)
		if (memory_u64(pid, loads[i] + sizeof(ids), &ids) >= 0 &&
		    ruby_read_type(pid, ids, &flags) >= 0 && OBJECT_TYPE(flags) == TYPE_ARRAY)
			y->symbols = loads[i] + sizeof(ids);
}

static int ruby_find(const struct runtime_image *im, int pid, uint64_t bias,
		     const struct runtime_libc *libc, struct runtime_process *ret)
{
	struct ruby_layout *y = &ret->ruby;
	int r = ruby_find_version(im, pid, bias, y);

	(void)libc;
	if (r >= 0)
		r = thread_first_variable_path(runtime_image_code(im, &im->ruby.thread, pid, bias),
					       &ret->frame);
	if (r < 0)
		return r;
	runtime_path_add(&ret->frame, CONTEXT_FRAME);
	y->method_check[0] = METHOD_FUNCTION;
	y->method_check[1] = METHOD_FUNCTION + 4;
	y->method_check[2] = METHOD_ID;
	y->method_check[3] = METHOD_ID + 4;
	y->outer_start = im->ruby.exec.start + bias;
	y->outer_end = y->outer_start + im->ruby.exec.size;
	y->loop_start = im->ruby.exec_core.start + bias;
	y->loop_end = y->loop_start + im->ruby.exec_core.size;
	ruby_find_symbols(im, pid, bias, y);
	ret->has_other = 1;
	return 0;
}

/* Appends the text object at @addr. */
static int ruby_read_text(const struct ruby_layout *y, int pid, uint64_t addr, struct text *to)
{
	char bytes[TEXT_LENGTH_MAX];
	uint64_t length, at = addr + y->text;
	uint32_t flags;
	int r = ruby_read_type(pid, addr, &flags);

	if (r < 0)
		return r;
	if (OBJECT_TYPE(flags) != TYPE_STRING)
		return -EPROTO;
	length = STRING_LENGTH(flags);
	if (flags & FLAG_1 || y->has_text_length)
		r = memory_u64(pid, addr + STRING_LENGTH_AT, &length);
	if (r >= 0 && flags & FLAG_1)
		r = memory_u64(pid, addr + STRING_POINTER, &at);
	if (r >= 0 && length > sizeof(bytes))
		r = -EPROTO;
	if (r >= 0)
		r = memory_read(pid, at, bytes, length);
	if (r >= 0)
		text_add_bytes(to, bytes, strnlen(bytes, length));
	return r;
}

/* Reads the element @i of the array at @addr. */
static int ruby_read_element(int pid, uint64_t addr, uint64_t i, uint64_t *ret)
{
	uint64_t n, at = addr + OBJECT_HEAD;
	uint32_t flags;
	int r = ruby_read_type(pid, addr, &flags);

	if (r < 0)
		return r;
	if (OBJECT_TYPE(flags) != TYPE_ARRAY)
		return -EPROTO;
	n = ARRAY_LENGTH(flags);
	if (!(flags & FLAG_1)) {
		r = memory_u64(pid, addr + OBJECT_HEAD, &n);
		if (r >= 0)
			r = memory_u64(pid, addr + ARRAY_POINTER, &at);
	}
	if (r >= 0 && i >= n)
		r = -EPROTO;
	return r < 0 ? r : memory_u64(pid, at + i * sizeof(*ret), ret);
}

/* True if @symbol is the symbol of the name @id. */
static bool ruby_is_symbol(int pid, uint64_t symbol, uint64_t id)
{
	uint64_t found;
	uint32_t flags;

	if (symbol == SYMBOL_STATIC(id))
		return true;
	return ruby_read_type(pid, symbol, &flags) >= 0 && OBJECT_TYPE(flags) == TYPE_SYMBOL &&
	       memory_u64(pid, symbol + SYMBOL_ID, &found) >= 0 && found == id;
}

/* Appends the text of the name @id. */
static int ruby_read_id(const struct ruby_layout *y, int pid, uint64_t id, struct text *to)
{
	uint64_t n = id > NAME_OPERATOR_MAX ? id >> NAME_SHIFT : id;
	uint64_t all, some, text, symbol;
	int r = y->symbols ? memory_u64(pid, y->symbols, &all) : -ENOTSUP;

	if (r >= 0)
		r = ruby_read_element(pid, all, n / NAMES_UNIT, &some);
	if (r >= 0)
		r = ruby_read_element(pid, some, n % NAMES_UNIT * 2, &text);
	if (r >= 0)
		r = ruby_read_element(pid, some, n % NAMES_UNIT * 2 + 1, &symbol);
	if (r >= 0 && !ruby_is_symbol(pid, symbol, id))
		r = -EPROTO;
	return r < 0 ? r : ruby_read_text(y, pid, text, to);
}

/*
 * The index of a table of lines: the number of entries that begin at or before a position. Those
 * of the first positions are 7 bits each, 9 in a word; the others are bits in blocks.
 */
#define INDEX_FIRST     54
#define INDEX_IN_WORD   9
#define INDEX_WORD_BITS 7
#define BLOCK_BITS      512
#define BLOCK_SIZE      80
#define BLOCK_BITS_AT   16

static size_t ruby_index_size(uint32_t size)
{
	size_t blocks = size < INDEX_FIRST ? 0 : (size - INDEX_FIRST + BLOCK_BITS - 1) / BLOCK_BITS;

	return (size < INDEX_FIRST ? (size + INDEX_IN_WORD - 1) / INDEX_IN_WORD
				   : INDEX_FIRST / INDEX_IN_WORD) *
		       sizeof(uint64_t) +
	       blocks * BLOCK_SIZE;
}

static uint64_t ruby_index_word(const uint8_t *index, size_t at)
{
	uint64_t word;

	memcpy(&word, index + at, sizeof(word));
	return word;
}

/* True if an entry begins at @position; @rank is the number of those before it. */
static bool ruby_index_begins(const uint8_t *index, uint32_t position, uint32_t rank)
{
	uint32_t bit = position - INDEX_FIRST;

	if (position < INDEX_FIRST)
		return (ruby_index_word(index, position / INDEX_IN_WORD * sizeof(uint64_t)) >>
				(position % INDEX_IN_WORD * INDEX_WORD_BITS) &
			127) > rank;
	return ruby_index_word(index, INDEX_FIRST / INDEX_IN_WORD * sizeof(uint64_t) +
					      bit / BLOCK_BITS * BLOCK_SIZE + BLOCK_BITS_AT +
					      bit % BLOCK_BITS / 64 * sizeof(uint64_t)) >>
		       (bit % 64) &
	       1;
}

/* Appends the lines of @n entries whose positions are in @index; NULL: there is only one. */
static void ruby_add_lines(const uint8_t *entries, uint32_t n, const uint8_t *index,
			   struct runtime_function *to)
{
	uint32_t line, rank = 0;

	for (uint32_t i = 0; i < to->size && rank < n; i++) {
		if (index ? !ruby_index_begins(index, i, rank) : i > 0)
			continue;
		memcpy(&line, entries + (size_t)rank * LINE_ENTRY_SIZE, sizeof(line));
		*ARRAY_ADD(&to->lines) = (struct runtime_line){ i, line };
		rank++;
	}
}

static int ruby_read_lines(const struct ruby_layout *y, int pid, uint64_t body,
			   struct runtime_function *to)
{
	_cleanup_(freep) uint8_t *entries = NULL, *index = NULL;
	uint64_t entries_at, index_at;
	uint32_t n;
	int r = memory_u32(pid, body + y->lines + LINES_N, &n);

	if (r >= 0)
		r = memory_u64(pid, body + y->lines + LINES_ENTRIES, &entries_at);
	if (r >= 0)
		r = memory_u64(pid, body + y->lines + LINES_INDEX, &index_at);
	if (r < 0 || !n)
		return r;
	if (n > to->size || (n > 1 && !index_at))
		return -EPROTO;
	entries = xcalloc(n, LINE_ENTRY_SIZE);
	r = memory_read(pid, entries_at, entries, (size_t)n * LINE_ENTRY_SIZE);
	if (r >= 0 && n > 1) {
		index = xcalloc(1, ruby_index_size(to->size) + sizeof(uint64_t));
		r = memory_read(pid, index_at, index, ruby_index_size(to->size));
	}
	if (r >= 0)
		ruby_add_lines(entries, n, index, to);
	return r;
}

/* Reads the path of a source: a text, or an array of it and the path without links. */
static int ruby_read_path(const struct ruby_layout *y, int pid, uint64_t body, struct text *to)
{
	uint64_t object, path, real;
	uint32_t flags;
	int r = memory_u64(pid, body + y->path, &object);

	if (r >= 0)
		r = ruby_read_type(pid, object, &flags);
	if (r >= 0 && OBJECT_TYPE(flags) != TYPE_ARRAY)
		return ruby_read_text(y, pid, object, to);
	if (r >= 0)
		r = ruby_read_element(pid, object, 0, &path);
	if (r >= 0)
		r = ruby_read_element(pid, object, 1, &real);
	if (r >= 0)
		r = ruby_read_text(y, pid, RUBY_IS_OBJECT(real) ? real : path, to);
	return r;
}

static int ruby_read_body(const struct ruby_layout *y, int pid, uint64_t body,
			  struct runtime_function *f)
{
	_cleanup_(text_done) struct text name = TEXT_EMPTY;
	uint64_t label;
	int r = memory_u32(pid, body + BODY_SIZE, &f->size);

	if (r >= 0 && (!f->size || f->size > CODE_SIZE_MAX))
		r = -EPROTO;
	if (r >= 0)
		r = memory_u64(pid, body + y->label, &label);
	if (r >= 0)
		r = ruby_read_text(y, pid, label, &name);
	if (r >= 0)
		r = ruby_read_path(y, pid, body, &f->file);
	if (r >= 0)
		r = ruby_read_lines(y, pid, body, f);
	if (r >= 0)
		runtime_name_in_file(f->file.chars, name.chars, &f->name);
	return r;
}

static int ruby_read_method(const struct ruby_layout *y, int pid, uint64_t def,
			    struct runtime_function *f)
{
	uint64_t id;
	int r = memory_u64(pid, def + METHOD_ID, &id);

	return r < 0 ? r : ruby_read_id(y, pid, id, &f->name);
}

static int ruby_check(const struct ruby_layout *y, int pid, const uint64_t frame[2])
{
	const uint16_t *at = RUNTIME_SORT(frame[0]) == RUBY_SORT_C ? y->method_check
								   : y->body_check;
	uint32_t numbers[4] = { 0 };
	int r = 0;

	for (size_t i = 0; r >= 0 && i < ARRAY_SIZE(numbers); i++)
		r = memory_u32(pid, RUNTIME_OBJECT(frame[0]) + at[i], &numbers[i]);
	if (r < 0)
		return r;
	return runtime_check(numbers) == RUNTIME_CHECK(frame[1]) ? 0 : -ESTALE;
}

static int ruby_read(const struct runtime_process *p, int pid, const uint64_t frame[2],
		     struct runtime_code *ret)
{
	const struct ruby_layout *y = &p->ruby;
	struct runtime_function *f = runtime_code_add(ret);
	uint64_t object = RUNTIME_OBJECT(frame[0]);
	int r = ruby_check(y, pid, frame);

	if (r >= 0)
		r = RUNTIME_SORT(frame[0]) == RUBY_SORT_C ? ruby_read_method(y, pid, object, f)
							  : ruby_read_body(y, pid, object, f);
	/* The object may have gone while it was read. */
	return r < 0 ? r : ruby_check(y, pid, frame);
}

const struct runtime_type runtime_ruby = {
	.kind = RUNTIME_KIND_RUBY,
	.wanted = ruby_wanted,
	.accept = ruby_accept,
	.search = ruby_loop_search,
	.find = ruby_find,
	.read = ruby_read,
};
