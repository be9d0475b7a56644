/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Converts objects whose maps are structs of numbers in a section `maps`, as they were until libbpf
 * 1.0, to objects whose maps are described by BTF in `.maps`, which libbpf reads today.
 *
 * Bytes in, bytes out. The object is a file from outside; data that does not lie within it counts
 * as absent.
 */
#include <stddef.h>

struct bytes;
struct diag;

/*
 * Converts @object. Returns 0: there is nothing to change, or it is not an object that libbpf would
 * accept anyway; 1: *@ret is the changed object; -EINVAL with @diag set: its maps cannot be read.
 */
int bpf_old_maps_convert(const void *object, size_t size, struct bytes *ret, struct diag *diag);
