/* SPDX-License-Identifier: MIT */
#include "options/annotation.h"

#include "view/annotate/annotate.h"

const struct option annotation_options[] = {
	OPT_FLAG(0, NULL, struct annotate_layout, hide_source,
		 "no lines of source, in the browser and with --stdio2",
		 .config = "annotate.hide_src_code"),
	OPT_FLAG(0, NULL, struct annotate_layout, show_line_numbers,
		 "the numbers of lines of source, in the browser and with --stdio2",
		 .config = "annotate.show_linenr"),
	OPT_UINT(0, NULL, struct annotate_layout, offset_level, "level",
		 "in the browser and with --stdio2, what has an offset: 1, where jumps lead to "
		 "(the default); 2, calls "
		 "too; 3, every instruction",
		 .config = "annotate.offset_level"),
	OPT_FLAG(0, NULL, struct annotate_layout, use_offset,
		 "false: in the browser and with --stdio2, the address of every instruction in "
		 "place of offsets",
		 .config = "annotate.use_offset"),
	OPT_FLAG(0, NULL, struct annotate_layout, show_jumps,
		 "how many jumps lead to an instruction, in the browser and with --stdio2",
		 .config = "annotate.show_nr_jumps"),
	OPT_FLAG(0, NULL, struct annotate_layout, jump_arrows,
		 "false: in the browser, no line from the jump under the cursor to its target",
		 .config = "annotate.jump_arrows"),
	OPT_END
};
