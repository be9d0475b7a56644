/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What a file says about its making: the machine, the version of perf, and the command line.
 */
struct features;

/* Adds all of it to @f, of this machine and this process. Takes a few milliseconds. */
void origin_describe(struct features *f);
