/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A writer of SVG, which tracks the open elements, and escapes text.
 *
 * Call svg_open(), then the attributes, then the contents, then svg_close(). Names of elements and
 * attributes are borrowed and must live as long as the element is open. The text goes to the stream
 * in large pieces. It is XML; HTML accepts the same text between its own tags.
 *
 *	<rect x="1" width="12.5"><title>a &lt; b</title></rect>
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/text.h"

#define SVG_DEPTH_MAX 32

struct svg {
	/* private: */
	struct text out;
	FILE *file;
	int error;      /* the first error of the stream */
	bool is_in_tag; /* attributes may still follow */
	size_t depth;
	const char *open[SVG_DEPTH_MAX];
};

void svg_init(struct svg *s, FILE *file);

/*
 * Writes the rest to the stream. All elements must be closed. Returns 0, or the -errno of the
 * stream.
 */
int svg_done(struct svg *s);

/*
 * Writes the beginning of a file: the XML declaration and <svg> with its namespace, which is left
 * open for more attributes. The caller closes it.
 */
void svg_document(struct svg *s);

void svg_open(struct svg *s, const char *element);
void svg_close(struct svg *s);

/*
 * Begins a new line. It is only permitted between elements, because it would be a blank in a text.
 */
void svg_line(struct svg *s);

/* Add attributes to the element that was just opened. */
void svg_attr(struct svg *s, const char *name, const char *value);
void svg_attr_unsigned(struct svg *s, const char *name, uint64_t value);
void svg_attr_signed(struct svg *s, const char *name, int64_t value);

/* Adds an attribute with up to @decimals decimals, in the format of digits_short(). */
void svg_attr_decimal(struct svg *s, const char *name, double value, unsigned decimals);

/* Adds character data. */
void svg_text(struct svg *s, const char *text);
void svg_text_bytes(struct svg *s, const char *text, size_t n);

/* Writes an element that only contains a text. */
void svg_element(struct svg *s, const char *element, const char *text);

/*
 * Writes a style sheet or a script of ours, unchanged, as an @element with a line of its own. It
 * must not contain "]]>".
 */
void svg_verbatim(struct svg *s, const char *element, const char *text, size_t n);

/* Writes a text of @class at a place. */
void svg_words(struct svg *s, const char *class, double x, double y, const char *words);

/* Writes the rectangle of the class "page", which is as large as the picture, and a line. */
void svg_page(struct svg *s);
