/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Why a guest of KVM stops running: the names of exit codes, for each kind of virtualization.
 *
 * The codes are those of the tracepoint kvm:kvm_exit. On x86 the vendor of the CPU decides what
 * they mean, on arm64 a second number: what the hypervisor returned with.
 */
#include <stdbool.h>
#include <stdint.h>

enum kvm_isa {
	KVM_ISA_NONE,
	KVM_ISA_VMX,
	KVM_ISA_SVM,
	KVM_ISA_ARM64,
};

/* The tracepoint's `ret` on arm64: an exception that the guest took to the hypervisor. */
#define KVM_ARM64_TRAP 2

/*
 * By what a recording calls its CPUs ("GenuineIntel,6,85,7"), or NULL: the parts of struct arch
 * that x86 and arm64 have. KVM_ISA_NONE: cannot be told.
 */
enum kvm_isa kvm_isa_of_vendor(const char *cpuid);
enum kvm_isa kvm_isa_arm64(const char *cpuid);

/* By the field `isa` of the tracepoint on x86. */
enum kvm_isa kvm_isa_of_field(uint64_t value);

/* "VMX", "SVM", "arm64"; "" of KVM_ISA_NONE. */
const char *kvm_isa_name(enum kvm_isa isa);

/*
 * The name of @code; NULL: it has none. @is_return: on arm64, @code is what the hypervisor returned
 * with, which was no trap; elsewhere it is false.
 */
const char *kvm_exit_name(enum kvm_isa isa, uint64_t code, bool is_return);

/* Does the guest wait with this exit until there is something to do (HLT)? */
bool kvm_exit_is_idle(enum kvm_isa isa, uint64_t code, bool is_return);
