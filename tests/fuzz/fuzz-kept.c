/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes the cached symbols, types and answers of DWARF and of code, which other programs may be
 * able to write. They are refused, or every lookup ends and gives names that can be read.
 *
 * The first byte chooses the kind of cache that the rest is. The seal is made here, so that the
 * file is not refused for that alone.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/sealed-file.h"
#include "base/text.h"
#include "symbol/kept-symbols.h"
#include "symbol/source-answers.h"
#include "symbol/table.h"
#include "code/types/object.h"
#include "code/types/type-answers.h"
#include "dwarf/unwind/code-answers.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const uint64_t addresses[] = { 0, 1, 0x1000, 0x7000, 0xffff800080000000, UINT64_MAX };

static void look_at(const char *name, size_t size)
{
	if (name && strlen(name) > size)
		abort();
}

static void try_symbols(const char *path, size_t size)
{
	struct symbol_table t;

	symbol_table_init(&t, NULL);
	if (kept_symbols_open(path, 1, &t) >= 0) {
		for (size_t i = 0; i < ARRAY_SIZE(addresses); i++) {
			const struct symbol *s = symbol_table_find(&t, addresses[i]);

			look_at(s ? s->name : NULL, size);
			symbol_table_find_called(&t, addresses[i]);
		}
		symbol_table_find_name(&t, "no such name");
	}
	symbol_table_done(&t);
}

static void try_answers(const char *path, size_t size)
{
	struct source_answers a = { 0 };
	struct source_answer found;

	source_answers_open(&a, path, 1);
	for (size_t i = 0; i < ARRAY_SIZE(addresses); i++) {
		if (!source_answers_find(&a, addresses[i], &found))
			continue;
		for (size_t k = 0; k < found.n; k++) {
			look_at(found.frames[k].name, size);
			look_at(found.frames[k].file, size);
		}
	}
	source_answers_add(&a, &(struct source_answer){ .link = 0x2000 });
	source_answers_write(&a, path, 1);
	source_answers_done(&a);
}

static void try_code(const char *path, size_t size)
{
	struct code_answers a = { 0 };
	bool found;

	(void)size;
	code_answers_open(&a, path, 1);
	for (size_t i = 0; i < ARRAY_SIZE(addresses); i++)
		code_answers_find(&a, addresses[i], CODE_ENDS_HANDLERS, &found);
	code_answers_add(&a, 0x2000, CODE_IS_LEAF, true);
	code_answers_write(&a, path, 1);
	code_answers_done(&a);
}

static void try_type(const struct type_answer *a, size_t size)
{
	_cleanup_(text_done) struct text field = TEXT_EMPTY;
	_cleanup_(freep) char *name = c_type_name(a->type);

	look_at(name, size + 256);
	c_type_size(a->type);
	object_field_text(&(struct object_place){ a->type, (int64_t)a->offset }, a->size, &field);
}

static void try_types(const char *path, size_t size)
{
	struct type_answers a = { 0 };
	struct type_answer found;

	type_answers_open(&a, path, 1);
	for (size_t i = 0; i < ARRAY_SIZE(addresses); i++)
		if (type_answers_find(&a, addresses[i], &found) && found.status == ACCESS_TYPED)
			try_type(&found, size);
	type_answers_add(&a, &(struct type_answer){ .link = 0x2000, .status = ACCESS_NO_VARIABLE });
	type_answers_write(&a, path, 1);
	type_answers_done(&a);
}

static const struct {
	uint64_t kind;
	void (*try)(const char *path, size_t size);
} kinds[] = {
	{ SOURCE_ANSWERS_KIND, try_answers },
	{ KEPT_SYMBOLS_KIND, try_symbols },
	{ CODE_ANSWERS_KIND, try_code },
	{ TYPE_ANSWERS_KIND, try_types },
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char path[] = "/tmp/fuzz-kept-XXXXXX";
	_cleanup_(freep) uint8_t *whole = xmalloc(SEALED_HEADER_SIZE + size);
	_cleanup_(closep) int fd = mkstemp(path);
	size_t kind = size ? data[0] % ARRAY_SIZE(kinds) : 0;
	size_t n = size ? size - 1 : 0;

	if (n)
		memcpy(whole + SEALED_HEADER_SIZE, data + 1, n);
	sealed_file_seal(whole, kinds[kind].kind, 1, n);
	if (fd < 0 || write(fd, whole, SEALED_HEADER_SIZE + n) != (ssize_t)(SEALED_HEADER_SIZE + n))
		abort();
	kinds[kind].try(path, size);
	unlink(path);
	return 0;
}
