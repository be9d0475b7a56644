/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Debug files from the network, by build-id, from the servers in $DEBUGINFOD_URLS; without it the
 * network is never used. The library is loaded when it is first needed. It caches files in
 * ~/.cache/debuginfod_client.
 *
 * If no server answers within some seconds, none is asked again.
 */
#include <stdbool.h>

#include "base/cleanup.h"
#include "elf/build-id.h"

struct debuginfod;
struct progress;

/* NULL if no server is set, or the library is not installed. @progress, if any, is borrowed. */
struct debuginfod *debuginfod_new(struct progress *progress);
void debuginfod_free(struct debuginfod *d);
DEFINE_FREEP(debuginfod)

/* Did the servers not answer in time? Then nothing more is found. */
bool debuginfod_has_given_up(const struct debuginfod *d);

/* The path of the debug file of @id, or NULL. The caller frees it. One thread at a time. */
char *debuginfod_debug_file(struct debuginfod *d, const struct build_id *id);

/* The path of the program itself, likewise. */
char *debuginfod_program(struct debuginfod *d, const struct build_id *id);
