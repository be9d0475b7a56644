/* SPDX-License-Identifier: MIT */
#pragma once
/* The decoder of Intel PT; see hwtrace/decoder.h. */
#include "hwtrace/decoder.h"

extern const struct aux_class pt_class;
