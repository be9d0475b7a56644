/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The meanings of characters on the screen. tui/looks.h defines the look of each: colours of the
 * user (`colors.*` of perfconfig), or attributes if the terminal has no colours.
 */
enum style {
	STYLE_NORMAL,
	STYLE_TOP,      /* shares from 5 % on */
	STYLE_MEDIUM,   /* shares from 0.5 % on */
	STYLE_SELECTED, /* the row at the cursor */
	STYLE_JUMP,     /* arrows of jumps */
	STYLE_ADDRESS,
	STYLE_ROOT,   /* titles and heads */
	STYLE_DIM,    /* less important: hidden, not yet known */
	STYLE_MATCH,  /* matches of a search */
	STYLE_STATUS, /* the last line */
	STYLE_FRAME,  /* frames of boxes, and scroll bars */
	STYLE_CHOSEN, /* a selected time or bar */
	/* Boxes of flame graphs, in the order of enum flame_kind. */
	STYLE_FLAME,
	STYLE_FLAME_LAST = STYLE_FLAME + 13,
	N_STYLES,
};
