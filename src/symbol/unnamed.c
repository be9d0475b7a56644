/* SPDX-License-Identifier: MIT */
#include "symbol/unnamed.h"

#include "base/cleanup.h"
#include "symbol/image.h"
#include "symbol/kallsyms.h"

static const struct unnamed_reason reasons[] = {
	[IMAGE_NO_FILE] = { "there is no such file any more",
			    "--symfs finds files below another directory; perf buildid-cache "
			    "--add keeps a file before it goes" },
	[IMAGE_DELETED] = { "it was deleted or replaced while it ran",
			    "record again, or give the old file to perf buildid-cache --add" },
	[IMAGE_ELSEWHERE] = { "it is in a container that is gone",
			      "report while the container runs, or give its root with --symfs" },
	[IMAGE_REPLACED] = { "the file there is not the one that ran, which was replaced or is in "
			     "a container",
			     "give the file that ran to perf buildid-cache --add, or record "
			     "again" },
	[IMAGE_OTHER_BUILD] = { "the file there is another build than the recorded one",
				"give the old file to perf buildid-cache --add, or record again" },
	[IMAGE_STRIPPED] = { "it is stripped", NULL },
	[IMAGE_ONLY_PUBLIC] = { "it is stripped; only exported symbols remain", NULL },
	[IMAGE_NOT_ELF] = { "it is not an ELF file, or a damaged one", NULL },
	[IMAGE_UNREADABLE] = { "you have no permission to read it", "run perf as root" },
	[IMAGE_HIDDEN] = { "the kernel hides its addresses (kptr_restrict, perf_event_paranoid)",
			   "as root: " KALLSYMS_SHOW },
	[IMAGE_NO_MAP] = { "it is JIT code, and no map has its names",
			   "a map is written by node --perf-basic-prof, python3 -X perf, "
			   "DOTNET_PerfMapEnabled=1; for a running Java by jcmd PID "
			   "Compiler.perfmap" },
	[IMAGE_BAD_MAP] = { "it does not hold names of compiled code", NULL },
	[IMAGE_FOREIGN_MAP] = { "another user wrote it", "-f reads it anyway" },
	[IMAGE_NOT_BUILT_IN] = { "this perf was built without a library that it takes to read it",
				 "'perf version --build-options' lists what is built in" },
	[IMAGE_ANONYMOUS] = { NULL, NULL },
};

static const struct unnamed_reason kernel_elsewhere = {
	"neither its list of symbols nor its vmlinux is here",
	"give one with --kallsyms or -k; perf archive packs it on the machine of the recording"
};

static const struct unnamed_reason kernel_other_build = {
	"the file of --vmlinux is another build than the recorded kernel",
	"leave --vmlinux out, or give the vmlinux that ran"
};

/* Returns @r, or the special reason for which a file was refused. */
static struct unnamed_reason unnamed_refused(const struct image *im, struct unnamed_reason r)
{
	const char *refusal = im && r.why ? image_refusal(im) : NULL;

	return refusal ? (struct unnamed_reason){ refusal, r.help } : r;
}

struct unnamed_reason image_unnamed_words(const struct image *im)
{
	enum image_missing why = im ? image_unnamed_reason(im) : IMAGE_ANONYMOUS;

	if (im && image_kind(im) == IMAGE_KERNEL && why == IMAGE_OTHER_BUILD &&
	    symbolizer_options(im->symbolizer)->vmlinux)
		return kernel_other_build;
	if (im && image_kind(im) == IMAGE_KERNEL &&
	    (why == IMAGE_NO_FILE || why == IMAGE_OTHER_BUILD))
		return kernel_elsewhere;
	return why < ARRAY_SIZE(reasons) ? unnamed_refused(im, reasons[why])
					 : reasons[IMAGE_ANONYMOUS];
}

bool image_is_stripped(const struct image *im)
{
	enum image_missing why = image_unnamed_reason(im);

	return image_kind(im) == IMAGE_USER && (why == IMAGE_STRIPPED || why == IMAGE_ONLY_PUBLIC);
}
