/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The topology of the machine on which a file was recorded, from CPU_TOPOLOGY, NUMA_TOPOLOGY and
 * CACHE.
 */
struct features;
struct topology;

/* Fills in *@ret, which may stay empty; the caller releases it. */
void features_topology(const struct features *f, struct topology *ret);
