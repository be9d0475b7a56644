/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Texts among the variables of a section, by BTF: what BPF programs say of themselves.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct btf;

/* A variable that is an array of characters. */
struct btf_section_text {
	const char *name;    /* borrowed from BTF */
	uint32_t at, length; /* in the section */
};

/*
 * Variable @i of the section that is type @section of @btf, if it is an array of bytes. False:
 * there is no such variable, and none behind it. One of another type has the length 0.
 */
bool btf_section_text(const struct btf *btf, uint32_t section, size_t i,
		      struct btf_section_text *ret);
