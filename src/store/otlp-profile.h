/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Rows of a fleet as OpenTelemetry's profiles (base/otlp.h): a resource for each host,
 * service and container, and in it for each minute and event two profiles, of periods and of
 * samples.
 *
 * A profile's id is computed from its batch, so that a receiver can detect what was sent twice.
 */
struct fleet_data;
struct protobuf;

/* Appends an ExportProfilesServiceRequest with all samples of @d, which are in order. */
void fleet_otlp_write(struct protobuf *p, const struct fleet_data *d);
