/* SPDX-License-Identifier: MIT */
#pragma once
/* The looks of functions in browsers and with `annotate --stdio2`: variables of perfconfig. */
#include "cli/option.h"

/* Options over a struct annotate_layout. */
extern const struct option annotation_options[];
