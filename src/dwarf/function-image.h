/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * An ELF file with one function in it: for code that was made at run time and of which a
 * compiler left its bytes. Written by hand, in our byte order; libelf is not needed.
 */
#include <stddef.h>
#include <stdint.h>

#include "base/build-id.h"

struct bytes;

/* Where in such a file, and at which link address, the code is. */
#define FUNCTION_IMAGE_TEXT 0x80

struct function_line {
	uint64_t offset;  /* in the code */
	const char *file; /* NUL-terminated */
	uint32_t line;
};

struct function_image {
	uint16_t machine; /* EM_* */
	const char *name; /* need not be NUL-terminated */
	size_t name_length;
	const uint8_t *code;
	size_t code_size;
	/* How to unwind it: both tables, as they lie behind the code; size 0: none. */
	const uint8_t *eh_frame, *eh_frame_hdr;
	size_t eh_frame_size, eh_frame_hdr_size;
	const struct function_line *lines;
	size_t n_lines;
};

/* Appends the file. *@ret is the build-id it has got, which tells what is in it from all else. */
void function_image_put(const struct function_image *f, struct bytes *out, struct build_id *ret);
