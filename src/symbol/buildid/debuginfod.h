/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Gets debug files from the network, by build-id, from the servers in $DEBUGINFOD_URLS; without it
 * the network is never used. The library is loaded when it is first needed. It caches files in
 * ~/.cache/debuginfod_client.
 *
 * If no server answers within a few seconds, none is contacted again.
 */
#include <stdbool.h>

#include "base/cleanup.h"
#include "elf/build-id.h"

struct debuginfod;
struct progress;

/*
 * Makes a client. NULL if no server is set, or the library is not installed. @progress, if any, is
 * borrowed.
 */
struct debuginfod *debuginfod_new(struct progress *progress);
void debuginfod_free(struct debuginfod *d);
DEFINE_FREEP(debuginfod)

/* True if the servers did not answer in time. Then no more files are found. */
bool debuginfod_has_given_up(const struct debuginfod *d);

/*
 * Returns the path of the debug file of @id, or NULL. The caller frees it. One thread at a time may
 * call this.
 */
char *debuginfod_debug_file(struct debuginfod *d, const struct build_id *id);

/* Returns the path of the program itself, likewise. */
char *debuginfod_program(struct debuginfod *d, const struct build_id *id);
