/* SPDX-License-Identifier: MIT */
#include "code/disassembler.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/text.h"
#include "code/decoder.h"
#include "code/target.h"

/* The length of the longest instruction of any machine. */
#define LENGTH_MAX 15

struct disassembler {
	const struct disasm_target *target;
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

static int refuse_machine(struct diag *diag)
{
	struct text names = TEXT_EMPTY;

	for (size_t i = 0; disasm_targets[i]; i++)
		text_addf(&names, "%s%s", i ? " and " : "", disasm_targets[i]->arch->names[0]);
	diag_set(diag, -ENOTSUP, "code is shown for %s only", names.chars);
	text_done(&names);
	return -ENOTSUP;
}

int disassembler_new(const struct arch *arch, enum disassembler_syntax syntax,
		     struct disassembler **ret, struct diag *diag)
{
	_cleanup_(disassembler_freep) struct disassembler *d = xcalloc(1, sizeof(*d));

	d->target = disasm_target_find(arch);
	d->syntax = syntax;
	if (!d->target)
		return refuse_machine(diag);
	for (size_t i = 0; i < ARRAY_SIZE(decoders) && !d->decoder; i++) {
		d->type = decoders[i];
		d->decoder = d->type->make(d->target, syntax == SYNTAX_INTEL);
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

static void disassembler_trim(char *text)
{
	size_t lead = strspn(text, "\t "), n = strlen(text);

	while (n > lead && strchr("\t\n ", text[n - 1]))
		n--;
	memmove(text, text + lead, n - lead);
	text[n - lead] = '\0';
}

static bool disassembler_is_prefix(const struct disasm_target *t, const char *text)
{
	for (const char *const *p = t->prefixes; p && *p; p++)
		if (!strcmp(text, *p))
			return true;
	return false;
}

static size_t disassembler_decode(struct disassembler *d, const uint8_t *bytes, size_t n,
				  uint64_t addr, char *text)
{
	char rest[INSTRUCTION_TEXT_MAX];
	size_t length = d->type->decode(d->decoder, bytes, n, addr, text, INSTRUCTION_TEXT_MAX);
	size_t more = 0, used;

	disassembler_trim(text);
	if (length && length < n && disassembler_is_prefix(d->target, text))
		more = disassembler_decode(d, bytes + length, n - length, addr + length, rest);
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
	ret->length = disassembler_decode(d, bytes, n, addr, ret->text);
	if (!ret->length || ret->length > n) {
		ret->is_unknown = true;
		ret->flow = (struct code_flow){ .kind = FLOW_ON };
		d->target->style_unknown(ret, bytes, n);
		return;
	}
	ret->flow = d->target->arch->code_flow(bytes, ret->length, addr);
	d->target->style(ret, bytes, addr, d->syntax);
}
