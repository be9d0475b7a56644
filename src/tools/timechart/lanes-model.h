/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Lanes of a time chart: what a thread, a CPU or anything else did, piece after piece.
 *
 * The pieces of a lane adjoin: one ends where the next begins, and nothing in between is a piece of
 * LANE_NOTHING. All lanes together hold a limited number of pieces. Beyond it, neighbours that lie
 * within the same bin of time are folded into one, which has the time in each state; bins double
 * until the pieces fit. So memory grows with lanes and not with events, long pieces stay exact,
 * and all sums are exact.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* States of pieces are the owner's, below LANE_STATES; 0 is nothing at all. */
#define LANE_NOTHING 0
#define LANE_STATES  8

#define LANE_NONE UINT32_MAX

/* What the owner of a lane knows of a piece; the lanes only compare it. */
struct lane_mark {
	uint8_t state;
	uint8_t flags;
	uint32_t by;    /* who ran, who woke, a file descriptor, a frequency ... */
	uint32_t stack; /* LANE_NONE: none */
	uint32_t cpu;   /* of an I/O call its errno */
	uint32_t count; /* how many calls it stands for */
	uint64_t bytes;
};

struct lane_piece {
	uint64_t start;
	struct lane_mark mark; /* of a folded piece: that of its longest part */
	uint32_t fold;         /* place in lanes.folds; LANE_NONE: the piece is exact */
};

/* What was folded. */
struct lane_fold {
	uint64_t ns[LANE_STATES];
	uint64_t bytes;
	uint64_t longest_ns; /* of the part whose mark the piece has */
	uint32_t n;          /* parts that were not LANE_NOTHING */
};

struct lane {
	struct lane_piece *items; /* the last lasts until the lane ends */
	size_t n, room;
	uint64_t begin, end;      /* @end: after lanes_finish() */
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
	uint64_t bin_ns; /* how long a folded piece lasts at most; 0: nothing was folded */
	/* Private: */
	size_t n_pieces, limit, limit_least;
};

/* @limit: how many pieces there may be, or eight for each lane if that is more. */
void lanes_init(struct lanes *l, size_t limit);
void lanes_done(struct lanes *l);

/* A new lane, without pieces. Its number. */
uint32_t lanes_add(struct lanes *l);

/*
 * From @time on, lane @lane is as @mark says. The piece before ends; one that has lasted no time is
 * replaced. Times that go backwards are taken for that of the piece before.
 */
void lanes_set(struct lanes *l, uint32_t lane, uint64_t time, const struct lane_mark *mark);

/* The mark that holds now, or NULL. It may be changed until the next call. */
struct lane_mark *lanes_now(struct lanes *l, uint32_t lane);

/* Ends all lanes at @end, or where their last piece begins if that is later. */
void lanes_finish(struct lanes *l, uint64_t end);

/* After lanes_finish(): where piece @i of a lane ends. */
uint64_t lane_piece_end(const struct lane *lane, size_t i);

/*
 * Adds the time that @lane spent in each state from @from to @to, cut into @n columns of equal
 * length, to @ns. Times of folded pieces spread evenly over the piece.
 */
void lane_columns(const struct lanes *l, const struct lane *lane, uint64_t from, uint64_t to,
		  size_t n, double (*ns)[LANE_STATES]);
