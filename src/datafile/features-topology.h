/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The topology of the machine that a file was recorded on, as CPU_TOPOLOGY, NUMA_TOPOLOGY and CACHE
 * describe it.
 */
struct features;
struct topology;

/* Fills in *@ret, which may stay empty; the caller releases it. */
void features_topology(const struct features *f, struct topology *ret);
