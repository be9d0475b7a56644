/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What characters on the screen mean. How each of them looks is the affair of tui/looks.h: colours
 * of the user (`colors.*` of perfconfig), or attributes where the terminal has no colours.
 */
enum style {
	STYLE_NORMAL,
	STYLE_TOP,      /* shares from 5 % on */
	STYLE_MEDIUM,   /* shares from 0.5 % on */
	STYLE_SELECTED, /* where the cursor is */
	STYLE_JUMP,     /* arrows of jumps */
	STYLE_ADDRESS,
	STYLE_ROOT,   /* titles and heads */
	STYLE_DIM,    /* what is less important: hidden, not yet known */
	STYLE_MATCH,  /* what was searched for */
	STYLE_STATUS, /* the last line */
	STYLE_FRAME,  /* of boxes, and scroll bars */
	STYLE_CHOSEN, /* a time or bar that was selected */
	/* Boxes of flame graphs, in the order of enum flame_kind. */
	STYLE_FLAME,
	STYLE_FLAME_LAST = STYLE_FLAME + 8,
	N_STYLES,
};
