/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Objects whose maps are structs of numbers in a section `maps`, as they were until libbpf 1.0,
 * become objects whose maps are described by BTF in `.maps`, which is what libbpf reads today.
 *
 * Bytes in, bytes out. The object is a file from outside: what does not lie within it is not there.
 */
#include <stddef.h>

struct bytes;
struct diag;

/*
 * 0: there is nothing to change, or it is no object that libbpf would take anyway; 1: *@ret is the
 * changed object; -EINVAL with @diag set: its maps cannot be read.
 */
int bpf_old_maps_convert(const void *object, size_t size, struct bytes *ret, struct diag *diag);
