/* SPDX-License-Identifier: MIT */
#pragma once
/* The decoder of Intel BTS; see hwtrace/decoder.h. */
#include "hwtrace/decoder.h"

extern const struct aux_class bts_class;
