/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Lanes of a time chart: the activities of a thread, a CPU or anything else, piece after piece.
 *
 * The pieces of a lane adjoin: one ends where the next begins, and a gap is a piece of
 * LANE_NOTHING. The number of pieces in all lanes together is limited. Beyond the limit, neighbours
 * that lie within the same bin of time are folded into one piece, which keeps the time in each
 * state. Bins double until the pieces fit. Memory therefore grows with lanes and not with events,
 * long pieces stay exact, and all sums are exact.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The owner defines the states of pieces, below LANE_STATES. 0 means nothing. */
#define LANE_NOTHING 0
#define LANE_STATES  8

#define LANE_NONE UINT32_MAX

/* The owner's data about a piece. The lanes only compare it. */
struct lane_mark {
	uint8_t state;
	uint8_t flags;
	uint32_t by;    /* the task that ran or woke, a descriptor, a frequency ... */
	uint32_t stack; /* LANE_NONE: none */
	uint32_t cpu;   /* for an I/O call its errno */
	uint32_t count; /* the number of calls */
	uint64_t bytes;
};

struct lane_piece {
	uint64_t start;
	struct lane_mark mark; /* in a folded piece: the mark of its longest part */
	uint32_t fold;         /* index in lanes.folds; LANE_NONE: the piece is exact */
};

/* The sums over the parts of a folded piece. */
struct lane_fold {
	uint64_t ns[LANE_STATES];
	uint64_t bytes;
	uint64_t longest_ns; /* the duration of the part with the piece's mark */
	uint32_t n;          /* number of parts other than LANE_NOTHING */
};

struct lane {
	struct lane_piece *items; /* the last one lasts until the end of the lane */
	size_t n, room;
	uint64_t begin, end;      /* @end is valid after lanes_finish() */
	uint64_t ns[LANE_STATES]; /* exact, after lanes_finish() */
	uint64_t n_pieces;        /* before folding, without LANE_NOTHING */
};

struct lane_folds {
	struct lane_fold *items;
	size_t n, room;
};

struct lanes {
	struct lane *items;
	size_t n, room;
	struct lane_folds folds;
	uint64_t bin_ns; /* the maximum duration of a folded piece; 0: none was folded */
	/* Private: */
	size_t n_pieces, limit, limit_least;
};

/* @limit is the maximum number of pieces, or eight for each lane if that is more. */
void lanes_init(struct lanes *l, size_t limit);
void lanes_done(struct lanes *l);

/* Adds a lane without pieces. Returns its number. */
uint32_t lanes_add(struct lanes *l);

/*
 * Sets the mark of lane @lane from @time on. The previous piece ends; it is replaced if its
 * duration is 0. A time that goes backwards is replaced by that of the previous piece.
 */
void lanes_set(struct lanes *l, uint32_t lane, uint64_t time, const struct lane_mark *mark);

/* Returns the current mark, or NULL. It may be changed until the next call. */
struct lane_mark *lanes_now(struct lanes *l, uint32_t lane);

/* Ends all lanes at @end, or at the beginning of their last piece if that is later. */
void lanes_finish(struct lanes *l, uint64_t end);

/* Returns the end of piece @i of a lane, after lanes_finish(). */
uint64_t lane_piece_end(const struct lane *lane, size_t i);

/*
 * Adds the time that @lane spent in each state between @from and @to, divided into @n columns of
 * equal length, to @ns. Times of folded pieces are spread evenly over the piece.
 */
void lane_columns(const struct lanes *l, const struct lane *lane, uint64_t from, uint64_t to,
		  size_t n, double (*ns)[LANE_STATES]);
