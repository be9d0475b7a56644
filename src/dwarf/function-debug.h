/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Debug information of functions, as bytes. Private to dwarf/function-*.c.
 */
struct bytes;
struct function_image;

/* Append the contents of .debug_line, .debug_info and .debug_abbrev (DWARF 4). */
void function_lines_put(const struct function_image *f, struct bytes *out);
void function_info_put(const struct function_image *f, struct bytes *out);
void function_abbrev_put(struct bytes *out);
