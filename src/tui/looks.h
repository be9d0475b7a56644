/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The colours of styles: those of the user, `colors.NAME = FOREGROUND, BACKGROUND` of perfconfig,
 * or the default ones. It has no state: the screen adapts them to the terminal.
 */
#include <stdbool.h>

#include "tui/style.h"

struct config;
struct diag;

/*
 * A colour is one of the sixteen colours of terminals, one of the 256 of xterm, or the terminal's
 * own.
 */
#define COLOUR_TERMINAL (-1)

struct style_look {
	int foreground, background;
	bool bold, reverse, underline;
};

struct looks {
	struct style_look coloured[N_STYLES];
	struct style_look plain[N_STYLES]; /* for use without colours: only attributes */
};

/*
 * Sets the default looks, as changed by @config. Returns -EINVAL with @diag if a colour does not
 * exist.
 */
int looks_init(struct looks *ret, const struct config *config, struct diag *diag);

/*
 * Parses the colour @name: red, lightgray, default, ...; 0 to 255; or #rrggbb, for which the
 * nearest colour is used. Returns -EINVAL if it does not exist.
 */
int looks_colour(const char *name, int *ret);
