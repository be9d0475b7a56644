/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The differences between machines: there is one const struct arch for each, in a file of its own
 * (x86_64.c, aarch64.c, ...), and every build has all of them. docs/howto/add-machine.md describes
 * how to add one.
 *
 * The data's machine decides which one is used: e_machine of an ELF file, or the name of the
 * machine in a recording. The host's machine is used only where the host's kernel is asked. NULL
 * stands for an unknown machine. A member of a struct arch that is NULL or 0 is not known for that
 * machine.
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

/* A register that samples can contain. */
struct arch_register {
	const char *name;  /* as perf prints it; NULL: no register has this number */
	const char *probe; /* "%ax": name in the kernel's probes; NULL: they cannot read it */
	uint8_t dwarf;     /* DWARF's number, or ARCH_NO_REGISTER */
};

/* Registers, indexed by the numbers of the kernel's uapi/asm/perf_regs.h. */
struct arch_registers {
	const struct arch_register *items;
	size_t n;
	uint8_t pc, sp;
	uint8_t lr;        /* the link register; ARCH_NO_REGISTER: calls push the return address */
	uint64_t sampled;  /* mask of the registers that every kernel can sample */
	uint64_t optional; /* more in user mode, on CPUs whose AT_HWCAP has a bit of @hwcap */
	unsigned long hwcap;
	/*
	 * Offsets of the first @n_trap registers in the kernel's struct pt_regs, or ARCH_NO_TRAP.
	 */
	const uint16_t *trap;
	size_t n_trap;
};

/* A register in the frame that the kernel builds for a signal handler. */
struct arch_saved {
	uint8_t dwarf;   /* DWARF's number of the register */
	uint16_t offset; /* offset from the stack pointer */
};

/*
 * The layout in which the kernel keeps the registers of user mode while the kernel runs (struct
 * pt_regs), for programs in the kernel. Offsets are in bytes.
 */
struct arch_trap {
	uint16_t pc, sp, fp;
	uint16_t lr;                    /* 0: there is no link register */
	uint16_t mode;                  /* offset of the word that contains the mode */
	uint16_t user_mask, user_value; /* mask and value that mean user mode */
	uint16_t native_mask,
		native_value; /* value for user mode of this machine, not of its 32-bit variant */
};

/* An upper bound on the size of a call instruction, in bytes. */
#define ARCH_CALL_SIZE_MAX 8

/* The conventions by which functions build their frames. Registers have DWARF's numbers. */
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
	 * If return addresses can be signed (pointer authentication), the signature is in the bits
	 * above the address. These are the possible numbers of bits of user addresses, the most
	 * usual first, 0 last.
	 */
	uint8_t address_bits[4];
	/*
	 * The register with the address for a function's result if the result does not fit into
	 * registers.
	 */
	uint8_t result_address;
	/*
	 * The number of bytes from the thread pointer to the thread-local storage of the program;
	 * 0: the storage ends at the thread pointer.
	 */
	uint8_t thread_header;
	/*
	 * The code to which signal handlers return, and the frame that this code finds (struct
	 * rt_sigframe).
	 */
	struct {
		const uint8_t *code;
		size_t size;
		const struct arch_saved *saved;
		size_t n_saved;
	} signal;
	/* True if a call ends with the last of the @n bytes at @code. */
	bool (*ends_call)(const uint8_t *code, size_t n);
	const struct code_frames *code; /* NULL: CFI, where there is any, is correct */
	/* Finds the frame at @addr of code without CFI by following the code until it returns. */
	bool (*frame_by_walk)(code_read_fn *read, void *arg, uint64_t addr, struct code_frame *ret);
	const struct arch_trap *trap; /* NULL: not known */
};

/* The operands that probes can fetch, and the places of a function's parameters when it begins. */
struct arch_probes {
	/* registers that the kernel knows in addition to arch_register's */
	const char *const *more_names;
	const char *summary;      /* all these registers, as text for a message */
	const uint8_t *arguments; /* DWARF's numbers of the registers that hold parameters */
	size_t n_arguments;
	uint8_t first_on_stack; /* offset of the first parameter on the stack */
	bool copies_large;      /* a structure of more than 16 bytes is passed by address */
	/*
	 * Finds the kernel's name for the register that assemblers call @name, of @n characters.
	 * False: there is no such register.
	 */
	bool (*find_register)(const char *name, size_t n, char ret[8]);
};

/* The layout of the procedure linkage table: stubs that jump to functions of other files. */
struct arch_plt {
	uint16_t header, entry; /* sizes of the first stub, which binds names, and of the others */
	/* The relocations of the words through which stubs jump; 0: all that the table has. */
	uint32_t jump_slot, irelative;
	/*
	 * The relocations of words of the GOT: the address of a symbol (also of the symbols to
	 * which the stubs of .plt.got jump), an address in the file, and the same for thread-local
	 * storage.
	 */
	uint32_t glob_dat, absolute, relative, thread;
	/*
	 * Returns the size of the first stub in the @n bytes at @code. NULL: it is always @entry.
	 */
	size_t (*entry_size)(const uint8_t *code, size_t n);
	/*
	 * Finds the word through which the stub at @addr jumps. NULL: .plt.got is not understood.
	 */
	bool (*jump_word)(const uint8_t *code, size_t n, uint64_t addr, uint64_t *ret);
};

struct arch {
	/* names in recordings (uname -m), the usual one first, NULL last */
	const char *const *names;
	const char *triple;       /* "x86_64-linux-gnu": name for compilers and library folders */
	uint16_t elf_machine;     /* EM_* */
	uint8_t instruction_size; /* size of every instruction; 0: they differ */
	bool has_mapping_symbols; /* $x, $d, ... distinguish code from data in symbol tables */
	/* PERF_SAMPLE_WEIGHT_STRUCT: a weight holds several latencies */
	bool has_split_weights;
	const char *exception_prefix; /* prefix of the kernel's exception entry functions */
	const struct arch_registers *registers;
	const struct arch_convention *convention;
	const struct arch_probes *probes;
	const struct arch_plt *plt;
	/* Returns the control flow of the one instruction in the @n bytes at @addr. */
	struct code_flow (*code_flow)(const uint8_t *bytes, size_t n, uint64_t addr);
	/*
	 * Returns the kind of virtualization of KVM guests on CPUs called @cpuid (or NULL). NULL:
	 * not known.
	 */
	enum kvm_isa (*kvm_isa)(const char *cpuid);
	/*
	 * Parses an operand of a static probe: @s is @n characters and a NUL. False: it is not an
	 * operand.
	 */
	bool (*sdt_operand)(const char *s, size_t n, struct arch_operand *ret);
};

/* Each machine by name, for code that deals with that machine only. */
#define MACHINE(name) extern const struct arch arch_##name;
#include "arch/machines.def"
#undef MACHINE

/* All machines, then NULL. */
extern const struct arch *const arch_all[];

/*
 * Finds a machine by the name that a recording gives it; 32-bit x86 counts as x86_64. NULL: the
 * machine is unknown.
 */
const struct arch *arch_find(const char *name);

/* Finds a machine by e_machine of an ELF file. */
const struct arch *arch_of_elf(uint16_t e_machine);

/* Guesses the machine from the registers of a sample, if nothing else identifies it. */
const struct arch *arch_of_registers(uint64_t mask);

/* Returns the machine on which this program runs. */
const struct arch *arch_host(void);

/* True if kernel exceptions are entered at the kernel function @name. */
bool arch_is_exception_entry(const char *name);
