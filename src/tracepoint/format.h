/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The format of a tracepoint's records: its fields and the kernel's way to print them, from the
 * text of events/SYSTEM/NAME/format (or the copy of it in a perf.data file, so the text is not
 * trusted).
 *
 * The field list, one line for each field, is parsed here. The print fmt, which is C, is parsed by
 * plan.h, when text is needed. libtraceevent parses both or nothing, takes 95 ms for the 2,086
 * formats of a 6.18 kernel, of which the fields alone take 5, and treats byte arrays (u8 saddr[4])
 * as strings. Everything else about the 19,372 fields of those formats is equal. A format owns its
 * texts.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"

struct diag;

struct tracepoint_field {
	char *declaration; /* as written by the kernel: "char prev_comm[16]" */
	char *name;        /* "prev_comm" */
	char *type;        /* the declaration without the name: "char[16]" */
	uint32_t offset;   /* within the record, and the size there, in bytes */
	uint32_t size;
	bool is_signed;
	bool is_common;      /* one of those at the beginning of every record */
	bool is_array;       /* of fixed or dynamic length */
	bool is_string;      /* an array of char */
	bool is_pointer;     /* an address in the traced program or the kernel */
	bool is_dynamic;     /* __data_loc: length << 16 | offset of the array within the record */
	bool is_rel_dynamic; /* __rel_loc: likewise, but counted from the field's end */
};

struct tracepoint_format {
	char *name; /* "" if the text does not contain it */
	uint64_t id;
	struct tracepoint_field *fields; /* in the order of the text, the common ones first */
	size_t n_fields;
	char *print_fmt; /* the text after "print fmt: "; "" if there is none */
};

/*
 * Parses @text. A list without fields is valid. Returns -EBADMSG if it is not a format; @diag marks
 * the mistake in its line.
 */
int tracepoint_format_parse(const char *text, struct tracepoint_format **ret, struct diag *diag);
void tracepoint_format_free(struct tracepoint_format *f);
DEFINE_FREEP(tracepoint_format)

/*
 * Finds a field by its exact name, or returns NULL. The event's own fields hide common fields of
 * the same name.
 */
const struct tracepoint_field *tracepoint_field_find(const struct tracepoint_format *f,
						     const char *name);
