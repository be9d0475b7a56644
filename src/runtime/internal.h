/* SPDX-License-Identifier: MIT */
#pragma once
/* The form of a runtime and of its image, shared by the runtimes. Private to runtime/. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/code.h"
#include "runtime/runtime-types.h"

struct arch;
struct cfi_rules;
struct elf_file;
struct runtime_libc;

/* A symbol of an image; start 0: the image does not have it. Link addresses. */
struct runtime_symbol {
	uint64_t start, size;
};

struct runtime_wanted {
	const char *name;
	size_t offset; /* of its struct runtime_symbol in struct runtime_image */
};

struct runtime_image {
	const struct runtime_type *type;
	const struct arch *arch; /* NULL: its machine is not known */
	struct runtime_range ranges[RUNTIME_RANGES_MAX];
	uint32_t n_ranges;
	union {
		struct python_symbols {
			struct runtime_symbol state, code_type, frame_type, text_type, bytes_type,
				loop, get_key, get_state, get_holder, version;
		} python;
		struct php_symbols {
			struct runtime_symbol loop, globals, get_version, get_kind;
		} php;
		struct ruby_symbols {
			struct runtime_symbol eval, exec, exec_core, version, thread, symbols;
		} ruby;
		struct v8_symbols {
			struct runtime_symbol described; /* one of V8's own description */
			struct runtime_symbol major, minor, builtins, builtins_size, without_rules;
			struct v8_layout layout; /* without what depends on the process */
		} v8;
		struct java_symbols {
			struct runtime_symbol fields, field_size, field_type, field_name,
				field_is_static, field_offset, field_address;
			struct runtime_symbol types, type_size, type_name, type_bytes;
		} java;
	};
};

/*
 * A kind of runtime. accept() gives the image's ranges; find() those of a process that are not a
 * part of the image, and how frames are walked; read() the functions of a code object.
 */
struct runtime_type {
	enum runtime_kind kind;
	/* The symbols that are looked up; the first one must exist. The last name is NULL. */
	const struct runtime_wanted *wanted;
	/* False: the image is not one of it after all. */
	bool (*accept)(struct runtime_image *im, struct elf_file *file);
	/* Does more, if it is not NULL, that takes the image's code. False: as above. */
	bool (*search)(struct runtime_image *im, struct elf_file *file, struct cfi_rules *rules);
	int (*find)(const struct runtime_image *im, int pid, uint64_t bias,
		    const struct runtime_libc *libc, struct runtime_process *ret);
	int (*read)(const struct runtime_process *p, int pid, const uint64_t frame[2],
		    struct runtime_code *ret);
};

extern const struct runtime_type runtime_python;
extern const struct runtime_type runtime_php;
extern const struct runtime_type runtime_ruby;
extern const struct runtime_type runtime_v8;
extern const struct runtime_type runtime_java;

/* Returns the code of the function @s in a process that has mapped @im @bias bytes higher. */
struct thread_code runtime_image_code(const struct runtime_image *im,
				      const struct runtime_symbol *s, int pid, uint64_t bias);

/* Adds a range. False: there are too many. */
bool runtime_image_add_range(struct runtime_image *im, uint64_t start, uint64_t end, bool is_code);
bool runtime_process_add_range(struct runtime_process *p, uint64_t start, uint64_t end,
			       bool is_code);

/*
 * Finds Ruby's loop in an image without symbols, and adds its ranges. False: it is not as expected.
 */
bool ruby_loop_search(struct runtime_image *im, struct elf_file *file, struct cfi_rules *rules);
