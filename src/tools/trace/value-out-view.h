/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The output of a call's values: a line of text, or JSON. The decoders (value-*.c) describe the
 * structure of a value once; these functions write it in either form. Only for
 * tools/trace/value-view*.c.
 *
 *	text, with names:	{ .family: INET, .port: 80 }	[1, 2]		"abc"...
 *	text, without:		{INET, 80}			[1, 2]		"abc"...
 *	JSON:			{"family": "AF_INET", "port": 80}, [1, 2], "abc"
 *
 * Text is for users and looks like C source, without prefixes if these are not wanted. JSON is for
 * programs: names have their prefix, pointers are strings "0x1f", NULL is null.
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
	bool shows_prefix;         /* print O_RDONLY, not RDONLY */
	bool shows_names;          /* "fd: 3", not "3": also for members of structs */
	bool shows_zeros;          /* also arguments that are 0 */
	bool prefers_btf;          /* structs according to the kernel's BTF */
	bool shows_all;            /* -v: also members of little interest, whole structs */
	struct trace_tasks *tasks; /* provides names of tasks and paths of descriptors */
	/*
	 * Return a struct and an enum of the kernel by name, from BTF. Each may be NULL, or return
	 * NULL.
	 */
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
	bool is_filled; /* text: the innermost braces already contain something */
	bool is_cut;    /* JSON: not everything could be shown */
	uint8_t depth;  /* the depth of nested structs */
};

/* A word of an argument, a member or a result. */
struct value_word {
	uint64_t value;
	uint8_t kind;  /* enum arg_kind */
	uint8_t bytes; /* 1, 2, 4, 8 */
	const struct value_table *values;
};

/* An inline text_add_bytes(): a few characters are a store or two. */
static inline void put(struct text *t, const char *s, size_t n)
{
	char *at = text_room(t, n);

	text_filled(t, (char *)mempcpy(at, s, n));
}

/* Write plain numbers. 0 is NULL as a pointer. */
void out_signed(struct value_out *o, int64_t v);
void out_unsigned(struct value_out *o, uint64_t v);
void out_hex(struct value_out *o, uint64_t v);
void out_octal(struct value_out *o, uint64_t v);
void out_pointer(struct value_out *o, uint64_t v);

/* Writes a name. @prefix is omitted in text unless the style wants it. */
void out_name(struct value_out *o, const char *prefix, const char *name);

/*
 * Writes text that needs no escaping and no quotes in a line: "127.0.0.1". In JSON it is a string.
 */
void out_plain(struct value_out *o, const char *s);

/* Writes bytes from outside, in quotes and escaped; "..." follows if there was more. */
void out_string(struct value_out *o, const void *bytes, size_t n, bool is_cut);

/*
 * Writes the contents of buffers. It is the same, but without quotes if names of arguments are not
 * shown, as in Linux's perf, whose tests expect this.
 */
void out_buffer(struct value_out *o, const void *bytes, size_t n, bool is_cut);

/*
 * Write a struct: begin, then each member as a name and one value, end. @is_cut: members are
 * missing.
 */
void out_struct_begin(struct value_out *o);
void out_member(struct value_out *o, const char *name);
void out_struct_end(struct value_out *o, bool is_cut);

/* Write an array: begin, out_element() before each value, end. @is_cut: there are more. */
void out_array_begin(struct value_out *o);
void out_element(struct value_out *o);
void out_array_end(struct value_out *o, bool is_cut);

/* Write flags and enumerations with their tables. A table that is NULL gives a number. */
void out_flags(struct value_out *o, const struct value_table *t, uint64_t v);
void out_enum(struct value_out *o, const struct value_table *t, const struct value_word *w);

/*
 * Loads up to 8 bytes of memory as a number. The lowest byte comes first, as in all ABIs that we
 * know.
 */
uint64_t value_load(const uint8_t *bytes, unsigned size);

/* Returns the size of a long and of a pointer. */
unsigned value_long_bytes(const struct value_out *o);

/* Does the same with the sign of a number of @bytes bytes. */
int64_t value_sign(uint64_t v, unsigned bytes);

/* Writes any word: a pointer as such, other words as numbers. */
void out_word(struct value_out *o, const struct value_word *w);

/* Writes permissions and type of a file. */
void out_mode(struct value_out *o, uint64_t v);

/* Write a command of ioctl(), and an argument whose type depends on an unknown command. */
void out_ioctl_command(struct value_out *o, const struct value_word *w);
void out_command_arg(struct value_out *o, uint64_t v);

/* Returns a bit for each argument of this call that is unused, because of the other arguments. */
unsigned value_unused(const struct trace_call *c);

/*
 * Returns the newest copy of the memory to which argument @arg points. NULL: there is none, or it
 * could not be read.
 */
const struct call_data *value_data(const struct value_out *o, unsigned arg, unsigned part);

/*
 * Writes the memory to which argument @arg points. False: nothing was copied, and nothing was
 * written.
 */
bool out_memory(struct value_out *o, unsigned arg, const struct syscall_arg *a);

/*
 * Write pieces of memory, by type. Lengths and counts are not trusted. A struct shows the members
 * within @n bytes, because programs may know only its beginning.
 */
void out_struct(struct value_out *o, const struct struct_layout *l, const uint8_t *bytes, size_t n);
void out_structs(struct value_out *o, const struct struct_layout *l, const struct call_data *d);
void out_sockaddr(struct value_out *o, const uint8_t *bytes, size_t n);
void out_wait_status(struct value_out *o, uint32_t status);
void out_sigset(struct value_out *o, const uint8_t *bytes, size_t n);
void out_fdset(struct value_out *o, const uint8_t *bytes, size_t n, uint64_t n_fds);
void out_dirents(struct value_out *o, const struct call_data *d);

/*
 * Writes an array of struct iovec, which is part @part of argument @arg. The bytes of its members
 * are the next parts.
 */
void out_iovec(struct value_out *o, unsigned arg, unsigned part);
void out_msghdr(struct value_out *o, unsigned arg, const struct call_data *d);
void out_mmsghdr(struct value_out *o, unsigned arg, const struct call_data *d);
