/* SPDX-License-Identifier: MIT */
#include "tools/data/formats.h"

#include "tools/data/chrome.h"
#include "tools/data/ctf.h"
#include "tools/data/firefox.h"
#include "tools/data/folded.h"
#include "tools/data/otlp.h"
#include "tools/data/perfetto.h"
#include "tools/data/postgresql.h"
#include "tools/data/pprof.h"
#include "tools/data/speedscope.h"
#include "tools/data/sqlite.h"

const struct export_format *const export_formats[N_EXPORT_FORMATS] = {
	[EXPORT_TO_PPROF] = &export_pprof,
	[EXPORT_TO_SPEEDSCOPE] = &export_speedscope,
	[EXPORT_TO_FOLDED] = &export_folded,
	[EXPORT_TO_CHROME] = &export_chrome,
	[EXPORT_TO_FIREFOX] = &export_firefox,
	[EXPORT_TO_PERFETTO] = &export_perfetto,
	[EXPORT_TO_OTLP] = &export_otlp,
	[EXPORT_TO_SQLITE] = &export_sqlite,
	[EXPORT_TO_POSTGRESQL] = &export_postgresql,
	[EXPORT_TO_CTF] = &export_ctf,
};
