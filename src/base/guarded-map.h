/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A file mapped for reading that may shrink in the meantime: bytes that no longer exist read as
 * zeros, and guarded_map_shrank() reports them, instead of SIGBUS ending the process.
 *
 * A mapping installs a handler of SIGBUS, unless it is installed already. The handler passes
 * foreign signals on to the handler that it replaced. The handler and its list of mappings belong
 * to the process, as signals do. There may be any number of mappings; the descriptor is not needed
 * once a mapping is made.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"

struct guarded_map;

/* Maps the first @size bytes (not 0) of @fd. -ENOMEM, -ENODEV, ...: use read() instead. */
int guarded_map_new(int fd, uint64_t size, struct guarded_map **ret);
void guarded_map_free(struct guarded_map *m);
DEFINE_FREEP(guarded_map)

const uint8_t *guarded_map_bytes(const struct guarded_map *m);

/* True if something was read that the file no longer has. */
bool guarded_map_shrank(const struct guarded_map *m);

/*
 * Releases the memory of everything before @offset, which can still be read again. Cheap. A reader
 * that starts again at the beginning calls it with 0.
 */
void guarded_map_release(struct guarded_map *m, uint64_t offset);

/*
 * Releases the memory of @size bytes at @offset in the same way, with what the kernel mapped before
 * them. May be called from any thread.
 */
void guarded_map_drop(const struct guarded_map *m, uint64_t offset, uint64_t size);
