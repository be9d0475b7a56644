/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Places in code (and data), each once, as 32-bit numbers.
 *
 * Two addresses are the same frame if they lie in the same function of the same image; where the
 * table goes by address, if they are also the same address. Without a function, what was sampled
 * goes by its address in the image, and an entry of a stack by that at run time, as users of
 * Linux's perf know it. A function that is inlined somewhere is a frame of its own, the same
 * wherever that is. Any number of threads may add and look; a frame never moves nor changes.
 */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "session/machine.h"

struct frames;
struct image;
struct source_line;
struct symbol;

#define FRAME_NONE UINT32_MAX

struct frame {
	struct image *image;      /* NULL: nothing is known to lie there */
	const struct symbol *sym; /* NULL: no function */
	const struct map *map;    /* one of those it was seen in */
	uint64_t addr; /* in the space of the image's symbols; of a function: where it starts,
			  unless the table goes by address; without an image: as sampled */
	uint64_t ip;   /* at run time; of what does not go by it: any */
	bool by_ip;    /* of a stack, without a function: that is its address */
	bool is_call;  /* where tables go by address: its line is that of the call before it */
	uint8_t depth; /* where tables go by address: whose line it has, of the functions that are
			  inlined there; 0: that of the innermost */
	enum address_mode mode;
};

struct frames *frames_new(bool by_address);

/*
 * A table by address in the image: one frame for all processes that have it mapped. Only for what
 * was sampled.
 */
struct frames *frames_new_places(void);

/* For sessions that forget: maps are copied. Call before the first frame is added. */
void frames_copy_maps(struct frames *f);
void frames_free(struct frames *f);
DEFINE_FREEP(frames)

/* What an address was met as. */
enum frame_kind {
	FRAME_SAMPLED,
	FRAME_OF_STACK, /* an entry of a stack */
	FRAME_OF_CALL,  /* one that a call returns to: the symbol is that of the call */
};

/* The frame of @loc, whose symbol was looked up. */
uint32_t frames_add(struct frames *f, const struct location *loc, enum address_mode mode,
		    enum frame_kind kind);

/*
 * The frame of @sym, one of the functions that the code at @loc is of, where that many are inlined
 * into it.
 */
uint32_t frames_add_part(struct frames *f, const struct location *loc, enum address_mode mode,
			 const struct symbol *sym, size_t depth);

/* A frame like @frame, which is one of another table of the same kind. */
uint32_t frames_take(struct frames *f, const struct frame *frame);

/* Sorts frames so that those of a function stand together, by address. */
int frame_compare_places(const struct frame *x, const struct frame *y);

/* Where in the source a frame of a table by address is; false: unknown, and @ret is untouched. */
bool frame_source_line(const struct frame *f, struct source_line *ret);

/* The address to print where there is no function. */
static inline uint64_t frame_address(const struct frame *f)
{
	return f->by_ip ? f->ip : f->addr;
}

/* @id is one that frames_add() gave. */
const struct frame *frames_get(const struct frames *f, uint32_t id);

/*
 * A place to keep what is costly to find out about a frame, for whoever knows: 0 until something
 * is stored, by any thread.
 */
enum frame_note {
	FRAME_NOTE_IMAGE,
	FRAME_NOTE_SYMBOL,
	FRAME_NOTE_LINE,
	FRAME_NOTE_TYPE,
	N_FRAME_NOTES
};
_Atomic(uint64_t) *frames_note(struct frames *f, uint32_t id, enum frame_note which);

/* Whether the table goes by address; and if so, by that at run time. */
bool frames_by_address(const struct frames *f);
bool frames_by_ip(const struct frames *f);

/*
 * Whether addresses without a function lie half of all addresses apart, as what stacks without
 * frame pointers hold may do: which of two comes first depends on the way around then.
 */
bool frames_wrap(const struct frames *f);

/* How many there are: ids are below it. */
uint32_t frames_count(const struct frames *f);
