/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The objects of V8's heap in the memory of another process. Private to runtime/.
 *
 * A tagged word is a small integer in its upper half, or the address of an object plus one. An
 * object begins with its map, which has its type.
 */
#include "runtime/internal.h"

/* A process while a code object of it is read. */
struct v8_reader {
	const struct v8_layout *layout;
	int pid;
	/* The lines of the scripts that were met: the positions at which they end. */
	struct {
		struct v8_script *items;
		size_t n, room;
	} scripts;
	size_t n_scanned; /* characters of sources that were searched for lines */
	size_t n_lines;   /* of all functions */
};

/* Lines of a script, and of all functions of a code object. */
#define V8_LINES_MAX ((size_t)1 << 20)

struct v8_script {
	uint64_t object, source, ends;
	uint32_t *items;
	size_t n, room;
	uint32_t first_line;
};

void v8_reader_done(struct v8_reader *r);

/* Where a header of two words ends: of arrays of words or of bytes, whose length is in them. */
#define V8_ARRAY_LENGTH 8
#define V8_ARRAY_START  16

/* In an InterpreterData; it is followed by the function's own copy of the interpreter's entry. */
#define V8_INTERPRETER_BYTECODE 8

bool v8_is_object(uint64_t word);

/* Reads the word or the 32 bits at @offset of @object. -EPROTO: it is no object. */
int v8_word(const struct v8_reader *r, uint64_t object, uint64_t offset, uint64_t *ret);
int v8_u32(const struct v8_reader *r, uint64_t object, uint64_t offset, uint32_t *ret);

/* Reads the small integer there. -EPROTO: it is something else. */
int v8_small(const struct v8_reader *r, uint64_t object, uint64_t offset, int32_t *ret);

/* Reads the type of @object. */
int v8_type_of(const struct v8_reader *r, uint64_t object, uint16_t *ret);

/* 0: the object has the type @type. */
int v8_expect(const struct v8_reader *r, uint64_t object, uint16_t type);

/*
 * Reads an array of bytes. The caller frees it. -ENODATA: the word is something else: there is
 * none.
 */
int v8_bytes(const struct v8_reader *r, uint64_t object, uint8_t **ret, size_t *ret_size);

/* True if the members that the walker takes, and those that must exist, are in its reach. */
bool v8_layout_fits(const struct v8_layout *y);

/* True if @type is that of a text. */
bool v8_is_text(uint16_t type);

/* Appends the text @object, at most @max characters, as UTF-8. -EPROTO: it is none. */
int v8_read_text(const struct v8_reader *r, uint64_t object, size_t max, struct text *to);

/*
 * Appends the positions of the newlines in the first @max characters of the text @object.
 */
int v8_read_line_ends(const struct v8_reader *r, uint64_t object, size_t max, struct v8_script *to);

/* A function: where its source is. Positions are those of characters in its script. */
struct v8_function {
	uint64_t shared; /* its SharedFunctionInfo */
	uint32_t start, end;
};

/* Returns the numbers by which the function @shared is recognized, as the walker does. */
int v8_function_check(const struct v8_reader *r, uint64_t shared, uint32_t *ret);

/* Reads the function @shared, and appends its description. */
int v8_function_read(struct v8_reader *r, uint64_t shared, struct v8_function *ret,
		     struct runtime_code *to);

/* An entry in a table of positions: code from @offset on belongs to the source at @source. */
struct v8_position {
	uint32_t offset;
	int64_t source;
};

struct v8_positions {
	struct v8_position *items;
	size_t n, room;
};

/* Appends the entries of the table in the @n @bytes. -EPROTO: it is damaged. */
int v8_positions_read(const uint8_t *bytes, size_t n, struct v8_positions *to);

/* The parts of the source of an entry. */
#define V8_SOURCE_IS_EXTERNAL(s) ((s)&1)
#define V8_SOURCE_AT(s)          ((int32_t)((s) >> 1 & 0x3fffffff) - 1)
#define V8_SOURCE_INLINED(s)     ((int32_t)((s) >> 31 & 0xffff) - 1)

int v8_code_read(const struct runtime_process *p, int pid, const uint64_t frame[2],
		 struct runtime_code *ret);
