/* SPDX-License-Identifier: MIT */
/*
 * LLVM's disassembler through its C interface (llvm-c/Disassembler.h), which has not changed since
 * LLVM 6. It is declared here, so LLVM is needed neither to build nor to start.
 */
#include <config.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "arch/arch.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "code/decoder.h"
#include "code/target.h"

/* Versions to try. Before version 14, LLVM writes messages about unknown features to stderr. */
#define OLDEST 14
#define NEWEST 32

/* LLVMDisassembler_Option_* */
#define PRINT_IMM_HEX       2u
#define ASM_PRINTER_VARIANT 4u

typedef void *create_fn(const char *triple, const char *cpu, const char *features, void *info,
			int tag, void *operand_info, void *symbol_lookup);

struct llvm {
	void *context;
	void (*dispose)(void *context);
	size_t (*disassemble)(void *context, uint8_t *bytes, uint64_t n, uint64_t pc, char *text,
			      size_t room);
};

/* Opens "libLLVM-15.so.1"; from 18 on also "libLLVM.so.18.1". */
static void *open_version(int version)
{
	char name[32];
	void *library;

	snprintf(name, sizeof(name), "libLLVM.so.%d.1", version);
	library = version >= 18 ? dlopen(name, RTLD_LAZY | RTLD_LOCAL) : NULL;
	if (library)
		return library;
	snprintf(name, sizeof(name), "libLLVM-%d.so.1", version);
	library = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
	if (library)
		return library;
	snprintf(name, sizeof(name), "libLLVM-%d.so", version);
	return dlopen(name, RTLD_LAZY | RTLD_LOCAL);
}

static void *decoder_llvm_open_newest(int *ret_version)
{
	for (int version = NEWEST; version >= OLDEST; version--) {
		void *library = open_version(version);

		if (!library)
			continue;
		*ret_version = version;
		return library;
	}
	return NULL;
}

static bool decoder_llvm_initialize(void *library, const char *target)
{
	static const char *const parts[] = { "TargetInfo", "TargetMC", "Disassembler" };

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		_cleanup_(freep) char *name = xasprintf("LLVMInitialize%s%s", target, parts[i]);
		void (*fn)(void) = dlsym(library, name);

		if (!fn)
			return false;
		fn();
	}
	return true;
}

/* Sets options one by one. A new printer loses those that were set before, so the order matters. */
static void decoder_llvm_set_options(void *library, const struct llvm *l, bool intel)
{
	int (*set)(void *, uint64_t) = dlsym(library, "LLVMSetDisasmOptions");

	if (!set)
		return;
	if (intel)
		set(l->context, ASM_PRINTER_VARIANT);
	set(l->context, PRINT_IMM_HEX);
}

static void llvm_free(void *decoder)
{
	struct llvm *l = decoder;

	if (l->context)
		l->dispose(l->context);
	/* The library stays loaded, because loading is slow and the next disassembler needs it. */
	free(l);
}

static bool decoder_llvm_connect(struct llvm *l, void *library, const struct disasm_target *t,
				 int version)
{
	create_fn *create = dlsym(library, "LLVMCreateDisasmCPUFeatures");

	l->dispose = dlsym(library, "LLVMDisasmDispose");
	l->disassemble = dlsym(library, "LLVMDisasmInstruction");
	if (!create || !l->dispose || !l->disassemble ||
	    !decoder_llvm_initialize(library, t->llvm.name))
		return false;
	l->context = create(t->arch->triple, "",
			    version > 14 ? t->llvm.features : t->llvm.features_14, NULL, 0, NULL,
			    NULL);
	return l->context;
}

static void *llvm_make(const struct disasm_target *t, bool intel)
{
	int version = 0;
	void *library = HAVE_LLVM ? decoder_llvm_open_newest(&version) : NULL;

	if (!library)
		return NULL;

	struct llvm *l = xcalloc(1, sizeof(*l));

	if (!decoder_llvm_connect(l, library, t, version)) {
		llvm_free(l);
		return NULL;
	}
	if (t->has_syntaxes)
		decoder_llvm_set_options(library, l, intel);
	return l;
}

static size_t llvm_decode(void *decoder, const uint8_t *bytes, size_t n, uint64_t addr, char *text,
			  size_t room)
{
	struct llvm *l = decoder;

	/* The parameter is not const, but LLVM does not change the bytes. */
	return l->disassemble(l->context, (uint8_t *)bytes, n, addr, text, room);
}

const struct decoder_type decoder_llvm = {
	.make = llvm_make,
	.free = llvm_free,
	.decode = llvm_decode,
};
