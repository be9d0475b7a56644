/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Where the features of a file are. Private to datafile/.
 *
 * Behind the data lies { u64 offset, size; } for each set bit of the header's features, in
 * ascending order. While we record, the data is followed by a checkpoint: such a table for the
 * features that were known before the first sample. As the next records are written behind it, it
 * must be both a table and a record. So it is a table with a slot for feature 0, which there is
 * not: the first 8 bytes of that slot are the header of a HEADER_EVENT_TYPE record that goes to the
 * end of the table, a type that no tool has looked at for ten years. Feature 0 in a header thus
 * means: not finished.
 */
#include <stddef.h>
#include <stdint.h>

struct file_section;

#define FEATURE_CHECKPOINT 0

#define FEATURE_SLOT_SIZE 16
