/* SPDX-License-Identifier: MIT */
/* A method of Java: Method, ConstMethod, ConstantPool and Symbol of HotSpot. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "runtime/java.h"
#include "runtime/memory.h"

#define SYMBOL_LENGTH_MAX 4096
#define POOL_LENGTH_MAX   65535
#define CONST_SIZE_MAX    ((size_t)4 << 20)
#define LINES_SIZE_MAX    ((size_t)256 << 10)
#define HEAD_BYTES        512

#define TAG_UTF8  1
#define HAS_LINES 1

/* A number below 192 is one byte; each byte from there on tells that another one follows. */
#define STREAM_LOW  192
#define STREAM_BITS 6
#define STREAM_MAX  5

bool java_stream_take(struct java_stream *s, uint32_t *ret)
{
	uint32_t v = 0;

	for (unsigned i = 0; i < STREAM_MAX; i++) {
		uint8_t b;

		if (s->at == s->end)
			return false;
		b = *s->at++;
		/* Since version 20 no byte of a number is 0. */
		if (s->is_new && !b)
			return false;
		v += (uint32_t)(b - (s->is_new ? 1 : 0)) << (i * STREAM_BITS);
		if (b < STREAM_LOW)
			break;
	}
	*ret = v;
	return true;
}

static bool stream_take_signed(struct java_stream *s, int32_t *ret)
{
	uint32_t v;

	if (!java_stream_take(s, &v))
		return false;
	*ret = (int32_t)(v >> 1) ^ -(int32_t)(v & 1);
	return true;
}

/*
 * Entries have a difference of positions and one of lines: 5 and 3 bits of a byte, or two numbers
 * after a byte with all bits set. A 0 ends them.
 */
void java_lines_read(const uint8_t *bytes, size_t n, bool is_new, struct runtime_function *to)
{
	struct java_stream s = { bytes, bytes + n, is_new };
	int64_t position = 0, line = 0;

	/* Each position has one line, mostly. */
	while (s.at < s.end && *s.at && to->lines.n <= to->size) {
		uint8_t first = *s.at++;

		if (first == 0xff) {
			int32_t by, lines;

			if (!stream_take_signed(&s, &by) || !stream_take_signed(&s, &lines))
				return;
			position += by;
			line += lines;
		} else {
			position += first >> 3;
			line += first & 7;
		}
		if (position < 0 || position >= to->size || line < 0 || line > UINT16_MAX)
			return;
		*ARRAY_ADD(&to->lines) = (struct runtime_line){ (uint32_t)position,
								(uint32_t)line };
	}
}

static int method_compare_lines(const void *a, const void *b)
{
	const struct runtime_line *l = a, *m = b;

	if (l->position != m->position)
		return l->position < m->position ? -1 : 1;
	return l->line < m->line ? -1 : l->line > m->line;
}

/* Appends the text of the Symbol at @at. */
static int method_read_symbol(const struct java_layout *y, int pid, uint64_t at, struct text *to)
{
	char chars[SYMBOL_LENGTH_MAX];
	uint16_t length;
	int r = memory_read(pid, at + y->symbol_length, &length, sizeof(length));

	if (r < 0)
		return r;
	if (!length || length > sizeof(chars))
		return -EPROTO;
	r = memory_read(pid, at + y->symbol_body, chars, length);
	if (r < 0)
		return r;
	for (uint16_t i = 0; i < length; i++)
		if ((unsigned char)chars[i] < ' ' || chars[i] == 0x7f)
			return -EPROTO;
	text_add_bytes(to, chars, length);
	return 0;
}

/* Appends the text that is number @index of the pool at @pool. -EPROTO: it is no text. */
static int method_read_pooled(const struct java_layout *y, int pid, uint64_t pool, uint16_t index,
			      struct text *to)
{
	uint64_t tags, symbol;
	uint32_t length, n;
	uint8_t tag;
	int r = memory_u32(pid, pool + y->pool_length, &length);

	if (r >= 0)
		r = memory_u64(pid, pool + y->pool_tags, &tags);
	if (r >= 0)
		r = memory_u32(pid, tags + y->array_length, &n);
	if (r < 0)
		return r;
	if (length > POOL_LENGTH_MAX || n != length || !index || index >= length)
		return -EPROTO;
	r = memory_read(pid, tags + y->array_bytes + index, &tag, sizeof(tag));
	if (r >= 0)
		r = memory_u64(pid, pool + y->pool_size + index * sizeof(symbol), &symbol);
	if (r < 0)
		return r;
	return tag == TAG_UTF8 ? method_read_symbol(y, pid, symbol, to) : -EPROTO;
}

/*
 * Appends the name of a class as the virtual machine shows it. A hidden one has an address at the
 * end of its name: Load$$Lambda/0x00007f0c3c000a00.
 */
static void method_add_class(const struct text *name, struct text *to)
{
	for (size_t i = 0; i < name->length; i++) {
		char c = name->chars[i];
		bool is_address = (c == '+' || c == '/') && !strncmp(name->chars + i + 1, "0x", 2);

		c = is_address ? '/' : c == '/' ? '.' : c;
		text_add_bytes(to, &c, 1);
	}
}

/* Makes the path of a source file: that of the class's package, and the name of the file. */
static void method_add_file(const struct text *class_name, const struct text *file, struct text *to)
{
	size_t n = class_name->length;
	const char *address = strstr(class_name->chars, "/0x");

	if (address)
		n = (size_t)(address - class_name->chars);
	while (n && class_name->chars[n - 1] != '/')
		n--;
	text_add_bytes(to, class_name->chars, n);
	text_add(to, file->chars);
}

/* The numbers of a method that do not change, as the walker reads them. */
struct method_head {
	uint64_t const_method, pool;
	uint32_t code_size, name, flags;
	size_t size; /* of the ConstMethod with all that follows it */
};

static int method_read_head(const struct java_layout *y, int pid, uint64_t method,
			    struct method_head *ret)
{
	uint8_t bytes[HEAD_BYTES] = { 0 };
	int r;

	if (!method || method & 7 || y->const_size > sizeof(bytes) - 8 ||
	    y->const_pool > y->const_size || y->const_flags > y->const_size ||
	    y->const_words > y->const_size)
		return -EPROTO;
	r = memory_u64(pid, method + y->method_const, &ret->const_method);
	if (r < 0)
		return r;
	if (!ret->const_method || ret->const_method & 7)
		return -EPROTO;
	r = memory_read(pid, ret->const_method, bytes, y->const_size);
	if (r < 0)
		return r;
	ret->pool = java_u64(bytes, y->const_pool);
	ret->code_size = java_u16(bytes, y->const_code_size);
	ret->name = java_u16(bytes, y->const_names);
	ret->flags = java_u16(bytes, y->const_flags);
	ret->size = java_u32(bytes, y->const_words) * sizeof(uint64_t);
	return 0;
}

int java_method_check(const struct java_layout *y, int pid, uint64_t method, uint32_t *ret)
{
	struct method_head h;
	int r = method_read_head(y, pid, method, &h);

	if (r >= 0) {
		const uint32_t numbers[4] = { (uint32_t)h.const_method,
					      (uint32_t)(h.const_method >> 32), h.code_size,
					      h.name };

		*ret = runtime_check(numbers);
	}
	return r;
}

/* Reads the table of lines, which follows the byte code; other tables follow it. */
static int method_read_lines(const struct java_layout *y, int pid, const struct method_head *h,
			     struct runtime_function *to)
{
	_cleanup_(freep) uint8_t *bytes = NULL;
	size_t before = y->const_size + h->code_size, n;
	int r;

	if (!(h->flags & HAS_LINES) || !h->code_size)
		return 0;
	if (h->size < before || h->size > CONST_SIZE_MAX)
		return -EPROTO;
	n = h->size - before < LINES_SIZE_MAX ? h->size - before : LINES_SIZE_MAX;
	bytes = xcalloc(1, n + 1);
	r = memory_read(pid, h->const_method + before, bytes, n);
	if (r < 0)
		return r;
	java_lines_read(bytes, n, y->version >= 20, to);
	/* javac may have put a later part first. */
	if (to->lines.n)
		qsort(to->lines.items, to->lines.n, sizeof(to->lines.items[0]),
		      method_compare_lines);
	return 0;
}

/*
 * Reads the file of a class, whose pool may be another one than that of a generated method. A class
 * need not have a file.
 */
static int method_read_file(const struct java_layout *y, int pid, uint64_t klass,
			    const struct text *class_name, struct text *to)
{
	_cleanup_(text_done) struct text file = TEXT_EMPTY;
	uint64_t pool;
	uint16_t index;
	int r = memory_u64(pid, klass + y->klass_pool, &pool);

	if (r < 0 || (!y->pool_file && !y->klass_file))
		return r;
	r = memory_read(pid, y->pool_file ? pool + y->pool_file : klass + y->klass_file, &index,
			sizeof(index));
	if (r < 0 || !index)
		return r;
	r = method_read_pooled(y, pid, pool, index, &file);
	if (r >= 0)
		method_add_file(class_name, &file, to);
	return r;
}

int java_method_read(const struct java_layout *y, int pid, uint64_t method,
		     struct runtime_function *to)
{
	_cleanup_(text_done) struct text class_name = TEXT_EMPTY;
	struct method_head h;
	uint64_t klass, symbol;
	int r = method_read_head(y, pid, method, &h);

	if (r >= 0)
		r = memory_u64(pid, h.pool + y->pool_holder, &klass);
	if (r >= 0)
		r = memory_u64(pid, klass + y->klass_name, &symbol);
	if (r >= 0)
		r = method_read_symbol(y, pid, symbol, &class_name);
	if (r < 0)
		return r;
	method_add_class(&class_name, &to->name);
	text_add(&to->name, ".");
	to->size = h.code_size ? h.code_size : 1;
	r = method_read_pooled(y, pid, h.pool, (uint16_t)h.name, &to->name);
	if (r >= 0)
		r = method_read_file(y, pid, klass, &class_name, &to->file);
	if (r >= 0)
		r = method_read_lines(y, pid, &h, to);
	return r;
}
