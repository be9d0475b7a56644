/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What the configuration says about comparisons, where the command line is silent: diff.compute,
 * diff.order, hist.percentage.
 */
struct config;
struct diag;
struct diff_opts;

/* Fills in @o. -EINVAL with @diag: a value that is none. */
int diff_config_apply(const struct config *c, struct diff_opts *o, struct diag *diag);
