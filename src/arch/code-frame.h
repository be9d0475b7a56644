/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What the instructions of a function tell about its frame, where CFI is missing or not exact:
 * compilers describe prologues and epilogues late or never (clang before version 15 only the
 * finished frame), and the linker's stubs have no CFI at all.
 *
 * A machine that keeps return addresses in a link register needs this for the code that was
 * interrupted: only the instructions around it tell whether the register still holds the address.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The frame of a function when an instruction is about to run. */
struct code_frame {
	bool has_cfa;        /* the CFA is known: the next field and @cfa_offset */
	bool cfa_from_fp;    /* the CFA is counted from the frame pointer, not from sp */
	bool ra_is_saved;    /* the return address is saved; else it is in the link register */
	bool fp_is_saved;    /* the caller's frame pointer is saved; else it is in its register */
	bool is_being_built; /* in the prologue: the frame pointer is about to be set */
	int32_t cfa_offset;
	int32_t ra_offset, fp_offset; /* from the CFA, if saved */
};

/*
 * A frame record that a function makes for one that it is about to call and that makes none itself.
 * Go does so for runtime.duffzero and the like on aarch64.
 */
enum callee_record {
	CALLEE_RECORD_NONE,
	CALLEE_RECORD_STORED, /* the frame pointer is still the function's own */
	CALLEE_RECORD_IN_USE, /* the frame pointer points to it */
};

/* Copies @n bytes of the code at @addr, or as many as there are. Returns how many. */
typedef size_t code_read_fn(void *arg, uint64_t addr, void *ret, size_t n);

/* More code than this before or behind an instruction is not looked at. */
#define CODE_FRAME_SIZE_MAX 256

/* The code before an instruction that can tell of a callee's record. */
#define CALLEE_RECORD_SIZE 12

/* A machine's functions that read frames out of code. Sizes are in bytes. */
struct code_frames {
	/*
	 * The frame behind the @n bytes with which a function begins; at its start it has nothing
	 * of its own on the stack. False: the code does not tell.
	 */
	bool (*from_entry)(const uint8_t *code, size_t n, struct code_frame *ret);
	/* The frame at the first of the @n bytes, by what will run until the function returns. */
	bool (*from_exit)(const uint8_t *code, size_t n, struct code_frame *ret);
	/*
	 * How far from_entry() tells anything: where the @n bytes have an instruction that it does
	 * not pass, whatever came before it; @n without one.
	 */
	size_t (*entry_reach)(const uint8_t *code, size_t n);
	/*
	 * From how many of the first bytes on from_exit() tells nothing, wherever it begins. A
	 * lower bound; 0: it may tell something at once.
	 */
	size_t (*exit_silence)(const uint8_t *code, size_t n);
	/*
	 * How many of the first bytes are instructions that change nothing of the frame: what
	 * from_entry() or from_exit() has told at the first is so at the one behind them.
	 */
	size_t (*idle)(const uint8_t *code, size_t n);
	/* The record for a callee that the @n bytes at @code, which have just run, have made. */
	enum callee_record (*callee_record)(const uint8_t *code, size_t n);
};
