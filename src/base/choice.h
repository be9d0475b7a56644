/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Yes, no, or nothing was said: for what has a default that depends on other things.
 */
enum choice {
	CHOICE_UNSAID,
	CHOICE_NO,
	CHOICE_YES,
};
