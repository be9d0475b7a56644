/* SPDX-License-Identifier: MIT */
#pragma once
/* Prints a heat map as JSON: its axes, and the cells that are not empty. */
#include <stdio.h>

struct heat_picture;

void heat_json_print(const struct heat_picture *p, FILE *out);
