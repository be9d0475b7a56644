/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Rows that came from a store or a parcel were written by anybody. After this check they can be
 * followed: every id that a row refers to is there, no stack is its own caller, and no count or
 * time is below zero.
 */
struct diag;
struct fleet_data;

/* -EBADMSG with @diag, whose message says what is wrong. O(rows). */
int fleet_check(const struct fleet_data *d, struct diag *diag);
