/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes the control flow of code: the targets of branches are found within the bytes, following
 * them ends, and any text of a disassembler is rewritten within its arrays. The first byte chooses
 * the machine and the next eight the address. The rest is code, and then text.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "code/target.h"

#define HEAD       9
#define LENGTH_MAX 15

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_text(const struct instruction *in)
{
	if (!memchr(in->text, '\0', sizeof(in->text)) ||
	    !memchr(in->comment, '\0', sizeof(in->comment)) || !in->lead)
		abort();
}

static void style(const struct disasm_target *t, struct instruction in, const uint8_t *bytes,
		  uint64_t addr)
{
	struct instruction other = in;

	t->style(&in, bytes, addr, SYNTAX_ATT);
	check_text(&in);
	t->style(&other, bytes, addr, SYNTAX_INTEL);
	check_text(&other);
}

struct code {
	const uint8_t *bytes;
	size_t n;
	uint64_t addr;
};

static size_t read_code(void *arg, uint64_t addr, void *ret, size_t n)
{
	const struct code *c = arg;
	uint64_t at = addr - c->addr;

	if (at >= c->n)
		return 0;
	n = n < c->n - at ? n : c->n - at;
	memcpy(ret, c->bytes + at, n);
	return n;
}

static void walk(const struct disasm_target *t, const uint8_t *bytes, size_t n, uint64_t addr)
{
	struct code c = { bytes, n, addr };
	struct code_frame f;

	if (t->arch->convention->frame_by_walk(read_code, &c, addr, &f) && !f.has_cfa)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct instruction in = { .lead = "" };
	const struct disasm_target *target;
	uint8_t code[LENGTH_MAX] = { 0 };
	uint64_t addr;

	if (size <= HEAD)
		return 0;
	target = data[0] & 1 ? &disasm_aarch64 : &disasm_x86_64;
	memcpy(&addr, data + 1, sizeof(addr));
	data += HEAD;
	size -= HEAD;
	in.length = size < LENGTH_MAX ? size : LENGTH_MAX;
	memcpy(code, data, in.length);
	for (size_t n = 0; n <= in.length; n++)
		in.flow = target->arch->code_flow(code, n, addr);
	walk(target, data, size, addr);
	size = size < sizeof(in.text) - 1 ? size : sizeof(in.text) - 1;
	memcpy(in.text, data, size);
	style(target, in, code, addr);
	return 0;
}
