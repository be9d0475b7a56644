/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Sizes of memory in one number and a unit, cut off and not rounded: "4K", "1024M", "24G". The next
 * unit is taken from two of it on.
 */
#include <stdint.h>

#define SIZE_TEXT_MAX 24

/* Writes it to @room, of SIZE_TEXT_MAX characters, and returns that. */
const char *size_text(uint64_t size, char *room);
