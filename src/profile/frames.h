/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Places in code (and data), each once, as 32-bit numbers.
 *
 * Two addresses are the same frame if they are in the same function of the same image; if the table
 * goes by address, the address must be the same too. Without a function, a sampled place goes by
 * its address in the image, and an entry of a stack by its run-time address, as users of Linux's
 * perf know it. A function that is inlined is a frame of its own, the same wherever it is inlined.
 * Any number of threads may add and look up; a frame never moves nor changes.
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
	struct image *image;      /* NULL: no image is known there */
	const struct symbol *sym; /* NULL: no function */
	const struct map *map;    /* one of the maps in which it was seen */
	/*
	 * in the address space of the image's symbols; for a function: its start, unless the table
	 * goes by address; without an image: as sampled
	 */
	uint64_t addr;
	uint64_t ip;  /* at run time; arbitrary for frames that do not go by it */
	bool by_ip;   /* it goes by its run-time address: in a stack, without a function */
	bool is_call; /* in tables by address: its line is that of the call before it */
	/*
	 * in tables by address: the level of the inlined function whose line it has; 0: the
	 * innermost
	 */
	uint8_t depth;
	enum address_mode mode;
};

struct frames *frames_new(bool by_address);

/*
 * Makes a table by address in the image: one frame for all processes that have the image mapped.
 * Only for sampled addresses.
 */
struct frames *frames_new_places(void);

/*
 * Makes the table copy maps, for sessions that forget them. Call before the first frame is added.
 */
void frames_copy_maps(struct frames *f);
void frames_free(struct frames *f);
DEFINE_FREEP(frames)

/* The role in which an address was found. */
enum frame_kind {
	FRAME_SAMPLED,
	FRAME_OF_STACK, /* an entry of a stack */
	FRAME_OF_CALL,  /* the return address of a call: the symbol is that of the call */
};

/* Returns the frame of @loc, whose symbol was looked up. */
uint32_t frames_add(struct frames *f, const struct location *loc, enum address_mode mode,
		    enum frame_kind kind);

/*
 * Returns the frame of @sym, one of the functions to which the code at @loc belongs. @depth
 * functions are inlined into it there.
 */
uint32_t frames_add_part(struct frames *f, const struct location *loc, enum address_mode mode,
			 const struct symbol *sym, size_t depth);

/* Returns a frame like @frame, which is from another table of the same kind. */
uint32_t frames_take(struct frames *f, const struct frame *frame);

/* Compares frames, so that those of a function stand together, by address. */
int frame_compare_places(const struct frame *x, const struct frame *y);

/* Finds the source line of a frame of a table by address. False: unknown, and @ret is untouched. */
bool frame_source_line(const struct frame *f, struct source_line *ret);

/* Returns the address to print if there is no function. */
static inline uint64_t frame_address(const struct frame *f)
{
	return f->by_ip ? f->ip : f->addr;
}

/* Returns the frame @id, which frames_add() returned. */
const struct frame *frames_get(const struct frames *f, uint32_t id);

/*
 * A slot for data about a frame that is costly to compute. It is 0 until any thread stores a value.
 */
enum frame_note {
	FRAME_NOTE_IMAGE,
	FRAME_NOTE_SYMBOL,
	FRAME_NOTE_LINE,
	FRAME_NOTE_TYPE,
	N_FRAME_NOTES
};
_Atomic(uint64_t) *frames_note(struct frames *f, uint32_t id, enum frame_note which);

/* True if the table goes by address; and if it goes by the run-time address. */
bool frames_by_address(const struct frames *f);
bool frames_by_ip(const struct frames *f);

/*
 * True if addresses without a function are half of all addresses apart, as garbage in stacks
 * without frame pointers may be. Their order then depends on the direction in which they are
 * counted.
 */
bool frames_wrap(const struct frames *f);

/* Returns the number of frames: ids are below it. */
uint32_t frames_count(const struct frames *f);
