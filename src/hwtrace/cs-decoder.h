/* SPDX-License-Identifier: MIT */
#pragma once
/* The decoder of CoreSight; see hwtrace/decoder.h. */
#include "hwtrace/decoder.h"

extern const struct aux_class cs_class;
