/* SPDX-License-Identifier: MIT */
#include "export/format.h"

#include "export/chrome.h"
#include "export/ctf.h"
#include "export/firefox.h"
#include "export/folded.h"
#include "export/otlp.h"
#include "export/perfetto.h"
#include "export/postgresql.h"
#include "export/pprof.h"
#include "export/speedscope.h"
#include "export/sqlite.h"

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
