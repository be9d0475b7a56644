/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The decoder of CoreSight packets, which is libopencsd: it takes bytes, and gives the elements of
 * execution, or the packets as text. The only file that uses the library, which is loaded on first
 * use.
 *
 * The library keeps some state for all of its trees: it must not be used by two threads at once.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "hwtrace/cs-info.h"

struct cs_tree;
struct diag;

enum cs_element_kind {
	CS_GAP,   /* nothing is known about what came before */
	CS_RANGE, /* consecutive instructions; the last may be a branch */
	CS_EXCEPTION,
	CS_EXCEPTION_RETURN,
	CS_CONTEXT, /* perhaps another task */
	CS_TIME,
	CS_NO_CODE, /* there is no code at `start` */
};

struct cs_element {
	enum cs_element_kind kind;
	uint8_t id;          /* id of the trace unit */
	uint64_t start, end; /* addresses of a range */
	uint32_t n_instructions;
	uint8_t last_size; /* size of the last instruction, in bytes */
	bool thumb, taken; /* instructions of 2 or 4 bytes; the last is a branch that was taken */
	uint32_t flags;    /* AUX_FLAG_* of the last instruction */
	uint32_t exception;
	uint32_t context_id, vmid;
	bool has_context_id, has_vmid;
	uint64_t time;
};

/* The receiver of the output: elements, which need code, or text. */
struct cs_sink {
	void (*element)(void *arg, const struct cs_element *e);
	size_t (*code)(void *arg, uint8_t id, uint64_t addr, uint8_t *bytes, size_t n);
	void (*text)(void *arg, const char *line); /* packets are not decoded; else NULL */
	void *arg;
};

struct cs_tree_setup {
	const struct cs_info *info;
	const struct cs_unit *only; /* the trace is from this unit only, not formatted; or NULL */
	struct cs_sink sink;
};

/* Makes a tree. -EOPNOTSUPP, -ENOENT with @diag: without the library. */
int cs_tree_new(const struct cs_tree_setup *setup, struct cs_tree **ret, struct diag *diag);
void cs_tree_free(struct cs_tree *t);
DEFINE_FREEP(cs_tree)

/*
 * Decodes @n bytes, which are at @index of the trace. -EIO: they cannot be decoded, nor can those
 * that follow until cs_tree_reset().
 */
int cs_tree_feed(struct cs_tree *t, uint64_t index, const uint8_t *bytes, size_t n);

/* Marks a gap: the next bytes do not continue the previous ones. */
void cs_tree_reset(struct cs_tree *t);
