/* SPDX-License-Identifier: MIT */
#pragma once
/* The decoder of Arm SPE; see trace/decoder.h. */
#include "trace/decoder.h"

extern const struct aux_class spe_class;
