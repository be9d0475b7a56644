/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The reasons for which a guest of KVM stops running: the names of exit codes, for each kind of
 * virtualization.
 *
 * The codes are those of the tracepoint kvm:kvm_exit. Their meaning depends on the vendor of the
 * CPU on x86, and on a second number on arm64: the value with which the hypervisor returned.
 */
#include <stdbool.h>
#include <stdint.h>

enum kvm_isa {
	KVM_ISA_NONE,
	KVM_ISA_VMX,
	KVM_ISA_SVM,
	KVM_ISA_ARM64,
};

/* The tracepoint's `ret` on arm64 for an exception that the guest took to the hypervisor. */
#define KVM_ARM64_TRAP 2

/*
 * Return the kind of virtualization for a recording's name of its CPUs ("GenuineIntel,6,85,7"), or
 * NULL. These are the struct arch members of x86 and arm64. KVM_ISA_NONE: it cannot be determined.
 */
enum kvm_isa kvm_isa_of_vendor(const char *cpuid);
enum kvm_isa kvm_isa_arm64(const char *cpuid);

/* Returns the kind of virtualization for the tracepoint's field `isa` on x86. */
enum kvm_isa kvm_isa_of_field(uint64_t value);

/* Returns "VMX", "SVM" or "arm64"; "" for KVM_ISA_NONE. */
const char *kvm_isa_name(enum kvm_isa isa);

/*
 * Returns the name of @code; NULL: it has none. @is_return: on arm64, @code is the value with which
 * the hypervisor returned, which was no trap; elsewhere it is false.
 */
const char *kvm_exit_name(enum kvm_isa isa, uint64_t code, bool is_return);

/* True if the guest waits with this exit until there is something to do (HLT). */
bool kvm_exit_is_idle(enum kvm_isa isa, uint64_t code, bool is_return);
