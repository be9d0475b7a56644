/* SPDX-License-Identifier: MIT */
/*
 * The code of V8: byte code, baseline code, and optimized code with the functions that are inlined
 * into it. The position in a function is that of a character in its source, counted from its
 * start, so that a function is the same one, however it was compiled.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "runtime/memory.h"
#include "runtime/v8.h"

#define OBJECT_ALIGNMENT 8
#define CODE_SIZE_MAX    (2u << 20)
#define INLINED_MAX      64
#define LITERALS_MAX     100000

/* Code that V8 makes has much less of these. */
#define CALLS_MAX      4096u
#define FUNCTIONS_MAX  512u
#define PLACES_MAX     (1u << 20)
#define CANDIDATES_MAX 4096

/* Memory before an address that is searched at once for the start of its code. */
#define SEARCH_PART 4096u

static int v8_take_number(const uint8_t **at, const uint8_t *end, uint64_t *ret)
{
	uint64_t v = 0;

	for (unsigned shift = 0; *at < end && shift < 64; shift += 7) {
		uint8_t b = *(*at)++;

		v |= (uint64_t)(b & 127) << shift;
		if (!(b & 128)) {
			*ret = v >> 1 ^ -(v & 1);
			return 0;
		}
	}
	return -EPROTO;
}

int v8_positions_read(const uint8_t *bytes, size_t n, struct v8_positions *to)
{
	const uint8_t *at = bytes, *end = bytes + n;
	int64_t offset = 0, source = 0;

	while (at < end) {
		uint64_t code, step;
		int e = v8_take_number(&at, end, &code);

		if (e >= 0)
			e = v8_take_number(&at, end, &step);
		if (e < 0)
			return e;
		/* A negative one is that of an expression, not of a statement. */
		offset += (int32_t)code < 0 ? -((int64_t)(int32_t)code + 1) : (int32_t)code;
		source = (int64_t)((uint64_t)source + step);
		/* The first one may be that of the entry, before the code. */
		if (offset < -1 || offset > CODE_SIZE_MAX)
			return -EPROTO;
		*ARRAY_ADD(to) = (struct v8_position){ offset < 0 ? 0 : (uint32_t)offset, source };
	}
	return 0;
}

/* Code that is read: its functions, of which the first one is its own. */
struct v8_code {
	struct v8_reader reader;
	struct runtime_code *to;
	struct {
		struct v8_function *items;
		size_t n, room;
	} functions;
	/* The inlined calls of optimized code: where each is, and the number of its function. */
	struct {
		struct v8_inlined {
			int64_t source;
			uint32_t function;
		} * items;
		size_t n, room;
	} inlined;
};

static void v8_code_done(struct v8_code *c)
{
	v8_reader_done(&c->reader);
	free(c->functions.items);
	free(c->inlined.items);
}

/* Adds the function @shared, and gives its number. */
static int v8_code_add(struct v8_code *c, uint64_t shared, uint32_t *ret)
{
	struct v8_function f = { 0 };
	int e;

	for (size_t i = 0; i < c->functions.n; i++)
		if (c->functions.items[i].shared == shared) {
			*ret = (uint32_t)i;
			return 0;
		}
	e = c->functions.n < FUNCTIONS_MAX ? v8_function_read(&c->reader, shared, &f, c->to)
					   : -EPROTO;
	if (e < 0)
		return e;
	*ret = (uint32_t)c->functions.n;
	*ARRAY_ADD(&c->functions) = f;
	return 0;
}

/* Gives the position of @source in a function. False: it is not in its source. */
static bool v8_position_in(const struct v8_code *c, uint32_t function, int64_t source,
			   uint32_t *ret)
{
	const struct v8_function *f = &c->functions.items[function];
	int32_t at = V8_SOURCE_IS_EXTERNAL(source) ? -1 : V8_SOURCE_AT(source);

	*ret = 0;
	if (at < 0)
		return true;
	*ret = (uint32_t)at - f->start;
	return (uint32_t)at >= f->start && (uint32_t)at <= f->end;
}

static void v8_add_place(struct v8_code *c, uint32_t function, uint32_t position)
{
	*ARRAY_ADD(&c->to->places) = (struct runtime_place){ function, position };
}

/*
 * Adds the places of @source: innermost first. Where a position is not in the function that should
 * have it, nothing is known but the function of the code.
 */
static void v8_add_places(struct v8_code *c, int64_t source)
{
	size_t first = c->to->places.n;
	uint32_t position;
	int32_t call = V8_SOURCE_INLINED(source);

	for (int depth = 0; call >= 0; depth++) {
		const struct v8_inlined *in = (size_t)call < c->inlined.n ? &c->inlined.items[call]
									  : NULL;

		if (!in || depth == INLINED_MAX ||
		    !v8_position_in(c, in->function, source, &position))
			break;
		v8_add_place(c, in->function, position);
		source = in->source;
		call = V8_SOURCE_INLINED(source);
	}
	if (call >= 0 || !v8_position_in(c, 0, source, &position) ||
	    c->to->places.n >= PLACES_MAX) {
		c->to->places.n = first;
		position = 0;
	}
	v8_add_place(c, 0, position);
}

/* Adds the spot from the last one on, if it is not empty. */
static void v8_add_spot(struct v8_code *c, uint32_t end, int64_t source)
{
	struct runtime_spot s = { .end = end, .first = (uint32_t)c->to->places.n };

	if (!end || (c->to->spots.n && c->to->spots.items[c->to->spots.n - 1].end >= end))
		return;
	v8_add_places(c, source);
	s.n = (uint32_t)c->to->places.n - s.first;
	*ARRAY_ADD(&c->to->spots) = s;
}

/*
 * Adds the spots of a table. Node lets V8 keep the positions of all optimized code, not only those
 * of its calls.
 */
static void v8_add_spots(struct v8_code *c, const struct v8_positions *t)
{
	int64_t source = 0;

	for (size_t i = 0; i <= t->n; i++) {
		v8_add_spot(c, i < t->n ? t->items[i].offset : UINT32_MAX, source);
		source = i < t->n ? t->items[i].source : 0;
	}
}

static int v8_code_begin(struct v8_code *c, uint64_t shared)
{
	uint32_t first;

	return v8_code_add(c, shared, &first);
}

/* Reads the table of positions @object, if there is one, and adds its spots. */
static int v8_code_add_table(struct v8_code *c, uint64_t object)
{
	_cleanup_(freep) uint8_t *bytes = NULL;
	struct v8_positions t = { 0 };
	size_t n = 0;
	int e = v8_bytes(&c->reader, object, &bytes, &n);

	if (e >= 0)
		e = v8_positions_read(bytes, n, &t);
	if (e < 0)
		t.n = 0;
	v8_add_spots(c, &t);
	free(t.items);
	return e == -ENODATA || e == -EPROTO ? 0 : e;
}

/* Returns the BytecodeArray of the function @shared; 0: it is not known. */
static uint64_t v8_bytecode_of(const struct v8_reader *r, uint64_t shared)
{
	uint64_t data;

	if (v8_word(r, shared, r->layout->shared_data, &data) < 0)
		return 0;
	/* Baseline code has its byte code where optimized code has its data. */
	if (v8_expect(r, data, r->layout->code_type) >= 0 &&
	    v8_word(r, data, r->layout->code_deopt, &data) < 0)
		return 0;
	if (v8_expect(r, data, r->layout->interpreter_type) >= 0 &&
	    v8_word(r, data, V8_INTERPRETER_BYTECODE, &data) < 0)
		return 0;
	return v8_expect(r, data, r->layout->bytecode_type) >= 0 ? data : 0;
}

/* Reads a function that runs its byte code, or its baseline code, of which no line is known. */
static int v8_read_function(struct v8_code *c, uint64_t shared, bool is_bytecode)
{
	uint64_t table = 0, bytecode;
	int e = v8_code_begin(c, shared);

	if (e < 0)
		return e;
	bytecode = is_bytecode ? v8_bytecode_of(&c->reader, shared) : 0;
	if (bytecode &&
	    v8_word(&c->reader, bytecode, c->reader.layout->bytecode_positions, &table) < 0)
		table = 0;
	return v8_code_add_table(c, table);
}

/* A Code object, and where its instructions are. */
struct v8_found {
	uint64_t code, start;
	uint32_t size;
};

/* True if @code is a Code whose instructions include @pc. */
static bool v8_has_pc(const struct v8_reader *r, uint64_t code, uint64_t pc, struct v8_found *ret)
{
	const struct v8_layout *y = r->layout;

	ret->code = code;
	ret->start = code - 1 + y->code_start;
	if (v8_expect(r, code, y->code_type) < 0 || v8_u32(r, code, y->code_size, &ret->size) < 0 ||
	    (!y->has_inline_code && v8_word(r, code, y->code_start, &ret->start) < 0))
		return false;
	return ret->size <= CODE_SIZE_MAX && pc >= ret->start && pc - ret->start < ret->size;
}

/* True if the words of an object at @object, two objects, are those of the code around @pc. */
static bool v8_begins_code(const struct v8_reader *r, uint64_t object, const uint64_t words[2],
			   uint64_t pc, struct v8_found *ret)
{
	uint64_t stream;

	if (r->layout->has_inline_code)
		return v8_has_pc(r, object + 1, pc, ret);
	return v8_has_pc(r, words[1], pc, ret) && ret->start == object + r->layout->stream_start &&
	       v8_word(r, words[1], r->layout->code_stream, &stream) >= 0 && stream == object + 1;
}

/* Finds it among the @n + 1 words at @start, the last one first. Counts what might be one. */
static bool v8_search(const struct v8_reader *r, uint64_t start, const uint64_t *words, size_t n,
		      uint64_t pc, int *candidates, struct v8_found *ret)
{
	while (n-- && *candidates < CANDIDATES_MAX) {
		if (!v8_is_object(words[n]) || !v8_is_object(words[n + 1]))
			continue;
		++*candidates;
		if (v8_begins_code(r, start + n * 8, words + n, pc, ret))
			return true;
	}
	return false;
}

/* Finds the code around @pc: instructions come after the object to which they belong. */
static int v8_find_code(const struct v8_reader *r, uint64_t pc, struct v8_found *ret)
{
	uint64_t words[SEARCH_PART / 8 + 1];
	uint64_t end = pc & ~(uint64_t)(OBJECT_ALIGNMENT - 1);
	int candidates = 0;

	for (uint32_t passed = 0;
	     passed < CODE_SIZE_MAX && end > SEARCH_PART && candidates < CANDIDATES_MAX;) {
		/* A part ends at a page, before which there may be nothing. */
		uint64_t start = (end - 1) & ~(uint64_t)(SEARCH_PART - 1);
		size_t n = (end - start) / 8;
		int e = memory_read(r->pid, start, words, (n + 1) * 8);

		if (e < 0)
			return e;
		if (v8_search(r, start, words, n, pc, &candidates, ret))
			return 0;
		passed += (uint32_t)(end - start);
		end = start;
	}
	return -EPROTO;
}

/* Gives the function that the word @shared stands for, which may be weak or have a wrapper. */
static int v8_unwrap(const struct v8_reader *r, uint64_t word, uint64_t *ret)
{
	uint64_t object = (word & 3) == 3 ? word - 2 : word;
	uint16_t type;
	int e = v8_type_of(r, object, &type);

	*ret = object;
	if (e >= 0 && r->layout->wrapper_type && type == r->layout->wrapper_type)
		e = v8_word(r, object, r->layout->wrapper_shared, ret);
	return e < 0 ? e : v8_expect(r, *ret, r->layout->shared_type);
}

static int v8_element(const struct v8_reader *r, uint64_t array, uint32_t index, uint64_t *ret)
{
	int32_t n;
	int e = v8_small(r, array, V8_ARRAY_LENGTH, &n);

	if (e >= 0 && (n < 0 || n > LITERALS_MAX || index >= (uint32_t)n))
		e = -EPROTO;
	return e < 0 ? e : v8_word(r, array, V8_ARRAY_START + 8 * (uint64_t)index, ret);
}

/* An inlined call, as V8 keeps it. */
struct v8_inlining {
	uint64_t source;
	int32_t function; /* the number of a literal; -1: the code's own function */
	int32_t padding;
};

/* Reads the inlined calls of optimized code with the data @deopt. */
static int v8_read_inlined(struct v8_code *c, uint64_t deopt)
{
	const struct v8_layout *y = c->reader.layout;
	_cleanup_(freep) uint8_t *bytes = NULL;
	uint64_t literals, array, word, shared;
	size_t n = 0;
	int e = v8_element(&c->reader, deopt, y->deopt_literals, &literals);

	if (e >= 0)
		e = v8_element(&c->reader, deopt, y->deopt_inlined, &array);
	if (e >= 0)
		e = v8_bytes(&c->reader, array, &bytes, &n);
	if (e >= 0 && n > CALLS_MAX * sizeof(struct v8_inlining))
		e = -EPROTO;
	for (size_t at = 0; e >= 0 && at + sizeof(struct v8_inlining) <= n;
	     at += sizeof(struct v8_inlining)) {
		struct v8_inlining in;
		uint32_t function = 0;

		memcpy(&in, bytes + at, sizeof(in));
		if (in.function >= 0) {
			e = v8_element(&c->reader, literals, (uint32_t)in.function, &word);
			if (e >= 0)
				e = v8_unwrap(&c->reader, word, &shared);
			if (e >= 0)
				e = v8_code_add(c, shared, &function);
		}
		if (e >= 0)
			*ARRAY_ADD(&c->inlined) = (struct v8_inlined){ (int64_t)in.source,
								       function };
	}
	return e;
}

/* Reads the optimized code around @pc. @check: that of its function; 0: any. */
static int v8_read_optimized(struct v8_code *c, uint64_t pc, uint32_t check)
{
	const struct v8_layout *y = c->reader.layout;
	struct v8_found f;
	uint64_t deopt, table, word, shared;
	uint32_t flags, found;
	int e = v8_find_code(&c->reader, pc, &f);

	if (e >= 0)
		e = v8_u32(&c->reader, f.code, y->code_flags, &flags);
	if (e >= 0 && (flags & y->kind_mask) <= y->kind_baseline)
		e = -EPROTO;
	if (e >= 0)
		e = v8_word(&c->reader, f.code, y->code_deopt, &deopt);
	if (e >= 0)
		e = v8_word(&c->reader, f.code, y->code_positions, &table);
	if (e >= 0)
		e = v8_element(&c->reader, deopt, y->deopt_shared, &word);
	if (e >= 0)
		e = v8_unwrap(&c->reader, word, &shared);
	if (e >= 0)
		e = v8_function_check(&c->reader, shared, &found);
	if (e >= 0 && check && check != found)
		e = -ESTALE;
	if (e >= 0)
		e = v8_code_begin(c, shared);
	if (e >= 0 && v8_read_inlined(c, deopt) < 0)
		c->inlined.n = 0;
	if (e >= 0)
		e = v8_code_add_table(c, table);
	c->to->start = f.start;
	c->to->size = f.size;
	/* The code may have gone while it was read. */
	if (e >= 0 && !v8_has_pc(&c->reader, f.code, pc, &f))
		e = -ESTALE;
	return e;
}

static int v8_code_check(const struct v8_code *c, uint64_t shared, uint32_t check)
{
	uint32_t found;
	int e = v8_function_check(&c->reader, shared, &found);

	return e < 0 ? e : found == check ? 0 : -ESTALE;
}

int v8_code_read(const struct runtime_process *p, int pid, const uint64_t frame[2],
		 struct runtime_code *ret)
{
	struct v8_code c = { .reader = { .layout = &p->v8, .pid = pid }, .to = ret };
	uint64_t object = RUNTIME_OBJECT(frame[0]);
	unsigned sort = RUNTIME_SORT(frame[0]);
	int e;

	if (sort == V8_SORT_CODE || sort == V8_SORT_ENTERED) {
		e = v8_read_optimized(&c, object,
				      sort == V8_SORT_CODE ? RUNTIME_CHECK(frame[1]) : 0);
	} else {
		e = v8_code_check(&c, object, RUNTIME_CHECK(frame[1]));
		if (e >= 0)
			e = v8_read_function(&c, object, sort == V8_SORT_BYTECODE);
		if (e >= 0)
			e = v8_code_check(&c, object, RUNTIME_CHECK(frame[1]));
	}
	v8_code_done(&c);
	return e;
}
