/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A writer of SVG: knows which elements are open, and escapes what it is given.
 *
 * svg_open(), the attributes, then what is inside, then svg_close(). Names of elements and
 * attributes are borrowed and must live as long as the element is open. The text goes to the stream
 * in large pieces. It is XML; HTML takes the same text between its own tags.
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
	int error;      /* the first of the stream */
	bool is_in_tag; /* attributes may follow */
	size_t depth;
	const char *open[SVG_DEPTH_MAX];
};

void svg_init(struct svg *s, FILE *file);

/* Writes the rest to the stream. All elements are closed. 0, or the -errno of the stream. */
int svg_done(struct svg *s);

/*
 * The beginning of a file: the XML declaration and <svg> with its namespace, which is left open for
 * more attributes. The caller closes it.
 */
void svg_document(struct svg *s);

void svg_open(struct svg *s, const char *element);
void svg_close(struct svg *s);

/* What follows begins a line. Only between elements: in a text it would be a blank. */
void svg_line(struct svg *s);

/* Attributes of the element that was just opened. */
void svg_attr(struct svg *s, const char *name, const char *value);
void svg_attr_unsigned(struct svg *s, const char *name, uint64_t value);
void svg_attr_signed(struct svg *s, const char *name, int64_t value);

/* Up to @decimals decimals, as digits_short() writes them. */
void svg_attr_decimal(struct svg *s, const char *name, double value, unsigned decimals);

/* Character data. */
void svg_text(struct svg *s, const char *text);
void svg_text_bytes(struct svg *s, const char *text, size_t n);

/* A style sheet or a script of ours, as it is; it must not contain "]]>". */
void svg_verbatim(struct svg *s, const char *text, size_t n);

/* An element with nothing but a text inside. */
void svg_element(struct svg *s, const char *element, const char *text);
