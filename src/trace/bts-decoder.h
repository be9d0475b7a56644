/* SPDX-License-Identifier: MIT */
#pragma once
/* The decoder of Intel BTS; see trace/decoder.h. */
#include "trace/decoder.h"

extern const struct aux_class bts_class;
