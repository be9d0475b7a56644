/* SPDX-License-Identifier: MIT */
#pragma once
/* The decoder of Arm SPE; see hwtrace/decoder.h. */
#include "hwtrace/decoder.h"

extern const struct aux_class spe_class;
