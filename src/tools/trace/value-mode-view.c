/* SPDX-License-Identifier: MIT */
/* The mode of a file, with the names of the kernel's headers for its bits: IRUGO|IWUSR is 0644. */
#include <stddef.h>

#include "base/text.h"
#include "tools/trace/value-out-view.h"

#define TYPE_MASK 0170000

/*
 * The names of modes. A name is used if all of its bits are set and none of them was covered by an
 * earlier name.
 */
static const struct value_name names[] = {
	{ 07777, 07777, "IALLUGO" },     { 0777, 0777, "IRWXUGO" },
	{ 0444, 0444, "IRUGO" },         { 0222, 0222, "IWUGO" },
	{ 0111, 0111, "IXUGO" },         { 0140000, TYPE_MASK, "IFSOCK" },
	{ 0120000, TYPE_MASK, "IFLNK" }, { 0100000, TYPE_MASK, "IFREG" },
	{ 0060000, TYPE_MASK, "IFBLK" }, { 0040000, TYPE_MASK, "IFDIR" },
	{ 0020000, TYPE_MASK, "IFCHR" }, { 0010000, TYPE_MASK, "IFIFO" },
	{ 04000, 04000, "ISUID" },       { 02000, 02000, "ISGID" },
	{ 01000, 01000, "ISVTX" },       { 0700, 0700, "IRWXU" },
	{ 0400, 0400, "IRUSR" },         { 0200, 0200, "IWUSR" },
	{ 0100, 0100, "IXUSR" },         { 0070, 0070, "IRWXG" },
	{ 0040, 0040, "IRGRP" },         { 0020, 0020, "IWGRP" },
	{ 0010, 0010, "IXGRP" },         { 0007, 0007, "IRWXO" },
	{ 0004, 0004, "IROTH" },         { 0002, 0002, "IWOTH" },
	{ 0001, 0001, "IXOTH" },
};

static const struct value_table modes = {
	.name = "mode",
	.prefix = "S_",
	.is_flags = true,
	.names = names,
	.n = sizeof(names) / sizeof(names[0]),
};

void out_mode(struct value_out *o, uint64_t v)
{
	if (o->json)
		out_octal(o, v);
	else
		out_flags(o, &modes, v);
}
