/* SPDX-License-Identifier: MIT */
#pragma once
/* Prints runs of `perf bench numa mem`. */
#include <stdio.h>

struct bench_numa;

void bench_print_numa(FILE *out, const struct bench_numa *numa);
