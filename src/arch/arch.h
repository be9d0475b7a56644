/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What differs from machine to machine: one const struct arch for each, in a file of its own
 * (x86_64.c, aarch64.c, ...), all of them in every build. docs/howto/add-machine.md says how to
 * add one.
 *
 * The data's machine decides which one is used: e_machine of an ELF file, or the name that a
 * recording has of its machine; the host's only where the host's kernel is asked. NULL stands for
 * an unknown machine. A part of a struct arch that is NULL or 0 is not known of that machine.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch/code-flow.h"
#include "arch/code-frame.h"
#include "arch/kvm-exits.h"

struct arch_operand;

#define ARCH_NO_REGISTER UINT8_MAX
#define ARCH_NO_TRAP     UINT16_MAX

/* A register that samples can carry. */
struct arch_register {
	const char *name;  /* as perf prints it; NULL: no register has this number */
	const char *probe; /* "%ax": as the kernel's probes call it; NULL: they cannot read it */
	uint8_t dwarf;     /* DWARF's number, or ARCH_NO_REGISTER */
};

/* Registers by the numbers of the kernel's uapi/asm/perf_regs.h. */
struct arch_registers {
	const struct arch_register *items;
	size_t n;
	uint8_t pc, sp;
	uint8_t lr;        /* the link register; ARCH_NO_REGISTER: calls push the return address */
	uint64_t sampled;  /* mask of those that every kernel can sample */
	uint64_t optional; /* more in user mode, on CPUs whose AT_HWCAP has a bit of @hwcap */
	unsigned long hwcap;
	/* Offsets in the kernel's struct pt_regs, of the first @n_trap; or ARCH_NO_TRAP. */
	const uint16_t *trap;
	size_t n_trap;
};

/* A register in the frame that the kernel builds for a signal handler. */
struct arch_saved {
	uint8_t dwarf;   /* DWARF's number of the register */
	uint16_t offset; /* from the stack pointer */
};

/*
 * How the kernel keeps the registers of user mode while it runs itself (struct pt_regs), for
 * programs in the kernel: offsets in bytes.
 */
struct arch_trap {
	uint16_t pc, sp, fp;
	uint16_t lr;                    /* 0: there is no link register */
	uint16_t mode;                  /* of the word that tells the mode: */
	uint16_t user_mask, user_value; /* user mode */
	uint16_t native_mask,
		native_value; /* user mode of this machine, and not of its 32-bit kin */
};

/* More bytes than the longest call has. */
#define ARCH_CALL_SIZE_MAX 8

/* What functions agree upon when they build their frames; registers have DWARF's numbers. */
struct arch_convention {
	uint8_t sp, fp, pc;
	uint8_t lr; /* ARCH_NO_REGISTER: calls push the return address */
	/*
	 * A frame record: the caller's frame pointer and the return address. The CFA is the frame
	 * pointer plus @cfa; the other offsets count from the CFA.
	 */
	struct {
		int8_t cfa, ra, fp;
		bool hides_sp; /* a record may lie anywhere in its frame, so that the caller's sp is
				  not known */
	} record;
	/*
	 * Where return addresses can be signed (pointer authentication), the signature is in the
	 * bits above the address. These are the numbers of bits that user addresses may have, the
	 * most usual first, 0 last.
	 */
	uint8_t address_bits[4];
	/* Has the address for what a function returns, if that does not fit into registers. */
	uint8_t result_address;
	/*
	 * Bytes from the thread pointer to the thread-local storage of the program; 0: the storage
	 * ends at the thread pointer.
	 */
	uint8_t thread_header;
	/* The code that handlers return to, and the frame that it finds (struct rt_sigframe). */
	struct {
		const uint8_t *code;
		size_t size;
		const struct arch_saved *saved;
		size_t n_saved;
	} signal;
	/* Whether a call ends with the last of the @n bytes at @code. */
	bool (*ends_call)(const uint8_t *code, size_t n);
	const struct code_frames *code; /* NULL: where there is CFI, it is right */
	/* The frame at @addr, by following code without CFI until it returns. */
	bool (*frame_by_walk)(code_read_fn *read, void *arg, uint64_t addr, struct code_frame *ret);
	const struct arch_trap *trap; /* NULL: not known */
};

/* What probes can fetch, and where the parameters of a function are when it begins. */
struct arch_probes {
	const char *const *more_names; /* registers that the kernel knows besides arch_register's */
	const char *summary;           /* all of them, for a message */
	const uint8_t *arguments;      /* DWARF's numbers of the registers for parameters */
	size_t n_arguments;
	uint8_t first_on_stack; /* offset of the first parameter that is on the stack */
	bool copies_large;      /* a structure of more than 16 bytes is passed by its address */
	/*
	 * The kernel's name for the register that assemblers call @name, of @n characters. False:
	 * it is no register.
	 */
	bool (*find_register)(const char *name, size_t n, char ret[8]);
};

/* The procedure linkage table: stubs that jump to functions of other files. */
struct arch_plt {
	uint16_t header, entry; /* bytes of the first stub, which binds names, and of the others */
	/* Relocations of the words that stubs jump through; 0: all that the table has. */
	uint32_t jump_slot, irelative;
	/* Relocations of words of the GOT: the address of a symbol (also of those that the stubs of
	 * .plt.got jump through), an address of the file, and the same of thread-local storage. */
	uint32_t glob_dat, absolute, relative, thread;
	/* The size of the first stub in the @n bytes at @code; NULL: always @entry. */
	size_t (*entry_size)(const uint8_t *code, size_t n);
	/* The word that the stub at @addr jumps through. NULL: .plt.got is not understood. */
	bool (*jump_word)(const uint8_t *code, size_t n, uint64_t addr, uint64_t *ret);
};

struct arch {
	const char *const *names; /* in recordings (uname -m), the usual one first, NULL behind */
	const char *triple;   /* "x86_64-linux-gnu": of compilers, and of folders of libraries */
	uint16_t elf_machine; /* EM_* */
	uint8_t instruction_size;     /* of all instructions; 0: they differ */
	bool has_mapping_symbols;     /* $x, $d, ... tell code from data in symbol tables */
	bool has_split_weights;       /* PERF_SAMPLE_WEIGHT_STRUCT: several latencies in a weight */
	const char *exception_prefix; /* of the functions that kernel exceptions enter */
	const struct arch_registers *registers;
	const struct arch_convention *convention;
	const struct arch_probes *probes;
	const struct arch_plt *plt;
	/* Where the one instruction in the @n bytes at @addr leads. */
	struct code_flow (*code_flow)(const uint8_t *bytes, size_t n, uint64_t addr);
	/* How guests of KVM run, on CPUs called @cpuid (or NULL). NULL: not known. */
	enum kvm_isa (*kvm_isa)(const char *cpuid);
	/* An operand of a static probe: @s is @n characters and a NUL. False: it is none. */
	bool (*sdt_operand)(const char *s, size_t n, struct arch_operand *ret);
};

/* Each machine by name, for code that is itself about that machine only. */
#define MACHINE(name) extern const struct arch arch_##name;
#include "arch/machines.def"
#undef MACHINE

/* All of them, then NULL. */
extern const struct arch *const arch_all[];

/* By what a recording says of its machine; 32-bit x86 counts as x86_64. NULL is unknown. */
const struct arch *arch_find(const char *name);

/* By e_machine of an ELF file. */
const struct arch *arch_of_elf(uint16_t e_machine);

/* By the registers of a sample, where nothing else tells the machine. */
const struct arch *arch_of_registers(uint64_t mask);

/* The machine that this runs on. */
const struct arch *arch_host(void);

/* Whether the kernel function @name is where an exception of the kernel is entered. */
bool arch_is_exception_entry(const char *name);
