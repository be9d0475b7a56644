/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The options that choose which samples of a profile count: those of profile/filter-request.h.
 * Texts are borrowed from argv.
 */
#include "cli/option.h"
#include "options/itrace.h"
#include "options/time.h"
#include "options/value.h"
#include "profile/filter-request.h"

/* Single options of this set, for commands that have other letters or fields. */
#define OPT_COMMS(l, T, f)                                                                         \
	OPT_STRING(l, "comms", T, f, "comm[,comm...]", "only of commands with these names")
#define OPT_DSOS(l, T, f)                                                                          \
	OPT_STRING(l, "dsos", T, f, "dso[,dso...]", "only in these programs and libraries")
#define OPT_SYMBOLS(T, f)                                                                          \
	OPT_STRING('S', "symbols", T, f, "symbol[,symbol...]", "only in these functions")
#define OPT_CPUS(l, T, f)                                                                          \
	OPT_CALL(l, "cpu", T, f, "cpu", "only of these CPUs: 0,2-3", .set = cpu_list_set)
#define OPT_PIDS(T, f)                                                                             \
	OPT_CALL(0, "pid", T, f, "pid[,pid...]", "only of these processes", .set = id_list_set)
#define OPT_TIDS(T, f)                                                                             \
	OPT_CALL(0, "tid", T, f, "tid[,tid...]", "only of these threads", .set = id_list_set)

/*
 * Options over a struct filter_request, with a heading. The option for dsos is left to the command,
 * because only report has a letter for it.
 */
extern const struct option filter_options[];

#define NO_TRACES "single functions are not followed through hardware traces"
