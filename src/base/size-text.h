/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Sizes of memory as one number and a unit, truncated and not rounded: "4K", "1024M", "24G". The
 * next unit is used from two of it on.
 */
#include <stdint.h>

#define SIZE_TEXT_MAX 24

/* Writes the text to @room, of SIZE_TEXT_MAX characters, and returns @room. */
const char *size_text(uint64_t size, char *room);
