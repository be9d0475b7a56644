/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The code of functions: the bytes that ran, out of the image's file, the kernel's or a jitdump.
 *
 * A function is asked for by its symbol. Its code has link addresses, as every tool shows them;
 * code_place() translates these to the addresses that symbols are found by. A store keeps the files
 * open; any thread may ask.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"

struct code_file;
struct code_store;
struct diag;
struct image;
struct symbol;
struct symbolizer;

struct code_store *code_store_new(void);
void code_store_free(struct code_store *s);
DEFINE_FREEP(code_store)

/* Of a longer function only this much is shown. */
#define CODE_SIZE_MAX (2u << 20)

struct code {
	const struct arch *arch;
	uint64_t start; /* link address */
	uint8_t *bytes; /* owned */
	size_t n;
	const char *section; /* ".text"; it belongs to the store */
	struct code_file *file;
};

/*
 * Reads the code of @sym, a function of @im. A negative errno with @diag: why there is none, and
 * what helps.
 */
int code_read(struct code_store *s, struct image *im, const struct symbol *sym, struct code *ret,
	      struct diag *diag);
void code_done(struct code *c);

/*
 * Reads @n bytes at @addr, which image_symbol_find() takes too; of code in a jitdump, nothing.
 * Returns how many there are.
 */
size_t code_read_at(struct code_store *s, struct image *im, uint64_t addr, void *bytes, size_t n);

/*
 * A number that is another one if the file with the code of @im has changed; 0: there is none, or
 * the code may change while it runs, as the kernel's does.
 */
uint64_t code_identity(struct code_store *s, struct image *im);

/*
 * Translates @addr, a link address of @c, to what image_symbol_find() takes. False: it is not in
 * the file.
 */
bool code_place(const struct code *c, uint64_t addr, uint64_t *ret);
