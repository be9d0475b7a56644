/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Checks rows from a store or a parcel (store/parcel.h), which are untrusted. After this check they
 * can be followed: every id that a row refers to exists, no stack is its own caller, and no count
 * or time is below zero.
 */
struct diag;
struct fleet_data;

/* Checks @d. -EBADMSG with @diag, whose message describes the mistake. O(rows). */
int fleet_check(const struct fleet_data *d, struct diag *diag);
