/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A build-id as a plain value, which occurs in records, features and ELF files. Operations on it
 * are in elf/build-id.h.
 */
#include <stdint.h>

#define BUILD_ID_SIZE_MAX 20

struct build_id {
	uint8_t bytes[BUILD_ID_SIZE_MAX];
	uint8_t size; /* 0: there is none */
};
