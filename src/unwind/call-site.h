/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Whether an address can be one that a call returns to: the instruction before it tells.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch/machine.h"

/* As many bytes before a return address as the longest call has. */
#define CALL_SIZE_MAX 8

/* Whether a call ends with the last of the @n bytes at @code. */
bool call_site_ends(enum machine_type machine, const uint8_t *code, size_t n);
