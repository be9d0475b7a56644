/* SPDX-License-Identifier: MIT */
/* The names, files and lines of V8's functions. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/text.h"
#include "runtime/memory.h"
#include "runtime/v8.h"

/* Parts of the flags of a ScopeInfo. */
#define SCOPE_TYPE(f)         ((f)&15)
#define SCOPE_TYPE_MODULE     3
#define SCOPE_TYPE_MODULE_13  5
#define SCOPE_HAS_CLASS(f)    ((f) >> 10 & 1)
#define SCOPE_HAS_NAME(f)     ((f) >> 12 & 3)
#define SCOPE_HAS_INFERRED(f) ((f) >> 14 & 1)

/* Names of more variables than these are in a table of their own. */
#define SCOPE_NAMES_MAX     75
#define SCOPE_VARIABLES_MAX 100000

/* The words of a ScopeInfo. */
#define SCOPE_FLAGS     0
#define SCOPE_VARIABLES 2
#define SCOPE_POSITION  3 /* since 13, when variables come after it */

/* Parts of the flags of a SharedFunctionInfo. */
#define SHARED_SYNTAX(f)       ((f) >> 7 & 7)
#define SHARED_SYNTAX_WRAPPED  4 /* the source of a whole file as a function */
#define SHARED_IS_TOP_LEVEL(f) ((f) >> 27 & 1)

#define NAME_MAX_LENGTH 512
#define PATH_MAX_LENGTH 4096
#define SOURCE_MAX      (32u << 20)

void v8_reader_done(struct v8_reader *r)
{
	for (size_t i = 0; i < r->scripts.n; i++)
		free(r->scripts.items[i].items);
	free(r->scripts.items);
}

int v8_function_check(const struct v8_reader *r, uint64_t shared, uint32_t *ret)
{
	const struct v8_layout *y = r->layout;
	uint64_t script;
	uint32_t numbers[4];
	int32_t id = 0;
	int e = v8_expect(r, shared, y->shared_type);

	if (e >= 0)
		e = v8_word(r, shared, y->shared_script, &script);
	if (e >= 0)
		e = v8_expect(r, script, y->script_type);
	if (e >= 0)
		e = v8_small(r, script, y->script_id, &id);
	if (e >= 0)
		e = v8_u32(r, shared, y->shared_length, &numbers[0]);
	if (e >= 0)
		e = v8_u32(r, shared, y->shared_literal, &numbers[1]);
	if (e >= 0)
		e = v8_u32(r, shared, y->shared_token, &numbers[2]);
	if (e < 0)
		return e;
	numbers[2] &= 0xffff;
	numbers[3] = (uint32_t)id;
	*ret = runtime_check(numbers);
	return 0;
}

/* The facts that a ScopeInfo has about a function. Words that it does not have are 0. */
struct v8_scope {
	uint64_t name, inferred;
	int32_t start, end;
};

static int v8_scope_word(const struct v8_reader *r, uint64_t scope, uint32_t index, uint64_t *ret)
{
	return v8_word(r, scope, 8 + 8 * (uint64_t)index, ret);
}

static int v8_scope_small(const struct v8_reader *r, uint64_t scope, uint32_t index, int32_t *ret)
{
	return v8_small(r, scope, 8 + 8 * (uint64_t)index, ret);
}

/* Gives the flags, and the word at which the names of variables begin. */
static int v8_scope_flags(const struct v8_reader *r, uint64_t scope, uint32_t *ret, uint32_t *at)
{
	const struct v8_layout *y = r->layout;
	bool is_new = y->scope_variables > SCOPE_POSITION;
	int32_t flags;
	int e;

	if (is_new) {
		e = v8_u32(r, scope, 8, ret);
	} else {
		e = v8_scope_small(r, scope, SCOPE_FLAGS, &flags);
		*ret = e < 0 ? 0 : (uint32_t)flags;
	}
	*at = y->scope_variables;
	/* The number of a module's variables comes first since 12.4. */
	if (e >= 0 && y->version >= 1204 &&
	    SCOPE_TYPE(*ret) == (is_new ? SCOPE_TYPE_MODULE_13 : SCOPE_TYPE_MODULE))
		(*at)++;
	return e;
}

static int v8_scope_read(const struct v8_reader *r, uint64_t scope, struct v8_scope *ret)
{
	uint32_t at, f;
	int32_t n = 0;
	int e = v8_scope_flags(r, scope, &f, &at);

	if (e >= 0)
		e = v8_scope_small(r, scope, SCOPE_VARIABLES, &n);
	if (e < 0)
		return e;
	if (n < 0 || n > SCOPE_VARIABLES_MAX)
		return -EPROTO;
	at += (uint32_t)n + (n < SCOPE_NAMES_MAX ? (uint32_t)n : 1) + SCOPE_HAS_CLASS(f);
	if (SCOPE_HAS_NAME(f)) {
		e = v8_scope_word(r, scope, at, &ret->name);
		at += 2;
	}
	if (e >= 0 && SCOPE_HAS_INFERRED(f))
		e = v8_scope_word(r, scope, at++, &ret->inferred);
	if (r->layout->scope_variables > SCOPE_POSITION)
		at = SCOPE_POSITION;
	if (e >= 0)
		e = v8_scope_small(r, scope, at, &ret->start);
	if (e >= 0)
		e = v8_scope_small(r, scope, at + 1, &ret->end);
	if (e >= 0 && (ret->start < 0 || ret->end < ret->start))
		e = -EPROTO;
	return e;
}

/* Appends the text @object if it is one. */
static int v8_add_text(const struct v8_reader *r, uint64_t object, size_t max, struct text *to)
{
	uint16_t type;
	int e;

	if (!v8_is_object(object))
		return 0;
	e = v8_type_of(r, object, &type);
	return e < 0 ? e : v8_is_text(type) ? v8_read_text(r, object, max, to) : 0;
}

/* Appends the function's own name; nothing: it has none. */
static int v8_read_name(const struct v8_reader *r, uint64_t shared, struct v8_scope *scope,
			struct text *to)
{
	uint64_t word;
	uint16_t type;
	int e = v8_word(r, shared, r->layout->shared_name, &word);

	if (e < 0 || !v8_is_object(word))
		return e;
	e = v8_type_of(r, word, &type);
	if (e < 0 || v8_is_text(type))
		return e < 0 ? e : v8_read_text(r, word, NAME_MAX_LENGTH, to);
	if (type != r->layout->scope_type)
		return -EPROTO;
	e = v8_scope_read(r, word, scope);
	if (e >= 0)
		e = v8_add_text(r, scope->name, NAME_MAX_LENGTH, to);
	if (e >= 0 && !to->length)
		e = v8_add_text(r, scope->inferred, NAME_MAX_LENGTH, to);
	return e;
}

/* Gives the name of a script, and the path of its file. */
static int v8_read_path(const struct v8_reader *r, uint64_t script, struct text *to)
{
	static const char url[] = "file://";
	_cleanup_(text_done) struct text name = TEXT_EMPTY;
	uint64_t word;
	int e = v8_word(r, script, r->layout->script_name, &word);

	if (e >= 0)
		e = v8_add_text(r, word, PATH_MAX_LENGTH, &name);
	if (e < 0)
		return e;
	text_add(to, strncmp(name.chars, url, strlen(url)) ? name.chars : name.chars + strlen(url));
	return 0;
}

/* The modules of Node itself have names like paths: "node:internal/fs/streams". */
static void v8_name(const char *path, const char *function, struct text *to)
{
	if (!*path)
		text_addf(to, "[eval]:%s", function);
	else if (!strncmp(path, "node:", 5))
		text_addf(to, "%s:%s", path, function);
	else
		runtime_name_in_file(path, function, to);
}

/* Reads the ends of lines that V8 has counted. -ENODATA: it has not. */
static int v8_read_counted_lines(const struct v8_reader *r, struct v8_script *s)
{
	_cleanup_(freep) uint64_t *words = NULL;
	uint64_t array;
	int32_t n;
	int e = v8_word(r, s->object, r->layout->script_line_ends, &array);

	if (e >= 0 && (!v8_is_object(array) || v8_expect(r, array, r->layout->array_type) < 0))
		e = -ENODATA;
	if (e >= 0)
		e = v8_small(r, array, V8_ARRAY_LENGTH, &n);
	if (e < 0)
		return e;
	if (n <= 0 || (uint32_t)n > V8_LINES_MAX)
		return -ENODATA;
	words = xcalloc((size_t)n, sizeof(words[0]));
	e = memory_read(r->pid, array - 1 + V8_ARRAY_START, words, (size_t)n * sizeof(words[0]));
	for (int32_t i = 0; e >= 0 && i < n; i++)
		*ARRAY_ADD(s) = (uint32_t)(words[i] >> 32);
	return e;
}

/* Returns the script @object with its lines up to the position @end. NULL: they are not known. */
static const struct v8_script *v8_script_of(struct v8_reader *r, uint64_t object, uint32_t end)
{
	const struct v8_layout *y = r->layout;
	struct v8_script s = { .object = object, .ends = end };
	int32_t first = 0;
	int e;

	for (size_t i = 0; i < r->scripts.n; i++)
		if (r->scripts.items[i].object == object && r->scripts.items[i].ends >= end)
			return &r->scripts.items[i];
	e = v8_read_counted_lines(r, &s);
	if (e == -ENODATA && end <= SOURCE_MAX - r->n_scanned) {
		r->n_scanned += end;
		e = v8_word(r, object, y->script_source, &s.source);
		if (e >= 0)
			e = v8_read_line_ends(r, s.source, end, &s);
	}
	if (e >= 0)
		e = v8_small(r, object, y->script_line, &first);
	if (e < 0 || first < 0) {
		free(s.items);
		return NULL;
	}
	s.first_line = (uint32_t)first + 1;
	*ARRAY_ADD(&r->scripts) = s;
	return &r->scripts.items[r->scripts.n - 1];
}

/* Appends the lines between the positions of @f. */
static void v8_add_lines(struct v8_reader *r, const struct v8_script *s,
			 const struct v8_function *f, struct runtime_function *to)
{
	size_t low = 0, high = s->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (s->items[middle] < f->start)
			low = middle + 1;
		else
			high = middle;
	}
	*ARRAY_ADD(&to->lines) = (struct runtime_line){ 0, s->first_line + (uint32_t)low };
	for (; low < s->n && s->items[low] < f->end && r->n_lines < V8_LINES_MAX;
	     low++, r->n_lines++)
		*ARRAY_ADD(&to->lines) = (struct runtime_line){ s->items[low] + 1 - f->start,
								s->first_line + (uint32_t)low + 1 };
}

int v8_function_read(struct v8_reader *r, uint64_t shared, struct v8_function *ret,
		     struct runtime_code *to)
{
	_cleanup_(text_done) struct text name = TEXT_EMPTY;
	struct runtime_function *f = runtime_code_add(to);
	struct v8_scope scope = { 0 };
	const struct v8_script *lines;
	uint64_t script;
	uint32_t flags;
	int e = v8_expect(r, shared, r->layout->shared_type);

	if (e >= 0)
		e = v8_word(r, shared, r->layout->shared_script, &script);
	if (e >= 0)
		e = v8_expect(r, script, r->layout->script_type);
	if (e >= 0)
		e = v8_u32(r, shared, r->layout->shared_flags, &flags);
	if (e >= 0)
		e = v8_read_name(r, shared, &scope, &name);
	if (e >= 0)
		e = v8_read_path(r, script, &f->file);
	if (e < 0)
		return e;
	if (!name.length)
		text_add(&name,
			 SHARED_IS_TOP_LEVEL(flags) || SHARED_SYNTAX(flags) == SHARED_SYNTAX_WRAPPED
				 ? "(top level)"
				 : "(anonymous)");
	v8_name(f->file.chars, name.chars, &f->name);
	*ret = (struct v8_function){ shared, (uint32_t)scope.start, (uint32_t)scope.end };
	f->size = ret->end - ret->start + 1;
	lines = ret->end ? v8_script_of(r, script, ret->end) : NULL;
	if (lines)
		v8_add_lines(r, lines, ret, f);
	return 0;
}
