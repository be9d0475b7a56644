/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * How functions look in browsers and with `annotate --stdio2`: variables of perfconfig.
 */
#include "cli/option.h"

/* Rows over a struct annotate_layout. */
extern const struct option annotation_options[];
