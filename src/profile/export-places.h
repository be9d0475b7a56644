/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Images and symbols as rows of an export, each once. Private to tools/script.
 */
#include <stdint.h>

#include "base/arena.h"
#include "base/u64-map.h"

struct export_rows;
struct location;

/* `{ 0 }` is empty. */
struct export_places {
	struct arena arena;
	struct u64_map images;  /* struct export_image, by image */
	struct u64_map symbols; /* struct export_symbol, by symbol */
};

void export_places_done(struct export_places *p);

struct export_place {
	uint64_t dso, symbol; /* ids of rows; 0: unknown */
	uint64_t offset;      /* from the beginning of the symbol */
	uint64_t addr;        /* not set here */
};

/*
 * Adds the missing rows for @loc. In an image, code without a name gets a symbol called "unknown"
 * for the address @unnamed, unless there is one for its address in the image. Returns 0, or the
 * result of the row's taker.
 */
int export_place_of(struct export_places *p, struct export_rows *rows, const struct location *loc,
		    uint64_t unnamed, struct export_place *ret);
