/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The colours of styles: those of the user, `colors.NAME = FOREGROUND, BACKGROUND` of perfconfig,
 * or the usual ones. Pure: what a terminal can show of them is the screen's affair.
 */
#include <stdbool.h>

#include "tui/style.h"

struct config;
struct diag;

/* A colour is one of the sixteen of terminals, of the 256 of xterm, or the terminal's own. */
#define COLOUR_TERMINAL (-1)

struct style_look {
	int foreground, background;
	bool bold, reverse, underline;
};

struct looks {
	struct style_look coloured[N_STYLES];
	struct style_look plain[N_STYLES]; /* where there are no colours: attributes only */
};

/* The usual looks, changed by @config. -EINVAL with @diag: a colour that there is not. */
int looks_init(struct looks *ret, const struct config *config, struct diag *diag);

/*
 * The number of the colour @name: red, lightgray, default, ...; 0 to 255; or #rrggbb, of which the
 * nearest is taken. -EINVAL: there is none.
 */
int looks_colour(const char *name, int *ret);
