/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The table of the formats that a recording can be written in; tools/data/format.h describes one.
 */
#include "tools/data/format.h"

/* The formats, in the order of the options. */
enum export_format_name {
	EXPORT_TO_PPROF,
	EXPORT_TO_SPEEDSCOPE,
	EXPORT_TO_FOLDED,
	EXPORT_TO_CHROME,
	EXPORT_TO_FIREFOX,
	EXPORT_TO_PERFETTO,
	EXPORT_TO_OTLP,
	EXPORT_TO_SQLITE,
	EXPORT_TO_POSTGRESQL,
	EXPORT_TO_CTF,
	N_EXPORT_FORMATS,
};

extern const struct export_format *const export_formats[N_EXPORT_FORMATS];
