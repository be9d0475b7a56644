/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * OpenTelemetry's profiles, for collectors: stacks with their weights. The format is still being
 * developed: this is the one of opentelemetry-proto 1.10.0 (profiles/v1development).
 */
#include "tools/data/format.h"

extern const struct export_format export_otlp;
