/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The machine that data comes from, which need not be the one it is read on. Facts about machines
 * are tables in every build, chosen by this at run time.
 */
#include <stdint.h>

enum machine_type {
	MACHINE_UNKNOWN,
	MACHINE_X86_64,
	MACHINE_AARCH64,
};

/* From `uname -m`, as files record it; 32-bit x86 counts as x86. NULL: unknown. */
enum machine_type machine_from_uname(const char *name);

/* From e_machine of an ELF file. */
enum machine_type machine_from_elf(uint16_t e_machine);

/* The machine this runs on: a guess at best, for data that does not say where it comes from. */
enum machine_type machine_host(void);
