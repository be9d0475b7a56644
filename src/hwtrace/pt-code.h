/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Code that a traced program ran, read by pages from the host (hwtrace/decoder.h) and kept for a
 * while, because a decoder reads every single instruction.
 *
 * `struct pt_code c = { .host = host };` is ready. A page is read again when the trace's time has
 * moved on, because a process may have got other code at the same address.
 */
#include <stddef.h>
#include <stdint.h>

#include "hwtrace/decoder.h"

#define PT_CODE_PAGE  4096
#define PT_CODE_PAGES 64

struct pt_code_page {
	uint64_t addr; /* address of the bytes */
	uint64_t time;
	uint32_t pid;
	size_t n;
	uint8_t *bytes;
};

struct pt_code {
	struct aux_host host;
	struct pt_code_page pages[PT_CODE_PAGES];
	uint32_t pid;
	uint64_t time; /* in perf's clock */
};

void pt_code_done(struct pt_code *c);

/*
 * Copies up to @size bytes at @addr of pt_code.pid at pt_code.time. Returns their number; 0: none.
 */
size_t pt_code_read(struct pt_code *c, uint64_t addr, uint8_t *bytes, size_t size);
