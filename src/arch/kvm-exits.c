/* SPDX-License-Identifier: MIT */
#include "arch/kvm-exits.h"

#include <stddef.h>
#include <string.h>

#include "base/cleanup.h"

struct exit_name {
	uint64_t code;
	const char *name;
};

#define KVM_EXIT(code, name) { code, name },
static const struct exit_name vmx_exits[] = {
#include "arch/kvm-vmx.def"
};
static const struct exit_name svm_exits[] = {
#include "arch/kvm-svm.def"
};
static const struct exit_name arm64_traps[] = {
#include "arch/kvm-arm64.def"
};
#undef KVM_EXIT

/* ARM_EXCEPTION_* of the kernel's asm/kvm_asm.h; the last one is HVC_STUB_ERR of asm/virt.h. */
static const struct exit_name arm64_returns[] = {
	{ 0, "IRQ" },     { 1, "SERROR" },           { KVM_ARM64_TRAP, "TRAP" },
	{ 3, "ILLEGAL" }, { 0xbadca11, "HYP_GONE" },
};

struct isa {
	const char *name;
	const struct exit_name *exits, *returns;
	size_t n_exits, n_returns;
	uint64_t idle;
};

#define VMX_HLT   12
#define SVM_HLT   0x78
#define ARM64_WFX 0x01

static const struct isa isas[] = {
	[KVM_ISA_NONE] = { .name = "" },
	[KVM_ISA_VMX] = { .name = "VMX",
			  .exits = vmx_exits,
			  .n_exits = ARRAY_SIZE(vmx_exits),
			  .idle = VMX_HLT },
	[KVM_ISA_SVM] = { .name = "SVM",
			  .exits = svm_exits,
			  .n_exits = ARRAY_SIZE(svm_exits),
			  .idle = SVM_HLT },
	[KVM_ISA_ARM64] = { .name = "arm64",
			    .exits = arm64_traps,
			    .n_exits = ARRAY_SIZE(arm64_traps),
			    .returns = arm64_returns,
			    .n_returns = ARRAY_SIZE(arm64_returns),
			    .idle = ARM64_WFX },
};

static bool starts_with(const char *s, const char *prefix)
{
	return !strncmp(s, prefix, strlen(prefix));
}

enum kvm_isa kvm_isa_of_vendor(const char *cpuid)
{
	if (cpuid && starts_with(cpuid, "GenuineIntel"))
		return KVM_ISA_VMX;
	if (cpuid && (starts_with(cpuid, "AuthenticAMD") || starts_with(cpuid, "HygonGenuine")))
		return KVM_ISA_SVM;
	return KVM_ISA_NONE;
}

enum kvm_isa kvm_isa_arm64(const char *cpuid)
{
	(void)cpuid;
	return KVM_ISA_ARM64;
}

enum kvm_isa kvm_isa_of_field(uint64_t value)
{
	return value == 1 ? KVM_ISA_VMX : value == 2 ? KVM_ISA_SVM : KVM_ISA_NONE;
}

const char *kvm_isa_name(enum kvm_isa isa)
{
	return isas[isa].name;
}

static const char *kvm_exits_find(const struct exit_name *items, size_t n, uint64_t code)
{
	for (size_t i = 0; i < n; i++)
		if (items[i].code == code)
			return items[i].name;
	return NULL;
}

const char *kvm_exit_name(enum kvm_isa isa, uint64_t code, bool is_return)
{
	const struct isa *i = &isas[isa];

	return is_return ? kvm_exits_find(i->returns, i->n_returns, code)
			 : kvm_exits_find(i->exits, i->n_exits, code);
}

bool kvm_exit_is_idle(enum kvm_isa isa, uint64_t code, bool is_return)
{
	return isa != KVM_ISA_NONE && !is_return && code == isas[isa].idle;
}
