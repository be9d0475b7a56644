/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Where the values of a call go: a line of text, or JSON. The decoders (value-*.c) say once what a
 * value consists of; these functions write it in either form. For tools/trace/value-view*.c only.
 *
 *	text, with names:	{ .family: INET, .port: 80 }	[1, 2]		"abc"...
 *	text, without:		{INET, 80}			[1, 2]		"abc"...
 *	JSON:			{"family": "AF_INET", "port": 80}, [1, 2], "abc"
 *
 * Text is for people and shows what a C program would write, without prefixes if these are not
 * wanted. JSON is for programs: names have their prefix, pointers are strings "0x1f", NULL is null.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "arch/syscall/values.h"
#include "base/text.h"
#include "tools/trace/kept-call-model.h"

struct json;
struct trace_tasks;

struct trace_value_style {
	bool shows_prefix;         /* O_RDONLY, not RDONLY */
	bool shows_names;          /* "fd: 3", not "3": also for members of structs */
	bool shows_zeros;          /* arguments that are 0, too */
	bool prefers_btf;          /* structs as the kernel's BTF has them */
	bool shows_all;            /* -v: members of little use, whole structs */
	struct trace_tasks *tasks; /* for the names of tasks and paths of descriptors */
	/* A struct and an enum of the kernel by name, from BTF; each may be NULL, or return it. */
	const struct struct_layout *(*layout)(void *arg, const char *name);
	const struct value_table *(*enumeration)(void *arg, const char *name);
	void *btf;
};

struct value_out {
	struct text *text; /* NULL: JSON */
	struct json *json;
	const struct trace_value_style *style;
	const struct trace_call *call;
	enum syscall_abi abi;
	bool is_filled; /* text: something stands in the innermost braces already */
	bool is_cut;    /* JSON: there was more than could be shown */
	uint8_t depth;  /* of structs in structs */
};

/* A word of an argument, a member or a result. */
struct value_word {
	uint64_t value;
	uint8_t kind;  /* enum arg_kind */
	uint8_t bytes; /* 1, 2, 4, 8 */
	const struct value_table *values;
};

/* text_add_bytes() where it is called: a few characters are a store or two. */
static inline void put(struct text *t, const char *s, size_t n)
{
	char *at = text_room(t, n);

	text_filled(t, (char *)mempcpy(at, s, n));
}

/* Plain numbers. 0 is NULL as a pointer. */
void out_signed(struct value_out *o, int64_t v);
void out_unsigned(struct value_out *o, uint64_t v);
void out_hex(struct value_out *o, uint64_t v);
void out_octal(struct value_out *o, uint64_t v);
void out_pointer(struct value_out *o, uint64_t v);

/* A name; @prefix is left out of text unless the style wants it. */
void out_name(struct value_out *o, const char *prefix, const char *name);

/* Text that is harmless and needs no quotes in a line: "127.0.0.1". A string in JSON. */
void out_plain(struct value_out *o, const char *s);

/* Bytes from outside, in quotes and escaped; "..." behind it: there was more. */
void out_string(struct value_out *o, const void *bytes, size_t n, bool is_cut);

/*
 * Contents of buffers. The same, but without quotes if names of arguments are not shown: so does
 * Linux's perf, and its tests want it.
 */
void out_buffer(struct value_out *o, const void *bytes, size_t n, bool is_cut);

/* A struct: begin, then each member is a name and one value, end. @is_cut: members are missing. */
void out_struct_begin(struct value_out *o);
void out_member(struct value_out *o, const char *name);
void out_struct_end(struct value_out *o, bool is_cut);

/* An array: begin, out_element() before each value, end. @is_cut: there are more. */
void out_array_begin(struct value_out *o);
void out_element(struct value_out *o);
void out_array_end(struct value_out *o, bool is_cut);

/* Flags and enumerations by their tables; a table that is NULL gives a number. */
void out_flags(struct value_out *o, const struct value_table *t, uint64_t v);
void out_enum(struct value_out *o, const struct value_table *t, const struct value_word *w);

/* Up to 8 bytes of memory as a number, in the order of all ABIs that we know: the lowest first. */
uint64_t value_load(const uint8_t *bytes, unsigned size);

/* Of a long and a pointer. */
unsigned value_long_bytes(const struct value_out *o);

/* The same with the sign of a number of @bytes bytes. */
int64_t value_sign(uint64_t v, unsigned bytes);

/* Any word that is no pointer, and pointers as such. */
void out_word(struct value_out *o, const struct value_word *w);

/* Permissions and type of a file. */
void out_mode(struct value_out *o, uint64_t v);

/* A command of ioctl(); and an argument of which only a command that is not known tells more. */
void out_ioctl_command(struct value_out *o, const struct value_word *w);
void out_command_arg(struct value_out *o, uint64_t v);

/* A bit for each argument of this call that has no meaning, because of the others. */
unsigned value_unused(const struct trace_call *c);

/* The newest copy of what argument @arg points to; NULL: none, or it could not be read. */
const struct call_data *value_data(const struct value_out *o, unsigned arg, unsigned part);

/* What argument @arg points to; false: nothing was copied, and nothing was written. */
bool out_memory(struct value_out *o, unsigned arg, const struct syscall_arg *a);

/*
 * Pieces of memory, by what they are. All lengths and counts may lie. A struct shows the members
 * that @n bytes have: programs may know only the beginning.
 */
void out_struct(struct value_out *o, const struct struct_layout *l, const uint8_t *bytes, size_t n);
void out_structs(struct value_out *o, const struct struct_layout *l, const struct call_data *d);
void out_sockaddr(struct value_out *o, const uint8_t *bytes, size_t n);
void out_wait_status(struct value_out *o, uint32_t status);
void out_sigset(struct value_out *o, const uint8_t *bytes, size_t n);
void out_fdset(struct value_out *o, const uint8_t *bytes, size_t n, uint64_t n_fds);
void out_dirents(struct value_out *o, const struct call_data *d);

/* An array of struct iovec that is part @part of argument @arg; its bytes are the next parts. */
void out_iovec(struct value_out *o, unsigned arg, unsigned part);
void out_msghdr(struct value_out *o, unsigned arg, const struct call_data *d);
void out_mmsghdr(struct value_out *o, unsigned arg, const struct call_data *d);
