/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Writes an ELF file with functions that are in no other one: code of a JIT compiler, or functions
 * of an interpreted language. Written by hand, in our byte order; libelf is not needed.
 */
#include <stddef.h>
#include <stdint.h>

#include "base/build-id.h"

struct bytes;

/* The offset in the file and the link address of the code. */
#define FUNCTION_IMAGE_TEXT 0x80

struct image_function {
	const char *name; /* need not be NUL-terminated */
	size_t name_length;
	uint64_t offset, size; /* in the code */
};

struct function_line {
	uint64_t offset;  /* offset in the code */
	const char *file; /* NUL-terminated */
	uint32_t line;    /* 0: the code from here on has none */
};

struct function_image {
	uint16_t machine; /* EM_* */
	const struct image_function *functions;
	size_t n_functions;
	const uint8_t *code; /* NULL: there is none, and the file has zeros in its place */
	size_t code_size;
	const struct build_id *build_id; /* NULL: a hash of names, code and lines */
	/* The unwind tables as they are placed after the code; size 0: none. */
	const uint8_t *eh_frame, *eh_frame_hdr;
	size_t eh_frame_size, eh_frame_hdr_size;
	const struct function_line *lines;
	size_t n_lines;
};

/* Appends the file, with its build-id in *@ret. */
void function_image_put(const struct function_image *f, struct bytes *out, struct build_id *ret);
