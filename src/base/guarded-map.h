/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A file mapped for reading that may shrink meanwhile: where its bytes are gone it reads as zeros,
 * and guarded_map_shrank() tells, instead of SIGBUS ending the process.
 *
 * A mapping installs a handler of SIGBUS, unless it is there, which passes on what is not its own
 * to the handler it found. That handler and the list it looks into are the process's, as signals
 * are. There may be any number of mappings; the descriptor is not needed once one is made.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"

struct guarded_map;

/* Maps the first @size bytes (not 0) of @fd. -ENOMEM, -ENODEV, ...: read() it instead. */
int guarded_map_new(int fd, uint64_t size, struct guarded_map **ret);
void guarded_map_free(struct guarded_map *m);
DEFINE_FREEP(guarded_map)

const uint8_t *guarded_map_bytes(const struct guarded_map *m);

/* Whether something was read that the file no longer has. */
bool guarded_map_shrank(const struct guarded_map *m);

/*
 * Gives back the memory of what lies before @offset, which can still be read again. Cheap. A reader
 * that starts again at the beginning calls it with 0.
 */
void guarded_map_release(struct guarded_map *m, uint64_t offset);

/* Gives back the memory of the pages within @size bytes at @offset, likewise. From any thread. */
void guarded_map_drop(const struct guarded_map *m, uint64_t offset, uint64_t size);
