/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Files that are embedded in the program: the scripts and style sheets of pictures and pages.
 *
 * src/view/embed makes them at build time. A new file is a line in src/view/meson.build and one
 * here. The files of one tool are in its folder, and declared in the source that uses them.
 */
#include <stddef.h>

struct embedded {
	const char *text;   /* ASCII, NUL-terminated */
	size_t size;        /* without the NUL */
	const char *sha256; /* the text's hash, in base64, for a Content-Security-Policy */
};

extern const struct embedded embedded_flame_css, embedded_flame_js;
extern const struct embedded embedded_page_css, embedded_page_html, embedded_page_js;
extern const struct embedded embedded_timechart_css, embedded_timechart_js;
