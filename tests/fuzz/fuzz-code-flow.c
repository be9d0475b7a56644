/* SPDX-License-Identifier: MIT */
/*
 * Whatever bytes are taken for code: where they lead is found within them, and what a disassembler
 * writes, be it what it will, is rewritten within its arrays. The first byte chooses the machine,
 * the next eight the address; the rest is code, and then text.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "disasm/target.h"

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
	size = size < sizeof(in.text) - 1 ? size : sizeof(in.text) - 1;
	memcpy(in.text, data, size);
	style(target, in, code, addr);
	return 0;
}
