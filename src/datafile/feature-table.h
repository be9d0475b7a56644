/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The places of a file's features. Private to datafile/.
 *
 * After the data there is { u64 offset, size; } for each set bit of the header's features, in
 * ascending order. During recording the data is followed by a checkpoint: such a table for the
 * features that were known before the first sample. The next records are written after it, so it
 * must be both a table and a record. It is therefore a table with a slot for feature 0, which does
 * not exist. The first 8 bytes of that slot are the header of a HEADER_EVENT_TYPE record that
 * extends to the end of the table, a type that no tool has looked at for ten years. Feature 0 in a
 * header thus means that the file is not finished.
 */
#include <stddef.h>
#include <stdint.h>

struct file_section;

#define FEATURE_CHECKPOINT 0

#define FEATURE_SLOT_SIZE 16
