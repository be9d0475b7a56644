/* SPDX-License-Identifier: MIT */
#include "disasm/disassembler.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/memory.h"
#include "disasm/assembly-style.h"
#include "disasm/decoder.h"

/* Of an instruction, of any machine. */
#define LENGTH_MAX 15

struct disassembler {
	enum machine_type machine;
	enum disassembler_syntax syntax;
	const struct decoder_type *type;
	void *decoder;
};

static const struct decoder_type *const decoders[] = { &decoder_llvm, &decoder_capstone };

int disassembler_syntax_parse(const char *style, enum disassembler_syntax *ret, struct diag *diag)
{
	static const struct {
		const char *name;
		enum disassembler_syntax syntax;
	} styles[] = {
		{ "att", SYNTAX_ATT },
		{ "att-mnemonic", SYNTAX_ATT },
		{ "intel", SYNTAX_INTEL },
		{ "intel-mnemonic", SYNTAX_INTEL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(styles); i++)
		if (!strcmp(style, styles[i].name)) {
			*ret = styles[i].syntax;
			return 0;
		}
	diag_set(diag, -EINVAL, "there is no disassembler style '%s'", style);
	diag_hint(diag, "intel or att, both for x86.");
	return -EINVAL;
}

int disassembler_new(enum machine_type machine, enum disassembler_syntax syntax,
		     struct disassembler **ret, struct diag *diag)
{
	_cleanup_(disassembler_freep) struct disassembler *d = xcalloc(1, sizeof(*d));

	d->machine = machine;
	d->syntax = syntax;
	if (machine == MACHINE_UNKNOWN)
		return diag_set(diag, -ENOTSUP, "code is shown for x86_64 and aarch64 only");
	for (size_t i = 0; i < ARRAY_SIZE(decoders) && !d->decoder; i++) {
		d->type = decoders[i];
		d->decoder = d->type->make(machine, syntax == SYNTAX_INTEL);
	}
	if (!d->decoder) {
		diag_set(diag, -ENOTSUP, "there is no library to disassemble with");
		diag_hint(diag, "Install LLVM's: apt install llvm, or dnf install llvm-libs.");
		return -ENOTSUP;
	}
	*ret = TAKE(d);
	return 0;
}

void disassembler_free(struct disassembler *d)
{
	if (!d)
		return;
	if (d->decoder)
		d->type->free(d->decoder);
	free(d);
}

/* One unit of what cannot be decoded, as objdump shows it. */
static void take_unknown(const struct disassembler *d, const uint8_t *bytes, size_t n,
			 struct instruction *ret)
{
	ret->is_unknown = true;
	ret->flow = (struct code_flow){ .kind = FLOW_ON };
	if (d->machine == MACHINE_AARCH64 && n >= 4) {
		ret->length = 4;
		snprintf(ret->text, sizeof(ret->text), ".inst\t0x%02x%02x%02x%02x ; undefined",
			 bytes[3], bytes[2], bytes[1], bytes[0]);
		return;
	}
	ret->length = 1;
	if (d->machine == MACHINE_AARCH64)
		snprintf(ret->text, sizeof(ret->text), ".byte\t0x%02x", bytes[0]);
	else
		snprintf(ret->text, sizeof(ret->text), "(bad)");
}

static void trim(char *text)
{
	size_t lead = strspn(text, "\t "), n = strlen(text);

	while (n > lead && strchr("\t\n ", text[n - 1]))
		n--;
	memmove(text, text + lead, n - lead);
	text[n - lead] = '\0';
}

/* LLVM takes some prefixes of x86 for instructions of their own. */
static bool is_prefix(const char *text)
{
	static const char *const prefixes[] = { "lock",     "rep",      "repne",  "notrack",
						"xacquire", "xrelease", "data16", "cs" };

	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++)
		if (!strcmp(text, prefixes[i]))
			return true;
	return false;
}

static size_t decode(struct disassembler *d, const uint8_t *bytes, size_t n, uint64_t addr,
		     char *text)
{
	char rest[INSTRUCTION_TEXT_MAX];
	size_t length = d->type->decode(d->decoder, bytes, n, addr, text, INSTRUCTION_TEXT_MAX);
	size_t more = 0, used;

	trim(text);
	if (d->machine == MACHINE_X86_64 && length && length < n && is_prefix(text))
		more = decode(d, bytes + length, n - length, addr + length, rest);
	if (!more)
		return length;
	used = strlen(text);
	snprintf(text + used, INSTRUCTION_TEXT_MAX - used, " %s", rest);
	return length + more;
}

void disassemble(struct disassembler *d, const uint8_t *bytes, size_t n, uint64_t addr,
		 struct instruction *ret)
{
	ret->is_unknown = false;
	ret->lead = "";
	ret->text[0] = ret->comment[0] = '\0';
	n = n < LENGTH_MAX ? n : LENGTH_MAX;
	ret->length = decode(d, bytes, n, addr, ret->text);
	if (!ret->length || ret->length > n) {
		take_unknown(d, bytes, n, ret);
		return;
	}
	ret->flow = code_flow_of(d->machine, bytes, ret->length, addr);
	if (d->machine == MACHINE_AARCH64)
		assembly_style_aarch64(ret);
	else if (d->syntax == SYNTAX_ATT)
		assembly_style_att(ret, bytes, addr);
	else
		assembly_style_intel(ret, addr);
}
