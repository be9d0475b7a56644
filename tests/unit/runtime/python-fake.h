/* SPDX-License-Identifier: MIT */
#pragma once
/* Code objects of Python in the test's own memory, with members of our own order. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "runtime/runtime.h"

struct text_object {
	uint64_t references, type, length, hash;
	uint32_t state, padding;
	uint64_t wide_head[2];
	uint8_t characters[80];
};

struct bytes_object {
	uint64_t references, type, size, hash;
	uint8_t bytes[256];
};

struct code_object {
	uint64_t references, type, size;
	uint32_t numbers[4];
	const struct text_object *file, *name;
	const struct bytes_object *lines, *code;
};

static const char code_type, text_type, bytes_type;

/* The text is in one piece (0x20), and all characters are ASCII (0x40). */
#define FAKE_TEXT_ASCII      (1 << 2 | 0x20 | 0x40)
#define FAKE_TEXT_WIDE(kind) ((kind) << 2 | 0x20)

static inline struct runtime_process fake_python_process(uint32_t version)
{
	return (struct runtime_process){
		.kind = RUNTIME_KIND_PYTHON,
		.python = {
			.code_type = (uintptr_t)&code_type,
			.text_type = (uintptr_t)&text_type,
			.bytes_type = (uintptr_t)&bytes_type,
			.object_type = offsetof(struct code_object, type),
			.code_size = offsetof(struct code_object, size),
			.code_start = offsetof(struct code_object, code),
			.check = { offsetof(struct code_object, numbers[0]),
				   offsetof(struct code_object, numbers[1]),
				   offsetof(struct code_object, numbers[2]),
				   offsetof(struct code_object, numbers[3]),
				   offsetof(struct code_object, file),
				   offsetof(struct code_object, name),
				   offsetof(struct code_object, lines) },
			.version = version,
			.name = offsetof(struct code_object, name),
			.file = offsetof(struct code_object, file),
			.lines = offsetof(struct code_object, lines),
			.first_line = offsetof(struct code_object, numbers[3]),
			.text_length = offsetof(struct text_object, length),
			.text_state = offsetof(struct text_object, state),
			.text = offsetof(struct text_object, wide_head),
			.wide_text = offsetof(struct text_object, characters),
			.kind_shift = 2,
		},
	};
}

/* A code object with all that belongs to it. */
struct fake_python {
	struct code_object code;
	struct text_object file, name;
	struct bytes_object lines, bytes;
};

static inline struct text_object fake_python_text(const char *s)
{
	struct text_object t = { .type = (uintptr_t)&text_type,
				 .length = strlen(s),
				 .state = FAKE_TEXT_ASCII };

	memcpy(t.wide_head, s, strlen(s) < 16 ? strlen(s) : 16);
	if (strlen(s) > 16)
		memcpy(t.characters, s + 16, strlen(s) - 16);
	return t;
}

static inline void fake_python_make(struct fake_python *f, uint32_t size)
{
	*f = (struct fake_python){
		.code = { .type = (uintptr_t)&code_type,
			  .size = size / 2,
			  .numbers = { 1, 0, 3, 2 },
			  .file = &f->file,
			  .name = &f->name,
			  .lines = &f->lines,
			  .code = &f->bytes },
		.file = fake_python_text("/srv/app.py"),
		.name = fake_python_text("Server.run"),
		.lines = { .type = (uintptr_t)&bytes_type },
		.bytes = { .type = (uintptr_t)&bytes_type, .size = size },
	};
}

static inline void fake_python_frame(const struct runtime_process *p, const struct fake_python *f,
				     uint64_t ret[2])
{
	uint32_t check = 0, number;

	for (int i = 0; i < PYTHON_CHECKS; i++) {
		memcpy(&number, (const char *)&f->code + p->python.check[i], sizeof(number));
		check = runtime_mix(check, number);
	}
	ret[0] = RUNTIME_FRAME(0, (uintptr_t)&f->code);
	ret[1] = RUNTIME_CHECKED(check, 0);
}

static inline int fake_python_read(const struct fake_python *f, uint32_t version,
				   struct runtime_code *ret)
{
	const struct runtime_process p = fake_python_process(version);
	uint64_t frame[2];

	fake_python_frame(&p, f, frame);
	return runtime_code_read(&p, getpid(), frame, ret);
}
