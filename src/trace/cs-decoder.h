/* SPDX-License-Identifier: MIT */
#pragma once
/* The decoder of CoreSight; see trace/decoder.h. */
#include "trace/decoder.h"

extern const struct aux_class cs_class;
