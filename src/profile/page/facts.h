/* SPDX-License-Identifier: MIT */
#pragma once
/* Adds the facts about a recording, and the limits of its quality, for profile/page/make.c. */
struct page;
struct page_request;
struct profile;

/*
 * Adds title, header and quality of @p, which was collected, to @page, which has its events
 * already.
 */
void page_add_facts(struct page *page, const struct profile *p, const struct page_request *rq);
