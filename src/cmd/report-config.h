/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What the configuration says about reports, where the command line is silent.
 */
struct config;
struct diag;
struct report_opts;

/* Fills in @o. -EINVAL with @diag: a value that is none. */
int report_config_apply(const struct config *c, struct report_opts *o, struct diag *diag);
