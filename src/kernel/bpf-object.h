/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * BPF programs and maps that several processes use, through bpf(2) alone: those that are pinned
 * below the BPF file system, and those that are found by their id. bpf/module.h loads programs.
 *
 * Descriptors are closed on exec. All functions return a negative errno on failure.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Opens the object that is pinned at @path; @read_only: for programs and maps that the user may
 * only read.
 */
int bpf_object_open(const char *path, bool read_only);

/* Pins the object @fd at @path. */
int bpf_object_pin(int fd, const char *path);

/* Creates a hash map. */
int bpf_hash_new(const char *name, uint32_t key_size, uint32_t value_size, uint32_t max_entries);

/*
 * Creates an array of @n perf events. It keeps events that are put into it open as long as it
 * exists, whichever process has put them there (Linux 5.12).
 */
int bpf_event_array_new(const char *name, uint32_t n);

/* Store a value. -EEXIST: there is a value already. */
int bpf_map_put_new(int fd, const void *key, const void *value);
int bpf_map_put(int fd, const void *key, const void *value);
int bpf_map_get(int fd, const void *key, void *ret_value);
int bpf_map_remove(int fd, const void *key);

/* Gives the key after @key (NULL: the first). -ENOENT: there is none. */
int bpf_map_next(int fd, const void *key, void *ret_key);

/* The id of the map @fd, its size, and the type of its values in BTF (0: not known). */
struct bpf_map_facts {
	uint32_t id, type, key_size, value_size, max_entries;
	uint32_t btf_id, value_type;
	char name[16];
};
int bpf_map_facts(int fd, struct bpf_map_facts *ret);

/*
 * Open a map or a program by its id. -ENOENT: it no longer exists; -EPERM: not permitted for this
 * user.
 */
int bpf_map_open_id(uint32_t id);
int bpf_program_open_id(uint32_t id);
