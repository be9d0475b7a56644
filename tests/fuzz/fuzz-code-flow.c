/* SPDX-License-Identifier: MIT */
/*
 * Whatever bytes are taken for code: where they lead is found within them, and what a disassembler
 * writes, be it what it will, is rewritten within its arrays. The first byte chooses the machine,
 * the next eight the address; the rest is code, and then text.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "arch/code-flow.h"
#include "disasm/assembly-style.h"
#include "disasm/disassembler.h"

#define HEAD       9
#define LENGTH_MAX 15

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_text(const struct instruction *in)
{
	if (!memchr(in->text, '\0', sizeof(in->text)) ||
	    !memchr(in->comment, '\0', sizeof(in->comment)) || !in->lead)
		abort();
}

static void style(enum machine_type machine, struct instruction in, const uint8_t *bytes,
		  uint64_t addr)
{
	struct instruction other = in;

	if (machine == MACHINE_AARCH64) {
		assembly_style_aarch64(&in);
	} else {
		assembly_style_att(&in, bytes, addr);
		assembly_style_intel(&other, addr);
		check_text(&other);
	}
	check_text(&in);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct instruction in = { .lead = "" };
	enum machine_type machine;
	uint8_t code[LENGTH_MAX] = { 0 };
	uint64_t addr;

	if (size <= HEAD)
		return 0;
	machine = data[0] & 1 ? MACHINE_AARCH64 : MACHINE_X86_64;
	memcpy(&addr, data + 1, sizeof(addr));
	data += HEAD;
	size -= HEAD;
	in.length = size < LENGTH_MAX ? size : LENGTH_MAX;
	memcpy(code, data, in.length);
	for (size_t n = 0; n <= in.length; n++)
		in.flow = code_flow_of(machine, code, n, addr);
	size = size < sizeof(in.text) - 1 ? size : sizeof(in.text) - 1;
	memcpy(in.text, data, size);
	style(machine, in, code, addr);
	return 0;
}
