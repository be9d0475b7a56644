/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A probe's arguments that are plain registers, and to which nobody gave a name: the kernel calls
 * them arg1, arg2, ... by their place. In the text of a sample they appear as the registers they
 * are: `%x0=0x40`. Fields and filters keep the kernel's names.
 */

/*
 * The format @format of the event @system:@name with its print fmt changed so, by what the kernel
 * lists in @definitions (the text of dynamic_events); NULL: there is nothing to change. Places of
 * one event may have an argument in different registers: that one stays as it is. So do those of
 * markers, which are numbered by their author. The caller frees it.
 */
char *probe_registers_show(const char *format, const char *system, const char *name,
			   const char *definitions);
