/* SPDX-License-Identifier: MIT */
#pragma once
/* The columns "Node" and "PA cnt": where data lies in memory. */
#include <stdio.h>

struct c2c_physical;

/* Two cells with two blanks between them. */
void c2c_physical_print(const struct c2c_physical *p, FILE *out);
