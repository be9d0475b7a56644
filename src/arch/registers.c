/* SPDX-License-Identifier: MIT */
#include "arch/registers.h"

#include <limits.h>
#include <stddef.h>

#include "base/cleanup.h"

static const char *const x86[] = {
	"AX", "BX", "CX", "DX", "SI", "DI", "BP",  "SP",  "IP",  "FLAGS", "CS",  "SS",
	"DS", "ES", "FS", "GS", "R8", "R9", "R10", "R11", "R12", "R13",   "R14", "R15",
};

/* From 32 on; each takes the numbers of two 64-bit registers. */
static const char *const x86_vector[] = {
	"XMM0", "XMM1", "XMM2",  "XMM3",  "XMM4",  "XMM5",  "XMM6",  "XMM7",
	"XMM8", "XMM9", "XMM10", "XMM11", "XMM12", "XMM13", "XMM14", "XMM15",
};

static const char *const aarch64[] = {
	"x0",  "x1",  "x2",  "x3",  "x4",  "x5",  "x6",  "x7",  "x8",  "x9",  "x10",
	"x11", "x12", "x13", "x14", "x15", "x16", "x17", "x18", "x19", "x20", "x21",
	"x22", "x23", "x24", "x25", "x26", "x27", "x28", "x29", "lr",  "sp",  "pc",
};

#define X86_VECTOR_FIRST 32
#define AARCH64_VG       46

static const char *x86_name(unsigned reg)
{
	if (reg < ARRAY_SIZE(x86))
		return x86[reg];
	reg -= X86_VECTOR_FIRST;
	return reg < 2 * ARRAY_SIZE(x86_vector) ? x86_vector[reg / 2] : NULL;
}

static const char *aarch64_name(unsigned reg)
{
	if (reg < ARRAY_SIZE(aarch64))
		return aarch64[reg];
	return reg == AARCH64_VG ? "vg" : NULL;
}

const char *arch_register_name(enum machine_type machine, unsigned reg)
{
	switch (machine) {
	case MACHINE_X86_64:
		return x86_name(reg);
	case MACHINE_AARCH64:
		return aarch64_name(reg);
	case MACHINE_UNKNOWN:
		break;
	}
	return NULL;
}

#define X86_IP     8
#define X86_R8     16
#define AARCH64_PC 32

unsigned arch_register_pc(enum machine_type machine)
{
	switch (machine) {
	case MACHINE_X86_64:
		return X86_IP;
	case MACHINE_AARCH64:
		return AARCH64_PC;
	case MACHINE_UNKNOWN:
		break;
	}
	return UINT_MAX;
}

/* By the psABI of x86-64, figure 3.36: rax, rdx, rcx, rbx, rsi, rdi, rbp, rsp, r8 to r15. */
static bool x86_dwarf(unsigned reg, unsigned *ret)
{
	static const unsigned char low[] = { 0, 3, 2, 1, 4, 5, 6, 7 };

	if (reg < ARRAY_SIZE(low))
		*ret = low[reg];
	else if (reg >= X86_R8 && reg < X86_R8 + 8)
		*ret = reg - X86_R8 + 8;
	else
		return false;
	return true;
}

bool arch_register_dwarf(enum machine_type machine, unsigned reg, unsigned *ret)
{
	switch (machine) {
	case MACHINE_X86_64:
		return x86_dwarf(reg, ret);
	case MACHINE_AARCH64:
		if (reg >= AARCH64_PC)
			return false;
		*ret = reg;
		return true;
	case MACHINE_UNKNOWN:
		break;
	}
	return false;
}
