/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The menu that writes what is shown into a file: a flame graph, a page, folded stacks, JSON, text.
 *
 * Belongs to a browser, whose panels open the menu and tell it of news. A file that is there is
 * replaced only after a question. The page is made in the background.
 */
#include "base/cleanup.h"
#include "tui/export-file.h"

struct browse;
struct exporter;
struct panel;
struct panels;

struct exporter *exporter_new(struct panels *p);
/* Gives up a page that is not complete. */
void exporter_free(struct exporter *e);
DEFINE_FREEP(exporter)

/* What the menu of a panel is about. The view and the name are copied. */
struct export_menu {
	struct browse *browse; /* its newest snapshot is written */
	struct export_view view;
	const char *stem; /* the name that is proposed, without ".svg" */
};

/* Opens the menu above @owner. */
void exporter_menu(struct exporter *e, struct panel *owner, const struct export_menu *m);

/* For news() of the panel below: how far the page is. */
void exporter_news(struct exporter *e);
