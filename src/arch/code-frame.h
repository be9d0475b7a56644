/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The frame of a function as its instructions show it, for code whose CFI is missing or not exact.
 * Compilers describe prologues and epilogues late or never (clang before version 15 only the
 * finished frame), and the linker's stubs have no CFI at all.
 *
 * A machine that keeps return addresses in a link register needs this for the code that was
 * interrupted: only the instructions around it show whether the register still holds the address.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The frame of a function at the moment before an instruction runs. */
struct code_frame {
	bool has_cfa;        /* the CFA is known: the next member and @cfa_offset are valid */
	bool cfa_from_fp;    /* the CFA is counted from the frame pointer, not from sp */
	bool ra_is_saved;    /* the return address is saved; else it is in the link register */
	bool fp_is_saved;    /* the caller's frame pointer is saved; else it is in its register */
	bool is_being_built; /* in the prologue: the frame pointer is about to be set */
	int32_t cfa_offset;
	int32_t ra_offset, fp_offset; /* from the CFA, if saved */
};

/*
 * A frame record that a function makes for a callee that makes none itself. Go does so for
 * runtime.duffzero and the like on aarch64.
 */
enum callee_record {
	CALLEE_RECORD_NONE,
	CALLEE_RECORD_STORED, /* the frame pointer is still the function's own */
	CALLEE_RECORD_IN_USE, /* the frame pointer points to it */
};

/*
 * Copies @n bytes of the code at @addr, or fewer if there are fewer. Returns the number of bytes
 * copied.
 */
typedef size_t code_read_fn(void *arg, uint64_t addr, void *ret, size_t n);

/* The limit on the code before or after an instruction that is looked at. */
#define CODE_FRAME_SIZE_MAX 256

/* The amount of code before an instruction that can show a callee's record. */
#define CALLEE_RECORD_SIZE 12

/* A machine's functions that derive frames from code. Sizes are in bytes. */
struct code_frames {
	/*
	 * Finds the frame after the first @n bytes of a function. At its start, a function has
	 * nothing of its own on the stack. False: the code does not show the frame.
	 */
	bool (*from_entry)(const uint8_t *code, size_t n, struct code_frame *ret);
	/*
	 * Finds the frame at the first of the @n bytes, from the code that will run until the
	 * function returns.
	 */
	bool (*from_exit)(const uint8_t *code, size_t n, struct code_frame *ret);
	/*
	 * Returns the limit up to which from_entry() can succeed: the offset of the first
	 * instruction in the @n bytes that it cannot pass, whatever came before, or @n if there is
	 * none.
	 */
	size_t (*entry_reach)(const uint8_t *code, size_t n);
	/*
	 * Returns the number of leading bytes for which from_exit() finds nothing, at whichever of
	 * them it begins. This is a lower bound; 0: from_exit() may find something at once.
	 */
	size_t (*exit_silence)(const uint8_t *code, size_t n);
	/*
	 * Returns the number of leading bytes whose instructions do not change the frame. A result
	 * of from_entry() or from_exit() for the first of them also holds for the instruction after
	 * them.
	 */
	size_t (*idle)(const uint8_t *code, size_t n);
	/*
	 * Returns the kind of record for a callee that the @n bytes at @code, which have just run,
	 * have made.
	 */
	enum callee_record (*callee_record)(const uint8_t *code, size_t n);
};
