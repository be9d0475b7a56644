/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The text format of most features: u32 length, then that many bytes. Private to datafile/.
 */
struct bytes;
struct cursor;

/*
 * Returns the next text, which ends at the first NUL or at the length and belongs to the caller. If
 * the payload ends before the text does, it returns "" and sets cursor.bad; it never returns NULL.
 */
char *feature_text_take(struct cursor *c);

/* Appends @s, padded to 64 bytes as perf does; NULL is written as "". */
void feature_text_put(struct bytes *out, const char *s);
