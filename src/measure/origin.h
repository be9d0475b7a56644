/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The description in a file of how it was made: the machine, the version of perf, and the command
 * line.
 */
struct features;

/* Adds the description of this machine and this process to @f. Takes a few milliseconds. */
void origin_describe(struct features *f);
