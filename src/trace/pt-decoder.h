/* SPDX-License-Identifier: MIT */
#pragma once
/* The decoder of Intel PT; see trace/decoder.h. */
#include "trace/decoder.h"

extern const struct aux_class pt_class;
