/* SPDX-License-Identifier: MIT */
#pragma once
/* The parts of the Java runtime, for each other. Private to runtime/. */
#include "runtime/internal.h"

/* The virtual machine's own description of its structures. */
struct java_vm {
	struct java_vm_field {
		const char *type, *name;
		uint64_t value; /* an offset, or the address of a static one */
	} * fields;
	size_t n_fields;
	struct java_vm_type {
		const char *name;
		uint64_t size;
	} * types;
	size_t n_types;
	char *text; /* all names */
};

/* Reads it. @bias is that of the image. -EAGAIN: it is not there yet; -EPROTO: it makes no sense.
 */
int java_vm_read(const struct java_symbols *symbols, int pid, uint64_t bias, struct java_vm *ret);
void java_vm_done(struct java_vm *vm);

/* Finds the offset or the address of a field, or the size of a type. */
bool java_vm_find(const struct java_vm *vm, const char *type, const char *name, uint64_t *ret);
bool java_vm_find_size(const struct java_vm *vm, const char *type, uint64_t *ret);

/* Numbers as they are in memory. */
uint16_t java_u16(const uint8_t *bytes, size_t offset);
uint32_t java_u32(const uint8_t *bytes, size_t offset);
uint64_t java_u64(const uint8_t *bytes, size_t offset);

/*
 * Reads the method at @method: its name, file and lines. -EPROTO: it is none. java_method_check()
 * gives its check word.
 */
int java_method_read(const struct java_layout *y, int pid, uint64_t method,
		     struct runtime_function *to);
int java_method_check(const struct java_layout *y, int pid, uint64_t method, uint32_t *ret);

/* Appends the lines of the table @bytes, which ends with a 0. @is_new: as since version 20. */
void java_lines_read(const uint8_t *bytes, size_t n, bool is_new, struct runtime_function *to);

/* Numbers of one to five bytes. False: they end too early. */
struct java_stream {
	const uint8_t *at, *end;
	bool is_new;
};

bool java_stream_take(struct java_stream *s, uint32_t *ret);

/*
 * Reads the methods that compiled code has inlined: spots, places and functions other than the
 * first. @bytes are the first JAVA_CODE_BYTES of the nmethod at @code.
 */
int java_scopes_read(const struct java_layout *y, int pid, uint64_t code, const uint8_t *bytes,
		     struct runtime_code *to);

/* The part of the head of compiled code that is read. */
#define JAVA_CODE_BYTES 512
